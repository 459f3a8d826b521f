"""Search files with Python's own regular expressions.

Where ripgrep is missing, or cannot read the pattern or the text.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Iterator

from app.capabilities import files_query
from app.capabilities.files_glob import matcher
from app.capabilities.files_query import Query, Result
from app.capabilities.files_walk import Walk
from app.capabilities.files_work import Stopped
from app.changes.lines import body, split
from app.changes.text import decode
from app.errors import ToolError
from app.platform import filesystem
from tools import Match

_CLASSES = {
    "alpha": "A-Za-z",
    "digit": "0-9",
    "alnum": "A-Za-z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": r"\s",
    "blank": r"\t ",
    "punct": r"!-/:-@\[-`{-~",
    "xdigit": "0-9A-Fa-f",
    "word": r"\w",
}
Find = Callable[[str], int]
"""Returns the place of the first match in a line, -1 for none."""
_LOOKS_AROUND = re.compile(r"[\^$]|\(\?|\\[ABZ]")
"""Makes a match depend on where its line ends; a class such as [^a] counts too, which costs time only."""


def scan(query: Query, stopped: Stopped = lambda: False) -> Result:
    """Return the matches. Raises ToolError (bad_arguments) for a broken pattern. It may run very long."""
    find, wide = _finder(query), not query.pattern.isascii()
    hopeful = _sieve(query)
    found: list[Match] = []
    searched = 0
    for path in _files(query, stopped):
        whole = os.path.join(query.folder, path)
        try:
            data = filesystem.read(whole, files_query.SIZE_CAP + 1)
        except OSError:
            continue
        searched += 1
        text = _text(data, wide)
        if text is None or not hopeful(text):
            continue
        matches = _matches(path, whole, text, find, query.context)
        if matches and query.keeps(path):
            found += matches
        if len(found) > query.limit:
            break
    return files_query.limited(found, query.limit, searched)


def _finder(query: Query) -> Find:
    pattern = re.escape(query.pattern) if query.literal else _with_classes(query.pattern)
    if query.literal and not query.ignore_case:
        return lambda line: line.find(query.pattern)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # of what a later Python may read otherwise
            test = re.compile(pattern, re.IGNORECASE if query.ignore_case else 0)
    except (re.error, OverflowError, RecursionError) as error:
        raise ToolError(
            "bad_arguments", f"The regular expression cannot be read: {error}. Plain text goes with literal."
        ) from error

    def find(line: str) -> int:
        found = test.search(line)
        return found.start() if found else -1

    return find


def _sieve(query: Query) -> Callable[[str], bool]:
    """Return a test of whole texts, true where a line may match: most files need no cutting into lines."""
    if query.literal and not query.ignore_case:
        return lambda text: query.pattern in text
    pattern = re.escape(query.pattern) if query.literal else _with_classes(query.pattern)
    if not query.literal and _LOOKS_AROUND.search(pattern):
        return lambda text: True
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        test = re.compile(pattern, re.IGNORECASE if query.ignore_case else 0)
    return lambda text: test.search(text) is not None


def _with_classes(pattern: str) -> str:
    """Return the pattern with the named classes of POSIX, such as [:alpha:], as Python writes them."""
    return re.sub(r"\[:(\w+):\]", lambda found: _CLASSES.get(found[1], found[0]), pattern)


def _files(query: Query, stopped: Stopped) -> Iterator[str]:
    if not os.path.isdir(query.root):
        yield os.path.basename(query.root)
        return
    wanted = matcher(query.glob) if query.glob else None
    for found in Walk(query.root, hidden=query.hidden, stopped=stopped):
        if not found.folder and not found.link and (wanted is None or wanted(found.path)):
            yield found.path


def _text(data: bytes, wide: bool) -> str | None:
    """Return the text as ripgrep reads it, or in the file's own encoding where the pattern is not ASCII."""
    if len(data) > files_query.SIZE_CAP:
        return None
    if wide or data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = decode(data).text
        return None if "\0" in text else text
    return None if b"\0" in data else data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")


def _matches(path: str, whole: str, text: str, find: Find, context: int) -> list[Match]:
    lines = [body(line) for line in split(text)] if "\n" in text else [text] if text else []
    hits = {number: place for number, line in enumerate(lines, 1) if (place := find(line)) >= 0}
    if not hits:
        return []
    near = {
        number: lines[number - 1]
        for hit in hits
        for number in range(max(1, hit - context), min(len(lines), hit + context) + 1)
    }
    return files_query.file_matches(path, hits, near, context, whole)
