"""Tools for calendars."""
