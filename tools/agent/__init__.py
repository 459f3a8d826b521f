"""Tools for the assistant's own work: its instructions and its other tools."""
