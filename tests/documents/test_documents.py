"""Documents as text: what stands in them in its order, and a plain reason for each that cannot be read."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from app.documents import unpacking
from app.documents.failing import Unreadable
from app.documents.kinds import Kind, kind_of
from app.documents.reading import lines_of
from tests.documents import bombs


def saved(document: Any) -> bytes:
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def word() -> bytes:
    from docx import Document

    document = Document()
    document.add_heading("Report", 0)
    document.add_heading("Costs", 1)
    document.add_paragraph("They rose.")
    table = document.add_table(2, 2)
    for at, text in enumerate(("Month", "Sum", "May", "1|2")):
        table.cell(at // 2, at % 2).text = text
    document.add_paragraph("first", style="List Bullet")
    return saved(document)


def sheet() -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    book.active.title = "Costs"
    book.active.append(["Month", "Sum", "When"])
    book.active.append(["May", 0.1 + 0.2, date(2026, 5, 1)])
    book.active.append([None, None, None])
    book.active.append(["June", 7])
    other = book.create_sheet("More")
    for number in range(2_010):
        other.append([number])
    return saved(book)


def slides() -> bytes:
    from pptx import Presentation

    show = Presentation()
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text = "Plan"
    slide.placeholders[1].text = "Step one"
    slide.notes_slide.notes_text_frame.text = "Say hello"
    table = show.slides.add_slide(show.slide_layouts[6]).shapes.add_table(2, 1, 0, 0, 10, 10).table
    table.cell(0, 0).text, table.cell(1, 0).text = "Who", "Anna"
    return saved(show)


def pdf(*, password: str = "", pages: int = 2, text: bool = True) -> bytes:
    from pypdf import PdfWriter
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    writer = PdfWriter()
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    for number in range(pages):
        page = writer.add_blank_page(200, 200)
        if text:
            page[NameObject("/Resources")] = DictionaryObject(
                {NameObject("/Font"): DictionaryObject({NameObject("/F"): font})}
            )
            stream = DecodedStreamObject()
            stream.set_data(f"BT /F 12 Tf 20 100 Td (Page says {number + 1}) Tj ET".encode())
            page[NameObject("/Contents")] = stream
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_a_word_document_keeps_its_order() -> None:
    lines = [line for line in lines_of(word(), "word") if line]
    assert lines == [
        "# Report",
        "# Costs",
        "They rose.",
        "| Month | Sum |",
        "| --- | --- |",
        "| May | 1\\|2 |",
        "- first",
    ]


def test_a_workbook_shows_values_and_counts_what_is_left() -> None:
    lines = lines_of(sheet(), "sheet")
    assert lines[:5] == [
        "[sheet Costs]",
        "| Month | Sum | When |",
        "| --- | --- | --- |",
        "| May | 0.3 | 2026-05-01 00:00:00 |",
        "| June | 7 |  |",
    ]
    assert "[10 more rows]" in lines and "| 1999 |" in lines and "| 2000 |" not in lines


def test_slides_with_tables_and_notes() -> None:
    lines = [line for line in lines_of(slides(), "slides") if line]
    assert lines == [
        "[slide 1 of 2]",
        "Plan",
        "Step one",
        "Notes: Say hello",
        "[slide 2 of 2]",
        "| Who |",
        "| --- |",
        "| Anna |",
    ]


def test_a_pdf_page_by_page() -> None:
    lines = [line for line in lines_of(pdf(), "pdf") if line]
    assert lines == ["[page 1 of 2]", "Page says 1", "[page 2 of 2]", "Page says 2"]


def bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("word/document.xml", b"<a>" + b" " * (unpacking.MOST_UNPACKED + 1))
    return out.getvalue()


def entities() -> bytes:
    """A document whose text would unfold to a billion letters (CWE-776)."""
    text = b'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "aaaaaaaaaa">'
    for one, other in zip("bcdefghi", "abcdefgh", strict=True):
        text += f'<!ENTITY {one} "{f"&{other};" * 10}">'.encode()
    text += (
        b']><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
        b"<w:body><w:p><w:r><w:t>&i;</w:t></w:r></w:p></w:body></w:document>"
    )
    source, out = zipfile.ZipFile(io.BytesIO(word())), io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name in source.namelist():
            packed.writestr(name, text if name == "word/document.xml" else source.read(name))
    return out.getvalue()


def without(data: bytes, part: str) -> bytes:
    source, out = zipfile.ZipFile(io.BytesIO(data)), io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name in source.namelist():
            if name != part:
                packed.writestr(name, source.read(name))
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "kind", "why"),
    [
        (pdf(password="secret"), "pdf", "locked"),
        (pdf(text=False), "pdf", "empty"),
        (pdf()[:300], "pdf", "broken"),
        (b"%PDF-1.7\nnothing", "pdf", "broken"),
        (word()[:2000], "word", "broken"),
        (without(word(), "word/styles.xml"), "word", "broken"),
        (without(word(), "[Content_Types].xml"), "word", "broken"),
        (without(sheet(), "xl/workbook.xml"), "sheet", "broken"),
        (without(slides(), "ppt/slides/slide1.xml"), "slides", "broken"),
        (bomb(), "word", "too_large"),
        (b"\xd0\xcf\x11\xe0", "old office", "unknown"),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, kind: Kind, why: str) -> None:
    with pytest.raises(Unreadable) as raised:
        lines_of(data, kind)
    assert raised.value.why == why


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (bombs.unpacks_to_gibibytes, "too_large"),
        (bombs.packed_twice, "too_large"),
        (bombs.runs, "too_large"),
        (bombs.in_a_circle, "broken"),
        (bombs.deep, "broken"),
    ],
)
def test_a_pdf_that_would_not_end_is_refused(make: Callable[[], bytes], why: str) -> None:
    with pytest.raises(Unreadable) as raised:
        lines_of(make(), "pdf")
    assert raised.value.why == why


def test_of_a_pdf_with_very_many_pages_the_first_are_read() -> None:
    lines = lines_of(bombs.many_pages(), "pdf")
    assert lines.count("word") == 300 and lines[-1] == "[99700 more pages]"


def test_entities_unfold_nowhere() -> None:
    try:
        lines = lines_of(entities(), "word")
    except Unreadable as error:
        assert error.why in ("broken", "empty")
    else:
        assert sum(map(len, lines)) < 1_000


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (word(), "word"),
        (sheet(), "sheet"),
        (slides(), "slides"),
        (pdf(), "pdf"),
        (b"\x89PNG\r\n\x1a\n", "picture"),
        (b"\xff\xd8\xff\xe0", "picture"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "picture"),
        (b"PK\x03\x04 no zip", "archive"),
        (b"\x1f\x8b\x08", "archive"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old office"),
        (b"a;b\n1;2\n", "text"),
        (b"", "text"),
    ],
)
def test_the_kind_follows_from_the_bytes(data: bytes, kind: Kind) -> None:
    assert kind_of(data) == kind


def test_a_text_named_many_times_does_not_leave_its_process_whole() -> None:
    from openpyxl import Workbook

    book = Workbook()
    for _ in range(300):
        book.active.append(["long " * 390] * 25)
    lines = lines_of(saved(book), "sheet")
    assert 7_000_000 < sum(map(len, lines)) <= 8_100_000
    assert lines[-1] == "[more is left out]"
