"""What requests taught us of models, kept beside the lists of their providers: a window that is smaller than
anybody says, and an effort that was refused.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import msgspec

from app.models.profile import Profile
from app.platform.ids import new_id
from app.platform.paths import make_private

LASTS = 30 * 86_400.0
"""Seconds that a lesson holds: what a model takes changes, and to learn it anew costs one request."""
_MOST = 200
"""Models of one provider of which something is kept; the newest stay."""
_LARGEST = 256 * 1024


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """What was learned of one model at one address, and when (unix seconds). `window` in tokens, 0 = nothing;
    `listed` is what its data said then: where they say something else later, that lesson is over.
    """

    place: str
    window: int = 0
    listed: int = 0
    measured: float = 0.0
    efforts: dict[str, float] = {}
    """Our words for effort that were refused; `request.UNASKED`: everything that asks for any."""


class Learned:
    """The lessons of all profiles, a file for each below `folder`; small, so read and written at once."""

    def __init__(self, folder: Path | None = None, now: Callable[[], float] = time.time) -> None:
        """Without a folder they last as long as the process."""
        self._folder = folder
        self._now = now
        self._held: dict[str, tuple[tuple[int, int], dict[str, Lesson]]] = {}

    def window(self, profile: Profile, model: str, listed: int) -> int:
        """Return the window that was learned while the data said `listed`, 0 for none."""
        lesson = self._of(profile, model)
        return lesson.window if lesson.listed == listed and self._holds(lesson.measured) else 0

    def learn_window(self, profile: Profile, model: str, listed: int, size: int) -> None:
        """Take down that a request of `size` tokens was too long; 0 forgets what was learned."""
        before = self._of(profile, model)
        if size or before.window:
            made = msgspec.structs.replace(before, window=size, listed=listed, measured=self._now())
            self._keep(profile, model, made)

    def refused(self, profile: Profile, model: str) -> frozenset[str]:
        """Return the efforts that this model did not take."""
        efforts = self._of(profile, model).efforts
        return frozenset(effort for effort, when in efforts.items() if self._holds(when))

    def refuse(self, profile: Profile, model: str, effort: str) -> None:
        """Take down that an effort was refused."""
        before = self._of(profile, model)
        efforts = {**before.efforts, effort: self._now()}
        self._keep(profile, model, msgspec.structs.replace(before, efforts=efforts))

    def try_again(self, profile: Profile, model: str) -> None:
        """Forget which efforts were refused: the person wishes for one."""
        before = self._of(profile, model)
        if before.efforts:
            self._keep(profile, model, msgspec.structs.replace(before, efforts={}))

    def _holds(self, when: float) -> bool:
        return 0 <= self._now() - when < LASTS

    def _of(self, profile: Profile, model: str) -> Lesson:
        """Return what is known of a model at its profile's address, else an empty lesson."""
        place = _place(profile)
        found = self._all(profile).get(model)
        return found if found is not None and found.place == place else Lesson(place=place)

    def _all(self, profile: Profile) -> dict[str, Lesson]:
        """Return all lessons of a profile, read again where another process wrote them."""
        path, held = self._path(profile), self._held.get(profile.name)
        if path is not None:
            with contextlib.suppress(OSError):
                status = path.stat()
                print_ = (status.st_mtime_ns, status.st_size)
                if held is None or held[0] != print_:
                    held = self._held[profile.name] = (print_, _read(path))
        return held[1] if held is not None else {}

    def _keep(self, profile: Profile, model: str, lesson: Lesson) -> None:
        found = {name: one for name, one in self._all(profile).items() if name != model}
        if lesson.window or lesson.efforts:
            found[model] = lesson
        found = dict(list(found.items())[-_MOST:])
        path = self._path(profile)
        self._held[profile.name] = ((0, 0) if path is None else _write(path, found), found)

    def _path(self, profile: Profile) -> Path | None:
        return None if self._folder is None else self._folder / f"{quote(profile.name, safe='')}.json"


def _place(profile: Profile) -> str:
    """Return what tells the servers of one profile apart; an account leads to its own address each time."""
    return profile.base_url if profile.sign_in == "key" else ""


def _read(path: Path) -> dict[str, Lesson]:
    try:
        return msgspec.json.decode(path.read_bytes()[:_LARGEST], type=dict[str, Lesson])
    except (OSError, msgspec.DecodeError, msgspec.ValidationError):
        return {}  # damaged, or of another version: it is learned again


def _write(path: Path, found: dict[str, Lesson]) -> tuple[int, int]:
    """Write the file and return its print; (0, 0) where it cannot be written: it lasts for this process."""
    unfinished = path.with_name(f".{path.name}.{new_id()}")
    try:
        make_private(path.parent)
        unfinished.write_bytes(msgspec.json.encode(found))
        os.replace(unfinished, path)
        status = path.stat()
        return status.st_mtime_ns, status.st_size
    except OSError:  # a full disk or a read-only home
        with contextlib.suppress(OSError):
            unfinished.unlink()
        return 0, 0
