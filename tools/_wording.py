"""How tools word what they say again and again: numbers with nouns, one line of a long text, a check."""

from __future__ import annotations


def plural(number: int, one: str, many: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {one if number == 1 else many}"


def shortened(text: str, most: int) -> str:
    """Return a text on one line of at most so many characters and a mark that it goes on."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most].rstrip()}..."


def checked(verified: bool) -> str:
    """Return whether a change was looked at afterwards and is so (product.md 4), in the word for it."""
    return "verified" if verified else "unverified"
