"""Calendar files (RFC 5545) of other programs: which events take place when, and new events for them. Pure;
they are read in a process of its own, since an invitation is written by whoever sends it.
"""
