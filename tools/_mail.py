"""What a tool may do with mail: write a draft as a file. Nothing here sends anything."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

from tools._files import Changed


class Draft(NamedTuple):
    """A message to be looked through and sent by the person. `reply_to` and `attachments` are paths;
    `path` is where the draft goes, "" for a name of its own in the working folder.
    """

    body: str
    to: tuple[str, ...] = ()
    cc: tuple[str, ...] = ()
    subject: str = ""
    reply_to: str = ""
    attachments: tuple[str, ...] = ()
    path: str = ""


class Drafted(NamedTuple):
    """The draft as it reads back from its file."""

    path: str
    to: tuple[str, ...]
    subject: str
    attachments: tuple[str, ...]
    files: Changed
    verified: bool
    note: str = ""


@runtime_checkable
class DraftMail(Protocol):
    """Writes drafts through the files of the call."""

    async def write_draft(self, draft: Draft) -> Drafted: ...
