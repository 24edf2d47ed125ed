"""What each command does. Imported only when the command is called."""
