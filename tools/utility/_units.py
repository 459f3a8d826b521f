"""Units as exact factors over base units (metre, gram, second, ampere, kelvin, bit, radian); currencies."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

Dimensions = tuple[tuple[str, int], ...]
"""Base units with their powers, in the order of their names; () for a plain number."""


class Unit(NamedTuple):
    """A unit: how many base units it is, and where its zero lies (only temperatures have another one)."""

    factor: Fraction
    dimensions: Dimensions
    zero: Fraction = Fraction(0)


_PREFIXES = {
    "quetta": 30, "ronna": 27, "yotta": 24, "zetta": 21, "exa": 18, "peta": 15, "tera": 12, "giga": 9,
    "mega": 6, "kilo": 3, "hecto": 2, "deca": 1, "deci": -1, "centi": -2, "milli": -3, "micro": -6,
    "nano": -9, "pico": -12, "femto": -15, "atto": -18, "T": 12, "G": 9, "M": 6, "k": 3, "h": 2, "d": -1,
    "c": -2, "m": -3, "µ": -6, "\u03bc": -6, "u": -6, "n": -9, "p": -12, "P": 15, "f": -15,
}  # fmt: skip
_BINARY = {
    "Ki": 1, "Mi": 2, "Gi": 3, "Ti": 4, "Pi": 5, "kibi": 1, "mebi": 2, "gibi": 3, "tebi": 4, "pebi": 5,
}  # fmt: skip

# Factors are exact by definition: the international yard and pound of 1959, the US gallon of 231 cubic
# inches, the imperial gallon of 4.54609 l, the SI brochure (9th edition) for all others. A line:
# factor, base units, names. + before the names: they take prefixes.
_TABLE = """
1|m|+m metre metres meter meters Meter
1852|m|nmi nauticalmile nauticalmiles seemeile seemeilen
149597870700|m|au
9460730472580800|m|ly lightyear lightyears lichtjahr lichtjahre
1/10000000000|m|angstrom Å
127/5000|m|in inch inches zoll "
381/1250|m|ft foot feet fuß '
1143/1250|m|yd yard yards
1609344/1000|m|mi mile miles meile meilen
2286/1250|m|fathom fathoms
1|g|+g gram grams gramme grammes gramm
1000000|g|+t tonne tonnes tonnen
45359237/100000|g|lb lbs pound pounds pfund
45359237/1600000|g|oz ounce ounces unze unzen
45359237/100000*14|g|stone stones
45359237/100000*2000|g|ton tons shortton
1/5|g|carat carats ct
311034768/10000000|g|ozt troyounce
1|s|+s sec second seconds sekunde sekunden
60|s|min mins minute minutes minuten
3600|s|h hr hrs hour hours stunde stunden
86400|s|d day days tag tage
604800|s|week weeks wk woche wochen
31557600/12|s|month months monat monate
31557600|s|yr year years a jahr jahre
1|A|+A ampere amperes amp amps
1/1000|m^3|+l +L litre litres liter liters
1/1000000|m^3|cc
3785411784/1000000000000|m^3|gal gallon gallons
473176473/1000000000000|m^3|pt pint pints
946352946/1000000000000|m^3|qt quart quarts
2365882365/10000000000000|m^3|cup cups
295735295625/10000000000000000|m^3|floz fluidounce
1478676478125/100000000000000000|m^3|tbsp tablespoon tablespoons
492892159375/100000000000000000|m^3|tsp teaspoon teaspoons
454609/100000000|m^3|impgal imperialgallon
56826125/100000000000|m^3|imppt imperialpint
158987294928/1000000000000|m^3|bbl barrel barrels
10000|m^2|ha hectare hectares hektar
40468564224/10000000|m^2|acre acres
1609344/1000/3600|m s^-1|mph
1852/3600|m s^-1|kn knot knots knoten
299792458|m s^-1|lightspeed
1000/3600|m s^-1|kph kmh
1000|g m s^-2|+N newton newtons
980665/100|g m s^-2|+gf
980665*45359237/100000/100000|g m s^-2|lbf
1000|g m^-1 s^-2|+Pa pascal pascals
100000000|g m^-1 s^-2|+bar bars
101325000|g m^-1 s^-2|atm
101325000/760|g m^-1 s^-2|torr mmHg
4448221615260500/645160000|g m^-1 s^-2|psi
1000|g m^2 s^-2|+J joule joules
3600000|g m^2 s^-2|+Wh
4184|g m^2 s^-2|+cal calorie calories kalorien
1602176634/10000000000000000000000000|g m^2 s^-2|+eV
105505585262/100000|g m^2 s^-2|btu
1000|g m^2 s^-3|+W watt watts
745699871582/1000000|g m^2 s^-3|hp horsepower
73549875/100|g m^2 s^-3|ps
1|s^-1|+Hz hertz
1/60|s^-1|rpm
1|bit|+bit bits +b
8|bit|+byte bytes +B
1|bit s^-1|+bps
1|rad|+rad radian radians
1|K|K kelvin
1000|g m^2 s^-3 A^-1|+V volt volts
1000|g m^2 s^-3 A^-2|+ohm ohms +Ω
1|s A|+Ah* coulomb
1/100||percent
"""
_OFFSETS = {
    "°C": (Fraction(1), Fraction(27315, 100)),
    "°F": (Fraction(5, 9), Fraction(45967, 100) * Fraction(5, 9)),
}
_ALIASES = {
    "celsius": "°C", "degc": "°C", "C": "°C", "℃": "°C", "fahrenheit": "°F", "degf": "°F", "F": "°F",
    "℉": "°F",
}  # fmt: skip
PI = Fraction(314159265358979323846264338327950288419716939937511, 10**50)
E = Fraction(271828182845904523536028747135266249775724709369996, 10**50)
CURRENCIES = frozenset(
    {
        "EUR", "USD", "JPY", "CZK", "DKK", "GBP", "HUF", "PLN", "RON", "SEK", "CHF",
        "ISK", "NOK", "TRY", "AUD", "BRL", "CAD", "CNY", "HKD", "IDR", "ILS", "INR",
        "KRW", "MXN", "MYR", "NZD", "PHP", "SGD", "THB", "ZAR", "BGN",
    }
)  # fmt: skip
"""Those that the European Central Bank gives reference rates for, and the euro."""
_SIGNS = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW", "zł": "PLN"}
_WORDS = {
    "euro": "EUR", "euros": "EUR", "dollar": "USD", "dollars": "USD", "yen": "JPY", "franken": "CHF",
    "francs": "CHF",
    "sterling": "GBP", "quid": "GBP", "rupees": "INR", "yuan": "CNY", "zloty": "PLN",
}  # fmt: skip


def currency_of(name: str) -> str:
    """Return the code of a currency by its code, sign or name, "" for none."""
    code = _SIGNS.get(name) or _WORDS.get(name.lower()) or name.upper()
    return code if code in CURRENCIES else ""


def _dimensions(text: str) -> Dimensions:
    found = [(part.partition("^")[0], int(part.partition("^")[2] or 1)) for part in text.split()]
    return tuple(sorted(found))


def _factor(text: str) -> Fraction:
    made = Fraction(1)
    for part in text.replace("/", " /").replace("*", " ").split():
        made = made / Fraction(part[1:]) if part.startswith("/") else made * Fraction(part)
    return made


def _loaded() -> tuple[dict[str, Unit], dict[str, Unit]]:
    plain: dict[str, Unit] = {}
    prefixed: dict[str, Unit] = {}
    for line in _TABLE.strip().splitlines():
        factor, dimensions, names = line.split("|")
        unit = Unit(_factor(factor), _dimensions(dimensions))
        takes = names.startswith("+")
        for name in names.split():
            bare = name.strip("+*")
            plain[bare] = unit
            if name.startswith("+") or (takes and len(bare) > 3):
                prefixed[bare] = unit
    plain["deg"] = plain["°"] = plain["degree"] = plain["degrees"] = Unit(PI / 180, (("rad", 1),))
    for name, (degree, zero) in _OFFSETS.items():
        plain[name] = Unit(degree, (("K", 1),), zero)
    for name, of in _ALIASES.items():
        plain[name] = plain[of]
    plain["Ah"] = Unit(Fraction(3600), plain["coulomb"].dimensions)
    prefixed["Ah"] = plain["Ah"]
    return plain, prefixed


def unit_of(name: str) -> Unit | None:
    """Return a unit by its sign or name; words may have any case, signs have their own."""
    plain, prefixed = _loaded()
    for spelled in (name, name.lower()):
        if spelled in plain:
            return plain[spelled]
        for prefix, power in _PREFIXES.items():
            rest = spelled.removeprefix(prefix)
            if rest != spelled and rest in prefixed and (len(prefix) > 1) == (len(rest) > 3):
                return Unit(prefixed[rest].factor * Fraction(10) ** power, prefixed[rest].dimensions)
        for prefix, power in _BINARY.items():
            rest = spelled.removeprefix(prefix)
            if rest != spelled and rest in ("B", "b", "bit", "bits", "byte", "bytes"):
                return Unit(plain[rest].factor * 1024**power, plain[rest].dimensions)
    if code := currency_of(name):
        return Unit(Fraction(1), ((code, 1),))
    return None
