"""What a rule would have told over the past, and the numbers for a chart."""

from __future__ import annotations

from app.watch_records import ChartPoint, Condition, Noise, Seen, Snapshot
from app.watches.conditions import read
from app.watches.replay import number_of, points, replay


def past(*sights: Seen | str) -> list[Snapshot]:
    made = [Seen(text=one, value=one, currency="EUR") if isinstance(one, str) else one for one in sights]
    return [Snapshot(id=at, watch="w", at=float(at), seen=seen) for at, seen in enumerate(made)]


def told(snapshots: list[Snapshot], condition: str, noise: Noise = Noise()) -> list[float]:  # noqa: B008
    return [one.at for one in replay(snapshots, read(condition), noise) if one.verdict.met]


PRICES = past("25", "22", "19", "18", "21", "19.50", "30")


def test_a_changed_rule_is_seen_over_the_past() -> None:
    assert told(PRICES, "below 20") == [2.0, 5.0]
    assert told(PRICES, "below 19") == [3.0]
    assert told(PRICES, "above 29") == [6.0]
    assert told(PRICES, "any change") == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    assert told(PRICES, "by more than 20%") == [2.0, 6.0]
    assert told(list(reversed(PRICES)), "below 20") == [2.0, 5.0], "in the order of time"
    assert len(replay(PRICES, read("below 1"), Noise())) == 6 and told(PRICES, "below 1") == []


def test_noise_is_tried_out_too() -> None:
    snapshots = past(Seen(text="a\nVisitors 1"), Seen(text="a\nVisitors 2"), Seen(text="b\nVisitors 3"))
    assert told(snapshots, "any change") == [1.0, 2.0]
    assert told(snapshots, "any change", Noise(digits=True)) == [2.0]
    assert told(snapshots, "any change", Noise(clicked=("visitors 0",))) == [2.0]


def test_new_lines_are_new_to_all_of_the_past() -> None:
    snapshots = past(*(Seen(text=one) for one in ("a", "a\nb", "a", "a\nb", "a\nb\nc")))
    assert told(snapshots, "new lines") == [1.0, 4.0]


def test_failures_count_as_nothing() -> None:
    wall = Seen(state="blocked", why="bot_wall")
    other = Seen(text="5", value="5", currency="USD")
    assert told(past("25", wall, "25", other, "25"), "any change") == []
    assert told(past(wall, other, "x"), "below 20") == []
    assert replay([], Condition(), Noise()) == ()


def test_points_of_a_chart() -> None:
    wall = Seen(state="error", why="gone")
    long = Seen(text="12 " + "words " * 100)
    german = Seen(text="Kurs 1.250,5", language="de")
    assert points(past("25", wall, "19.90", long, german)) == (
        ChartPoint(0.0, 25.0),
        ChartPoint(2.0, 19.9),
        ChartPoint(4.0, 1250.5),
    )
    assert number_of(Seen(text="unknown", value="unknown")) is None
