"""What outlives a run: what it teaches, the memory as nodes see it, its record."""
