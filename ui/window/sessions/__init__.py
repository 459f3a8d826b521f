"""The list of conversations: grouped by day, searched in full text, renamed, pinned and deleted in place."""
