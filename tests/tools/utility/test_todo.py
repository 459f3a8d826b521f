"""The to-do list: add, list, tick off, remove; by id or words, on several lists."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from app.records import TurnOptions
from tests.tools.engine_desk import call, engine_in


async def test_a_list_is_kept_ticked_off_and_taken_back(home: Path, tmp_path: Path) -> None:
    async with engine_in(home) as (engine, asked):
        for item, name, due in (
            ("Milk", "shopping", ""),
            ("Bread", "shopping", ""),
            ("Dentist", "", "2026-12-01"),
        ):
            ran = await call(
                engine, tmp_path, "todo", {"action": "add", "item": item, "list": name, "due": due}
            )
            assert ran.ok and ran.text.startswith("Verified") and ran.undo
        shown = await call(engine, tmp_path, "todo", {"action": "list", "list": "Shopping"})
        assert shown.text == "- [ ] Milk #shopping (m1)\n- [ ] Bread #shopping (m2)"
        every = await call(engine, tmp_path, "todo", {"action": "list"}, TurnOptions(mode="chat"))
        assert every.ok and every.summary == "3 open" and "Dentist (m3, due 2026-12-01)" in every.text
        done = await call(engine, tmp_path, "todo", {"action": "done", "item": "milk"})
        assert done.ok and "'Milk' (m1) is ticked off" in done.text
        assert "[x] Milk" in (await call(engine, tmp_path, "todo", {"action": "list"})).text
        await engine.changes.undo(done.undo)
        gone = await call(engine, tmp_path, "todo", {"action": "remove", "item": "m2"})
        assert gone.ok and "is off the list" in gone.text
        assert "Bread" not in (await call(engine, tmp_path, "todo", {"action": "list"})).text
        await engine.changes.undo(gone.undo)
        assert "Bread" in (await call(engine, tmp_path, "todo", {"action": "list"})).text
        assert asked == []


async def test_what_fits_several_is_asked_for_by_id(home: Path, tmp_path: Path) -> None:
    async with engine_in(home) as (engine, _):
        for item in ("Call the dentist", "Pay the dentist"):
            await call(engine, tmp_path, "todo", {"action": "add", "item": item})
        ran = await call(engine, tmp_path, "todo", {"action": "done", "item": "dentist"})
        assert not ran.ok and ran.code == "not_unique" and "m1" in ran.text and "m2" in ran.text
        again = await call(engine, tmp_path, "todo", {"action": "add", "item": "call the dentist"})
        assert again.ok and "was on the list already" in again.text


async def test_a_due_day_still_means_the_same_later(home: Path, tmp_path: Path) -> None:
    async with engine_in(home) as (engine, _):
        today = datetime.now().astimezone().date()
        for given in ("2026-12-01", "tomorrow", "2026-12-01 15:00"):
            ran = await call(
                engine, tmp_path, "todo", {"action": "add", "item": f"For {given}", "due": given}
            )
            told = {"tomorrow": str(today + timedelta(days=1))}.get(given, given)
            assert ran.ok and ran.text.endswith(f"is on the list, due {told}.")
        for given in ("2026-02-30", "some day"):
            ran = await call(engine, tmp_path, "todo", {"action": "add", "item": "Never", "due": given})
            assert not ran.ok and ran.text.startswith(f"'{given}' is no date; write 2026-03-01")
        assert "Never" not in (await call(engine, tmp_path, "todo", {"action": "list"})).text


async def test_an_empty_list_says_so(home: Path, tmp_path: Path) -> None:
    async with engine_in(home) as (engine, _):
        ran = await call(engine, tmp_path, "todo", {"action": "list", "list": "x"})
        assert ran.ok and ran.text == "The list 'x' is empty."
