"""Put the text of attached files into a message, each as a fenced part; what is no text is refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from app.errors import BrambleError
from app.permissions.marks import merged
from app.platform.plain_text import visible
from app.records import Mark

ATTACH_CAP = 256 * 1024
"""Bytes of all attached files together, about 65,000 tokens of English."""
_DOCUMENTS = (b"%PDF-", b"{\\rtf", b"PK\x03\x04", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\x1f\x8b")
"""How files begin that hold no text of their own, also where no NUL gives them away."""
_ATTACHED = re.compile(r"^Attached file `([^`\n]*)`:\n\n(`{3,})\n(?:.*?\n)??\2$", re.MULTILINE | re.DOTALL)
"""A part as `with_files` writes it: its name, its fence, its lines."""


def with_files(text: str, paths: Sequence[str]) -> str:
    """Return the message with the files behind it, in any encoding that is known. Blocks on the disk.

    Raises BrambleError: not_found, no_permission, not_text (pictures, PDF, other binary), too_large.
    """
    parts, left = [text], ATTACH_CAP
    for path in paths:
        data = _read(path, left)
        left -= len(data)
        parts.append(_part(path, data))
    return "\n\n".join(parts)


def own_words(text: str) -> str:
    """Return what the person wrote themselves, without the files that were put behind it."""
    return _ATTACHED.sub("", text)


def attached_marks(text: str, cwd: str) -> tuple[Mark, ...]:
    """Return a mark for each attached file that lies outside of the working folder. Blocks on the disk."""
    paths = (str(Path(cwd, found[1]).resolve()) for found in _ATTACHED.finditer(text))
    return merged(Mark(kind="file", name=path) for path in paths if not Path(path).is_relative_to(cwd))


def _read(path: str, left: int) -> bytes:
    from app.platform import filesystem  # most messages have no files

    try:
        data = filesystem.read(str(Path(path).resolve()), left + 1)
    except FileNotFoundError as error:
        raise BrambleError("not_found", f"{path} does not exist.", path=path) from error
    except OSError as error:
        detail = error.strerror or str(error)
        raise BrambleError("no_permission", f"{path}: {detail}", detail=detail, path=path) from error
    if len(data) > left:
        cap = f"{ATTACH_CAP // 1024} KiB"
        raise BrambleError("too_large", f"Files of at most {cap} together can be attached.", path=path)
    return data


def _part(path: str, data: bytes) -> str:
    from app.changes.text import decode, is_binary

    found = decode(data)
    if data.startswith(_DOCUMENTS) or is_binary(data) or not found.known:
        raise BrambleError("not_text", f"{path} is no text, so it cannot be attached.", path=path)
    # A fence ends at the next one that is at least as long (CommonMark 0.31, 4.5).
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", found.text)), default=0))
    name = visible(path).replace("\n", " ").replace("`", "'")
    end = "" if found.text.endswith("\n") or not found.text else "\n"
    return f"Attached file `{name}`:\n\n{fence}\n{found.text}{end}{fence}"
