"""Tools for documents that other programs made: text, tables, databases."""
