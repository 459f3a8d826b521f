"""The person's own tools: one file each, trusted by its content, run in a sealed child process."""
