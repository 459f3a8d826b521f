"""The settings of the network in the window: each is checked before it is kept, and what was typed stays."""

from __future__ import annotations

import shutil
import ssl
from pathlib import Path
from typing import Any

import pytest

from tests.window.furnished import Furnished
from tests.window.test_talking import CLOSED, point_at


@pytest.fixture
def card(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The card of the settings page."""
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    life.window.show_page("settings")
    return life.rest.settings_page.network


def write(field: Any, text: str) -> None:
    """Write into a field and leave it."""
    field.setText(text)
    field.editingFinished.emit()


def test_a_proxy_is_checked_kept_and_given_up(furnished: Furnished, card: Any) -> None:
    life = furnished.life
    assert not card.proxy.isVisible()
    card.way.part("own").click()
    assert card.proxy.isVisible() and life.settings.proxy == ""
    write(card.proxy, "nonsense")
    furnished.until(lambda: "This proxy cannot be used" in card.word.text(), "the word on it")
    assert card.word.isVisible() and card.proxy.text() == "nonsense" and life.settings.proxy == ""
    write(card.proxy, " http://proxy.example:3128 ")
    furnished.until(lambda: life.settings.proxy == "http://proxy.example:3128", "the proxy")
    assert not card.word.isVisible()
    card.way.part("none").click()
    furnished.until(lambda: life.settings.proxy == "none", "none")
    assert not card.proxy.isVisible()
    card.way.part("system").click()
    furnished.until(lambda: life.settings.proxy == "", "that of the system")


def test_certificates_are_read_before_they_are_trusted(
    furnished: Furnished, card: Any, tmp_path: Path
) -> None:
    life = furnished.life
    wrong = tmp_path / "wrong.pem"
    wrong.write_text("no certificate")
    card.take_file(str(wrong))
    furnished.until(lambda: "no certificates in it" in card.word.text(), "the word on it")
    assert life.settings.ca_file == ""
    known = ssl.get_default_verify_paths().cafile
    if known is None or not Path(known).exists():
        import certifi

        known = certifi.where()
    good = tmp_path / "good.pem"
    shutil.copy(known, good)
    card.take_file(str(good))
    furnished.until(lambda: life.settings.ca_file == str(good), "the file")
    write(card.ca_file, "")
    furnished.until(lambda: life.settings.ca_file == "", "none")


def test_the_domain_of_an_enterprise_is_kept_and_named_where_one_signs_in(
    furnished: Furnished, card: Any
) -> None:
    life = furnished.life
    write(card.domain, "no domain")
    furnished.until(lambda: "This is no domain" in card.word.text(), "the word on it")
    write(card.domain, "octo.ghe.com")
    furnished.until(lambda: life.settings.copilot_domain == "octo.ghe.com", "the domain")
    panel = life.rest.settings_page.sign_in
    furnished.until(lambda: panel._way is not None and panel._way.host == "octo.ghe.com", "the sign-in there")
