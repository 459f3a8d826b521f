"""Bytes from the web as text: by byte order mark, then what the server says, then what the text says of
itself, then by its looks. XML and JSON that say nothing are UTF-8. Pure.
"""

from __future__ import annotations

import codecs
import re
from typing import Literal

Form = Literal["html", "xml", "json", "text"]

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_META = re.compile(rb"<meta[^>]{0,512}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]{2,40})", re.IGNORECASE)
_XML = re.compile(rb"\s{0,64}<\?xml[^>]{0,256}?encoding\s*=\s*[\"']([A-Za-z0-9_.-]{2,40})", re.IGNORECASE)
_HEAD = 4_096
"""Bytes in which a text says what its characters are."""
_LOOKED_AT = 65_536
"""Bytes whose looks decide where nobody says anything."""
_NAMES = {
    "utf-8": "utf8 utf-8 unicode-1-1-utf-8",
    "utf-16-le": "utf-16 utf-16le unicode ucs-2 iso-10646-ucs-2",
    "utf-16-be": "utf-16be",
    "cp1252": "iso-8859-1 iso8859-1 latin1 latin-1 l1 ascii us-ascii ansi windows-1252 cp1252 x-cp1252",
    "cp1250": "windows-1250 cp1250",
    "cp1251": "windows-1251 cp1251",
    "cp1253": "windows-1253 cp1253",
    "cp1254": "windows-1254 cp1254 iso-8859-9 latin5",
    "cp1255": "windows-1255 cp1255",
    "cp1256": "windows-1256 cp1256",
    "cp1257": "windows-1257 cp1257",
    "cp1258": "windows-1258 cp1258",
    "iso8859-2": "iso-8859-2 latin2",
    "iso8859-3": "iso-8859-3 latin3",
    "iso8859-4": "iso-8859-4 latin4",
    "iso8859-5": "iso-8859-5",
    "iso8859-6": "iso-8859-6",
    "iso8859-7": "iso-8859-7",
    "iso8859-8": "iso-8859-8 iso-8859-8-i",
    "iso8859-10": "iso-8859-10 latin6",
    "iso8859-13": "iso-8859-13",
    "iso8859-14": "iso-8859-14",
    "iso8859-15": "iso-8859-15 latin9 latin-9",
    "iso8859-16": "iso-8859-16",
    "cp874": "windows-874 tis-620 iso-8859-11",
    "cp866": "ibm866 cp866 866",
    "koi8-r": "koi8-r koi8 koi8_r",
    "koi8-u": "koi8-u koi8-ru",
    "mac-roman": "macintosh mac x-mac-roman",
    "cp932": "shift_jis shift-jis sjis x-sjis ms_kanji windows-31j",
    "euc-jp": "euc-jp x-euc-jp",
    "iso2022-jp": "iso-2022-jp",
    "gb18030": "gb2312 gb_2312-80 gbk x-gbk gb18030 chinese",
    "big5hkscs": "big5 big5-hkscs x-x-big5",
    "cp949": "euc-kr ks_c_5601-1987 korean windows-949",
}
"""The names of the WHATWG's Encoding standard for what Python reads; no other codec of Python's is taken."""
_LABELS = {label: name for name, labels in _NAMES.items() for label in labels.split()}


def decode(data: bytes, declared: str = "", form: Form = "html", *, cut: bool = False) -> tuple[str, str]:
    """Return the text and the name of its encoding. `declared` is the charset of the server's header; with
    `cut` a character that is broken off at the end is dropped. What cannot be read stands as U+FFFD.
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _read(data[len(mark) :], name, cut), name
    name = known(declared) or _said(data, form) or _by_form(form) or _looks(data)
    return _read(data, name, cut), name


def known(label: str) -> str:
    """Return Python's name of an encoding that a page names, "" for one that is not read."""
    return _LABELS.get(label.strip().strip("\"'").casefold(), "")


def _said(data: bytes, form: Form) -> str:
    head = data[:_HEAD]
    found = _XML.match(head) if form != "json" else None
    if found is None and form == "html":
        found = _META.search(head)
    name = known(found[1].decode("ascii")) if found else ""
    return "utf-8" if name.startswith("utf-16") else name  # who reads that in ASCII is wrong about it


def _by_form(form: Form) -> str:
    return "utf-8" if form in ("xml", "json") else ""


def _looks(data: bytes) -> str:
    sample = data[:_LOOKED_AT]
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample, len(sample) == len(data))
        return "utf-8"
    except UnicodeDecodeError:
        pass
    from charset_normalizer import from_bytes  # late: it is seldom needed

    best = from_bytes(sample, steps=5, chunk_size=1024).best()
    return known((best.encoding if best else "").replace("_", "-")) or _python(best) or "cp1252"


def _python(best: object) -> str:
    name = str(getattr(best, "encoding", "")).replace("_", "-")
    return name if name in _NAMES else ""


def _read(data: bytes, name: str, cut: bool) -> str:
    return codecs.getincrementaldecoder(name)("replace").decode(data, not cut)
