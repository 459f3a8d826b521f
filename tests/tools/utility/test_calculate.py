"""calculate: sums whose right values are known, units by their definitions, and what has no value."""

from __future__ import annotations

from typing import Any, cast

import pytest

from tools import ReadContext, Request, Response, ToolFailed
from tools.utility._answers import RATES
from tools.utility.calculate import calculate

ECB = (
    "<?xml version='1.0'?><gesmes:Envelope><Cube><Cube time='2026-11-27'><Cube currency='USD' rate='1.25'/>"
    "<Cube currency='JPY' rate='160.5'/></Cube></Cube></gesmes:Envelope>"
)


class Web:
    """Answers as the European Central Bank does."""

    def __init__(self, text: str = ECB, status: int = 200) -> None:
        self.asked: list[Request] = []
        self._answer = (text, status)

    async def get(self, request: Request) -> Response:
        self.asked.append(request)
        text, status = self._answer
        return Response(status, "", request.url, {}, "text/xml", text.encode(), text)


def context(web: Web | None = None) -> ReadContext:
    return ReadContext("/", cast(Any, None), cast(Any, None), web=cast(Any, web))


@pytest.mark.parametrize(
    ("expression", "right"),
    [
        ("0.1+0.2", "0.3"),
        ("1/3*3", "1"),
        ("1/3", "about 0.333333333333333 (exactly 1/3)"),
        ("2+3*4^2", "50"),
        ("-2^2", "-4"),
        ("2^-1", "0.5"),
        ("2^3^2", "512"),
        ("7 % 3", "1"),
        ("-7 mod 3", "2"),
        ("7//2", "3"),
        ("20% of 350", "70"),
        ("200 + 10%", "220"),
        ("5!", "120"),
        ("1,234,567 * 2", "2469134"),
        ("max(1,234)", "234"),
        ("0x1f + 0b11", "34"),
        ("3(4+5)", "27"),
        ("2 pi", "about 6.28318530717959"),
        ("sqrt(2)", "about 1.4142135623731"),
        ("√16 + 2²", "8"),
        ("cbrt(-8)", "-2"),
        ("8^(2/3)", "4"),
        ("sin(30°)", "about 0.5"),
        ("sin(pi)", "about 0"),
        ("log(1000)", "3"),
        ("log2(8)", "3"),
        ("ln(e)", "about 1"),
        ("round(2.5) + round(-2.5)", "0"),
        ("gcd(12,18)", "6"),
        ("avg(1, 2, 6)", "3"),
        ("2^100000", "about 9.99002093014385 \u00d7 10^30102"),
        ("170!", "about 7.257415615308 \u00d7 10^306"),
        ("what is 15*3?", "45"),
    ],
)
async def test_arithmetic(expression: str, right: str) -> None:
    text = (await calculate(context(), expression)).text
    assert text.partition(" = ")[2] == right


@pytest.mark.parametrize(
    ("expression", "right"),
    [
        ("5 mi in km", "8.04672 km"),
        ("3 ft 5 in to cm", "104.14 cm"),
        ("5 in in cm", "12.7 cm"),
        ("72.5 °F to °C", "22.5 °C"),
        ("-40 C in F", "-40 F"),
        ("0°C in K", "273.15 K"),
        ("100 °C - 20 °C", "80 °C"),
        ("60 mph * 2 h in km", "193.12128 km"),
        ("12 GB / (5 MB/s) in min", "40 min"),
        ("5 Mbit/s in kB/s", "625 kB/s"),
        ("1 GiB in MB", "1073.741824 MB"),
        ("1 kWh in kJ", "3600 kJ"),
        ("1 acre in m^2", "4046.8564224 m^2"),
        ("2 cups in ml", "473.176473 ml"),
        ("5 kg in lb", "about 11.0231131092439 lb"),
        ("10 kg + 5 lb", "12.26796185 kg"),
        ("3 h 20 min in s", "12000 s"),
    ],
)
async def test_units(expression: str, right: str) -> None:
    text = (await calculate(context(), expression)).text
    assert text.partition(" = ")[2] == right


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("1/0", "Division by zero"),
        ("5 mod (2-2)", "Division by zero"),
        ("0^-1", "Division by zero"),
        ("9^9^9", "digits"),
        ("2^(3^(4^5))", "digits"),
        ("99999!", "digits"),
        ("1e999999", "too large"),
        ("sqrt(-1)", "no real value"),
        ("log(0)", "above zero"),
        ("10 kg + 5 m", "different things"),
        ("10 km in kg", "cannot be told"),
        ("5 foo", "no unit"),
        ("1+", "not complete"),
        ("(" * 90 + "1", "nested"),
        ("-" * 400 + "(" * 41 + "1", "nested"),
        ("__import__('os')", "Cannot read"),
        ("x" * 501, "too long"),
        ("", "empty"),
        ("5 EUR in USD", "need the web"),
    ],
)
async def test_what_has_no_value_says_why(expression: str, why: str) -> None:
    with pytest.raises(ToolFailed, match=why):
        await calculate(context(), expression)


async def test_money_by_the_rate_of_a_day_that_is_named() -> None:
    web = Web()
    result = await calculate(context(web), "100 EUR in USD")
    assert result.text == (
        "100 EUR in USD = 125.00 USD (1 EUR = 1.25 USD, reference rate of the ECB of 2026-11-27)"
    )
    assert [request.url for request in web.asked] == [RATES]
    assert "12840.00 JPY" in (await calculate(context(web), "$100 to yen")).text
    assert "1.00 USD/l" not in (await calculate(context(web), "3 USD * 2")).text


@pytest.mark.parametrize(
    ("web", "expression", "why"),
    [
        (Web(status=503), "1 EUR in USD", "answered 503"),
        (Web("<html>hello</html>"), "1 EUR in USD", "holds no rates"),
        (Web(), "1 EUR in CHF", "no rate for CHF"),
        (Web(), "1 EUR in km", "cannot be told"),
    ],
)
async def test_no_rate_is_made_up(web: Web, expression: str, why: str) -> None:
    with pytest.raises(ToolFailed, match=why):
        await calculate(context(web), expression)
