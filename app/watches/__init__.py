"""Page watches: what is looked at in a page, whether it changed, and when a person is told. Pure."""
