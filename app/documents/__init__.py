"""What files of other programs say: documents as plain text, pictures at a size that a model takes. Pure; the
libraries are heavy and read what nobody vouches for, so callers run this in a process of its own.
"""
