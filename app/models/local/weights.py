"""Which weights there are, what a person agrees to before they are fetched, and where they lie once they
are here.
"""

from __future__ import annotations

import hashlib
import os
import tomllib
from collections.abc import Callable
from pathlib import Path

import msgspec

from app.errors import ModelError
from app.records import WeightsInfo

_DATA = Path(__file__).with_name("weights.toml")
BLOCK = 1 << 20


class Weights(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of weights.toml. `{number}` in `package` and `member` counts the parts from 1."""

    name: str
    title: str
    size: int
    license: str
    source: str
    sha256: str
    note: str
    package: str
    version: str
    member: str
    parts: int
    window: int
    """Tokens of context that the engine is started with."""
    fenced_calls: bool = False
    """The model writes a call as a fenced JSON block; its template is edited so that the engine reads it as
    one.
    """


def known() -> tuple[Weights, ...]:
    """Return all weights that can be fetched."""
    return tuple(
        msgspec.convert(entry, Weights) for entry in tomllib.loads(_DATA.read_text("utf-8"))["weights"]
    )


def named(name: str) -> Weights:
    """Return the weights of that name. Raises ModelError local_missing that lists the names."""
    for weights in known():
        if weights.name == name:
            return weights
    names = ", ".join(weights.name for weights in known())
    raise ModelError("local_missing", f"There are no weights named {name!r}. Known: {names}.", model=name)


def path_of(folder: Path, weights: Weights) -> Path:
    """Return where the joined file lies. It has this name only after its hash was checked."""
    return folder / f"{weights.name}-{weights.sha256[:12]}.gguf"


def is_installed(folder: Path, weights: Weights) -> bool:
    """Whether the checked file is there, whole."""
    path = path_of(folder, weights)
    return path.is_file() and path.stat().st_size > 0


def info(folder: Path, weights: Weights) -> WeightsInfo:
    """Return what a person is shown before they agree."""
    return WeightsInfo(
        name=weights.name,
        title=weights.title,
        size=weights.size,
        license=weights.license,
        source=weights.source,
        sha256=weights.sha256,
        installed=is_installed(folder, weights),
        note=weights.note,
    )


def settle(joined: Path, folder: Path, weights: Weights, progress: Callable[[int], None]) -> Path:
    """Check the hash of the joined file and give it its name. Raises ModelError hash_mismatch; the file is
    removed then.
    """
    digest, done = hashlib.sha256(), 0
    with joined.open("rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
            done += len(block)
            progress(done)
        os.fsync(file.fileno())
    if digest.hexdigest() != weights.sha256:
        joined.unlink()
        raise ModelError(
            "hash_mismatch",
            f"{weights.title}: what arrived is not what was agreed to (SHA-256).",
            model=weights.name,
        )
    final = path_of(folder, weights)
    joined.replace(final)
    return final
