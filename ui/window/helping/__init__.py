"""The helpers of a conversation in the window: how they get on, and their transcripts read in place."""
