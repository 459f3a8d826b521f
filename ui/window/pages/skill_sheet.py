"""One skill to be read: whose it is, its faults, its files, and its text as it is meant to look."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QTextBrowser, QVBoxLayout, QWidget

from app.skill_records import Shown, Skill
from ui.language import _
from ui.places import tilde
from ui.skill_words import fault_text, place_text
from ui.window.approvals.facts import Fact, Facts, wrapping
from ui.window.pages.page import Card, clear
from ui.window.parts import IconButton, button, label
from ui.window.theme import Theme
from ui.window.transcript.legible import legible

_FEATURES = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
_CODE_FENCE = QTextFormat.Property.BlockCodeFence.value
_HEADINGS = {1: 16}
"""Sizes of headings by level, in pixels of the design; deeper ones are as large as the text."""
_LONGEST = 100_000
"""Characters of a text that are drawn."""
_LISTED, _NAMED = 20, 8
"""Faults that are shown, and names in one line."""


class SkillText(QTextBrowser):
    """Markdown as tall as it is long. Nothing that it names is loaded, no link of it is followed."""

    def __init__(self, theme: Theme, text: str) -> None:
        super().__init__()
        self._source = legible(text[:_LONGEST])
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setProperty("plain", True)
        self.setAccessibleName(_("Text of the skill"))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().documentLayout().documentSizeChanged.connect(lambda size: self._fit())
        self.set_theme(theme)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        return None

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        document = self.document()
        document.setDefaultFont(theme.font(14))
        document.setDocumentMargin(0)
        self.setStyleSheet(
            f"QTextBrowser {{ background: transparent; border: none; color: {theme.colors.text.name()}; }}"
        )
        document.setMarkdown(self._source, _FEATURES)
        block = document.begin()
        while block.isValid():
            _style(QTextCursor(block), block, theme)
            block = block.next()
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.height())

    def _fit(self) -> None:
        self.setFixedHeight(int(self.document().size().height()) + 4)


def _some(names: Sequence[str]) -> str:
    """Return the first few names."""
    return ", ".join(names[:_NAMED]) + (" …" if len(names) > _NAMED else "")


def _style(cursor: QTextCursor, block: QTextBlock, theme: Theme) -> None:
    """Give one block the theme's type: headings not larger than those of the page, code on its ground."""
    given = block.blockFormat()
    level, fence = given.headingLevel(), given.hasProperty(_CODE_FENCE)
    space = QTextBlockFormat()
    if not fence:  # its ground would show gaps
        space.setLineHeight(150, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    first = not block.previous().isValid()
    space.setTopMargin(0 if first or fence or block.textList() else theme.px(12 if level else 6))
    if fence:
        space.setBackground(theme.colors.code_ground)
    cursor.mergeBlockFormat(space)
    cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
    letters = QTextCharFormat()
    if level:
        letters.setFont(theme.font(_HEADINGS.get(level, 14), 600))
        letters.setProperty(QTextFormat.Property.FontSizeAdjustment.value, 0)
        cursor.mergeCharFormat(letters)
    elif fence:
        letters.setFont(theme.font(13, mono=True))
        cursor.mergeCharFormat(letters)
    else:
        _style_code(block, theme)


def _style_code(block: QTextBlock, theme: Theme) -> None:
    """Give pieces of code within a line the font of code."""
    places = []
    walk = block.begin()
    while not walk.atEnd():
        piece = walk.fragment()
        if piece.charFormat().fontFixedPitch():
            places.append((piece.position(), piece.position() + piece.length()))
        walk += 1
    letters = QTextCharFormat()
    letters.setFont(theme.font(13, mono=True))
    for start, end in places:
        cursor = QTextCursor(block)
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(letters)


class SkillSheet(Card):
    """The skill that is shown, with the way back to the list."""

    back = Signal()
    edited = Signal(object)
    folder_asked = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "")
        self.shown: Shown | None = None
        self.hide()

    def show_skill(self, shown: Shown) -> None:
        """Show a skill."""
        self.shown = shown
        skill = shown.skill
        clear(self.rows)
        self.setAccessibleName(legible(skill.name))
        self._add_head(skill)
        if skill.description:
            self.rows.addWidget(wrapping(legible(skill.description), ""))
        self._add_facts(shown)
        if skill.faults:
            faults = [
                Fact("triangle-alert", "caution", legible(fault_text(one))) for one in skill.faults[:_LISTED]
            ]
            self.rows.addWidget(Facts(self.theme, faults))
        self.add_rule()
        self.rows.addWidget(SkillText(self.theme, skill.body or _("It holds no text.")))
        self.show()

    def _add_head(self, skill: Skill) -> None:
        head = QWidget()
        line = QHBoxLayout(head)
        line.setContentsMargins(0, 0, 0, 0)
        back = IconButton(self.theme, "chevron-left", _("Back to all skills"))
        back.clicked.connect(self.back)
        line.addWidget(back)
        line.addWidget(label(legible(skill.name), "strong"), 1)
        line.addWidget(button(_("Open the folder"), "", lambda: self.folder_asked.emit(skill.folder)))
        line.addWidget(button(_("Edit"), "", lambda: self.edited.emit(skill.name)))
        self.rows.addWidget(head)
        self.back_button = back

    def _add_facts(self, shown: Shown) -> None:
        skill = shown.skill
        lines = (
            (_("Whose"), place_text(skill.source)),
            (_("Folder"), tilde(skill.folder)),
            (_("Said as"), _some(skill.triggers)),
            (_("Tools"), ", ".join(skill.tools)),
            (_("Modes"), ", ".join(skill.modes)),
            (_("Files"), _some([one.path for one in shown.files])),
        )
        part = QWidget()
        facts = QVBoxLayout(part)
        facts.setContentsMargins(0, 0, 0, 0)
        facts.setSpacing(self.theme.px(2))
        for word, text in lines:
            if text:
                facts.addWidget(wrapping(f"{word}: {legible(text)}", "caption"))
        self.rows.addWidget(part)
