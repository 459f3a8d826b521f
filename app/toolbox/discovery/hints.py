"""What the shape of a request says: endings of files, addresses, ports, "every ...", times, sums."""

from __future__ import annotations

import re
from collections.abc import Callable

_ENDINGS = {
    "table": "csv tsv xls xlsx ods",
    "document": "pdf docx doc odt pptx ppt rtf epub",
    "picture": "png jpg jpeg gif webp svg bmp",
    "pack": "zip tar gz tgz bz2 xz zst 7z rar",
    "database": "sqlite sqlite3 db db3",
    "feed": "rss atom",
    "calendar": "ics",
    "program": "py js ts c h cpp rs go java rb sh css html php kt swift lua",
    "text": "txt md json yaml yml toml ini cfg conf log xml env",
    "binary": "iso exe deb rpm dmg appimage msi bin img",
    "sound": "mp3 wav ogg flac m4a",
}
_KIND_OF = {ending: kind for kind, endings in _ENDINGS.items() for ending in endings.split()}
_FILE = re.compile(r"[\w\-./~]*\.([A-Za-z0-9]{1,8})(?![\w.])")
_URL = re.compile(r"https?://\S+|\bwww\.\S+", re.I)
_HOST = re.compile(
    r"\b(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|de|fr|es|br|in|edu|gov|eu|co|app)\b(?:/\S*)?", re.I
)
_LOCAL = re.compile(r"\blocalhost\b|\b127\.0\.0\.1\b|(?<!\S)/(?:api|health|v\d)\b", re.I)
_SHAPES = {
    "port": re.compile(
        r"\bports?\b\D{0,12}\b\d{2,5}\b|(?<!\S):\d{2,5}\b|\bpuerto \d{2,5}\b|\bporta \d{2,5}\b|EADDRINUSE",
        re.I,
    ),
    "method": re.compile(r"\b(?:GET|POST|PUT|PATCH|DELETE|HEAD)\b|\bhttp\b.*\b\d{3}\b|\bstatus code\b", 0),
    "recurring": re.compile(
        r"\b(?:every|each|daily|weekly|monthly|nightly|hourly|weekdays|cron|jeden|jede|jedes|taglich|täglich|"
        r"wochentlich|wöchentlich|cada|todos|todas|diario|diariamente|semanal|chaque|tous les|toutes les|har|"
        r"roz|rozana|hamesha|toda|todo)\b|हर |रोज",
        re.I,
    ),
    "clock": re.compile(
        r"\b\d{1,2}(?::\d{2})\b|\b\d{1,2} ?(?:am|pm|uhr|h|baje)\b|\bin \d+ (?:min|hour|sec)|"
        r"\b\d+ ?(?:minutes?|mins?|minuten|minutos|"
        r"hours?|stunden|horas|heures|ghante|seconds?|sekunden|segundos|secondes)\b|बजे|मिनट|घंटे",
        re.I,
    ),
    "sum": re.compile(
        r"\d\s*[-+*/x\u00d7÷^%]\s*\d|\d\s?(?:%|percent|prozent|por ?ciento|por cento|pour ?cent)|"
        r"\b\d[\d.,]*\s*(?:km|miles?|mi|kg|lbs?|pounds?|cm|inch(?:es)?|feet|ft|usd|eur|euros?|dollars?|gallons?|lit(?:er|re)s?|°?[cf])\b|√|²",
        re.I,
    ),
    "hash": re.compile(r"\b(?:sha ?-?(?:1|256|512)|md5)\b|\b[0-9a-f]{32,64}\b", re.I),
    "glob": re.compile(r"(?<!\S)\*\.?\w*|\*\*/"),
    "sql": re.compile(r"\bselect\b.+\bfrom\b", re.I | re.S),
    "command": re.compile(
        r"(?<!\S)(?:npm|pip|cargo|make|docker|pytest|apt|brew|yarn|pnpm|kubectl|systemctl|bash|sudo)(?!\S)"
    ),
    "quoted": re.compile("[\"“«'\u2018][^\"”»'\u2019]{2,80}[\"”»'\u2019](?!\\w)"),
    "line": re.compile(r"\b(?:line|lines|zeile|linea|línea|ligne|linha) \d+\b", re.I),
    "page": re.compile(r"\b(?:page|pages|seite|seiten|pagina|página) \d+\b", re.I),
    "pid": re.compile(r"\bpid\b ?\d*", re.I),
    "question": re.compile(r"\?\s*$"),
    "hindi": re.compile("[\u0900-\u097f]"),
    "code_name": re.compile(r"\b\w+_\w+\b|\b\w+\(\)"),
    "number": re.compile(r"\b\d+\b"),
}


_NEEDS: dict[str, Callable[[str], bool]] = {
    **dict.fromkeys(("line", "page", "number"), lambda text: any(map(str.isdigit, text))),
    **dict.fromkeys(("clock", "sum"), lambda text: not text.isascii() or any(map(str.isdigit, text))),
    "port": lambda text: any(map(str.isdigit, text)) or "addrinuse" in text.lower(),
    "quoted": lambda text: not text.isascii() or '"' in text or "'" in text,
    "glob": lambda text: "*" in text,
    "code_name": lambda text: "_" in text or "()" in text,
    "hindi": lambda text: not text.isascii(),
    "question": lambda text: "?" in text,
}
"""What a text must have before it is worth while to search it for a shape."""
_PLAIN = tuple((name, shape) for name, shape in _SHAPES.items() if name not in _NEEDS)
_GROUPS = tuple(
    (need, tuple((name, _SHAPES[name]) for name, other in _NEEDS.items() if other is need))
    for need in dict.fromkeys(_NEEDS.values())
)


def hints(text: str) -> list[str]:
    """Return the names of the shapes that a request has, sorted; they are features of the trained layer."""
    found = {name for name, shape in _PLAIN if shape.search(text)}
    for need, shapes in _GROUPS:
        if need(text):
            found.update([name for name, shape in shapes if shape.search(text)])
    if _LOCAL.search(text):
        found.add("local")
    if "." in text:
        found |= _dotted(text)
    elif "://" in text and _URL.search(text):
        found.add("url")
    return sorted(found)


def _dotted(text: str) -> set[str]:
    """Return the shapes of addresses and of names of files."""
    found = set()
    if _URL.search(text):
        found.add("url")
    elif _HOST.search(text):
        found.add("host")
    for match in _FILE.finditer(text):
        kind = _KIND_OF.get(match[1].lower())
        if kind:
            found |= {f"ending {kind}", "ending"}
    return found
