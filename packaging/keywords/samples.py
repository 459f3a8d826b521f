"""What the layer learns from: aliases, examples, the training part of the requests, and what no tool fits.

Each text is seen as it is, inside a polite sentence, and with a slip of the keyboard; two of one language are
joined now and then. All chance comes from one seed, so that the same files make the same layer.
"""

from __future__ import annotations

import hashlib
import json
import random
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from app.toolbox.discovery.data import LANGUAGES, RESOURCES, entries
from app.toolbox.discovery.features import hashed
from app.toolbox.discovery.hints import hints
from app.toolbox.discovery.layer import NOTHING
from app.toolbox.discovery.text import words
from app.toolbox.registry import Registry, Tool, load_registry

ROOT = Path(__file__).resolve().parents[2]
REQUESTS = ROOT / "tests" / "discovery" / "requests.jsonl"
SEED = 20261130
MIXED = "mixed"
"""The language of examples and of what no tool fits: any of the six."""
OK_SHARE = 0.2
"""What a tool that is also right gets of a request that names another as its goal."""
_BEFORE = {
    "en": (
        "please",
        "can you",
        "could you please",
        "hey,",
        "i want to",
        "i need you to",
        "um",
        "ok so",
        "help me",
    ),
    "de": ("bitte", "kannst du", "könntest du bitte", "ich möchte", "hey,", "mal eben"),
    "es": ("por favor", "puedes", "quiero que", "necesito", "oye,"),
    "fr": ("s'il te plaît", "peux-tu", "je veux", "j'aimerais que tu", "dis,"),
    "hi": ("zara", "please", "kya tum", "mujhe", "कृपया", "ज़रा"),
    "pt": ("por favor", "você pode", "quero", "preciso que", "ei,"),
}
_AFTER = {
    "en": ("please", "for me", "now", "thanks", "quickly", "again", "if you can", "in the afternoon", "asap"),
    "de": ("bitte", "für mich", "jetzt", "danke", "schnell"),
    "es": ("por favor", "para mí", "ahora", "gracias", "ya"),
    "fr": ("s'il te plaît", "pour moi", "maintenant", "merci", "vite"),
    "hi": ("please", "abhi", "na", "jaldi", "अभी", "भाई"),
    "pt": ("por favor", "para mim", "agora", "obrigado", "já"),
}
_AND = {
    "en": " and then ",
    "de": " und ",
    "es": " y luego ",
    "fr": " et puis ",
    "hi": " aur ",
    "pt": " e depois ",
}


FRAMES = RESOURCES / "discovery" / "frames.toml"
FILLED = 5
"""So often each frame is filled."""
FRAME_WEIGHT = 0.7
NOTHING_WEIGHT = 1.3
PHRASE_WEIGHT = 1.0
MOST_ENGLISH, MOST_OTHERS = 24, 10
"""Of the phrases that a tool's actions and things make, so many are learned from."""


@dataclass(frozen=True)
class Sample:
    """A text, the share of each column, and a column that must not get it."""

    text: str
    shares: dict[str, float] = field(default_factory=dict)
    never: str = ""
    weight: float = 1.0
    language: str = ""
    """Of texts as they stand; empty for those that were changed."""


def samples(*, with_requests: bool = True) -> list[Sample]:
    """Return all samples, in one order."""
    chance = random.Random(SEED)
    plain: dict[str, list[tuple[str, str]]] = {language: [] for language in LANGUAGES}
    found: list[Sample] = []
    registry = load_registry()
    for entry in entries(registry):
        path = RESOURCES / "aliases" / f"{entry.name}.toml"
        if not path.is_file():
            continue
        read = tomllib.loads(path.read_text("utf-8"))
        own = {entry.name: 1.0}
        found += [Sample(text, own) for text in (entry.description, entry.name.replace("_", " "))]
        for text in read.get("not", ()):
            found += [Sample(seen, never=entry.name, weight=5.0) for seen in (text, slip(text, chance))]
        for text in (*read.get("examples", ()), *_told(registry, entry.name)):
            found += [Sample(text, own, weight=3.0, language=MIXED), Sample(slip(text, chance), own)]
        for language in LANGUAGES:
            told = read.get(language, {})
            found += [
                Sample(text, own, weight=PHRASE_WEIGHT, language=language)
                for text in phrases(told.get("actions", ()), told.get("things", ()), language, chance)
            ]
            for text in told.get("aliases", ()):
                plain[language].append((text, entry.name))
                seen, *others = _seen(text, language, chance)
                found += [Sample(seen, own, language=language), *(Sample(other, own) for other in others)]
    found += _joined(plain, chance)
    found += framed(plain, chance)
    for text in nothing():
        found += [
            Sample(text, {NOTHING: 1.0}, weight=NOTHING_WEIGHT, language=MIXED),
            Sample(slip(text, chance), {NOTHING: 1.0}, weight=NOTHING_WEIGHT),
        ]
    return found + (list(requests("train")) if with_requests else [])


def _told(registry: Registry, name: str) -> tuple[str, ...]:
    """Return the examples that the module of a tool gives; a planned one has none."""
    tool = registry.tools.get(name)
    return tool.spec.examples if isinstance(tool, Tool) else ()


def phrases(actions: Sequence[str], things: Sequence[str], language: str, chance: random.Random) -> list[str]:
    """Return short phrases: each thing by itself, and things with something that is done with them."""
    pairs = [(action, thing) for action in actions for thing in things]
    chosen = chance.sample(pairs, min(len(pairs), MOST_ENGLISH if language == "en" else MOST_OTHERS))
    said = [f"{thing} {action}" if language == "hi" else f"{action} {thing}" for action, thing in chosen]
    return [*(thing for thing in things if " " in thing), *said]


def _seen(text: str, language: str, chance: random.Random) -> Iterator[str]:
    yield text
    before, after = chance.choice(_BEFORE[language]), chance.choice(_AFTER[language])
    yield f"{before} {text}" if chance.random() < 0.6 else f"{text} {after}"
    yield slip(text, chance)


def _joined(plain: dict[str, list[tuple[str, str]]], chance: random.Random) -> Iterator[Sample]:
    for language, texts in plain.items():
        for _ in range(len(texts) // 3):
            (one, first), (two, second) = chance.choice(texts), chance.choice(texts)
            if first != second:
                yield Sample(one + _AND[language] + two, {first: 0.5, second: 0.5})


def framed(plain: dict[str, list[tuple[str, str]]], chance: random.Random) -> Iterator[Sample]:
    """Yield each sentence of `frames.toml` some times, filled with words and wishes of other tools."""
    read = tomllib.loads(FRAMES.read_text("utf-8"))
    for language in LANGUAGES:
        choice = read["words"][language].split(", ")
        for name, frames in read[language].items():
            column = NOTHING if name == "nothing" else name
            others = [text for text, other in plain[language] if other != column]
            for frame in frames:
                for _ in range(FILLED):
                    text = frame
                    while "{word}" in text:
                        text = text.replace("{word}", chance.choice(choice), 1)
                    text = text.replace("{task}", chance.choice(others))
                    yield Sample(text, {column: 1.0}, weight=FRAME_WEIGHT)


def fingerprint() -> str:
    """Return a hash of what the layer learns from: each text as it stands and the features it is seen by.

    Descriptions of tools are left out: a word changed there makes no layer outdated.
    """
    held = hashlib.sha256()
    for path in sorted((RESOURCES / "aliases").glob("*.toml")):
        read = tomllib.loads(path.read_text("utf-8"))
        parts = [read.get(key, []) for key in ("examples", "not", *LANGUAGES)]
        held.update(json.dumps([path.stem, parts], ensure_ascii=False).encode())
        for language in LANGUAGES:
            for text in read.get(language, {}).get("aliases", ()):
                held.update(repr(hashed(hints(text), words(text))).encode())
    told = [[one.text, one.shares] for one in requests("train")]
    held.update(json.dumps([nothing(), told, OK_SHARE, PHRASE_WEIGHT], ensure_ascii=False).encode())
    held.update(FRAMES.read_bytes() + repr([FILLED, FRAME_WEIGHT]).encode())
    return held.hexdigest()[:16]


def nothing() -> list[str]:
    """Return the requests that no tool fits."""
    lines = (RESOURCES / "discovery" / "nothing.txt").read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def requests(part: str) -> Iterator[Sample]:
    """Yield the requests of one part as samples; a goal `a|b` is met by either."""
    for line in REQUESTS.read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["part"] != part:
            continue
        language = "" if row["kind"] == "typo" else row["lang"]
        yield Sample(row["query"], shares(row["gold"], row["ok"]), language=language)


def shares(gold: list[str], ok: list[str]) -> dict[str, float]:
    """Return the share of each column for a request."""
    if not gold:
        return {NOTHING: 1.0}
    held = 1.0 - (OK_SHARE if ok else 0.0)
    found = {name: OK_SHARE / len(ok) for name in ok}
    for goal in gold:
        either = goal.split("|")
        for name in either:
            found[name] = found.get(name, 0.0) + held / len(gold) / len(either)
    return found


def slip(text: str, chance: random.Random) -> str:
    """Return the text with one or two letters swapped, dropped, doubled or wrong."""
    for _ in range(1 if len(text) < 25 else 2):
        at = chance.randrange(max(1, len(text) - 1))
        pair = text[at : at + 2]
        if not (pair.isascii() and pair.isalpha() and len(pair) == 2):
            continue
        wrong = chance.choice("aeioustnrl")
        made = chance.choice((pair[::-1], pair[0], pair[0] * 2 + pair[1], wrong + pair[1]))
        text = text[:at] + made + text[at + 2 :]
    return text
