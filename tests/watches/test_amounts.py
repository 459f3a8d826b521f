"""Numbers and prices as several countries write them, with the exact values."""

from __future__ import annotations

import time
from decimal import Decimal

import pytest
from hypothesis import given, settings, strategies as st

from app.watches.amounts import machine_number, number_in, price_of, prices_in, whole_amount, written


@pytest.mark.parametrize(
    ("text", "language", "number", "currency"),
    [
        ("1.234,56 €", "de", "1234.56", "EUR"),
        ("1'234.50 CHF", "de-CH", "1234.50", "CHF"),
        ("CHF 12.-", "de-CH", "12", "CHF"),
        ("1 234,56\u00a0zł", "pl", "1234.56", "PLN"),
        ("1\u202f299,00 €", "fr", "1299.00", "EUR"),
        ("₹1,23,456.00", "en-IN", "123456.00", "INR"),
        ("¥12,800", "ja", "12800", "JPY"),
        ("¥12,800", "zh-CN", "12800", "CNY"),
        ("￥\uff11\uff0c\uff19\uff18\uff10", "ja", "1980", "JPY"),
        ("12 800 kr", "sv", "12800", "SEK"),
        ("kr 199", "nb", "199", "NOK"),
        ("12.345,- kr", "da", "12345", "DKK"),
        ("US$ 19.99", "", "19.99", "USD"),
        ("$19.99", "en-CA", "19.99", "CAD"),
        ("R$ 1.234,56", "pt-BR", "1234.56", "BRL"),
        ("$1,299.99", "en", "1299.99", "USD"),
        ("1.299 €", "en", "1299", "EUR"),  # behind the number: not written by English rules
        ("€1.299", "de", "1299", "EUR"),
        ("€1.299", "en", "1299", "EUR"),
        ("€ 1.299,-", "nl", "1299", "EUR"),
        ("£ 1,299.-", "en", "1299", "GBP"),
        ("$3.459", "en", "3.459", "USD"),  # fuel again
        ("1,639 €/l", "de", "1.639", "EUR"),  # fuel has three decimals
        ("1.639 €", "de", "1639", "EUR"),
        ("12,-- €", "de", "12", "EUR"),
        ("KWD 1.234", "", "1.234", "KWD"),
        ("1.234.567 €", "", "1234567", "EUR"),
        ("1,99€", "", "1.99", "EUR"),
        ("1234.5 \u0440\u0443\u0431.", "ru", "1234.5", "RUB"),
        ("99,95 Kč", "cs", "99.95", "CZK"),
        ("Rs. 1,499", "en", "1499", "INR"),
        ("\u0661\u066c\u0662\u0663\u0664\u066b\u0665\u0660 \u0631.\u0633", "ar", "1234.50", "SAR"),
        ("19.99", "", "19.99", ""),
        ("nur 5 Stück für 7,50 €", "de", "7.50", "EUR"),
    ],
)
def test_a_price_is_read_as_it_is_meant(text: str, language: str, number: str, currency: str) -> None:
    found = price_of(text, language)
    assert found is not None
    assert (written(found.number), found.currency) == (number, currency)


@pytest.mark.parametrize(
    ("text", "language", "number"),
    [
        ("1.2k stars", "en", "1200.0"),
        ("-5,3 °C", "de", "-5.3"),
        ("\u22125.3", "en", "-5.3"),
        ("Version 2.1.3 has 12 commits", "en", "12"),
        ("1,234 people", "en", "1234"),
        ("1,234 Liter", "de", "1.234"),
        ("Kurs: 1 234,5", "fr", "1234.5"),
        ("B2B and 4K in 2026", "en", "4000"),
        ("0.123", "", "0.123"),
    ],
)
def test_the_first_number(text: str, language: str, number: str) -> None:
    found = number_in(text, language)
    assert found is not None and written(found) == number


@pytest.mark.parametrize("text", ["", "no number", "1.2.3", "€", "9" * 60])
def test_what_is_no_number(text: str) -> None:
    assert number_in(text) is None


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1234.567", "1234.567"),
        ("1e3", "1000"),
        ("1.299,00", "1299.00"),
        ("1,299.00", "1299.00"),
        ("€ 5", "5"),
    ],
)
def test_numbers_of_metadata_have_a_point(text: str, number: str) -> None:
    found = machine_number(text)
    assert found is not None and written(found) == number


def test_a_whole_amount_is_nothing_else() -> None:
    assert whole_amount("20 €") == (Decimal(20), "EUR")
    assert whole_amount("$20") == (Decimal(20), ""), "dollars of which country"
    assert whole_amount("20 € or 30") is None
    assert whole_amount("cheap") is None


@settings(max_examples=200, deadline=None)
@given(st.decimals(0, 10**9, places=2), st.sampled_from(["de", "en", "fr", "de-CH", "sv"]))
def test_what_is_written_by_the_rules_of_a_language_is_read_back(number: Decimal, language: str) -> None:
    group, point = {
        "de": (".", ","), "en": (",", "."), "fr": ("\u202f", ","), "de-CH": ("\u2019", "."),
        "sv": ("\u00a0", ","),
    }[language]  # fmt: skip
    text = f"{number:,.2f}".replace(",", "G").replace(".", point).replace("G", group)
    found = price_of(f"{text} €", language)
    assert found is not None and found.number == number


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_read_without_an_error(text: str) -> None:
    price_of(text)
    number_in(text)
    machine_number(text)
    list(prices_in(text))


@pytest.mark.parametrize("piece", ["1 ", "111 ", "1,", "1", "1.111", "€ ", "1'111", "US$"])
def test_a_long_text_takes_no_long_time(piece: str) -> None:
    text = (piece * 400_000)[:400_000]
    began = time.process_time()
    list(prices_in(text))
    number_in(text)
    assert time.process_time() - began < 5.0
