"""When a page is fetched next."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from app.watches.pace import next_fetch, retry_after, validators

NOW = 1_796_036_400.0  # Monday, 30 November 2026, 11:00 UTC


@pytest.mark.parametrize(
    ("failures", "wait"),
    [(0, 3_600.0), (1, 3_600.0), (2, 7_200.0), (3, 14_400.0), (10, 86_400.0), (10_000, 86_400.0)],
)
def test_failures_lengthen_the_interval_up_to_a_day(failures: int, wait: float) -> None:
    assert next_fetch(NOW, 3_600.0, failures=failures) == NOW + wait


def test_what_is_seldom_looked_at_is_not_looked_at_more_often_by_failing() -> None:
    assert next_fetch(NOW, 7 * 86_400.0, failures=5) == NOW + 7 * 86_400.0


def test_spread_and_the_soonest() -> None:
    assert [next_fetch(0.0, 1_000.0, chance=chance) for chance in (0.0, 0.5, 1.0)] == [
        900.0,
        1_000.0,
        1_100.0,
    ]
    assert next_fetch(0.0, 1.0, chance=0.0) == 60.0


def test_a_server_that_wants_to_be_left_alone_is() -> None:
    assert next_fetch(0.0, 600.0, retry_after=5_000.0) == 5_000.0
    assert next_fetch(0.0, 600.0, retry_after=10.0) == 600.0
    assert next_fetch(0.0, 600.0, retry_after=1e12) == 86_400.0


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        ("Mon, 30 Nov 2026 11:02:00 GMT", 120.0),
        ("Mon, 30 Nov 2026 10:00:00 GMT", 0.0),
        ("", 0.0),
        ("soon", 0.0),
        ("-5", 0.0),
        ("99999999999999999999", 999_999_999.0),
    ],
)
def test_retry_after(header: str, seconds: float) -> None:
    assert retry_after(header, NOW) == seconds


@given(st.text(max_size=40))
def test_any_header_is_read(header: str) -> None:
    assert retry_after(header, NOW) >= 0.0


def test_each_tenth_fetch_is_a_full_one() -> None:
    asked = [bool(validators('"x"', "", count)) for count in range(21)]
    assert [count for count, one in enumerate(asked) if not one] == [0, 10, 20]
    assert validators('"x"', "Mon", 1) == {"If-None-Match": '"x"', "If-Modified-Since": "Mon"}
    assert validators("", "", 1) == {} and validators("a\r\nX: y", "", 1) == {}
