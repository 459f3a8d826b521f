"""The acceptance cases about commands and rules (sections 6 and 7, C23, C25) with the right decisions."""

from __future__ import annotations

from tests.permissions.cases.case import ALL, GIT_RULE, LS, NO_RM, Case, many
from tests.permissions.cases.inputs import DESTROYING, OURS

ACCEPTANCE = (
    Case(
        "6 claude-code#42563",
        "npm run build && npm test",
        ("run_command(npm run build)", "run_command(npm test)"),
        "allow",
    ),
    Case(
        "6 claude-code#42563",
        "npm test && npm run build",
        ("run_command(npm run *)", "run_command(npm test)"),
        "allow",
    ),
    Case("6 claude-code#42563", "npm run build && rm x", ("run_command(npm run build)",), "ask"),
    Case(
        "6 claude-code#27688",
        "grep 'a b' docs/x | wc -l",
        ("run_command(grep 'a b' docs/x)", "run_command(wc -l)"),
        "allow",
    ),
    Case(
        "6 claude-code#27688",
        'grep "a b" docs/x > docs/y',
        ("run_command(grep 'a b' docs/x)", "write_file(docs/y)"),
        "allow",
    ),
    Case("6 claude-code#36637", "git status && rm -rf x", GIT_RULE, "deny", NO_RM),
    *many(
        "6 continuedev#13288",
        ("ls anything; rm -rf many", "ls *; rm x", "ls; :(){ :|:& };:"),
        ("run_command(ls *)",),
    ),
    Case("6 continuedev#13288", "rm -rf many", ("run_command(rm *)",), "ask", reason="destructive"),
    *many("6 crush#3425", ("gitx status", "git-evil", "lsof", "ls;rm x"), (*GIT_RULE, *LS)),
    Case("6 crush#3425", "git 'status'", ("run_command(git status)",), "allow"),
    *many(
        "6 claude-code#46058",
        ("rm -rf many", "rm untracked.txt", "rm -f many/1.txt"),
        ("run_command(rm *)",),
        right="ask",
    ),
    *many(
        "6 claude-code#46058",
        ("rm -rf many", "rm untracked.txt"),
        (),
        yes=True,
        right="ask",
        reason="destructive",
    ),
    Case("6 claude-code#23913", "rm -r many", ALL, "ask", reason="destructive"),
    *many("6 gemini-cli#2617", DESTROYING, ALL, right="ask"),
    *many(
        "6 goose#11017",
        ("npm test", "npm run build"),
        ("run_command(npm test)", "run_command(npm run build)"),
        right="allow",
    ),
    Case("6 goose#11017", "npm publish", ("run_command(npm test)",), "ask"),
    *many(
        "7 claude-code#93045",
        ("rm untracked.txt", "git rm a", "mv untracked.txt a.txt"),
        ("run_command(*)",),
        right="ask",
    ),
    *many("21 docker-agent#3573", ("rm -rf {home}", "cp x .git/config", "git clean -fdx"), ALL, right="ask"),
    *many(
        "C23",
        ("git status && rm -rf x", "git status; rm x", "git status\nrm x"),
        GIT_RULE,
        deny=NO_RM,
        right="deny",
    ),
    *many(
        "C23",
        ("git status $(touch x)", "gitx", "C=rm; $C x", "echo y > f"),
        GIT_RULE,
        deny=NO_RM,
        right="ask",
    ),
    Case("C23", "git status", GIT_RULE, "allow", NO_RM),
    *many("C25", DESTROYING, (), yes=True, right="ask"),
    *many(
        "C25",
        DESTROYING,
        (
            "run_command(rm *)",
            "run_command(echo *)",
            "run_command(cd *)",
            "run_command(find *)",
            "run_command(git *)",
        ),
    ),
    *many("issue: our own commands", OURS, ALL, right="ask"),
    *many("issue: our own commands", OURS, (), yes=True, right="ask"),
)
