"""What went wrong with rules, questions and the sandbox, in plain sentences: a part of `ui.problems`."""

from __future__ import annotations

from ui.language import later as L
from ui.problem import Row

TRUST: dict[str, Row] = {
    "bad_rule": Row(
        L("The rule cannot be read."),
        L("A rule is the name of a tool with a pattern in brackets, such as run_command(git status)."),
        "none",
        L("The rule {rule} cannot be read."),
    ),
    "bad_rules": Row(
        L("The file of rules cannot be read, so Bramble asks about everything."),
        L("Correct it, or rename it to start without rules. It was left as it is."),
        "show_rules",
        L("The file of rules cannot be read, so Bramble asks about everything: {why}"),
    ),
    "rule_faults": Row(
        L("A line of your rules cannot be used."),
        L("All other rules hold. Correct it in the file; bramble permissions list names all such lines."),
        "show_rules",
        L("Line {line} of your rules cannot be used: {why}"),
    ),
    "no_rule": Row(
        L("There is no such rule."),
        L("Look at the list of rules."),
        "none",
        L("There is no rule {id}."),
    ),
    "rules_busy": Row(
        L("Another program holds the file of rules, so nothing was saved."),
        L("Try it again. If it stays, end the other windows and terminals of Bramble."),
        "run_again",
    ),
    "rule_not_saved": Row(
        L("The rule was not saved, so this was allowed only once."),
        L("It is asked about again the next time."),
        "none",
        L("The rule {rule} was not saved, so this was allowed only once."),
    ),
    "not_offered": Row(
        L("No rule can be saved for this, so it can be allowed only once."),
        L("Some things are asked about every time, whatever the rules say."),
        "none",
        L("{rule} is not one of the rules that can be saved for this."),
    ),
    "no_approval": Row(
        L("This question does not wait any more."),
        L("It was answered already, or what asked it has ended."),
    ),
    "own_approval": Row(
        L("A tool of Bramble started this command, so it may not allow anything."),
        L("Answer in the window or in a terminal of your own."),
    ),
    "no_sandbox": Row(
        L("The sandbox could not be set up, so the command was not run."),
        L("bramble doctor says what is missing. A command may also be asked to run without a sandbox."),
    ),
    "less_sandbox": Row(
        L("Commands are held back less than the last time."),
        L("bramble doctor says why and what helps. Nothing runs without a question because of it."),
    ),
}
