"""Everything that a line would run, as far as it can be read: its commands, what they start, and what hides
in the texts that they evaluate.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from app.permissions.shell.inner import starts
from app.permissions.shell.reading import read_line
from app.permissions.shell.records import Reading, Redirect

DEPTH = 3
"""Texts within texts that are read; deeper ones are taken for dark."""
MOST = 60
"""Texts that are read for one line; what holds more is taken for dark."""
Words = tuple[str, ...]


@dataclass(frozen=True)
class Survey:
    """What a line would run: `certain` are its own commands, the rest is what they may start."""

    certain: tuple[Words, ...]
    possible: tuple[Words, ...]
    """The commands of texts that it may evaluate."""
    ends: tuple[Words, ...]
    """What stands behind a wrapper, from each place where its command may begin."""
    redirects: tuple[Redirect, ...]
    starters: frozenset[int]
    """Positions in `certain` of commands that start others or evaluate text."""
    dark: bool
    """Something runs that cannot be read."""
    unnamed: bool
    """A program whose name only the shell knows."""
    variables: tuple[str, ...]
    texts: tuple[str, ...]

    @property
    def commands(self) -> tuple[Words, ...]:
        """All that may run."""
        return (*self.certain, *self.possible, *self.ends)


def survey(reading: Reading, depth: int = DEPTH) -> Survey:
    """Look through a reading. Pure."""
    certain = tuple(command.known for command in reading.commands if command.words)
    unnamed = any(command.words and command.words[0] is None for command in reading.commands)
    found: list[Survey] = []
    ends: list[Words] = []
    starters: set[int] = set()
    texts: list[str] = []
    dark = not reading.whole
    for at, words in enumerate(certain):
        started = starts(words)
        if started is None:
            continue
        starters.add(at)
        dark = dark or started.dark
        texts += started.texts
        ends += started.inner
        for inner in started.inner:
            if (more := starts(inner[:MOST])) is not None:  # env timeout 5 sh -c ...
                texts += [text for text in more.texts if text not in texts]
    if starters or unnamed:  # a here document may be fed to them
        texts += reading.texts
    if texts and (depth == 0 or len(texts) > MOST):
        dark = True
    elif texts:
        found = [survey(read_line(text), depth - 1) for text in dict.fromkeys(texts)]
    return Survey(
        certain,
        tuple(_all(found)),
        (*ends, *(words for one in found for words in one.ends)),
        (*reading.redirects, *(redirect for one in found for redirect in one.redirects)),
        frozenset(starters),
        dark or any(one.dark for one in found),
        unnamed or any(one.unnamed for one in found),
        (*reading.variables, *(name for one in found for name in one.variables)),
        tuple(texts),
    )


def _all(found: list[Survey]) -> Iterator[Words]:
    for one in found:
        yield from one.commands
