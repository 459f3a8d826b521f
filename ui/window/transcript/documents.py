"""Markdown of one block as a styled QTextDocument, and a part of it as Markdown again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QFont,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextLength,
    QTextListFormat,
    QTextOption,
    QTextTable,
    QTextTableCellFormat,
    QTextTableFormat,
)

from ui.window.theme.fonts import load_all
from ui.window.transcript.legible import legible
from ui.window.transcript.painting import Sheet

FEATURES = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
"""HTML stays text: what is hidden in it would be shown to nobody."""
QUOTE_LEVEL = QTextFormat.Property.BlockQuoteLevel.value
_CODE_FENCE = QTextFormat.Property.BlockCodeFence.value
_RULE = QTextFormat.Property.BlockTrailingHorizontalRulerWidth.value
_MARKER = QTextFormat.Property.BlockMarker.value
HEADINGS = ((20, 28), (16, 24), (14, 21))
"""Size and line height of headings by level, in pixels of the design; deeper ones look like the last."""
BODY = (14, 21)
BULLET, UNCHECKED, CHECKED = -2, -3, -4
"""States of the block that an item of a list begins with; an ordered one has its number."""
PICTURE = "\u25a7 "
"""Stands before the words of a picture that is not loaded."""

_MATH_OR_CODE = re.compile(
    r"(?P<code>(?<!`)(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))"
    r"|(?P<math>\\\(.+?\\\)|\\\[.+?\\\]|\$\$.+?\$\$|(?<![\w$])\$(?=[^\s$])[^$\n]*?[^\s$\\]\$(?![\w$]))",
    re.DOTALL,
)
_MARKUP = re.compile(r"([\\`*_~\[\]<>])")
_HARD_BREAK = re.compile(r"(?: {2,}|\\)\n(?=[^\n])")
_DEFINITION = re.compile(r"^( {0,3})(?=\[[^\]]+\]:)", re.MULTILINE)
_BLOCK_START = re.compile(r"^(\s*)(?=[#>*+=|`~-])|^(\s*\d{1,9})(?=[.)])")
_ORDERED = (QTextListFormat.Style.ListDecimal, QTextListFormat.Style.ListLowerAlpha)
_TICKS = re.compile(r"`+")
_BOLD = QFont.Weight.DemiBold
_LEAST = QTextBlockFormat.LineHeightTypes.MinimumHeight.value


class Document(QTextDocument):
    """A document that loads nothing: a picture named by a model is never fetched, also not from the disk."""

    linked = False
    """It holds a link, so that the others need not be searched for one."""

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """See QTextDocument; there are no resources."""
        return None


def prepared(source: str, *, joined: bool = False) -> str:
    """Return Markdown that Qt shows as meant: math and link definitions as text, breaks as breaks."""
    text = legible(source)
    if "\\" in text or "$" in text:
        text = _MATH_OR_CODE.sub(lambda m: m["code"] or _MARKUP.sub(r"\\\1", m["math"]), text)
    if "]:" in text:
        text = _DEFINITION.sub(r"\1\\", text)
    if joined:
        text = _BLOCK_START.sub(lambda m: (m[1] or m[2] or "") + "\\", text, count=1)
    return _HARD_BREAK.sub("\u2028", text)


def blank_document(sheet: Sheet, pixels: int = BODY[0]) -> Document:
    """Return an empty document in the type of the theme."""
    document = Document()
    document.setUndoRedoEnabled(False)
    document.setDocumentMargin(0)
    document.setDefaultFont(sheet.font(pixels))
    document.setIndentWidth(sheet.theme.px(22))
    document.setDefaultTextOption(_wrapping())
    return document


@cache
def _wrapping() -> QTextOption:
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
    return option


def plain_document(text: str, sheet: Sheet, pixels: int = BODY[0], line: int = BODY[1]) -> Document:
    """Return text as it was typed."""
    document = blank_document(sheet, pixels)
    document.setPlainText(legible(text))
    cursor = QTextCursor(document)
    cursor.select(QTextCursor.SelectionType.Document)
    cursor.mergeBlockFormat(_line_height(sheet, line))
    return document


def markdown_document(source: str, sheet: Sheet, *, joined: bool = False, number: int = -1) -> Document:
    """Return one block of Markdown, styled; `number` replaces that of a first ordered item."""
    load_all()
    document = blank_document(sheet)
    document.setMarkdown(prepared(source, joined=joined), FEATURES)
    cursor = QTextCursor(document)
    cursor.beginEditBlock()  # without it each change of a format would begin a layout
    cursor.select(QTextCursor.SelectionType.Document)
    cursor.mergeBlockFormat(_line_height(sheet, BODY[1]))
    block = document.begin()
    while block.isValid():
        _style_block(cursor, block, sheet, first=block.position() == 0)
        block = block.next()
    _style_text(cursor, document, sheet)
    _take_markers(document, number)
    cursor.endEditBlock()
    return document


def _line_height(sheet: Sheet, line: int) -> QTextBlockFormat:
    block = QTextBlockFormat()
    # Least, not fixed: scripts taller than Latin keep their own height.
    block.setLineHeight(sheet.theme.px(line), _LEAST)
    block.setTopMargin(0)
    block.setBottomMargin(0)
    return block


def _style_block(cursor: QTextCursor, block: QTextBlock, sheet: Sheet, *, first: bool) -> None:
    given = block.blockFormat()
    wanted = QTextBlockFormat()
    fence = given.hasProperty(_CODE_FENCE)
    if not first and not (fence and block.previous().blockFormat().hasProperty(_CODE_FENCE)):
        wanted.setTopMargin(sheet.theme.s4 if block.textList() is not None else sheet.theme.s8)
    level = given.headingLevel()
    if level:
        line = HEADINGS[min(level, 3) - 1][1]
        wanted.setLineHeight(sheet.theme.px(line), _LEAST)
    if given.hasProperty(QUOTE_LEVEL):
        wanted.setLeftMargin(sheet.theme.s16 * given.intProperty(QUOTE_LEVEL))
        wanted.setRightMargin(0)
    if fence:
        wanted.setBackground(sheet.theme.colors.code_ground)
    if not wanted.isEmpty():
        cursor.setPosition(block.position())
        cursor.mergeBlockFormat(wanted)


def _take_markers(document: QTextDocument, number: int) -> None:
    """Keep the marks of list items in the state of their blocks, for us to draw."""
    block = document.begin()
    while block.isValid():
        listing = block.textList()
        if listing is not None:
            form = listing.format()
            box = {1: UNCHECKED, 2: CHECKED}.get(block.blockFormat().intProperty(_MARKER), BULLET)
            ordered = form.style() in _ORDERED
            start = number if number >= 0 and block.position() == 0 else form.start()
            block.setUserState(start + listing.itemNumber(block) if ordered else box)
        block = block.next()
    block = document.begin()
    while block.isValid():
        listing = block.textList()
        if listing is not None and listing.itemNumber(block) == listing.count() - 1:
            form = listing.format()
            form.setStyle(QTextListFormat.Style.ListStyleUndefined)
            listing.setFormat(form)
        block = block.next()


def _style_text(cursor: QTextCursor, document: Document, sheet: Sheet) -> None:
    """Give code, links, bold and quotes our looks, and put words in the place of pictures."""
    changes: list[tuple[int, int, QTextCharFormat, str]] = []
    block = document.begin()
    while block.isValid():
        around, start = block.blockFormat(), block.position()
        level = around.headingLevel()
        code, quoted = around.hasProperty(_CODE_FENCE), around.hasProperty(QUOTE_LEVEL)
        for span in block.textFormats():
            wanted, text = _span_format(span.format, sheet, level=level, code=code, quoted=quoted)
            if wanted is not None:
                document.linked |= wanted.isAnchor()
                changes.append((start + span.start, span.length, wanted, text))
        block = block.next()
    for at, length, wanted, text in reversed(changes):
        cursor.setPosition(at)
        cursor.setPosition(at + length, QTextCursor.MoveMode.KeepAnchor)
        if text:
            cursor.insertText(text, wanted)
        else:
            cursor.setCharFormat(wanted)


def _span_format(
    given: QTextCharFormat, sheet: Sheet, *, level: int, code: bool, quoted: bool
) -> tuple[QTextCharFormat | None, str]:
    """Return the format for a span, None to leave it, and the words that replace it, "" to keep its own.

    The rest is said of the block around it: level of a heading, or 0; whether it is code; a quote.
    """
    colors = sheet.theme.colors
    fixed = code or given.fontFixedPitch()
    bold = given.fontWeight() > _BOLD
    linked = given.isAnchor()
    if given.isImageFormat():
        image, wanted = given.toImageFormat(), QTextCharFormat()
        wanted.setForeground(colors.accent)
        wanted.setAnchor(True)
        wanted.setAnchorHref(image.name())
        return wanted, PICTURE + str(image.property(QTextFormat.Property.ImageAltText) or image.name())
    if not (fixed or bold or linked or quoted or level):
        return None, ""
    wanted = QTextCharFormat(given)
    if fixed:
        inherit = QTextCharFormat.FontPropertiesInheritanceBehavior.FontPropertiesSpecifiedOnly
        wanted.setFont(sheet.font(13, mono=True), inherit)
        wanted.setBackground(colors.code_ground)
    elif level:
        wanted.clearProperty(QTextFormat.Property.FontSizeAdjustment)
        wanted.setProperty(QTextFormat.Property.FontPixelSize, sheet.theme.px(HEADINGS[min(level, 3) - 1][0]))
    if bold:
        wanted.setFontWeight(QFont.Weight.DemiBold)
    if linked:
        wanted.setForeground(colors.accent)
        wanted.setFontUnderline(True)
    elif quoted:
        wanted.setForeground(colors.muted)
    return wanted, ""


def tables(document: QTextDocument) -> Iterator[QTextTable]:
    """Return the tables at the top of a document."""
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            yield frame


def style_table(table: QTextTable, sheet: Sheet, widths: list[int]) -> None:
    """Draw a thin line under each row, give cells room, and hold the columns at `widths`, room included."""
    wanted = QTextTableFormat()
    wanted.setBorder(0)
    wanted.setBorderCollapse(True)
    wanted.setCellSpacing(0)
    wanted.setCellPadding(0)
    wanted.setMargin(0)
    wanted.setColumnWidthConstraints([QTextLength(QTextLength.Type.FixedLength, width) for width in widths])
    table.setFormat(wanted)
    for column in range(table.columns()):
        cell = QTextTableCellFormat()
        cell.setBottomBorder(1)
        cell.setBottomBorderStyle(QTextTableFormat.BorderStyle.BorderStyle_Solid)
        cell.setBottomBorderBrush(sheet.theme.colors.line)
        cell.setTopPadding(sheet.theme.px(6))  # the room of a line stands above its text
        cell.setBottomPadding(sheet.theme.px(10))
        cell.setLeftPadding(sheet.theme.s12 if column else 0)
        cell.setRightPadding(sheet.theme.s12)
        for row in range(table.rows()):
            table.cellAt(row, column).setFormat(cell)
        if table.rows() > 1:  # Qt aligns all cells as Markdown says, but not the heading
            side = QTextBlockFormat()
            side.setAlignment(table.cellAt(1, column).firstCursorPosition().blockFormat().alignment())
            table.cellAt(0, column).firstCursorPosition().mergeBlockFormat(side)


def to_markdown(document: QTextDocument, start: int, end: int, *, marks: bool = True) -> str:
    """Return what lies between two positions as Markdown, or as plain text without `marks`; unwrapped."""
    found: list[str] = []
    block = document.findBlock(start)
    while block.isValid() and block.position() < max(end, start + 1):
        line = "".join(_spans_between(block, start, end, marks=marks))
        if start <= block.position():
            line = _prefix(block, marks=marks) + line
        joint = "" if not found else "\n" if block.textList() is not None else "\n\n" if marks else "\n"
        found.append(joint + line)
        block = block.next()
    return "".join(found).replace("\u2028", "\n")


def _prefix(block: QTextBlock, *, marks: bool) -> str:
    listing, given = block.textList(), block.blockFormat()
    if listing is not None:
        state, indent = block.userState(), "   " * (listing.format().indent() - 1)
        mark = f"{state}." if state >= 0 else {UNCHECKED: "- [ ]", CHECKED: "- [x]"}.get(state, "-")
        return f"{indent}{mark} "
    if not marks:
        return ""
    heading = "#" * given.headingLevel() + " " if given.headingLevel() else ""
    return "   " * given.indent() + "> " * given.intProperty(QUOTE_LEVEL) + heading


def _spans_between(block: QTextBlock, start: int, end: int, *, marks: bool) -> Iterator[str]:
    raw, heading = block.text().encode("utf-16-le", "surrogatepass"), bool(block.blockFormat().headingLevel())
    for span in block.textFormats():
        first = max(span.start, start - block.position())
        last = min(span.start + span.length, end - block.position())
        if first < last:
            text = raw[2 * first : 2 * last].decode("utf-16-le", "replace")
            yield _marked(text, span.format, heading=heading) if marks else text


def _marked(text: str, given: QTextCharFormat, *, heading: bool) -> str:
    bare = text.strip()
    if not bare:
        return text
    before, after = text[: text.index(bare)], text[text.index(bare) + len(bare) :]
    if given.fontFixedPitch():
        ticks = "`" * (1 + max((len(run) for run in _TICKS.findall(bare)), default=0))
        bare = f"{ticks}{bare}{ticks}"
    if given.fontItalic():
        bare = f"*{bare}*"
    if given.fontWeight() >= QFont.Weight.DemiBold and not heading:
        bare = f"**{bare}**"
    if given.fontStrikeOut():
        bare = f"~~{bare}~~"
    if given.isAnchor() and given.anchorHref() != bare:
        words, bang = bare.removeprefix(PICTURE), "!" if bare.startswith(PICTURE) else ""
        bare = f"{bang}[{words}]({given.anchorHref()})"
    return before + bare + after
