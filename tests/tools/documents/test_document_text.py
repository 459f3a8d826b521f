"""document_text over files of LibreOffice and other programs, and over what is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from app.records import Answer, ReadEffect
from tests.documents.test_documents import bomb, entities, pdf
from tests.tools.documents.desk import OFFICE, DocumentCaller

REPORT = ("Bericht über das Jahr", "gemäß Plan.", "first point", "The second page says goodbye.")


@pytest.mark.parametrize("kind", ["odt", "docx", "rtf", "pdf", "epub", "html"])
async def test_one_report_in_each_format(call: DocumentCaller, kind: str) -> None:
    call.bring(f"report.{kind}")
    outcome = await call("document_text", path=f"report.{kind}")
    assert outcome.ok and not call.desk.asked, outcome.text
    for words in REPORT:
        assert words in outcome.text
    assert "| May | 12.5 |" in outcome.text or kind in ("pdf", "rtf")


@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
@pytest.mark.parametrize("kind", ["odt", "docx", "rtf"])
async def test_a_report_that_libreoffice_makes_now(call: DocumentCaller, kind: str, tmp_path: Path) -> None:
    command = ["soffice", f"-env:UserInstallation=file://{tmp_path}/office", "--headless"]
    command += ["--convert-to", kind, "--outdir", str(call.desk.folder), str(OFFICE / "report.fodt")]
    subprocess.run(command, check=True, capture_output=True, timeout=180)
    outcome = await call("document_text", path=f"report.{kind}")
    assert outcome.ok and all(words in outcome.text for words in REPORT), outcome.text


async def test_pages_slides_and_sheets_by_number(call: DocumentCaller) -> None:
    for name in ("report.pdf", "talk.odp", "talk.pptx", "numbers.ods", "numbers.xlsx"):
        call.bring(name)
    second = await call("document_text", path="report.pdf", pages="2")
    assert second.text == "[page 2 of 2]\nThe second page says goodbye."
    for name in ("talk.odp", "talk.pptx"):
        assert (await call("document_text", path=name, pages="2-")).text == "[slide 2 of 2]\nNext steps"
    assert "Notes: Say hello first" in (await call("document_text", path="talk.odp")).text
    for name in ("numbers.ods", "numbers.xlsx"):
        outcome = await call("document_text", path=name, pages="2")
        assert outcome.text.startswith("[sheet More]\n| word |") and "tent" not in outcome.text
    past = await call("document_text", path="report.pdf", pages="7-9")
    assert not past.ok and "only 2 pages" in past.text
    assert past.text == "report.pdf: It has only 2 pages." and past.code == "bad_arguments", past.text
    assert not (await call("document_text", path="report.pdf", pages="x")).ok


async def test_a_long_text_ends_at_a_line_and_says_how_to_go_on(call: DocumentCaller) -> None:
    call.desk.write("long.html", "<html><body>" + "<p>word word</p>" * 9_000 + "</body></html>")
    outcome = await call("document_text", path="long.html", max_chars=95)
    lines = outcome.text.splitlines()
    assert lines[:-1] == ["word word"] * 9 and lines[-1] == "[89,910 more characters; raise max_chars]"


async def test_a_message_file_tells_headers_and_attachments_and_marks_the_conversation(
    call: DocumentCaller,
) -> None:
    call.desk.write(
        "a.eml",
        b"From: =?utf-8?q?J=C3=B6rg?= <j@example.org>\r\nTo: me@example.org\r\nSubject: Hi\r\n"
        b"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n"
        b"--x\r\nContent-Type: text/html; charset=iso-8859-1\r\n\r\n<p>Gr\xfc\xdfe</p><script>no</script>\r\n"
        b'--x\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename="../../a.pdf"\r\n'
        b"Content-Transfer-Encoding: base64\r\n\r\nJVBERg==\r\n--x--\r\n",
    )
    outcome = await call("document_text", path="a.eml")
    assert outcome.ok and "From: Jörg <j@example.org>" in outcome.text and "Grüße" in outcome.text
    assert "a.pdf (application/pdf, 4 bytes)" in outcome.text and "no" not in outcome.text.split("Subject")[1]
    assert [mark.kind for mark in outcome.marks] == ["mail"]


def locked_odt(path: Path) -> None:
    with zipfile.ZipFile(OFFICE / "report.odt") as source, zipfile.ZipFile(path, "w") as made:
        for name in source.namelist():
            data = source.read(name)
            if name == "META-INF/manifest.xml":
                data = data.replace(
                    b"</manifest:manifest>", b"<manifest:encryption-data/></manifest:manifest>"
                )
            made.writestr(name, data)


async def test_what_cannot_be_read_says_why(call: DocumentCaller) -> None:
    folder = call.desk.folder
    call.desk.write("empty.docx")
    call.desk.write("broken.odt", (OFFICE / "report.odt").read_bytes()[:3000])
    call.desk.write("bomb.docx", bomb())
    call.desk.write("locked.pdf", pdf(password="x"))
    call.desk.write("scan.pdf", pdf(text=False))
    call.desk.write("old.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    call.desk.write("program", b"\x7fELF" + bytes(9_000))
    call.desk.write("unfolding.docx", entities())
    locked_odt(folder / "locked.odt")
    (folder / "folder.pdf").mkdir()
    os.mkfifo(folder / "pipe.pdf")
    with open(folder / "huge.pdf", "wb") as file:
        file.truncate(65 << 20)
    cases = {
        "missing.pdf": "no missing.pdf", "empty.docx": "empty", "broken.odt": "", "bomb.docx": "too large",
        "locked.pdf": "password", "locked.odt": "password", "scan.pdf": "pictures", "old.doc": "Office 97",
        "program": "no document", "folder.pdf": "folder", "pipe.pdf": "", "huge.pdf": "bytes",
    }  # fmt: skip
    for name, why in cases.items():
        outcome = await call("document_text", path=name)
        assert not outcome.ok and why in outcome.text, (name, outcome.text)
        assert "failed inside" not in outcome.text, (name, outcome.text)
    assert len((await call("document_text", path="unfolding.docx")).text) < 1_000


async def test_the_wrong_name_hides_nothing(call: DocumentCaller) -> None:
    call.bring("report.docx", "letter\n.pdf")
    outcome = await call("document_text", path="letter\n.pdf")
    assert outcome.ok and "goodbye" in outcome.text


async def test_a_file_outside_asks_and_marks(call: DocumentCaller, tmp_path: Path) -> None:
    outside = tmp_path / "report.odt"
    shutil.copy(OFFICE / "report.odt", outside)
    outcome = await call("document_text", path=str(outside))
    assert outcome.ok and isinstance(call.desk.asked[0], ReadEffect)
    assert [mark.kind for mark in outcome.marks] == ["file"]
    call.desk.answer = lambda effect: Answer(decision="deny", reason="private")
    refused = await call("document_text", path=str(outside))
    assert not refused.ok and "private" in refused.text and "goodbye" not in refused.text
