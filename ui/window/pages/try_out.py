"""The card that tells what would happen with a call: the decision, why, by which rule, part by part."""

from __future__ import annotations

import json
from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from app.records import Decision, Problem, ToolInfo
from ui.places import tilde
from ui.trust import marks_text
from ui.window.approvals.facts import Fact, Facts
from ui.window.approvals.wording import loss_fact
from ui.window.bridge import Bridge
from ui.window.pages.page import Card, clear
from ui.window.parts import Choice, button
from ui.window.theme import Theme
from ui.words import _, problem_text, reason_text

_COMMANDS = ("run_command", "start_job")


def arguments(tool: str, text: str) -> str:
    """Return the arguments of a call as JSON: what was typed, where that is JSON, else in its usual place."""
    if text.lstrip().startswith("{"):
        return text
    if tool in _COMMANDS:
        return json.dumps({"command": text})
    if tool.startswith("web_fetch"):
        return json.dumps({"url": text})
    if tool == "write_file":
        return json.dumps({"path": text, "content": "x\n"})
    return json.dumps({"path": text}) if text.strip() else "{}"


class TryOut(Card):
    """Nothing of it runs."""

    def __init__(self, bridge: Bridge, theme: Theme) -> None:
        super().__init__(
            theme,
            _("What would happen"),
            _("Try a call without running it: a command, a path, or the arguments as JSON."),
        )
        self._bridge = bridge
        self._folder, self._session = "", ""
        self._asked = 0
        self._tool = Choice(theme, _("Tool"))
        self._tool.addItem("run_command")
        self._field = QLineEdit()
        self._field.setAccessibleName(_("Command, path or arguments"))
        self._field.setPlaceholderText(_("git status"))
        self._field.setProperty("mono", True)
        self._field.returnPressed.connect(self._look)
        line = QWidget()
        self._line = QHBoxLayout(line)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.addWidget(self._tool)
        self._line.addWidget(self._field, 1)
        self._line.addWidget(button(_("Look"), "", self._look))
        self.rows.addWidget(line)
        self._kept = self.rows.count()
        self.set_theme(theme)

    def show_tools(self, tools: Sequence[ToolInfo]) -> None:
        """Offer these tools, those that change something first."""
        now = self._tool.currentText()
        self._tool.clear()
        for tool in sorted(tools, key=lambda tool: (tool.read_only, tool.name)):
            self._tool.addItem(tool.name)
        self._tool.setCurrentIndex(max(0, self._tool.findText(now)))

    def show_place(self, folder: str, session: str) -> None:
        """Take the folder and the conversation ("" for a new one) that the call would be made in."""
        self._folder, self._session = folder, session

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        super().set_theme(theme)
        if hasattr(self, "_line"):
            self._line.setSpacing(theme.s8)
            self._tool.set_theme(theme)

    def _look(self) -> None:
        tool, text = self._tool.currentText(), self._field.text()
        folder, session = self._folder, self._session
        self._asked += 1
        asked = self._asked
        self._bridge.call(
            lambda engine: engine.explain(
                tool, arguments(tool, text), cwd=folder or str(engine.home.scratch), session=session
            ),
            lambda decision: self._show(asked, told(decision)),
            lambda problem: self._show(asked, [refused(problem)]),
        )

    def _show(self, asked: int, facts: Sequence[Fact]) -> None:
        if asked == self._asked:
            clear(self.rows, self._kept)
            found = Facts(self.theme, facts)
            found.setAccessibleName(" ".join(fact.sentence for fact in facts))
            self.rows.addWidget(found)


def refused(problem: Problem) -> Fact:
    """Return why nothing could be found out."""
    return Fact("circle-alert", "danger", problem_text(problem).title)


def told(decision: Decision) -> list[Fact]:
    """Return a decision as rows: the word, the reason, the rule, each part that was judged."""
    if decision.reason == "bad_call":
        return [Fact("circle-alert", "danger", _("The tool cannot be called like this."), decision.parts)]
    icon, role, words = {
        "allow": ("check", "good", _("It would run, because {reason}.")),
        "ask": ("shield-question-mark", "caution", _("It would ask, because {reason}.")),
        "deny": ("circle-slash", "danger", _("It would not happen, because {reason}.")),
    }[decision.decision]
    rows = [Fact(icon, role, words.replace("{reason}", reason_text(decision.reason)))]
    if decision.rule:
        rows.append(Fact("file-text", "muted", _("By the rule:"), (decision.rule,)))
    if decision.parts:
        rows.append(Fact("list-checks", "muted", _("What was judged:"), decision.parts))
    if decision.outside:
        places = tuple(map(tilde, decision.outside))
        rows.append(Fact("triangle-alert", "caution", _("Outside the folder:"), places))
    rows += [loss_fact(loss) for loss in decision.losses]
    if decision.marks:
        rows.append(Fact("globe", "caution", marks_text(decision.marks)))
    return rows
