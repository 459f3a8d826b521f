"""What of a page is no change: blanks and unseen characters always, moments and counters by default, and the
lines that a person clicked away. Pure.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from app.watch_records import Noise

_UNSEEN = re.compile("[\u00ad\u200b\u200e\u200f\u2060\ufeff\u202a-\u202e\u2066-\u2069]")
_NUMBERS = re.compile(r"\d+(?:[\s.,:'\u2019/-]\d+)*")
_TIME = r"\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?(?:\s?[ap]\.?m\b\.?)?"
_UNIT = (
    r"(?:sec(?:ond)?s?|min(?:ute)?s?|hours?|hrs?|days?|weeks?|months?|years?"
    r"|sekunden?|minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?"
    r"|secondes?|heures?|jours?|semaines?|mois|ans?"
    r"|segundos?|minutos?|horas?|d\u00edas?|semanas?|meses|mes|a\u00f1os?|dias?"
    r"|secondi?|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|[smhdw])"
)
_MOMENTS = re.compile(
    rf"(?:\b(?:an?|\d+|one|ein(?:em|er)?|une?|una?)\s?{_UNIT}\s+(?:ago|fa)\b|\bjust now\b"
    rf"|\b(?:vor|il y a|hace|h\u00e1)\s+(?:\d+|ein(?:em|er)?|une?|una?|um|uma)\s+{_UNIT}\b)"
    r"|(?:\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{16,}\b"
    r"|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b)"
    r"|(?:(?:\u00a9|\(c\)|copyright)\s*(?:\d{4}\s*[-\u2013]\s*)?\d{4})"
    r"|(?:\b(?:generated|rendered|loaded|served|generiert|geladen)\s+in\s+\d[\d.,]*\s*m?s(?:ec\w*)?)"
    r"|\b\d[\d.,\s]{0,20}[KkM]?\s?(?:views?|visits|visitors?|people (?:are )?(?:viewing|looking|watching)"
    r"|users? online|guests?(?: online)?|online now|(?:seiten)?aufrufe|besucher|zuschauer|vues|visiteurs"
    r"|visitas|visitantes)\b"
    r"|\b(?:views|visitors?(?: today)?|visits|page views|online|besucher(?: heute)?|aufrufe|vues|visitas)"
    r"\s?:\s?\d[\d.,\s]{0,20}",
    re.IGNORECASE,
)
_MONTH = r"[^\W\d_]{3,10}\.?"
_DATE = (
    r"(?:\d{4}-\d{2}-\d{2}(?:T[\d:.]{5,15}(?:Z|[+-]\d{2}:?\d{2})?)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}"
    rf"|\d{{1,2}}\.?\s{_MONTH}\s\d{{4}}|{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?,?\s\d{{4}})"
)
_UPDATED = re.compile(
    r"\b(?:(?:last\s+|page\s+)?(?:updated|refreshed|checked|modified)|as of|current time|server time"
    r"|stand:|zuletzt aktualisiert|aktualisiert|letzte aktualisierung|uhrzeit"
    r"|mis \u00e0 jour|actualizado|aggiornato|atualizado)(?!\w)"
    rf"[^\d\n]{{0,16}}(?:(?:{_DATE}|{_TIME})(?:[,\s]|\b(?:at|um|\u00e0|alle|uhr|utc|gmt|cet|cest)\b){{0,6}}){{1,3}}",
    re.IGNORECASE,
)
_MAYBE = re.compile(r"\d|now|\bago\b|\bvor\b", re.IGNORECASE)
LONGEST_LINE = 2_000
"""Characters of a line that are looked at for moments."""


def lines_of(text: str) -> tuple[str, ...]:
    """Return the lines of a text that hold something: in one Unicode form, with single blanks, without
    characters that nobody sees.
    """
    found = (_folded(line) for line in unicodedata.normalize("NFC", text).splitlines())
    return tuple(line for line in found if line)


def clicked(line: str) -> str:
    """Return what a click on a line ignores from then on: this line, whatever its numbers are."""
    return _numberless(_folded(unicodedata.normalize("NFC", line))).casefold()


def keys_of(lines: tuple[str, ...], noise: Noise) -> tuple[tuple[str, str], ...]:
    """Return the lines that count, each with the key by which it is compared."""
    key = _key_of(noise)
    ignored = tuple(text.casefold() for text in map(_folded, noise.ignore) if text)
    gone = frozenset(noise.clicked)
    found: list[tuple[str, str]] = []
    before: set[str] = set()
    for line in lines:
        low = line.casefold() if ignored or gone else ""
        if any(text in low for text in ignored) or (gone and _numberless(low) in gone):
            continue
        made = key(line)
        if not noise.once or made not in before:
            found.append((made, line))
            before.add(made)
    return tuple(found)


def _key_of(noise: Noise) -> Callable[[str], str]:
    def key(line: str) -> str:
        if noise.moments and len(line) <= LONGEST_LINE and _MAYBE.search(line):
            line = _UPDATED.sub("\u2026", line)
            line = _MOMENTS.sub("\u2026", line)
        return _numberless(line) if noise.digits else line

    return key


def _folded(line: str) -> str:
    return " ".join(_UNSEEN.sub("", line).split())


def _numberless(line: str) -> str:
    return _NUMBERS.sub("0", line)
