"""The one gettext catalogue of both front ends: the language in use, and `_()` for every word for people."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gettext import NullTranslations

CATALOGUES = Path(__file__).resolve().parent.parent / "resources" / "translations"
"""One file LANGUAGE.po each; English is the source text and has none."""

CALLED = "BRAMBLE_CALLED"
"""How the person starts this program, where that is not `bramble`: `./dev run` says so here."""
_NAMED = re.compile(r"(?<![\w/.-])bramble (?=[a-z])")
"""The name of the program in front of a command, as texts write it."""
_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")  # in the order that GNU gettext reads them


class _Speech:
    """The language in use. gettext's `_` has no argument for it, so the process has one such slot."""

    chosen: str | None = None
    """None until a front end or the first word asks."""


def wanted(setting: str, environ: Mapping[str, str]) -> str:
    """Return the language code ("de", "pt_BR", "en") of the settings, or else of the environment."""
    candidates = (
        [setting] if setting not in ("", "system") else [environ.get(name, "") for name in _VARIABLES]
    )
    for candidate in candidates:
        for part in candidate.split(":"):
            code = part.split(".")[0].split("@")[0].replace("-", "_")
            if code and code not in ("C", "POSIX"):
                return code
    return "en"


def use_language(setting: str = "", environ: Mapping[str, str] = os.environ) -> str:
    """Choose the language of all further words; returns its code. Nothing is loaded before the first word."""
    _Speech.chosen = wanted(setting, environ)
    return _Speech.chosen


def language() -> str:
    """Return the code of the language in use."""
    return _Speech.chosen if _Speech.chosen is not None else use_language()


def languages() -> tuple[str, ...]:
    """Return the codes that can be chosen, English first."""
    return ("en", *sorted(path.stem for path in CATALOGUES.glob("*.po")))


@cache
def _catalogue(code: str) -> NullTranslations | None:
    if code.split("_")[0] == "en":
        return None
    for name in (code, code.split("_")[0]):
        path = CATALOGUES / f"{name}.po"
        if path.is_file():
            from ui.catalogue import read_catalogue

            return read_catalogue(path)
    return None


def _(text: str) -> str:
    """Return the text in the person's language; the English text itself where no translation stands. A
    command in it reads as the person would type it.
    """
    catalogue = _catalogue(language())
    return as_called(catalogue.gettext(text) if catalogue is not None and text else text)


def as_called(text: str) -> str:
    """Return the text with its commands as the person would type them: `./dev run undo list`."""
    name = os.environ.get(CALLED, "")
    return _NAMED.sub(lambda found: f"{name} ", text) if name and "bramble " in text else text


def plural(one: str, many: str, count: int) -> str:
    """Return the form for `count` in the person's language, with {n} filled in."""
    catalogue = _catalogue(language())
    text = catalogue.ngettext(one, many, count) if catalogue is not None else (one if count == 1 else many)
    return text.replace("{n}", str(count))


def later(text: str) -> str:
    """Mark a text for the catalogue that is translated only when it is shown."""
    return text
