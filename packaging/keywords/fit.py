"""Train the linear layer with numpy: soft shares, Adam, features left out by chance, rounding to bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.toolbox.discovery.features import BUCKETS, FAMILIES, hashed
from app.toolbox.discovery.hints import hints
from app.toolbox.discovery.layer import NOTHING, ZERO, Layer, meanings
from app.toolbox.discovery.text import words as words_of
from keywords.samples import SEED, Sample
from keywords.words import Words

ROUNDS = 12
BATCH = 256
STEP = 0.03
DECAY = 2e-5
MEANING_GAIN = 1.6
"""How strongly the meanings speak beside the words; chosen on the training part."""
PLURAL = 0.7
"""From this likeness on (a cosine) a form with an s needs no row of its own; it keeps the file below 5 MB."""
LEFT_OUT = 0.35
"""Of the words, pairs and letters of a sample, so many are hidden each time it is seen."""
_SMOOTH = 0.06
"""A share that every sample gives to all columns, so that no word alone decides everything."""


@dataclass
class Part:
    """Weights and the two running means of their slopes, as Adam keeps them."""

    weights: Any
    slopes: Any
    squares: Any

    @classmethod
    def zeros(cls, *shape: int) -> Part:
        return cls(*(np.zeros(shape, np.float32) for _ in range(3)))

    def step(self, slope: Any, size: float, count: int, rows: Any = slice(None)) -> None:
        """Go one step down. Only the rows that the batch touches move: rare words keep their own pace."""
        slope = slope + DECAY * self.weights[rows]
        slopes = self.slopes[rows] + 0.1 * (slope - self.slopes[rows])
        squares = self.squares[rows] + 0.01 * (slope * slope - self.squares[rows])
        self.slopes[rows], self.squares[rows] = slopes, squares
        tilt = slopes / (1 - 0.9**count)
        self.weights[rows] -= size * tilt / (np.sqrt(squares / (1 - 0.99**count)) + 1e-8)


def fit(samples: Sequence[Sample], columns: tuple[str, ...], words: Words) -> Layer:
    """Return the layer that fits the samples; the same samples give the same bytes."""
    known = {name: number for number, name in enumerate(words.names)}
    rows = [_row(sample.text, known, words.vectors) for sample in samples]
    goals, never, weights = _goals(samples, columns)
    table, bias = Part.zeros(BUCKETS, len(columns)), Part.zeros(len(columns))
    lens = Part.zeros(words.vectors.shape[1], len(columns))
    chance, count = np.random.default_rng(SEED), 0
    for turn in range(ROUNDS):
        size = STEP * (1.0 - turn / ROUNDS) + 0.0003
        for chosen in np.array_split(chance.permutation(len(rows)), max(1, len(rows) // BATCH)):
            touched, spread, meant = _batch([rows[at] for at in chosen], chance)
            likely = _soft(spread @ table.weights[touched] + meant @ lens.weights + bias.weights)
            pull = _pull(likely, goals[chosen], never[chosen]) * weights[chosen, None] / len(chosen)
            count += 1
            table.step(spread.T @ pull, size, count, touched)
            lens.step(meant.T @ pull, size, count)
            bias.step(pull.sum(axis=0), size, count)
    return _rounded(columns, bias.weights, table.weights, words, lens.weights)


Row = tuple[Any, Any, Any]


def _row(text: str, known: dict[str, int], vectors: Any) -> Row:
    """Return the places and values of the hashed part, and the meaning."""
    places: list[int] = []
    values: list[float] = []
    spoken = words_of(text)
    for found in hashed(hints(text), spoken).values():
        places += found
        values += [1 / np.sqrt(max(1, len(found)))] * len(found)
    numbers = meanings(known, spoken)
    meant = vectors[numbers].sum(axis=0) / np.sqrt(len(numbers)) if numbers else np.zeros(vectors.shape[1])
    return np.array(places, np.int64), np.array(values, np.float32), (MEANING_GAIN * meant).astype(np.float32)


def _batch(rows: Sequence[Row], chance: Any) -> tuple[Any, Any, Any]:
    """Return the rows of the table that are touched, what touches them (samples x rows), and the meanings.

    A share of all features is left out each time, so that no request hangs on one word.
    """
    places = np.concatenate([places for places, _, _ in rows])
    values = np.concatenate([values for _, values, _ in rows])
    of = np.repeat(np.arange(len(rows)), [len(places) for places, _, _ in rows])
    kept = chance.random(len(places)) >= LEFT_OUT
    touched, at = np.unique(places[kept], return_inverse=True)
    spread = np.bincount(
        of[kept] * len(touched) + at, values[kept] / (1 - LEFT_OUT), minlength=len(rows) * len(touched)
    )
    spread = spread.reshape(len(rows), len(touched)).astype(np.float32)
    return touched, spread, np.stack([meant for _, _, meant in rows])


def _goals(samples: Sequence[Sample], columns: tuple[str, ...]) -> tuple[Any, Any, Any]:
    place = {name: number for number, name in enumerate(columns)}
    goals = np.zeros((len(samples), len(columns)), np.float32)
    never = np.full(len(samples), -1)
    for number, sample in enumerate(samples):
        for name, share in sample.shares.items():
            goals[number, place[name]] += share
        if sample.never:
            never[number] = place[sample.never]
        else:
            goals[number] = (1 - _SMOOTH) * goals[number] + _SMOOTH / len(columns)
    return goals, never, np.array([sample.weight for sample in samples], np.float32)


def _soft(sums: Any) -> Any:
    raised = np.exp(sums - sums.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def _pull(likely: Any, goals: Any, never: Any) -> Any:
    """Return the slope of the loss; a forbidden column is pushed down in favour of all others."""
    pull = likely - goals
    for number in np.flatnonzero(never >= 0):
        at = never[number]
        chance = min(0.95, float(likely[number, at]))
        pull[number] = -likely[number] * chance / (1 - chance)
        pull[number, at] = chance
    return pull


def _rounded(columns: tuple[str, ...], bias: Any, table: Any, words: Words, lens: Any) -> Layer:
    folded = MEANING_GAIN * (words.vectors @ lens)
    kept = _without_plurals(words.names, folded)
    folded = folded[kept]
    scale, rows = _bytes(table)
    deep, meant = _bytes(folded)
    return Layer(
        columns=columns,
        bias=tuple(float(value) for value in bias),
        scales={**dict.fromkeys(FAMILIES, scale), "meanings": deep},
        rows=rows,
        meanings=meant,
        known={words.names[at]: number for number, at in enumerate(kept)},
    )


def _without_plurals(names: Sequence[str], folded: Any) -> list[int]:
    """Return the places of the words that are kept: a form with an s that says about what the form without
    it says is left out, since `meanings` then takes that one.
    """
    numbers = {name: at for at, name in enumerate(names)}
    lengths = np.linalg.norm(folded, axis=1) + 1e-9

    def goes(name: str) -> bool:
        plain = name.removesuffix("s")
        if plain == name or len(name) < 4 or plain.endswith("s") or plain not in numbers:
            return False
        one, other = numbers[name], numbers[plain]
        return bool(folded[one] @ folded[other] >= PLURAL * lengths[one] * lengths[other])

    return [at for at, name in enumerate(names) if not goes(name)]


def _bytes(weights: Any) -> tuple[float, bytes]:
    """Return the worth of one step and the bytes; the few largest weights are cut."""
    most = float(np.quantile(np.abs(weights), 0.9999)) or 1.0
    scale = most / 127
    stepped = np.clip(np.rint(weights / scale), -127, 127) + ZERO
    return scale, stepped.astype(np.uint8).tobytes()


def columns_of(samples: Sequence[Sample]) -> tuple[str, ...]:
    """Return the columns that the samples speak of, NOTHING first."""
    names = {name for sample in samples for name in sample.shares} - {NOTHING}
    return (NOTHING, *sorted(names))
