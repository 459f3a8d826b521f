"""The page of rules: every saved rule by where it holds, the sandbox, and what would happen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal

from app.events import Event, RulesChanged
from app.records import DecisionKind, Problem, RuleFault, RuleInfo, Scope, ToolInfo
from app.settings import Settings
from ui.places import tilde
from ui.window.approvals.facts import Fact, Facts
from ui.window.bridge import Bridge
from ui.window.pages.page import Card, Page
from ui.window.pages.rule_form import RuleForm
from ui.window.pages.rule_rows import RuleRow
from ui.window.pages.sandbox_card import SandboxCard
from ui.window.pages.try_out import TryOut
from ui.window.parts import button
from ui.window.theme import Theme
from ui.words import _, plural, problem_text

Group = tuple[str, str]
"""Scope and place."""


class PermissionsPage(Page):
    """Reads the rules whenever they change, here, in the terminal or in an editor."""

    said = Signal(str, object)
    """What was done, and how to take it back (or None)."""
    open_asked = Signal(str)

    def __init__(
        self,
        bridge: Bridge,
        theme: Theme,
        change: Callable[..., None],
        here: Callable[[], tuple[str, str]],
        name_of: Callable[[str], str],
    ) -> None:
        """`here()` returns folder and session that are shown, `name_of(session)` the title of another one."""
        super().__init__(theme, _("Rules"), _("Looking…"))
        self._bridge, self._here, self._name_of = bridge, here, name_of
        self._tools: set[str] = set()
        self._rows: dict[str, RuleRow] = {}
        self._path = ""
        self.form = RuleForm(theme, lambda name: name in self._tools or not self._tools)
        self.form.wanted.connect(self._add)
        self.add_action(button(_("Add a rule"), "main", self.open_form))
        self.column.addWidget(self.form)
        self._cards: list[Card] = []
        self._first = self.column.count()
        self.try_out = TryOut(bridge, theme)
        self.sandbox = SandboxCard(bridge, theme, change)
        self.column.addWidget(self.try_out)
        self.column.addWidget(self.sandbox)
        self.column.addStretch(1)
        bridge.call(_tools, self._take_tools)
        self.read()

    def open_form(self) -> None:
        """Show the form for a new rule."""
        folder, session = self._here()
        self.form.open_form(folder, session)
        self.area.ensureWidgetVisible(self.form)

    def apply(self, event: Event) -> None:
        """Follow rules that come and go."""
        if isinstance(event, RulesChanged):
            self.read()

    def show_settings(self, settings: Settings) -> None:
        """Show what is set about the sandbox."""
        self.sandbox.show_settings(settings)

    def read(self) -> None:
        """Read the rules again; an editor may have changed them."""
        self.try_out.show_place(*self._here())
        self._bridge.call(_rules, self._take, self._problem)

    # --- showing -------------------------------------------------------------------------------------------

    def _take_tools(self, tools: Sequence[ToolInfo]) -> None:
        self._tools = {tool.name for tool in tools}
        self.try_out.show_tools(tools)

    def _take(self, found: tuple[Sequence[RuleInfo], Sequence[RuleFault], str]) -> None:
        rules, faults, self._path = found
        for card in self._cards:
            card.hide()
            card.deleteLater()
        self._cards, self._rows = [], {}
        self.sentence.setText(_summary(len(rules), len(faults)))
        if faults:
            self._put(self._fault_card(faults))
        groups: dict[Group, list[RuleInfo]] = {}
        for rule in rules:
            groups.setdefault((rule.scope, rule.place), []).append(rule)
        for group in sorted(groups, key=self._order):
            self._put(self._rules_card(group, groups[group]))
        if not rules:
            self._put(self._empty_card())

    def _put(self, card: Card) -> None:
        self.column.insertWidget(self._first + len(self._cards), card)
        self._cards.append(card)

    def _order(self, group: Group) -> tuple[int, str]:
        folder, session = self._here()
        scope, place = group
        near = {"always": 0, "project": 1 if place == folder else 3, "session": 2 if place == session else 4}
        return near.get(scope, 5), place

    def _heading(self, group: Group) -> str:
        folder, session = self._here()
        scope, place = group
        if scope == "project":
            words = _("In this folder, {folder}") if place == folder else _("In {folder}")
            return words.replace("{folder}", tilde(place))
        if scope == "session":
            words = _("In this conversation") if place == session else _("In the conversation {title}")
            return words.replace("{title}", self._name_of(place) or place)
        return _("In every folder")

    def _rules_card(self, group: Group, rules: Sequence[RuleInfo]) -> Card:
        card = Card(self.theme, self._heading(group))
        for at, rule in enumerate(rules):
            if at:
                card.add_rule()
            row = RuleRow(self.theme, rule)
            row.removed.connect(self._remove)
            row.edited.connect(self._edit)
            self._rows[rule.id] = row
            card.rows.addWidget(row)
        return card

    def _fault_card(self, faults: Sequence[RuleFault]) -> Card:
        words = plural(
            "{n} line of the file cannot be used; all others hold.",
            "{n} lines of the file cannot be used; all others hold.",
            len(faults),
        )
        if any(not fault.line for fault in faults):
            words = _("The file cannot be read, so everything is asked about until it can be.")
        card = Card(self.theme, _("Look at the file of rules"), words)
        rows = []
        for fault in faults:
            line = _("Line {line}: {why}").replace("{line}", str(fault.line)) if fault.line else "{why}"
            rows.append(
                Fact("triangle-alert", "caution", line.replace("{why}", _(fault.why)),
                     (fault.text,) if fault.text else ())
            )  # fmt: skip
        card.rows.addWidget(Facts(self.theme, rows))
        card.add_row(
            tilde(self._path), button(_("Open the file"), "", lambda: self.open_asked.emit(self._path))
        )
        return card

    def _empty_card(self) -> Card:
        card = Card(
            self.theme,
            _("No rules yet"),
            _(
                "Everything that changes something is asked about. A rule answers for you from then on; "
                "it is shown word for word before it is saved, here or in a question."
            ),
        )
        for text in ("run_command(git status)", "write_file(docs/**)"):
            made = button(text, "example")
            made.clicked.connect(lambda checked=False, text=text: self._try(text))
            card.rows.addWidget(made)
        return card

    def _try(self, text: str) -> None:
        self.open_form()
        self.form.field.setText(text)

    # --- changing ------------------------------------------------------------------------------------------

    def _add(self, decision: DecisionKind, rule: str, scope: Scope) -> None:
        folder, session = self._here()
        place = {"project": folder, "session": session}.get(scope, "")
        self._bridge.call(
            lambda engine: engine.rules.add(decision, rule, scope, place),
            lambda saved: self._added(saved),
            lambda problem: self.form.refuse(problem_text(problem).title),
        )

    def _added(self, saved: RuleInfo) -> None:
        self.form.close_form()
        self.read()
        self.said.emit(_("The rule is saved."), lambda: self._take_out(saved))

    def _take_out(self, rule: RuleInfo) -> None:
        self._bridge.call(
            lambda engine: engine.rules.remove(rule.id), lambda gone: self.read(), self._problem
        )

    def _remove(self, rule: RuleInfo) -> None:
        def put_back() -> None:
            self._bridge.call(
                lambda engine: engine.rules.add(rule.decision, rule.rule, rule.scope, rule.place),
                lambda saved: self.read(),
                self._problem,
            )

        def done(gone: bool) -> None:
            self.read()
            self.said.emit(_("The rule is removed."), put_back if gone else None)

        self._bridge.call(lambda engine: engine.rules.remove(rule.id), done, self._problem)

    def _edit(self, rule: RuleInfo, text: str) -> None:
        def refuse(problem: Problem) -> None:
            row = self._rows.get(rule.id)
            if row is not None:
                row.refuse(problem_text(problem).title)

        def done(saved: RuleInfo) -> None:
            self.read()
            self.said.emit(_("The rule is changed."), lambda: self._edit(saved, rule.rule))

        self._bridge.call(lambda engine: engine.rules.edit(rule.id, text), done, refuse)

    def _problem(self, problem: Problem) -> None:
        self.sentence.setText(problem_text(problem).title)


async def _rules(engine: object) -> tuple[Sequence[RuleInfo], Sequence[RuleFault], str]:
    rules = engine.rules  # type: ignore[attr-defined]
    found, faults = await rules.list()
    return found, faults, str(rules.path)


async def _tools(engine: object) -> Sequence[ToolInfo]:
    found: Sequence[ToolInfo] = engine.tools()  # type: ignore[attr-defined]
    return found


def _summary(rules: int, faults: int) -> str:
    words = plural("{n} rule", "{n} rules", rules) if rules else _("No rules")
    whole = _("{rules}. What no rule speaks of is asked about, if it changes something or leaves the folder.")
    more = plural(" {n} line cannot be used.", " {n} lines cannot be used.", faults) if faults else ""
    return whole.replace("{rules}", words) + more
