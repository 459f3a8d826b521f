"""Bramble: the assistant itself. No Qt, no terminal."""
