"""Tools for mail."""
