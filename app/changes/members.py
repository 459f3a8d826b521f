"""What an archive holds, read without trusting a word of it, and refused where it would do harm."""

from __future__ import annotations

import bz2
import io
import lzma
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any, Literal

from app.errors import ToolError
from app.platform import filesystem

ENTRIES = 20_000
"""Entries of one archive: more than any source release has, and as many as can be renamed back in seconds."""
INFLATED = 4 * 1024 * 1024 * 1024
"""Bytes that come out of one archive: a film or a disk image, not a disk full."""
RATIO = 250
"""Times that an archive may grow once it is over `PLAIN`: text packs 10 to 30 times, a bomb 1,000 times."""
PLAIN = 64 * 1024 * 1024
"""Bytes up to which any ratio is taken, since files of zeros are honest too."""
DIRECTORY = 16 * 1024 * 1024
"""Bytes of a zip's directory, which is read whole: room for far more than `ENTRIES`."""
_MEMORY = 256 * 1024 * 1024  # bytes that xz may take; its largest preset needs 65 MB
_CHUNK = 1 << 20
FORMATS = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")


@dataclass(frozen=True)
class Member:
    """One entry. `name` is relative with slashes; `target` what a link points to or a hard link repeats."""

    name: str
    kind: Literal["file", "folder", "link", "hard"]
    size: int = 0
    mode: int = 0
    modified: float = 0.0
    target: str = ""


def format_of(path: str) -> str:
    """Return zip, tar, gz, bz2 or xz by the name. Raises ToolError for another."""
    name = os.path.basename(path).lower()
    for ending, kind in (
        ((".zip",), "zip"), ((".tar.gz", ".tgz"), "gz"), ((".tar.bz2", ".tbz2"), "bz2"),
        ((".tar.xz", ".txz"), "xz"), ((".tar",), "tar"),
    ):  # fmt: skip
        if name.endswith(ending):
            return kind
    raise ToolError(
        "bad_arguments",
        f"{os.path.basename(path)} is no archive of a known kind: {', '.join(FORMATS)}.",
        path=path,
    )


def refused(why: str, code: str = "bad_arguments") -> ToolError:
    """Return the error for an archive that is not taken."""
    return ToolError(code, f"The archive is refused: {why}. Nothing was changed.")


@contextmanager
def opened(path: str) -> Iterator[tuple[list[tuple[Member, Any]], Any]]:
    """Open a zip archive: its members with what `zipfile` calls them, and the archive. Raises ToolError."""
    with filesystem.opened(path) as descriptor, os.fdopen(os.dup(descriptor), "rb") as file:
        _must_have_small_directory(file)
        try:
            with zipfile.ZipFile(file) as archive:
                yield _zip_members(archive, os.fstat(descriptor).st_size), archive
        except (zipfile.BadZipFile, zlib.error, EOFError, lzma.LZMAError) as error:
            raise refused(f"it is damaged ({error})") from error
        except (NotImplementedError, RuntimeError) as error:
            raise refused(f"it is packed in a way that cannot be read ({error})") from error


def _must_have_small_directory(file: IO[bytes]) -> None:
    file.seek(0, os.SEEK_END)
    length = file.tell()
    file.seek(max(0, length - 65_557))
    tail = file.read()
    at = tail.rfind(b"PK\5\6")
    size = int.from_bytes(tail[at + 12 : at + 16], "little") if at >= 0 else 0
    if size == 0xFFFFFFFF and at >= 20:
        file.seek(int.from_bytes(tail[at - 12 : at - 4], "little"))
        size = int.from_bytes(file.read(48)[40:48], "little")
    file.seek(0)
    if size > DIRECTORY:
        raise refused(f"its list of entries has {size} bytes", "too_large")


def _zip_members(archive: zipfile.ZipFile, packed: int) -> list[tuple[Member, Any]]:
    found: list[tuple[Member, Any]] = []
    total = 0
    for info in archive.infolist():
        if info.flag_bits & 0x1:
            raise refused(f"{info.filename!a} is encrypted, and no password can be given here")
        kind, target = _zip_kind(archive, info)
        total += info.file_size
        member = Member(
            checked_name(_zip_name(info)), kind, info.file_size, (info.external_attr >> 16) & 0o777,
            _seconds(info.date_time), target,
        )  # fmt: skip
        found.append((member, info))
        _must_be_few(len(found), total, packed)
    return found


def _zip_name(info: zipfile.ZipInfo) -> str:
    """Return the name as it was meant: UTF-8, the Info-ZIP field, else the old IBM letters."""
    name = info.orig_filename
    if not info.flag_bits & 0x800:
        raw = name.encode("cp437", "replace")
        try:
            name = (_unicode_field(info.extra) or raw).decode("utf-8")
        except UnicodeDecodeError:
            name = raw.decode("cp437")
    return name.replace("\\", "/") if info.create_system == 0 else name


def _unicode_field(extra: bytes) -> bytes:
    """Return the UTF-8 name of the Info-ZIP Unicode path field (0x7075), b"" where there is none."""
    at = 0
    while at + 4 <= len(extra):
        kind, size = (
            int.from_bytes(extra[at : at + 2], "little"),
            int.from_bytes(extra[at + 2 : at + 4], "little"),
        )
        if kind == 0x7075 and size > 5:
            return extra[at + 9 : at + 4 + size]
        at += 4 + size
    return b""


def _zip_kind(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo
) -> tuple[Literal["file", "folder", "link"], str]:
    mode = info.external_attr >> 16 if info.create_system == 3 else 0
    if info.is_dir() or info.orig_filename.endswith("\\"):
        return "folder", ""
    if stat.S_ISLNK(mode):
        if info.file_size > 4096:
            raise refused(f"the link {info.filename!a} points to {info.file_size} bytes")
        return "link", os.fsdecode(archive.read(info))
    if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise refused(f"{info.filename!a} is a device or another special file")
    return "file", ""


def _seconds(date: tuple[int, int, int, int, int, int]) -> float:
    import time

    try:
        return time.mktime((*date, 0, 0, -1))
    except (ValueError, OverflowError):
        return 0.0


def checked_name(name: str) -> str:
    """Return a member's name, cleaned. Raises ToolError where it would lead anywhere else."""
    if "\0" in name or not name.strip("/. "):
        if name.strip("/") in (".", ""):
            return ""
        raise refused(f"the name {name!a} is none that a file can have")
    drive = len(name) > 1 and name[1] == ":" and name[0].isalpha()
    if name.startswith(("/", "\\")) or (drive and (os.name == "nt" or name[2:3] in ("/", "\\"))):
        raise refused(f"{name!a} is an absolute path", "outside")
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if ".." in parts or (os.name == "nt" and ".." in name.replace("\\", "/").split("/")):
        raise refused(f"{name!a} leads out of the folder", "outside")
    if any(len(os.fsencode(part)) > 255 for part in parts):
        raise refused(f"the name {name[:40]!a}... is too long")
    return "/".join(parts)


def _must_be_few(count: int, total: int, packed: int) -> None:
    if count > ENTRIES:
        raise refused(f"it holds more than {ENTRIES} entries", "too_large")
    if total > INFLATED:
        raise refused(f"it holds more than {INFLATED} bytes", "too_large")
    if total > PLAIN and total > RATIO * max(1, packed):
        raise refused(f"it would grow more than {RATIO} times", "too_large")


class _Inflating(io.RawIOBase):
    """The inflated bytes of a packed tar, never more than the caps allow."""

    def __init__(self, file: IO[bytes], kind: str, packed: int) -> None:
        self._file, self._kind, self._packed = file, kind, packed
        self._unpacker: Any = None
        self._waiting = b""
        self.total = 0

    def readable(self) -> bool:
        """See io."""
        return True

    def readinto(self, buffer: Any) -> int:
        """See io. Raises ToolError beyond the caps."""
        data = self._next(len(buffer))
        self.total += len(data)
        _must_be_few(0, self.total, self._packed)
        buffer[: len(data)] = data
        return len(data)

    def _next(self, most: int) -> bytes:
        if self._kind == "tar":
            return self._file.read(most)
        while True:
            if self._unpacker is None or self._unpacker.eof:
                rest = self._unpacker.unused_data if self._unpacker else b""
                self._waiting = rest.lstrip(b"\0") or self._file.read(_CHUNK)
                if not self._waiting:
                    return b""
                self._unpacker = _unpacker(self._kind)
            data = self._step(most)
            if data or self._unpacker.eof:
                if data:
                    return data
                continue
            if not self._waiting:
                self._waiting = self._file.read(_CHUNK)
                if not self._waiting:
                    raise EOFError("it ends too early")

    def _step(self, most: int) -> bytes:
        data: bytes
        if self._kind == "gz":
            data = self._unpacker.decompress(self._waiting, most)
            self._waiting = self._unpacker.unconsumed_tail
        else:
            data = self._unpacker.decompress(self._waiting if self._unpacker.needs_input else b"", most)
            if self._unpacker.eof or self._unpacker.needs_input:
                self._waiting = b""
        return data


def _unpacker(kind: str) -> Any:
    if kind == "gz":
        return zlib.decompressobj(wbits=31)
    return bz2.BZ2Decompressor() if kind == "bz2" else lzma.LZMADecompressor(memlimit=_MEMORY)


@contextmanager
def tar_opened(path: str, kind: str) -> Iterator[Iterator[tuple[Member, tarfile.TarInfo, tarfile.TarFile]]]:
    """Open a tar archive, packed or not, as a stream of its members in order. Raises ToolError."""
    with filesystem.opened(path) as descriptor, os.fdopen(os.dup(descriptor), "rb") as file:
        stream = io.BufferedReader(_Inflating(file, kind, os.fstat(descriptor).st_size), _CHUNK)
        try:
            with tarfile.open(
                fileobj=stream, mode="r|", encoding="utf-8", errors="surrogateescape"
            ) as archive:
                yield _tar_members(archive)
        except (tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError) as error:
            if isinstance(error, OSError) and error.errno:
                raise
            raise refused(f"it is damaged ({error})") from error


def _tar_members(archive: tarfile.TarFile) -> Iterator[tuple[Member, tarfile.TarInfo, tarfile.TarFile]]:
    for count, info in enumerate(archive, 1):
        _must_be_few(count, 0, 1)
        archive.members.clear()  # type: ignore[attr-defined]  # a stream keeps them all otherwise
        name = checked_name(info.name)
        if info.isdir():
            member = Member(name, "folder", 0, info.mode & 0o777, info.mtime)
        elif info.issym():
            member = Member(name, "link", 0, 0o777, info.mtime, info.linkname)
        elif info.islnk():
            member = Member(name, "hard", 0, info.mode & 0o777, info.mtime, checked_name(info.linkname))
        elif info.isreg():
            member = Member(name, "file", info.size, info.mode & 0o777, info.mtime)
        else:
            raise refused(f"{info.name!a} is a device or another special file")
        yield member, info, archive


def members(path: str) -> list[Member]:
    """Return what an archive holds, checked by itself and together. Raises ToolError, OSError."""
    kind = format_of(path)
    if kind == "zip":
        with opened(path) as (found, _):
            names = [member for member, _ in found]
    else:
        with tar_opened(path, kind) as stream:
            names = [member for member, _, _ in stream]
    return names


def must_fit_together(found: list[Member]) -> None:
    """Refuse names that stand twice, files within files, and links that lead out. Raises ToolError."""
    kinds: dict[str, Member] = {}
    for member in found:
        if not member.name:
            continue
        other = kinds.get(_key(member.name))
        if other is not None and not (other.kind == member.kind == "folder"):
            raise refused(f"{member.name!a} stands in it twice")
        kinds[_key(member.name)] = member
    for member in found:
        parts = member.name.split("/")
        for end in range(1, len(parts)):
            above = kinds.get(_key("/".join(parts[:end])))
            if above is not None and above.kind != "folder":
                raise refused(f"{member.name!a} lies within {above.name!a}, which is no folder", "outside")
        if member.kind == "link":
            _must_stay_inside(member)
        if member.kind == "hard":
            origin = kinds.get(_key(member.target))
            if origin is None or origin.kind != "file":
                raise refused(f"{member.name!a} is another name of something that is not in it", "outside")


def _key(name: str) -> str:
    return name.casefold() if os.name == "nt" or os.uname().sysname == "Darwin" else name


def _must_stay_inside(member: Member) -> None:
    target = member.target
    if not target or "\0" in target or target.startswith(("/", "\\")) or target[1:2] == ":":
        raise refused(f"the link {member.name!a} leads to {target!a}, out of the folder", "outside")
    depth = len(member.name.split("/")) - 1
    for part in target.split("/"):
        depth += -1 if part == ".." else 0 if part in ("", ".") else 1
        if depth < 0:
            raise refused(f"the link {member.name!a} leads to {target!a}, out of the folder", "outside")
