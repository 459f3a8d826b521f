"""Drafts of messages, written as files that mail programs open as unsent. Nothing here sends anything."""

from __future__ import annotations

import mimetypes
import os
import re
from typing import TYPE_CHECKING, Any

from app.capabilities.documents import apart, read_together, thread
from app.capabilities.files_work import Stopped
from app.errors import ToolError
from app.platform import filesystem
from app.records import Mark
from tools import ChangeSet, Draft, Drafted, WriteBytes

if TYPE_CHECKING:
    from email.message import EmailMessage

    from app.capabilities.files import Files
    from app.capabilities.gate import Permit
    from app.documents.replying import Original

MOST = 25 * 1024 * 1024
"""Bytes of all attachments together: more is refused by most servers."""
RECIPIENTS = 200
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
SECONDS = 30.0


class Mailer:
    """Implements `tools.DraftMail` over the files of the same call."""

    def __init__(self, files: Files, gate: Permit) -> None:
        self._files = files
        self._gate = gate

    async def write_draft(self, draft: Draft) -> Drafted:
        """See DraftMail. Raises ToolError (bad_arguments, not_found, too_large, ...) and Refused."""
        from email.message import EmailMessage

        to, cc = _addresses(draft.to), _addresses(draft.cc)
        subject = _line(draft.subject, "The subject")
        answered = await self._original(draft.reply_to) if draft.reply_to.strip() else None
        message = EmailMessage()
        if answered is not None:
            subject = subject or _answer(answered.subject)
            to = to or _addresses((answered.sender,) if answered.sender else ())
            _thread(message, answered)
        for name, people in (("To", to), ("Cc", cc)):
            if people:
                message[name] = ", ".join(people)
        message["Subject"] = subject
        message["X-Unsent"] = "1"  # Outlook and Thunderbird open such a file for writing
        message.set_content(_body(draft.body, answered), charset="utf-8")
        names = await self._attach(message, draft.attachments)
        data = await thread(lambda stopped: message.as_bytes(policy=message.policy.clone(linesep="\r\n")))
        path = draft.path.strip() or await self._free(subject)
        if not path.lower().endswith(".eml"):
            raise ToolError("bad_arguments", f"{path} is no message file; its name must end in .eml.")
        files = await self._files.change(ChangeSet((WriteBytes(path, data, "missing"),)))
        if all(file.kind == "same" for file in files.files):
            raise ToolError("denied", files.note or "Nothing was written.")
        back = await self._read_back(path)
        same = (back["Subject"], _names(back)) == (subject, names)
        return Drafted(
            files.files[0].path, tuple(map(str, to)), subject, names, files,
            verified=same and all(file.verified for file in files.files), note=files.note,
        )  # fmt: skip

    async def _original(self, path: str) -> Original:
        from app.documents.replying import original

        real = await self._files.file(path)
        data = await thread(lambda stopped: filesystem.read(real, MOST + 1))
        if len(data) > MOST:
            raise ToolError("too_large", f"{path} is too large.", path=path)
        found: Original = await apart(path, SECONDS, original, data)
        self._gate.mark(Mark(kind="mail", name=real))
        return found

    async def _attach(self, message: EmailMessage, paths: tuple[str, ...]) -> tuple[str, ...]:
        names: list[str] = []
        for real, data in await read_together(self._files, paths, MOST, "attachments"):
            name = _CONTROL.sub("_", os.path.basename(real))
            kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
            main, _, sub = kind.partition("/")
            if main in ("message", "multipart"):
                main, sub = "application", "octet-stream"
            message.add_attachment(data, maintype=main, subtype=sub, filename=name)
            names.append(name)
        return tuple(names)

    async def _free(self, subject: str) -> str:
        """Return a name that is free in the working folder."""
        stem = re.sub(r"[^\w\- ]+", "", subject).strip()[:60] or "draft"

        def look(stopped: Stopped) -> str:
            for number in range(1, 1_000):
                name = f"{stem}.eml" if number == 1 else f"{stem} {number}.eml"
                if not os.path.lexists(self._files.resolve(name)):
                    return name
            raise ToolError("bad_arguments", "Name the file of the draft by path.")

        return await thread(look)

    async def _read_back(self, path: str) -> Any:
        from email import message_from_bytes, policy

        real = await thread(lambda stopped: self._files.resolve(path))
        data = await thread(lambda stopped: filesystem.read(real))
        return message_from_bytes(data, policy=policy.default)


def _names(message: Any) -> tuple[str, ...]:
    return tuple(part.get_filename() or "" for part in message.iter_attachments())


def _line(text: str, what: str) -> str:
    """Return a text that stands in one header. Raises ToolError: a line end would begin another header."""
    if _CONTROL.search(text.strip()):
        raise ToolError("bad_arguments", f"{what} holds line ends or other control characters.")
    if len(text) > 900:
        raise ToolError("bad_arguments", f"{what} is too long. Nothing was written.")
    return text.strip()


def _addresses(given: tuple[str, ...]) -> tuple[Any, ...]:
    """Return the addresses with their names. Raises ToolError."""
    from email.headerregistry import Address
    from email.utils import getaddresses

    found: list[Any] = []
    for name, address in getaddresses([_line(one, "An address") for one in given]):
        user, at, host = address.rpartition("@")
        whole = any(address in one for one in given)  # what was mended is not what was meant
        fine = (
            whole and at and re.fullmatch(r"[^\s@<>,;:\"\\()\[\]]+", user) and re.fullmatch(r"[\w.\-]+", host)
        )
        if not fine or host.startswith((".", "-")) or host.endswith("."):
            read = address or name
            meant = next((one.strip() for one in given if read in one), read)  # all of it, not a part
            raise ToolError("bad_arguments", f"{meant!r} is no address. Nothing was written.")
        found.append(str(Address(_line(name, "A name"), user, host)))
    if len(found) > RECIPIENTS:
        raise ToolError("bad_arguments", f"At most {RECIPIENTS} recipients. Nothing was written.")
    return tuple(dict.fromkeys(found))


def _answer(subject: str) -> str:
    clean = _CONTROL.sub(" ", subject)[:800]
    return clean if re.match(r"(?i)(?:re|aw|sv|antw)\s*:", clean) else f"Re: {clean}".strip()


def _thread(message: EmailMessage, answered: Original) -> None:
    for name, text in (("In-Reply-To", answered.id), ("References", answered.references)):
        if re.fullmatch(r"(?:<[^<>\s]+>\s*)+", text):
            message[name] = text


def _body(text: str, answered: Original | None) -> str:
    body = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n") + "\n"
    if answered is None:
        return body
    when = f"On {answered.date}, " if answered.date else ""
    quoted = "\n".join(f"> {line}" for line in answered.lines)
    return f"{body}\n{when}{answered.sender} wrote:\n{quoted}\n"
