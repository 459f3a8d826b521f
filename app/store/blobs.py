"""Content of files by hash: each content stands once on the disk, whole and forced there, or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path

from app.errors import StoreError
from app.platform.ids import new_id
from app.platform.paths import make_private
from app.store.backup import sync_folder
from app.store.connection import typed_errors


def put(folder: Path, content: bytes, *, forced: bool = True) -> str:
    """Store the content, on disk when this returns, and return its SHA-256 in hex. Raises StoreError.

    Who puts many at once does without `forced` and calls os.sync before anything names them.
    """
    sha = hashlib.sha256(content).hexdigest()
    target = path_of(folder, sha)
    with typed_errors(target):
        if _is_there(target, len(content)):
            return sha
        make_private(target.parent)
        unfinished = target.with_name(f"{sha}.{new_id()}.part")
        try:
            _write(unfinished, content, forced)
            os.replace(unfinished, target)
        finally:
            unfinished.unlink(missing_ok=True)
        if forced:
            sync_folder(target.parent)
            sync_folder(folder)
    return sha


def get(folder: Path, sha: str) -> bytes:
    """Return the content of that hash. Raises StoreError: not_found, or store_corrupt when it is not what it
    was.
    """
    try:
        content = path_of(folder, sha).read_bytes()
    except FileNotFoundError as error:
        raise StoreError("not_found", f"the journal holds no content {sha[:12]}", ref=sha) from error
    if hashlib.sha256(content).hexdigest() != sha:
        raise StoreError("store_corrupt", f"content {sha[:12]} of the journal is damaged", path=str(folder))
    return content


def remove(folder: Path, sha: str, older_than: float) -> bool:
    """Remove the content unless somebody put it after that time (unix seconds); return whether it is gone."""
    target = path_of(folder, sha)
    aside = target.with_name(f"{sha}.{new_id()}.gone")
    try:
        # Moved first and looked at then: who puts it meanwhile finds nothing and writes it anew.
        os.rename(target, aside)
    except FileNotFoundError:
        return True
    if aside.stat().st_mtime >= older_than:
        os.replace(aside, target)
        return False
    aside.unlink()
    return True


def path_of(folder: Path, sha: str) -> Path:
    """Return where the content of that hash stands; two levels keep folders short."""
    return folder / sha[:2] / sha


def remove_orphans(folder: Path, known: set[str], older_than: float) -> int:
    """Remove files that no row names and that are older than that time (a kill between file and row); return
    how many.
    """
    removed = 0
    for file in folder.glob("??/*"):
        with contextlib.suppress(FileNotFoundError):
            if file.name not in known and file.stat().st_mtime < older_than:
                removed += remove(folder, file.name, older_than)
    return removed


def _is_there(target: Path, size: int) -> bool:
    """Whether the content stands there whole; marks it as just put, so that no clearing away takes it."""
    try:
        os.utime(target)
        return target.stat().st_size == size
    except FileNotFoundError:
        return False


def _write(path: Path, content: bytes, forced: bool) -> None:
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o600)
    with open(descriptor, "wb") as file:
        file.write(content)
        if forced:
            file.flush()
            os.fsync(file.fileno())
