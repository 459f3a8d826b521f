"""What GitHub says is left of a Copilot plan, read from its reply piece by piece."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.records import Quota, QuotaRow

_KINDS = 20


def quota_of(reply: Mapping[str, Any]) -> Quota:
    """Return the plan and its allowances; what cannot be read is left out."""
    snapshots = reply.get("quota_snapshots")
    rows = [
        _row(str(kind)[:60], snapshot)
        for kind, snapshot in (snapshots.items() if isinstance(snapshots, Mapping) else ())
        if isinstance(snapshot, Mapping)
    ]
    return Quota(
        plan=_text(reply.get("copilot_plan")),
        resets=_text(reply.get("quota_reset_date")),
        rows=tuple(rows[:_KINDS]),
    )


def _row(kind: str, snapshot: Mapping[str, Any]) -> QuotaRow:
    percent = snapshot.get("percent_remaining")
    return QuotaRow(
        kind=kind,
        entitlement=_number(snapshot.get("entitlement")),
        remaining=_number(snapshot.get("remaining")),
        percent=_number(percent) if isinstance(percent, int | float) else None,
        unlimited=snapshot.get("unlimited") is True,
        more=snapshot.get("overage_permitted") is True,
    )


def _number(value: Any) -> float:
    fits = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15
    return float(value) if fits else 0.0


def _text(value: Any) -> str:
    return value[:60] if isinstance(value, str) and value.isprintable() else ""
