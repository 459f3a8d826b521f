"""Searching the web: what engines there are (data), how their answers are read and fused (pure), and who asks
them.
"""

OWN_ENGINES = "engines.toml"
"""The person's own engines: a file beside their settings."""
