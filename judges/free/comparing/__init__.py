"""Whether two sentences speak of one thing, and whether they can both be right."""
