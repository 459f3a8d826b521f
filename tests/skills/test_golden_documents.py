"""The golden requests about documents, tables, folders and the web run through whole, each with every tool
that its skill suggests.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from app.records import CommandEffect, FilesEffect, MemoryEffect, RequestEffect
from tests.conversation.test_engine import says
from tests.servers.site import Sent
from tests.skills.golden_desk import GoldenDesk, Ran, does, searching, whole
from tests.tools.web.test_weather import FORECAST, LISBON

OFFICE = Path(__file__).parents[1] / "cases" / "office"


@pytest.fixture
def desk(tmp_path: Path) -> GoldenDesk:
    return GoldenDesk(tmp_path)


async def test_web_research_opens_what_it_quotes_and_writes_only_after_a_yes(desk: GoldenDesk) -> None:
    feed = "<rss version='2.0'><channel><title/><item><title>Old houses</title></item></channel></rss>"
    shop = "<table><tr class='pump'><td class='name'>Air 9</td><td class='cop'>3.9</td></tr></table>"
    routes: dict[str, Any] = {
        "/study": Sent("<article><h1>Field study</h1><p>The mean SPF in old houses was 3.1.</p></article>"),
        "/shop": Sent(f"<html><body>{shop}</body></html>"),
        "/feed": Sent(feed.encode(), kind="application/rss+xml"),
    }
    desk.write("study.pdf", (OFFICE / "report.pdf").read_bytes())
    note = "Heat pumps reach an SPF of about 3.1 in old houses.\n"
    async with desk.site(routes) as url:
        routes["/duckduckgo"] = searching(desk, url, "study", "shop")
        ran = await desk.run(
            "web-research",
            {
                "web_search": "search the web",
                "web_fetch": "read a web page",
                "web_scrape": "scrape prices from a page",
                "document_text": "text of a pdf",
                "rss_read": "read an rss feed",
                "calculate": "calculate an average",
            },
            does(("web_search", {"query": "heat pump old house field study"})),
            does(
                ("web_fetch", {"url": f"{url}/study"}),
                (
                    "web_scrape",
                    {"url": f"{url}/shop", "selector": ".pump", "fields": ["name: .name", "cop: .cop"]},
                ),
                ("document_text", {"path": "study.pdf"}),
                ("rss_read", {"feed": f"{url}/feed"}),
            ),
            does(("calculate", {"expression": "(3.1 + 3.9) / 2"})),
            does(("write_file", {"path": "heat-pumps.md", "content": note})),
            answer=f"About 3.1 ({url}/study).",
        )
    whole(ran, "web-research")
    assert f"{url}/study" in ran.text("web_search") and "3.1" in ran.text("web_fetch")
    assert "Air 9" in ran.text("web_scrape") and "Old houses" in ran.text("rss_read")
    assert "3.5" in ran.text("calculate") and (desk.folder / "heat-pumps.md").read_text() == note
    # What a search brought is nobody's word: from there on no rule opens a way out; each question says why.
    assert sorted(ran.questions[:3]) == ["rss_read", "web_fetch", "web_scrape"]
    assert ran.questions[3:] == ["write_file"] and all(one.marks for one in ran.asked)


async def test_summarise_document_reads_all_and_changes_nothing(desk: GoldenDesk) -> None:
    for name in ("report.pdf", "numbers.xlsx"):
        shutil.copy(OFFICE / name, desk.folder / name)
    desk.write("notes.txt", "The report is from March.\n")
    before = sorted((path.name, path.read_bytes()) for path in desk.folder.iterdir())
    async with desk.site({"/press": Sent("<article><p>The report was published.</p></article>")}) as url:
        ran = await desk.run(
            "summarise-document",
            {
                "document_text": "extract text from a pdf",
                "web_fetch": "read a web page",
                "spreadsheet": "read an excel table",
                "calculate": "work out a percentage",
                "translate": "translate a text into german",
            },
            does(
                ("document_text", {"path": "report.pdf"}),
                ("read_file", {"path": "notes.txt"}),
                ("web_fetch", {"url": f"{url}/press"}),
                ("spreadsheet", {"path": "numbers.xlsx", "action": "read"}),
            ),
            does(("grep_files", {"pattern": "March"}), ("calculate", {"expression": "12% of 250"})),
            does(("translate", {"text": "The report is from March.", "to": "German"})),
            says("Der Bericht ist vom März."),
            answer="The report is from March.",
        )
    whole(ran, "summarise-document")
    assert len(ran.text("document_text")) > 40 and "30" in ran.text("calculate")
    assert "Der Bericht ist vom März." in ran.text("translate") and "notes.txt" in ran.text("grep_files")
    assert ran.questions == [] and not any(event.undo for event in ran.finished)
    assert sorted((path.name, path.read_bytes()) for path in desk.folder.iterdir()) == before


ICS = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\nBEGIN:VEVENT\r\nUID:1@example.org\r\n"
    "DTSTAMP:20270101T000000Z\r\nDTSTART:20270506T170000Z\r\nDTEND:20270506T180000Z\r\n"
    "SUMMARY:Dentist\r\nATTENDEE:mailto:ben@example.org\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


async def test_plan_a_trip_looks_up_books_nothing_and_enters_what_was_agreed(desk: GoldenDesk) -> None:
    desk.write("me.ics", ICS)
    routes: dict[str, Any] = {
        "/castle": Sent("<article><h1>Castle</h1><p>Open daily from 9 to 18, closed on 1 May.</p></article>"),
        "/v1/search": Sent({"results": [LISBON]}),
        "/v1/forecast": Sent(FORECAST),
    }
    plan = "# Lisbon, 6 to 9 May 2027\n\n1. Castle, 10:00\n"
    async with desk.site(routes) as url:
        desk.settings["services"] = {"weather": f"{url}/v1", "places": f"{url}/v1"}
        desk.allow.append(f"weather({url.removeprefix('http://')})")
        routes["/duckduckgo"] = searching(desk, url, "castle")
        ran = await desk.run(
            "plan-a-trip",
            {
                "web_search": "search the web",
                "web_fetch": "read a web page",
                "weather": "weather forecast",
                "calendar_list": "what is on my calendar",
                "calendar_add": "add a calendar event",
                "calculate": "convert 300 pounds to euros",
            },
            does(
                ("recall", {"query": "children travel food"}),
                ("calendar_list", {"path": "me.ics", "start": "2027-05-01", "end": "2027-05-31"}),
            ),
            does(("web_search", {"query": "Lisbon castle opening hours"}), ("weather", {"place": "Lisbon"})),
            does(("web_fetch", {"url": f"{url}/castle"}), ("calculate", {"expression": "4 * 85 + 2 * 15"})),
            does(("write_file", {"path": "lisbon.md", "content": plan})),
            does(
                (
                    "calendar_add",
                    {
                        "title": "Castle",
                        "start": "2027-05-07 10:00",
                        "end": "2027-05-07 12:00",
                        "path": "me.ics",
                    },
                ),
            ),
            answer="Day 1: the castle (open from 9). Nothing is booked.",
        )
    whole(ran, "plan-a-trip")
    assert "Dentist" in ran.text("calendar_list") and "closed on 1 May" in ran.text("web_fetch")
    assert "Lisbon" in ran.text("weather") and "370" in ran.text("calculate")
    assert (desk.folder / "lisbon.md").read_text() == plan
    entered = (desk.folder / "me.ics").read_text()
    assert "SUMMARY:Castle" in entered and "SUMMARY:Dentist" in entered
    assert ran.questions == ["web_fetch", "write_file", "calendar_add"]
    assert "verified" in ran.text("calendar_add") and "unverified" not in ran.text("calendar_add")


async def test_tidy_folder_loses_nothing_and_is_taken_back_whole(desk: GoldenDesk) -> None:
    shutil.copy(OFFICE / "report.docx", desk.folder / "scan0001.docx")
    for name, text in {"a.jpg": "picture", "a copy.jpg": "picture", "bill.txt": "Bill, 3 March\n"}.items():
        desk.write(name, text)
    files = {path.name: path.read_bytes() for path in desk.folder.iterdir()}
    back: dict[str, bytes] = {}

    async def after(ran: Ran) -> None:
        await ran.scene.engine.changes.undo_turn(ran.turn)
        left = (path for path in desk.folder.rglob("*") if path.is_file())
        back.update({str(path.relative_to(desk.folder)): path.read_bytes() for path in left})

    ran = await desk.run(
        "tidy-folder",
        {
            "file_checksum": "compare checksums of two files",
            "create_dir": "make a new folder",
            "move_file": "move a file to another folder",
            "trash_file": "move a file to the trash",
            "archive": "pack files into a zip",
            "document_text": "text of a word document",
        },
        does(("list_dir", {"path": "."}), ("find_files", {"pattern": "*.jpg"})),
        does(
            ("read_file", {"path": "bill.txt"}),
            ("document_text", {"path": "scan0001.docx"}),
            ("file_checksum", {"path": "a.jpg"}),
            ("file_checksum", {"path": "a copy.jpg"}),
        ),
        does(("create_dir", {"path": "Invoices"})),
        does(("move_file", {"source": "bill.txt", "destination": "Invoices/2026-03-03 bill.txt"})),
        does(("trash_file", {"path": "a copy.jpg"})),
        does(("archive", {"action": "create", "archive": "scans.zip", "paths": ["scan0001.docx"]})),
        does(("archive", {"action": "list", "archive": "scans.zip"})),
        answer="Moved 1, trashed 1, packed 1. Undo takes it back.",
        after=after,
    )
    whole(ran, "tidy-folder")
    sums = {re.search(r"[0-9a-f]{64}", ran.text("file_checksum", number))[0] for number in (0, 1)}  # type: ignore[index]
    assert len(sums) == 1 and "scan0001.docx" in ran.text("archive", 1)
    assert set(ran.questions) == {"create_dir", "move_file", "trash_file", "archive"}
    assert all("verified" in ran.text(tool) for tool in ("create_dir", "move_file", "trash_file", "archive"))
    assert back == files


async def test_meeting_notes_become_tasks_dates_and_a_draft_that_is_not_sent(desk: GoldenDesk) -> None:
    desk.write("me.ics", ICS)
    desk.write("transcript.txt", "Ada: we agree on the blue logo. Ben: I send the files until Friday.\n")
    shutil.copy(OFFICE / "report.docx", desk.folder / "agenda.docx")
    minutes = "Decisions  1. The blue logo (line 1)\nTasks  - Ben: send the files, until 2027-05-07\n"
    ran = await desk.run(
        "meeting-notes",
        {
            "document_text": "text of a word document",
            "calendar_list": "what is on my calendar",
            "project_note": "write down a decision of the project",
            "todo": "add to my to-do list",
            "calendar_add": "add a calendar event",
            "email_draft": "draft an email",
        },
        does(
            ("read_file", {"path": "transcript.txt"}),
            ("document_text", {"path": "agenda.docx"}),
            ("calendar_list", {"path": "me.ics", "start": "2027-05-06", "end": "2027-05-06"}),
        ),
        does(("write_file", {"path": "minutes.md", "content": minutes})),
        does(
            ("todo", {"action": "add", "item": "Ben: send the files", "due": "2027-05-07"}),
            ("project_note", {"kind": "decision", "text": "The logo is blue", "project": "logo"}),
        ),
        does(("calendar_add", {"title": "Files due", "start": "2027-05-07", "path": "me.ics"})),
        does(
            (
                "email_draft",
                {"to": ["ben@example.org"], "subject": "Minutes", "body": minutes, "path": "m.eml"},
            )
        ),
        does(("todo", {"action": "list"})),
        answer="One decision, one task.",
    )
    whole(ran, "meeting-notes")
    assert "Ben: send the files" in ran.text("todo", 1) and "2027-05-07" in ran.text("todo", 1)
    assert (desk.folder / "minutes.md").read_text() == minutes
    assert "SUMMARY:Files due" in (desk.folder / "me.ics").read_text()
    assert "Subject: Minutes" in (desk.folder / "m.eml").read_text() and "Nothing was sent" in ran.text(
        "email_draft"
    )
    assert [one.tool for one in ran.asked if not isinstance(one.effect, FilesEffect)] == []
    assert not any(isinstance(one.effect, (RequestEffect, CommandEffect, MemoryEffect)) for one in ran.asked)


async def test_data_from_csv_counts_twice_and_leaves_the_original_alone(desk: GoldenDesk) -> None:
    rows = [("2026-01", 10), ("2026-01", 20), ("2026-02", 60), ("2026-02", "")]
    table = "month,sales\n" + "".join(f"{month},{sales}\n" for month, sales in rows)
    desk.write("sales.csv", table)
    script = (
        "import csv,sqlite3; d=sqlite3.connect('scratch.db'); d.execute('create table s(month, sales)'); "
        "d.executemany('insert into s values(?,?)', [(r['month'], float(r['sales'])) for r in "
        "csv.DictReader(open('sales.csv')) if r['sales']]); d.commit(); print('kept', d.total_changes)"
    )
    query = "select month, count(*), avg(sales) from s group by month order by month"
    ran = await desk.run(
        "data-from-csv",
        {
            "spreadsheet": "summarize a csv table",
            "sqlite_query": "query a sqlite database",
            "calculate": "calculate an average",
        },
        does(
            ("read_file", {"path": "sales.csv", "limit": 30}),
            ("spreadsheet", {"path": "sales.csv", "action": "read"}),
        ),
        does(
            ("spreadsheet", {"path": "sales.csv", "action": "summarize", "columns": ["sales"], "by": "month"})
        ),
        does(("run_command", {"command": f'python3 -c "{script}"'})),
        does(("sqlite_query", {"path": "scratch.db", "sql": query})),
        does(("calculate", {"expression": "(10 + 20) / 2"})),
        does(("write_file", {"path": "averages.csv", "content": "month,mean\n2026-01,15\n2026-02,60\n"})),
        answer="15 in January (2 rows), 60 in February (1 row; 1 without a number was left out).",
    )
    whole(ran, "data-from-csv")
    assert "kept 3" in ran.text("run_command")
    assert "15" in ran.text("spreadsheet", 1) and "60" in ran.text("spreadsheet", 1)
    assert re.search(r"2026-01\W+2\W+15", ran.text("sqlite_query")) and "15" in ran.text("calculate")
    assert (desk.folder / "sales.csv").read_text() == table
    assert (
        set(ran.questions) <= {"run_command", "sqlite_query", "write_file"} and "write_file" in ran.questions
    )
