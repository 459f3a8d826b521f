"""The Chat Completions wire and the dialects of its servers."""
