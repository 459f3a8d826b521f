"""How currencies are written: signs, words and codes, and which one a sign means on whose page."""

from __future__ import annotations

import re

CODES = frozenset(
    {
        "AED", "ARS", "AUD", "BAM", "BDT", "BGN", "BHD", "BRL", "CAD", "CHF", "CLP", "CNY", "COP",
        "CRC", "CZK", "DKK", "DZD", "EGP", "EUR", "GBP", "GEL", "HKD", "HUF", "IDR", "ILS", "INR",
        "ISK", "JOD", "JPY", "KES", "KRW", "KWD", "KZT", "LKR", "MAD", "MDL", "MKD", "MXN", "MYR",
        "NGN", "NOK", "NZD", "OMR", "PEN", "PHP", "PKR", "PLN", "QAR", "RON", "RSD", "RUB", "SAR",
        "SEK", "SGD", "THB", "TND", "TRY", "TWD", "UAH", "USD", "UYU", "UZS", "VND", "ZAR",
    }
)  # fmt: skip
"""ISO 4217 codes that are taken for a currency beside a number; others are more often words."""
_SIGNS = {
    "US$": "USD", "CA$": "CAD", "C$": "CAD", "A$": "AUD", "AU$": "AUD", "NZ$": "NZD", "HK$": "HKD",
    "S$": "SGD", "NT$": "TWD", "MX$": "MXN", "R$": "BRL", "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY",
    "￥": "JPY", "円": "JPY", "元": "CNY", "₹": "INR", "₽": "RUB", "₩": "KRW", "원": "KRW", "₺": "TRY",
    "₴": "UAH", "₫": "VND", "zł": "PLN", "Kč": "CZK", "Ft": "HUF", "kr": "SEK", "kr.": "DKK", "lei": "RON",
    "лв": "BGN", "лв.": "BGN", "Fr.": "CHF", "SFr.": "CHF", "₪": "ILS", "฿": "THB", "₱": "PHP", "₦": "NGN",
    "₸": "KZT", "Rp": "IDR", "RM": "MYR", "TL": "TRY", "\u0440\u0443\u0431": "RUB",
    "\u0440\u0443\u0431.": "RUB",
    "\u0433\u0440\u043d": "UAH", "\u0433\u0440\u043d.": "UAH", "Rs.": "INR", "Rs": "INR",
    "د.إ": "AED", "ر.س": "SAR",
    "euro": "EUR",    "euros": "EUR", "Euro": "EUR", "dollars": "USD", "pounds": "GBP",
}  # fmt: skip
_DOLLARS = {
    "en-ca": "CAD", "fr-ca": "CAD", "en-au": "AUD", "en-nz": "NZD", "en-sg": "SGD", "zh-hk": "HKD",
    "zh-tw": "TWD", "es-mx": "MXN", "es-ar": "ARS", "es-cl": "CLP", "es-co": "COP", "pt-br": "BRL",
}  # fmt: skip
_CROWNS = {"sv": "SEK", "nb": "NOK", "no": "NOK", "nn": "NOK", "da": "DKK", "is": "ISK", "cs": "CZK"}
THREE_DECIMALS = frozenset({"BHD", "JOD", "KWD", "OMR", "TND"})
"""Currencies whose small unit is a thousandth (ISO 4217)."""
COMMA_MONEY = frozenset(
    {"EUR", "PLN", "CZK", "SEK", "DKK", "NOK", "HUF", "RON", "BGN", "BRL", "ARS", "CLP", "COP", "TRY", "RUB",
     "UAH", "IDR", "VND", "ISK", "RSD"}
)  # fmt: skip
"""Money of countries that write a comma before decimals, also in their pages in English."""
_WORDS = "|".join(re.escape(sign) for sign in sorted((*_SIGNS, *CODES), key=len, reverse=True))
PATTERN = rf"(?:{_WORDS})"
"""What stands for a currency, the longest first."""


def code_of(sign: str, language: str = "") -> str:
    """Return the ISO code of a sign on a page of a language (BCP 47, "" where it is not known), "" for no
    currency.
    """
    if sign.upper() in CODES:
        return sign.upper()
    language = language.lower().replace("_", "-")
    root = language.split("-")[0]
    if sign == "$":
        return _DOLLARS.get(language, "USD")
    if sign in ("kr", "kr."):
        return _CROWNS.get(root, _SIGNS[sign])
    if sign in ("¥", "￥"):
        return "CNY" if root == "zh" else "JPY"
    return _SIGNS.get(sign, "")
