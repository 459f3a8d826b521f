"""Taking changes back in the window, and the three-way view where a file was changed since."""
