"""The models that providers say they have: asked for once an hour, kept in a file that all processes share.

Each entry is read on its own, so that a bad one spoils none of the others. Where nobody answers, what was
said last holds, and before that the profile's own data.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
from msgspec.structs import replace

from app.models.profile import ModelData, Profile
from app.platform.ids import new_id
from app.platform.paths import make_private
from app.records import ListState, Problem

FRESH = 3600.0
"""Seconds that a list holds."""
AGAIN = 120.0
"""Seconds until one who did not answer is asked again."""
LISTED = 500
"""Models that one provider may list."""
_LARGEST = 4 * 1024 * 1024
_TITLE = 120
_UNWRITTEN = (0, 0)
"""In place of the time and size of a file that could not be written."""


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """What a provider listed, and when (unix seconds)."""

    base_url: str
    asked: float
    models: tuple[ModelData, ...] = ()


class Listings:
    """The lists of all profiles, a file for each below `folder`. For one event loop."""

    def __init__(self, folder: Path, now: Callable[[], float] = time.time) -> None:
        self._folder = folder
        self._now = now
        self._known: dict[str, tuple[tuple[int, int], Listing]] = {}
        self._failed: dict[str, tuple[float, str, Problem | None]] = {}
        """When nobody answered last, at which address, and why."""

    def known(self, profile: Profile) -> Listing | None:
        """Return the last list of a profile, None where there is none for its present address."""
        path = self._path(profile.name)
        try:
            found = path.stat()
        except OSError:
            held = self._known.get(profile.name)
            if held is None or held[0] != _UNWRITTEN:
                return None
            return held[1] if held[1].base_url == profile.base_url else None
        print_ = (found.st_mtime_ns, found.st_size)
        held = self._known.get(profile.name)
        if held is None or held[0] != print_:
            listing = _read(path) if found.st_size <= _LARGEST else None
            if listing is None:
                return None
            held = self._known[profile.name] = (print_, listing)
        return held[1] if held[1].base_url == profile.base_url else None

    def is_due(self, profile: Profile) -> bool:
        """Whether it is time to ask: the list is older than an hour, and the last vain try a while ago."""
        known, now = self.known(profile), self._now()
        if known is not None and 0 <= now - known.asked < FRESH:
            return False
        failed = self._failed.get(profile.name)
        return failed is None or failed[1] != profile.base_url or not 0 <= now - failed[0] < AGAIN

    async def keep(self, profile: Profile, models: tuple[ModelData, ...]) -> None:
        """Take a list down. Where it cannot be written, it holds in this process alone."""
        self._failed.pop(profile.name, None)
        listing = Listing(base_url=profile.base_url, asked=self._now(), models=models[:LISTED])
        self._known[profile.name] = (_UNWRITTEN, listing)
        await asyncio.to_thread(_write, self._path(profile.name), listing)

    def failed(self, profile: Profile, problem: Problem | None = None) -> None:
        """Note that nobody answered, and why."""
        self._failed[profile.name] = (self._now(), profile.base_url, problem)

    def state(self, profile: Profile) -> ListState | None:
        """Return how old a profile's list is and why it is no newer, None where it was never asked for."""
        known, failed = self.known(profile), self._failed.get(profile.name)
        failed = failed if failed is not None and failed[1] == profile.base_url else None
        if known is None and failed is None:
            return None
        return ListState(
            profile=profile.name,
            title=profile.title or profile.name,
            listed=0.0 if known is None else known.asked,
            failed=0.0 if failed is None else failed[0],
            problem=None if failed is None else failed[2],
        )

    async def forget(self, name: str) -> None:
        """Forget a list, since another account may have other models."""
        self._known.pop(name, None)
        self._failed.pop(name, None)
        await asyncio.to_thread(_remove, self._path(name))

    def enriched(self, profile: Profile) -> Profile:
        """Return the profile with what its provider listed: new models after its own, and for its own what
        the list knows and the data do not.
        """
        listing = self.known(profile)
        if listing is None or not listing.models:
            return profile
        listed = {model.id: model for model in listing.models}
        patterns = tuple(model for model in profile.models if "*" in model.id)
        own = [model for model in profile.models if "*" not in model.id]
        if profile.sign_in == "copilot":  # which models there are follows from the account alone
            named = {model.id: model for model in own}
            models = [_joined(named.get(id_), model) for id_, model in listed.items()]
        else:
            models = [_joined(model, listed.get(model.id)) for model in own]
            models = [_gone(model, listed, profile) for model in models]
            names = {model.id for model in own}
            models += [_filled(profile, model) for id_, model in listed.items() if id_ not in names]
        day = datetime.fromtimestamp(listing.asked).date().isoformat()
        priced = {id_ for id_, model in listed.items() if model.input is not None}
        priced -= {model.id for model in own if model.input is not None}
        models = [replace(one, priced=day) if one.id in priced else one for one in models]
        return replace(profile, models=(*patterns, *models))

    def _path(self, name: str) -> Path:
        return self._folder / f"{quote(name, safe='')}.json"


def models_of(payload: Any, profile: Profile) -> tuple[ModelData, ...] | None:
    """Return the models that chat of a `/models` answer; None when it is no such list."""
    if isinstance(payload, list):  # Together sends the bare list
        data: Any = payload
    elif isinstance(payload, Mapping):
        if "data" not in payload:
            return None
        data = payload["data"] if payload["data"] is not None else []  # Ollama without models
    else:
        return None
    if not isinstance(data, list):
        return None
    found = (entry_of(entry) for entry in data)
    models = {model.id: model for model in found if model is not None and _chats(model.id, profile)}
    return tuple(models.values())[:LISTED]


def entry_of(entry: Any) -> ModelData | None:
    """Return what one entry says in any of the forms that are about: OpenAI, Anthropic, Gemini, OpenRouter,
    Groq, Mistral, vLLM; None for one that cannot be read.
    """
    if not isinstance(entry, Mapping) or not isinstance(id_ := entry.get("id"), str):
        return None
    id_ = id_.removeprefix("models/")  # Gemini
    if not id_ or not id_.isprintable() or len(id_) > 300 or entry.get("active") is False:
        return None
    abilities = entry.get("capabilities")
    if isinstance(abilities, Mapping) and abilities.get("completion_chat") is False:
        return None
    shape = entry.get("architecture")
    makes = shape.get("output_modalities") if isinstance(shape, Mapping) else None
    if isinstance(makes, list) and "text" not in makes:
        return None
    title = next((entry[name] for name in ("display_name", "name") if isinstance(entry.get(name), str)), "")
    windows = ("context_length", "context_window", "max_context_length", "max_input_tokens", "max_model_len")
    return ModelData(
        id=id_,
        title=title[:_TITLE] if title.isprintable() and title != id_ else "",
        window=next((size for name in windows if (size := _count(entry.get(name)))), 0),
        abilities=_abilities(entry, shape, abilities),
        **_prices(entry.get("pricing")),
    )


def _abilities(entry: Mapping[str, Any], shape: Any, abilities: Any) -> tuple[str, ...]:
    takes = entry.get("supported_parameters")
    seen = shape.get("input_modalities") if isinstance(shape, Mapping) else None
    can = abilities if isinstance(abilities, Mapping) else {}
    said = {
        "tools": (isinstance(takes, list) and "tools" in takes) or can.get("function_calling") is True,
        "vision": (isinstance(seen, list) and "image" in seen) or can.get("vision") is True,
        "reasoning": isinstance(takes, list) and "reasoning" in takes,
    }
    return tuple(name for name, has in said.items() if has)


def _prices(pricing: Any) -> dict[str, Any]:
    """Return US dollars a million tokens; OpenRouter and Kilo give texts in dollars a token."""
    if not isinstance(pricing, Mapping):
        return {}
    found = {}
    names = (("prompt", "input"), ("completion", "output"), ("input_cache_read", "cached"))
    for theirs, ours in (*names, ("input_cache_write", "written")):
        try:
            value = float(pricing[theirs])
        except (KeyError, TypeError, ValueError):
            continue
        if 0 <= value < 1:  # below nought stands for a price that depends on the model that is taken
            found[ours] = round(value * 1_000_000, 6)
    return found if {"input", "output"} <= set(found) else {}


def _chats(id_: str, profile: Profile) -> bool:
    return not any(fnmatchcase(id_.lower(), pattern) for pattern in profile.leave_out)


def _joined(own: ModelData | None, listed: ModelData | None) -> ModelData:
    """Return one entry of two: what the data say, and what the list alone knows. State, wires and
    multiplier are the list's.
    """
    if own is None or listed is None:
        made = own or listed
        assert made is not None
        return made
    empty = ModelData(id=own.id)
    names = [name for name in ModelData.__struct_fields__ if name not in ("id", "quirks")]
    filled = {name: getattr(listed, name) for name in names if getattr(own, name) == getattr(empty, name)}
    return replace(own, **filled)


def _gone(model: ModelData, listed: Mapping[str, ModelData], profile: Profile) -> ModelData:
    """Return an entry of the data that says whether its provider's list lacks it. A list may name a dated
    edition in place of its short name, may be cut, and may be of models that were left out of it.
    """
    if model.id in listed or len(listed) >= LISTED or not _chats(model.id, profile):
        return model
    dated = re.compile(re.escape(model.id.removesuffix("-latest")) + r"[-@:]?\d[\d-]*")
    return model if any(map(dated.fullmatch, listed)) else replace(model, gone=True)


def _filled(profile: Profile, listed: ModelData) -> ModelData:
    """Return a listed model with what the last pattern that fits it says beside."""
    patterns = [one for one in profile.models if "*" in one.id and fnmatchcase(listed.id, one.id)]
    if not patterns:
        return listed
    return _joined(listed, replace(patterns[-1], id=listed.id))


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1 << 40 else 0


def _read(path: Path) -> Listing | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Listing)
    except (OSError, msgspec.DecodeError, msgspec.ValidationError):
        return None  # written by another version, or damaged: it is only a copy, and is asked for again


def _write(path: Path, listing: Listing) -> None:
    unfinished = path.with_name(f".{path.name}.{new_id()}")
    try:
        make_private(path.parent)
        unfinished.write_bytes(msgspec.json.encode(listing))
        os.replace(unfinished, path)
    except OSError:  # a full disk or a read-only home: the list is asked for again next time
        _remove(unfinished)


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()
