"""What to do about a request: strategies, queries for what is missing, tool steps, and doubt in a plan."""
