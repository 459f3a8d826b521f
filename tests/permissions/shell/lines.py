"""Lines of shell made by chance: near to plain ones, and full of what makes shells run a second command."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

NAMES = ("aa", "bb", "cc", "git", "npm", "cat", "echo", "printf", "rm", "zz")
"""Programs of the throw-away folder: each only notes that it ran."""
RULES = (
    "run_command(aa *)", "run_command(bb one)", "run_command(bb 'two words' *)", "run_command(git status)",
    "run_command(git log *)", "run_command(npm run *)", "run_command(echo *)", "run_command(printf *)",
    "run_command(cat in.txt)", "run_command(timeout 5 aa *)", "run_command(timeout *)",
    "run_command(env *)", "run_command(xargs *)", "run_command(sh *)", "run_command(find *)",
    "run_command(cd d)", "run_command(true)", "write_file(out/**)", "write_file(new.txt)",
)  # fmt: skip
_WORDS = (
    "one", "two", "'two words'", '"two words"', "-x", "--flag=v", "in.txt", "./d", "a/b", "1", "2", "x=y",
    "''", '""', "a'b'c", '"a"b', "@", "%", "HEAD~1", "stash@{0}", "{}", "é", "'$(zz)'", "'`zz`'", '"a\\"b"',
    '"\\$x"', "'a;zz'", "'a|zz'", '"a&zz"', "'#'", "a#b", "-", "--", "+", "^", ":", ",", ".", "'*'", "'\n'",
    '"x\ny"', "//",
)  # fmt: skip
_ODD_WORDS = (
    "$(zz)", "`zz`", "$x", "${x}", "${x:-$(zz)}", "${x@P}", "${!x}", "$((zz))", "$((x[$(zz)]))", "<(zz)",
    ">(zz)", "$'\\x7a\\x7a'", '$"zz"', '"$(zz)"', '"`zz`"', '"${x:=`zz`}"', "*", "?", "[ab]", "~", "~/x",
    "{a,b}", "{1..3}", "\\zz", "a\\ b", "a\\;zz", "#", "# zz", "!!", "!zz", "x=(zz)", "'unclosed",
    '"unclosed', "$", "\\", "(", ")", "{", "}", "x=~", "a{b,c}", '"a\\\nb"', "\\\n", "$[zz]", "${x", "$(",
    "`", "\u00a0", "\u2028", "a\u202eb",
)  # fmt: skip
_JOINTS = (" && ", " || ", "; ", " | ", "\n", ";\n", " &&\n", "|", ";", "&&", "||", "\n\n", " \n ")
_ODD_JOINTS = (
    " & ", "&", " |& ", ";; ", " ; ; ", "\r", "\r\n", "\x0b", "\x0c", "\x00", "\x1b", " &\n", "&&&", "|||",
    ";&", " ! ", " \\\n", "\n#\n", " #\n", "\n&& ", ") ", "( ", " then ", " do ", "\x85", "\u2003", "&;",
    "|\n|",
)  # fmt: skip
_REDIRECTS = (
    "> out/f", ">> out/f", ">out/f", "> new.txt", ">| out/g", "&> out/h", "&>> out/h", "2> out/e", "2>&1",
    ">&2", "1>&2", "< in.txt", "> /dev/null", "2>/dev/null", '> "out/a b"', "> out/'q'",
)  # fmt: skip
_ODD_REDIRECTS = (
    "> other", ">> in.txt", "> ../up", "> out/../other", "> $(zz)", "> `zz`", "> ~/x", "> $x", ">& other",
    "12> other", "{fd}> other", "<> other", "<<E\n$(zz)\nE\n", "<<'E'\n$(zz)\nE\n", "<<<$(zz)", "<<< zz",
    "> out/{a,b}", "> *", "<&0", ">&-", "> d/.git/config", "> .git/config", "&>$x", ">(zz)", "> >(zz)",
    "3>other", "2>other", "> out", ">|other", "&>other", ">>other", "2>>other", "1>other",
)  # fmt: skip
_FRAMES = (
    "({})", "( {} )", "{{ {}; }}", "if true; then {}; fi", "for i in a; do {}; done",
    "while false; do {}; done", "f() {{ {}; }}; f", "function f {{ {}; }}; f", "case a in a) {};; esac",
    "! {}", "time {}", "coproc {}", "until true; do {}; done", "trap '{}' EXIT", 'eval "{}"', "eval {}",
    "sh -c '{}'", 'bash -c "{}"', "command {}", "builtin {}", "exec {}", "env {}", "env X=1 {}", "X=1 {}",
    "timeout 5 {}", "nice {}", "nohup {}", "xargs {}", "echo {} | sh", "echo {} | xargs",
    "find . -maxdepth 0 -exec {} \\;", "find d -exec {} +", "[[ -n x ]] && {}", "(( 1 )) && {}",
    "let x=1; {}", "alias aa=zz; {}", "set -- zz; {}", "export X=1; {}", "source <(echo {})",
    "select i in a; do {}; break; done", "a=({}); zz", "cat <<E\n{}\nE", ": $({})", "aa $({})", "aa `{}`",
    "test -v 'x[$({})]'", "printf -v 'x[$({})]' y", "unset 'x[$({})]'", "PATH=.:$PATH; {}",
    "hash -p ./zz aa; {}", "enable -n echo; {}", "cd d && {}", "cd d; {}", "cd .. && {}", "pushd d; {}",
    "true && {}", "{} # zz", "{} ;", "shopt -s expand_aliases\nalias aa=zz\n{}", "set -f; {}",
    "X=zz; $X {}", "{{ {} ; }} > other", "({}) > other", "aa() {{ zz; }}; {}", "timeout 5 sh -c '{}'",
    "{}\n\nzz", "{} & zz", "{} |& zz",
)  # fmt: skip
_MUTATIONS = " \t\n\r;&|<>()$`\\\"'{}[]*?~#!=+%@^:,./-aze0129\x00\x01\x0b\x7f\u00a0\u200b"


def line(by: Random) -> str:
    """Return one line."""
    make: list[tuple[Callable[[Random], str], int]] = [
        (_plain, 30),
        (_odd, 25),
        (_framed, 20),
        (_mutated, 25),
    ]
    kinds, weights = zip(*make, strict=True)
    return str(by.choices(kinds, weights)[0](by))


def _command(by: Random, odd: float = 0.0) -> str:
    starts = [
        "aa", "aa one", "bb one", "bb 'two words'", "git status", "git log", "npm run", "echo", "printf",
        "cat in.txt",        "'aa'", "a'a'", '"bb" one', "timeout 5 aa", "true", "cd d",
    ]  # fmt: skip
    head = (
        by.choice(starts)
        if by.random() > 0.12
        else by.choice(["zz", "./zz", "rm x", "aax", "timeout 5 zz", "git x"])
    )
    words = [
        by.choice(_ODD_WORDS if by.random() < odd else _WORDS) for _ in range(by.choice((0, 0, 1, 1, 2, 3)))
    ]
    opened = []
    if by.random() < 0.25:
        opened = [by.choice(_ODD_REDIRECTS if by.random() < odd else _REDIRECTS)]
    pieces = words + opened
    if by.random() < 0.3:
        by.shuffle(pieces)
    return " ".join([head, *pieces])


def _chain(by: Random, odd: float) -> str:
    text = _command(by, odd)
    for _ in range(by.choice((0, 0, 0, 1, 1, 2, 3))):
        text += by.choice(_ODD_JOINTS if by.random() < odd else _JOINTS) + _command(by, odd)
    return text


def _plain(by: Random) -> str:
    return _chain(by, 0.0)


def _odd(by: Random) -> str:
    return _chain(by, by.choice((0.1, 0.3, 0.6)))


def _framed(by: Random) -> str:
    inner = _chain(by, by.choice((0.0, 0.0, 0.2)))
    text = by.choice(_FRAMES).format(inner)
    return text if by.random() < 0.7 else text + by.choice(_JOINTS) + _command(by)


def _mutated(by: Random) -> str:
    """A plain line with a few signs put in, taken out or changed."""
    text = _chain(by, 0.05)
    for _ in range(by.choice((1, 1, 2, 3))):
        at = by.randrange(len(text) + 1)
        sign = by.choice(_MUTATIONS) * by.choice((1, 1, 1, 2))
        text = text[:at] + sign + text[at + by.choice((0, 0, 1)) :]
    return text
