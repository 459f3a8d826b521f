"""The person's settings: one typed record, one TOML file that keeps its comments."""

from __future__ import annotations

import contextlib
import errno
import os
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from app.errors import SettingsError
from app.records import Mode

AtLeastOne = Annotated[int, msgspec.Meta(ge=1)]
NotNegative = Annotated[float, msgspec.Meta(ge=0)]


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What ends a turn. The first three are those of the product's promise 1.3; a cap of 0 means none."""

    rounds: AtLeastOne = 100
    calls_per_round: AtLeastOne = 60
    repeats: AtLeastOne = 3
    """The same call with the same arguments and the same result so often in a row ends the turn."""
    turn_tokens: Annotated[int, msgspec.Meta(ge=0)] = 0
    day_tokens: Annotated[int, msgspec.Meta(ge=0)] = 0
    turn_money: NotNegative = 0.0
    day_money: NotNegative = 0.0
    """US dollars."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything a person can set. Unknown keys are refused with their name, so that a misspelt one is
    noticed.
    """

    model: str = ""
    """PROFILE/MODEL, "" until one was picked."""
    fallback_model: str = ""
    """PROFILE/MODEL that can answer where the chosen one has to wait."""
    fall_back: Literal["ask", "auto"] = "ask"
    """Offer it when a provider asks to wait, or take it for that turn without a question."""
    mode: Mode = "agent"
    folder: str = ""
    """Working folder of new conversations; "" gives each an empty one of ours."""
    theme: Literal["system", "light", "dark"] = "system"
    font_size: Annotated[int, msgspec.Meta(ge=10, le=28)] = 14
    language: str = ""
    reduced_motion: bool = False
    enter_sends: bool = True
    keys_in_file: bool = False
    """The person agreed that keys may stand in a file (mode 0600) where no keyring answers."""
    sandbox: Literal["auto", "off"] = "auto"
    """Hold commands in the strongest sandbox that works here, or in none."""
    free_reading: bool = False
    """Commands that only read may run in the sandbox without a question; means nothing without one."""
    memory: bool = True
    """Facts are remembered over conversations, and told where they fit; a private conversation has none."""
    always_on: tuple[str, ...] = ()
    """Tools whose schemas go with every request, beside the core ones."""
    deferred: tuple[str, ...] = ()
    """Core tools that are only loaded when they are needed."""
    limits: Limits = Limits()
    copilot_client_id: str = ""
    """The OAuth App of the person's own for the sign-in with GitHub; none is shipped."""
    copilot_domain: str = ""
    """The domain of a GitHub Enterprise, "" for github.com."""
    agreed: tuple[str, ...] = ()
    """Profiles whose terms the person has read and agreed to."""
    ca_file: str = ""
    """A file of certificates (PEM) that is trusted beside those of the system, for a server of one's own."""
    proxy: str = ""
    """"" takes the proxies of the environment, `none` takes none, a URL is the one to take for models."""
    services: dict[str, str] = {}
    """Addresses by name, in place of the built-in ones: github (of an Enterprise:
    https://HOST/api/v3), weather, places; and searxng, a server of one's own that then answers every
    search.
    """
    calendars: tuple[str, ...] = ()
    """Calendar files (.ics) and folders of them that calendar_list reads where none is named."""
    search_engines: tuple[str, ...] = ()
    """The only search engines that are asked, by name; () asks those that can be."""
    browser: str = ""
    """The program that shows pages to tools; "" looks for an installed Chromium, `none` takes none."""
    image_model: str = ""
    """PROFILE/MODEL that makes pictures; "" takes the first that has a key."""
    profiles: dict[str, dict[str, Any]] = {}
    """The person's own model profiles, merged over the built-in ones by name."""


def load(path: Path) -> Settings:
    """Return the settings of `path`, the defaults where there is none.

    Raises SettingsError: bad_settings that names the line or key, no_permission; the file is left as it is.
    """
    try:
        text = _text(path)
    except FileNotFoundError:
        return Settings()
    except PermissionError as error:
        raise _refused(path, error) from error
    except (OSError, UnicodeDecodeError) as error:
        raise _bad(path, str(error)) from error
    try:
        return msgspec.convert(tomllib.loads(text), Settings)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, RecursionError) as error:
        raise _bad(path, str(error)) from error


def save(path: Path, **changes: Any) -> Settings:
    """Write `changes` into the file, keep its comments and other keys, and return what it then says.

    `limits` is given as a Limits record. The write is atomic; on any error the old file stays.
    Raises SettingsError: no_permission or disk_full, and as `load`.
    """
    import tomlkit

    current = load(path)
    changed = msgspec.structs.replace(current, **changes)
    checked = msgspec.convert(msgspec.to_builtins(changed), Settings)
    document = tomlkit.parse(_text(path)) if path.exists() else tomlkit.document()
    for key in changes:
        document[key] = msgspec.to_builtins(getattr(checked, key))
    _write(path, tomlkit.dumps(document))
    return checked


def _text(path: Path) -> str:
    # Editors of Windows put a byte order mark in front.
    return path.read_text(encoding="utf-8-sig")


def _write(path: Path, text: str) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(beside, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise _refused(path, error) from error


def _refused(path: Path, error: OSError) -> SettingsError:
    """Return what it means that the system does not let us at the file; nothing is wrong with its text."""
    full = error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
    code = "disk_full" if full else "no_permission"
    return SettingsError(code, f"{path}: {error}", detail=str(error), path=str(path))


def _bad(path: Path, detail: str) -> SettingsError:
    return SettingsError("bad_settings", f"{path}: {detail}", path=str(path), why=detail)
