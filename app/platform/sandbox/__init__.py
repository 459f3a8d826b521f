"""What holds a command: bubblewrap where it works, else Landlock, else nothing, which is always said."""
