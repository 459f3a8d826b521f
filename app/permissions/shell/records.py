"""What was read from a line of shell: its simple commands, its redirections, and what was not plain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Direction = Literal["write", "append", "read", "both"]


@dataclass(frozen=True)
class Simple:
    """One simple command: its words after quote removal. `None` stands for a word that only the shell knows
    (an expansion); a plain reading has none.
    """

    words: tuple[str | None, ...]
    text: str
    """As it stands in the line."""

    @property
    def known(self) -> tuple[str, ...]:
        """The words as text, "" for those that only the shell knows."""
        return tuple(word or "" for word in self.words)


@dataclass(frozen=True)
class Redirect:
    """A file that the shell opens. `target` is None where only the shell knows it."""

    direction: Direction
    target: str | None
    text: str


@dataclass(frozen=True)
class Reading:
    """A line of shell. Plain where `odd` is "": then `commands` and `redirects` are all that it does.

    Otherwise they are what could be found in it, in whatever depth, and `whole` says whether every command
    in it is among them.
    """

    commands: tuple[Simple, ...]
    redirects: tuple[Redirect, ...] = ()
    odd: str = ""
    """A code of the first thing that was not plain, such as `substitution`, `control`, `unreadable`."""
    obvious: bool = False
    """One simple command of bare words: nothing in it that two parsers could read differently."""
    whole: bool = True
    variables: tuple[str, ...] = ()
    """Names that it assigns."""
    texts: tuple[str, ...] = ()
    """Bodies of here documents and strings, which may be fed to a program."""
