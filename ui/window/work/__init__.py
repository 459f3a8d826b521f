"""The work panel at the side: what was changed, what runs, and what the next request holds."""
