"""What a request asks: its kind, parts and conditions, whether it is vague, what an earlier turn adds to it."""
