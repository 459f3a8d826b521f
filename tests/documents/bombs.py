"""Small files that become very large, or never end, for whoever reads them without a limit."""

from __future__ import annotations

import zlib

CATALOG = b"<< /Type /Catalog /Pages 2 0 R >>"
PAGES = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
FONT = b"<< /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
PAGE = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources " + FONT + b" >>"
GIB = 1 << 30


def pdf_of(*objects: bytes) -> bytes:
    """A PDF of these objects, the first of which is its root."""
    out, places = bytearray(b"%PDF-1.7\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


def stream(data: bytes, how: bytes = b"/FlateDecode") -> bytes:
    """An object that holds packed data."""
    return b"<< /Length %d /Filter %s >>\nstream\n" % (len(data), how) + data + b"\nendstream"


def packed(size: int, fill: bytes) -> bytes:
    """So many bytes of the same, packed as tightly as they go."""
    packer, out, block = zlib.compressobj(9), bytearray(), fill * (1 << 20)
    for _ in range(size // len(block)):
        out += packer.compress(block)
    return bytes(out + packer.flush())


def unpacks_to_gibibytes() -> bytes:
    """A page whose text is a gibibyte."""
    return pdf_of(CATALOG, PAGES, PAGE, stream(packed(GIB, b"(A) Tj ")))


def packed_twice() -> bytes:
    """A page whose text is packed, and packed again."""
    inner = packed(GIB, b"\0" * 8)
    return pdf_of(CATALOG, PAGES, PAGE, stream(zlib.compress(inner), b"[/FlateDecode /FlateDecode]"))


def runs() -> bytes:
    """A page whose text is 2.5 GB of runs of one letter."""
    data = zlib.compress(b"\x81A" * 20_000_000)
    return pdf_of(CATALOG, PAGES, PAGE, stream(data, b"[/FlateDecode /RunLengthDecode]"))


def in_a_circle() -> bytes:
    """Pages that are their own pages."""
    pages = b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000000 >>"
    return pdf_of(CATALOG, pages, PAGE, stream(b""))


def deep() -> bytes:
    """A list within a list, fifty thousand times."""
    page = PAGE.replace(b"4 0 R", b"[" * 50_000 + b"]" * 50_000)
    return pdf_of(CATALOG, PAGES, page, stream(b""))


def many_pages() -> bytes:
    """One page a hundred thousand times."""
    pages = b"<< /Type /Pages /Kids [" + b"3 0 R " * 100_000 + b"] /Count 100000 >>"
    return pdf_of(CATALOG, pages, PAGE, stream(zlib.compress(b"BT /F 9 Tf (word) Tj ET")))
