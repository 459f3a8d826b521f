"""Numbers, days and moments as people read and type them, and the catalogue behind the words."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from ui.catalogue import entries, read_catalogue
from ui.language import wanted
from ui.terminal.times import moment
from ui.words import ago, day, duration, money, size, summary, tokens, use_language

NOW = datetime.datetime(2026, 5, 13, 15, 0).timestamp()


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (23_400_000, "23 MB"),
        (999_600, "1.0 MB"),
    ],
)
def test_sizes(count: int, text: str) -> None:
    assert size(count) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-1, "0.0 s"),
        (0.44, "0.4 s"),
        (12.2, "12 s"),
        (59.9, "1 min"),
        (200, "3 min 20 s"),
        (7500, "2 h 5 min"),
    ],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_money_and_tokens() -> None:
    assert [money(sum) for sum in (None, 0, 0.00042, 0.0123, 3.5)] == [
        "",
        "$0.00",
        "$0.000420",
        "$0.0123",
        "$3.50",
    ]
    assert [tokens(n) for n in (1, 830, 12_400, 2_000_000)] == [
        "1 token",
        "830 tokens",
        "12.4k tokens",
        "2M tokens",
    ]


def test_days() -> None:
    when = [NOW - 86400 * back for back in (0, 1, 2, 20, 400)]
    assert [day(one, NOW) for one in when] == ["Today", "Yesterday", "Monday", "23 April", "8 April 2025"]
    assert [ago(NOW - seconds, NOW) for seconds in (5, 300, 7200)] == ["just now", "5 min ago", "2 h ago"]


@pytest.mark.parametrize(
    ("text", "back"),
    [
        ("14:05", 55 * 60),
        ("2 h", 7200),
        ("30m", 1800),
        ("90 seconds ago", 90),
        ("16:00", 23 * 3600),
        ("1 day", 86400),
    ],
)
def test_moments_in_the_past(text: str, back: int) -> None:
    assert moment(text, NOW) == NOW - back


@pytest.mark.parametrize("text", ["", "25:00", "soon", "12", "2026-13-01", "1 fortnight"])
def test_what_is_no_moment(text: str) -> None:
    assert moment(text, NOW) is None


def test_iso_moments() -> None:
    assert moment("2026-05-13T12:00:00+00:00", NOW) == 1778673600.0
    assert moment("1778673600", NOW) == 1778673600.0


@pytest.mark.parametrize(
    ("setting", "environ", "code"),
    [
        ("", {"LANG": "de_DE.UTF-8"}, "de_DE"),
        ("", {"LANGUAGE": "fr:en", "LANG": "de_DE.UTF-8"}, "fr"),
        ("system", {"LC_ALL": "C", "LANG": "es_ES"}, "es_ES"),
        ("hi", {"LANG": "de_DE"}, "hi"),
        ("", {}, "en"),
    ],
)
def test_the_language_is_that_of_the_settings_then_of_the_environment(
    setting: str, environ: dict[str, str], code: str
) -> None:
    assert wanted(setting, environ) == code


def test_a_catalogue_is_read_as_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "xx.po"
    path.write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'
        '"Plural-Forms: nplurals=2; plural=n!=1;\\n"\n\n'
        '# a comment\nmsgid "Run "\n"again"\nmsgstr "Noch \\"einmal\\""\n\n'
        'msgid "{n} file"\nmsgid_plural "{n} files"\nmsgstr[0] "{n} Datei"\nmsgstr[1] "{n} Dateien"\n\n'
        '#, fuzzy\nmsgid "Not yet"\nmsgstr "Falsch"\n\nmsgid "Open"\nmsgstr ""\n',
        "utf-8",
    )
    catalogue = read_catalogue(path)
    assert catalogue.gettext("Run again") == 'Noch "einmal"'
    assert [catalogue.ngettext("{n} file", "{n} files", n) for n in (1, 2)] == ["{n} Datei", "{n} Dateien"]
    assert [catalogue.gettext(text) for text in ("Not yet", "Open", "Unknown")] == [
        "Not yet",
        "Open",
        "Unknown",
    ]
    assert "Open" not in entries(path.read_text("utf-8"))


def test_english_stays_as_it_is() -> None:
    use_language("en")
    assert summary("48 files") == "48 files"
