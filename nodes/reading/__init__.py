"""What a run's state tells: its steps, what it has been through and answered, what was said in its thread. Pure."""
