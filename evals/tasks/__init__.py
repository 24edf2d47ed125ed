"""One module a task, each with its ``TASK``."""
