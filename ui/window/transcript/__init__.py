"""The painted, virtualised transcript: of any conversation, only what is in sight is laid out."""
