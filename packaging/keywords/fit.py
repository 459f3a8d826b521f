"""Train the linear layer with numpy: soft shares, Adam, and rounding of all weights to bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from app.toolbox.discovery.features import BUCKETS, FAMILIES, hashed
from app.toolbox.discovery.hints import hints
from app.toolbox.discovery.layer import NOTHING, ZERO, Layer, meanings
from app.toolbox.discovery.text import words as words_of
from keywords.samples import SEED, Sample
from keywords.words import Words

ROUNDS = 8
BATCH = 256
STEP = 0.03
DECAY = 2e-5
MEANING_GAIN = 1.6
"""How strongly the meanings speak beside the words; chosen on the training part."""
_SMOOTH = 0.06
"""A share that every sample gives to all columns, so that no word alone decides everything."""


def fit(samples: Sequence[Sample], columns: tuple[str, ...], words: Words) -> Layer:
    """Return the layer that fits the samples; the same samples give the same bytes."""
    known = {name: number for number, name in enumerate(words.names)}
    rows = [_row(sample.text, known, words.vectors) for sample in samples]
    goals, never, weights = _goals(samples, columns)
    table = np.zeros((BUCKETS, len(columns)), np.float32)
    lens = np.zeros((words.vectors.shape[1], len(columns)), np.float32)
    bias = np.zeros(len(columns), np.float32)
    moments = [[np.zeros_like(part), np.zeros_like(part)] for part in (table, lens, bias)]
    order, count = np.random.default_rng(SEED), 0
    for turn in range(ROUNDS):
        step = STEP * (1.0 - turn / ROUNDS) + 0.0003
        for chosen in np.array_split(order.permutation(len(rows)), max(1, len(rows) // BATCH)):
            spread, meant = _batch([rows[at] for at in chosen])
            likely = _soft(spread @ table + meant @ lens + bias)
            pull = _pull(likely, goals[chosen], never[chosen]) * weights[chosen, None] / len(chosen)
            count += 1
            for part, slope, (first, second) in zip(
                (table, lens, bias), (spread.T @ pull, meant.T @ pull, pull.sum(axis=0)), moments, strict=True
            ):
                slope += DECAY * part
                first += 0.1 * (slope - first)
                second += 0.01 * (slope * slope - second)
                tilt = first / (1 - 0.9**count)
                part -= step * tilt / (np.sqrt(second / (1 - 0.99**count)) + 1e-8)
    return _rounded(columns, bias, table, words, lens)


def _row(text: str, known: dict[str, int], vectors: Any) -> tuple[list[int], list[float], Any]:
    places: list[int] = []
    values: list[float] = []
    spoken = words_of(text)
    for found in hashed(hints(text), spoken).values():
        places += found
        values += [1 / np.sqrt(max(1, len(found)))] * len(found)
    numbers = meanings(known, spoken)
    meant = vectors[numbers].sum(axis=0) / np.sqrt(len(numbers)) if numbers else np.zeros(vectors.shape[1])
    return places, values, (MEANING_GAIN * meant).astype(np.float32)


def _batch(rows: Sequence[tuple[list[int], list[float], Any]]) -> tuple[Any, Any]:
    spread = np.zeros((len(rows), BUCKETS), np.float32)
    for number, (places, values, _) in enumerate(rows):
        np.add.at(spread[number], places, values)
    return spread, np.stack([meant for _, _, meant in rows])


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
    scale, rows = _bytes(table)
    deep, meant = _bytes(folded)
    return Layer(
        columns=columns,
        bias=tuple(float(value) for value in bias),
        scales={**dict.fromkeys(FAMILIES, scale), "meanings": deep},
        rows=rows,
        meanings=meant,
        known={name: number for number, name in enumerate(words.names)},
    )


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
