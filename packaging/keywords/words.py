"""The static word table: each word and piece of a word once through the sentence model, weighed by rarity."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from keywords.sentence_model import SentenceModel

_BATCH = 256
_RARE = 3e-4
"""Where the weight of a word has fallen to half, as its share of all words (Zipf's law over the ranks)."""
_FIRST_WORD = 1996
"""Rank of the first word in the vocabulary of the model; before it stand marks and letters."""


@dataclass(frozen=True)
class Words:
    """`vectors` has one row for each name; `ranks` says how rare it is (1 is the most frequent word)."""

    names: tuple[str, ...]
    vectors: Any
    ranks: Any

    def only(self, kept: list[int]) -> Words:
        """Return the table of these rows, centred, each as long as its word is rare."""
        vectors, ranks = self.vectors[kept], self.ranks[kept]
        share = 1 / (ranks * 10.5)
        weighed = (vectors - vectors.mean(axis=0)) * (_RARE / (_RARE + share))[:, None]
        return Words(tuple(self.names[at] for at in kept), weighed.astype(np.float32), ranks)


def distil(model: SentenceModel, more: Iterable[str], made: Mapping[str, Any] | None = None) -> Words:
    """Return the table of all plain words of the model and of `more` words, which it has in pieces only.

    The vectors of words that were `made` before are taken as they are.
    """
    made = made or {}
    kept = [(name, [number]) for number, name in enumerate(model.pieces) if _is_plain(name)]
    known = {name for name, _ in kept}
    for word in sorted(set(more) - known):
        pieces = _split(word, model.ids)
        if pieces:
            kept.append((word, pieces))
    vectors = np.zeros((len(kept), 384), np.float32)
    for at, (name, _) in enumerate(kept):
        if name in made:
            vectors[at] = made[name]
    for length in sorted({len(pieces) for _, pieces in kept}):
        places = [at for at, (name, pieces) in enumerate(kept) if len(pieces) == length and name not in made]
        for start in range(0, len(places), _BATCH):
            some = places[start : start + _BATCH]
            vectors[some] = model.embed(
                np.array([[model.ids["[CLS]"], *kept[at][1], model.ids["[SEP]"]] for at in some])
            )
    ranks = np.array([max(1, min(pieces) - _FIRST_WORD) for _, pieces in kept])
    return Words(tuple(name for name, _ in kept), vectors, ranks)


def cached(path: Path, model: Callable[[], SentenceModel], more: Iterable[str]) -> Words:
    """Return the table kept at `path`, or distil it and keep it there (some minutes on one core).

    Words that the texts have got since are distilled, those that they have lost fall out.
    """
    wanted, old = sorted(set(more)), {}
    if path.is_file():
        kept = np.load(path)
        if kept["wanted"].tolist() == wanted:
            return Words(tuple(kept["names"].tolist()), kept["vectors"], kept["ranks"])
        old = dict(zip(kept["names"].tolist(), kept["vectors"], strict=True))
    made = distil(model(), wanted, old)
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(
        path,
        names=np.array(made.names),
        vectors=made.vectors,
        ranks=made.ranks,
        wanted=np.array(wanted, dtype=np.str_),
    )
    return made


def _is_plain(name: str) -> bool:
    return re.fullmatch(r"[a-z]+", name) is not None


def _split(word: str, ids: dict[str, int]) -> list[int]:
    found: list[int] = []
    at, mark = 0, ""
    while at < len(word):
        for end in range(len(word), at, -1):
            if mark + word[at:end] in ids:
                found.append(ids[mark + word[at:end]])
                break
        else:
            return []
        at, mark = end, "##"
    return found
