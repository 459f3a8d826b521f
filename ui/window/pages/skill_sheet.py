"""One skill to be read: whose it is, its faults, its files, and its text as it is meant to look."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QUrl, Signal
from PySide6.QtGui import QTextDocument
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
_LONGEST = 100_000
"""Characters of a text that are drawn."""
_LISTED = 20


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
        self.document().setDefaultFont(theme.font(14))
        self.document().setDocumentMargin(0)
        self.setStyleSheet(
            f"QTextBrowser {{ background: transparent; border: none; color: {theme.colors.text}; }}"
        )
        self.document().setMarkdown(self._source, _FEATURES)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.height())

    def _fit(self) -> None:
        self.setFixedHeight(int(self.document().size().height()) + 4)


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
        files = ", ".join(one.path for one in shown.files[:_LISTED])
        if len(shown.files) > _LISTED:
            files += " …"
        lines = (
            (_("Whose"), place_text(skill.source)),
            (_("Folder"), tilde(skill.folder)),
            (_("Said as"), ", ".join(skill.triggers)),
            (_("Tools"), ", ".join(skill.tools)),
            (_("Modes"), ", ".join(skill.modes)),
            (_("Files"), files),
        )
        part = QWidget()
        facts = QVBoxLayout(part)
        facts.setContentsMargins(0, 0, 0, 0)
        facts.setSpacing(self.theme.px(2))
        for word, text in lines:
            if text:
                facts.addWidget(wrapping(f"{word}: {legible(text)}", "caption"))
        self.rows.addWidget(part)
