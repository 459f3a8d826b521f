"""From fetch to fetch: single outliers, failures and restless pages tell nobody; what stays is told once."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, settings, strategies as st

from app.watch_records import Condition, Difference, Noise, Seen, SeenWhy, Standing
from app.watches.conditions import read
from app.watches.confirm import Patience, Step, step

QUIET = Noise()


def text(*lines: str) -> Seen:
    return Seen(text="\n".join(lines))


def money(value: str, currency: str = "EUR") -> Seen:
    return Seen(text=value, value=value, currency=currency)


def failed(why: SeenWhy = "server_error") -> Seen:
    return Seen(state="blocked" if why == "bot_wall" else "error", why=why)


def run(
    sights: Iterable[Seen],
    condition: Condition | str = "any change",
    noise: Noise = QUIET,
    patience: Patience = Patience(),  # noqa: B008
) -> list[Step]:
    """Return the steps of a watch that fetches these one after the other."""
    wanted = read(condition) if isinstance(condition, str) else condition
    standing, steps = Standing(), []
    for at, seen in enumerate(sights):
        steps.append(step(standing, seen, wanted, noise, float(at), patience=patience))
        standing = steps[-1].standing
    return steps


def states(steps: list[Step]) -> list[str]:
    return [one.state for one in steps]


def told(steps: list[Step]) -> list[str]:
    return [kind for one in steps for kind in one.tell]


def test_the_first_fetch_is_only_a_baseline() -> None:
    (only,) = run([text("a")])
    assert (only.state, only.tell, only.again, only.keep) == ("baseline", (), None, text("a"))


def test_a_change_is_believed_when_a_second_fetch_shows_it() -> None:
    steps = run([text("a"), text("b"), text("b"), text("b")])
    assert states(steps) == ["baseline", "same", "changed", "same"]
    assert steps[1].again == 60.0 and steps[2].again is None
    assert told(steps) == ["change"] and steps[2].tell == ("change",)
    assert steps[2].verdict.difference.added == ("b",) and steps[2].keep == text("b")


def test_the_second_fetch_comes_after_30_to_90_seconds() -> None:
    first = run([text("a")])[0].standing
    waits = [
        step(first, text("b"), Condition(), QUIET, 1.0, chance=chance).again
        for chance in (0.0, 0.5, 1.0, 9.0)
    ]
    assert waits == [30.0, 60.0, 90.0, 90.0]


def test_a_single_outlier_tells_nobody() -> None:
    steps = run([text("a"), text("odd"), text("a"), text("odd again"), text("a")])
    assert states(steps) == ["baseline", "same", "same", "same", "same"]
    assert told(steps) == [] and steps[-1].standing.baseline == text("a")


def test_a_person_who_looks_needs_no_second_fetch() -> None:
    steps = run([text("a"), text("b")], patience=Patience(confirm=False))
    assert states(steps) == ["baseline", "changed"] and told(steps) == ["change"]


@pytest.mark.parametrize("why", ["too_many_requests", "bot_wall", "login", "empty", "no_match", "gone"])
def test_a_failure_between_equal_pages_is_no_change(why: SeenWhy) -> None:
    steps = run([text("a"), failed(why), text("a"), text("a")])
    assert states(steps) == ["baseline", failed(why).state, "same", "same"]
    assert told(steps) == [] and steps[1].standing.baseline == text("a")
    assert steps[1].standing.why == why and steps[2].standing.why == ""


def test_an_outage_is_told_once_and_its_end_once() -> None:
    steps = run([text("a"), *[failed()] * 6, text("a"), text("a"), failed(), text("a")])
    assert told(steps) == ["outage", "recovery"]
    assert steps[3].tell == ("outage",) and steps[7].tell == ("recovery",)
    assert steps[6].standing.failing_since == 1.0 and steps[7].standing.failing_since == 0.0


def test_a_first_fetch_that_fails_is_no_baseline() -> None:
    steps = run([failed(), failed(), failed("bot_wall"), text("a"), text("a")])
    assert states(steps) == ["error", "error", "blocked", "baseline", "same"]
    assert told(steps) == ["outage", "recovery"]


def test_a_change_that_came_during_an_outage_is_told_after_it() -> None:
    steps = run([text("a"), failed(), failed(), failed(), text("b"), text("b")])
    assert told(steps) == ["outage", "recovery", "change"]


def test_a_failure_while_a_change_waits_neither_confirms_nor_forgets_it() -> None:
    steps = run([text("a"), text("b"), failed(), text("b")])
    assert states(steps) == ["baseline", "same", "error", "changed"] and told(steps) == ["change"]


def test_a_restless_page_tells_nobody_and_names_its_lines() -> None:
    steps = run([text("a", f"deal of the moment {'xyzuvw'[n]}") for n in range(6)])
    assert told(steps) == [] and "changed" not in states(steps)
    assert ("deal of the moment z",) in [one.restless for one in steps]
    assert steps[-1].standing.baseline == text("a", "deal of the moment x")


def test_what_stays_is_told_without_what_is_restless() -> None:
    steps = run([text("a", "ad one"), text("a", "news", "ad two"), text("a", "news", "ad three")])
    assert told(steps) == ["change"]
    assert steps[-1].verdict.difference == Difference(added=("news",))
    assert steps[-1].restless == ("ad three",)


def test_a_line_that_went_beside_a_restless_one_is_told() -> None:
    steps = run([text("Tickets", "x", "ad one"), text("x", "ad two"), text("x", "ad three")])
    assert told(steps) == ["change"] and "Tickets" in steps[-1].verdict.difference.removed


def test_a_price_counts_in_both_fetches() -> None:
    steps = run([money("25"), money("19"), money("18.50")], "below 20")
    assert told(steps) == ["change"] and steps[-1].verdict.value == "18.50"
    assert told(run([money("25"), money("19"), money("24"), money("25")], "below 20")) == []
    assert told(run([money("25"), money("19"), money("19"), money("18"), money("18")], "below 20")) == [
        "change"
    ]


def test_a_price_that_creeps_is_told_at_last() -> None:
    prices = [money(str(100 + n)) for n in range(8) for _ in range(2)]
    steps = run(prices, "by more than 5%")
    assert told(steps) == ["change"]
    assert next(one for one in steps if one.tell).verdict.value == "106"
    assert steps[-1].standing.told == "106"


def test_another_currency_is_a_failure() -> None:
    steps = run([money("25"), money("19", "USD"), money("19", "USD"), money("25")], "below 20")
    assert states(steps) == ["baseline", "error", "error", "same"] and told(steps) == []


def test_stock_that_is_not_known_moves_nothing() -> None:
    def stock(value: str) -> Seen:
        return Seen(text=value, value=value)

    sights = ["in_stock", "unknown", "unknown", "in_stock", "in_stock", "out_of_stock", "out_of_stock"]
    steps = run(map(stock, [*sights, "unknown", "in_stock", "in_stock"]), "when it is back in stock")
    assert told(steps) == ["change"] and steps[-1].tell == ("change",)


def test_a_change_without_its_condition_moves_the_baseline_quietly() -> None:
    steps = run(
        [text("a"), text("b"), text("b"), text("b", "Tickets"), text("b", "Tickets")], "appears tickets"
    )
    assert states(steps) == ["baseline", "same", "changed", "same", "changed"]
    assert told(steps) == ["change"] and steps[2].tell == ()


SIGHTS = st.lists(
    st.sampled_from([text("a"), text("b"), text("a", "b"), failed(), failed("bot_wall")]), max_size=14
)


@settings(max_examples=200, deadline=None)
@given(SIGHTS)
def test_never_more_told_than_seen(sights: list[Seen]) -> None:
    steps = run(sights)
    for before, now, one in zip([None, *sights], sights, steps, strict=False):
        if "change" in one.tell:
            assert before is not None and now.state == "ok"
            assert one.verdict.difference.added or one.verdict.difference.removed
        if now.state != "ok":
            assert one.state == now.state and "change" not in one.tell
    outages, ends = told(steps).count("outage"), told(steps).count("recovery")
    assert ends <= outages <= ends + 1


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from([text("a"), failed(), text("odd"), failed("empty")]), max_size=12))
def test_outliers_that_stand_alone_are_never_told(middle: list[Seen]) -> None:
    sights = [text("a")]
    for one in middle:
        sights += [one, text("a")]
    assert "change" not in told(run(sights))
