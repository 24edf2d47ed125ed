"""What a run's state tells: its steps and calls, what it has been through and answered, its thread. Pure."""
