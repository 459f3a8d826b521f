"""Ids: fourteen characters that sort by time and are easy to read out."""

from __future__ import annotations

from app.platform.ids import new_id


def test_ids_sort_by_time() -> None:
    moments = [0.0, 1.0, 1.5, 1_700_000_000.0, 1_700_000_000.5, 4_000_000_000.0]
    ids = [new_id(moment) for moment in moments]
    assert ids == sorted(ids)


def test_ids_are_short_plain_and_different() -> None:
    ids = {new_id(5.0) for _ in range(100)}
    assert len(ids) == 100
    assert {len(one) for one in ids} == {14}
    assert not set("".join(ids)) - set("0123456789abcdefghjkmnpqrstvwxyz"), "no letters to mix up"
