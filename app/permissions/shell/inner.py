"""What a command starts besides itself: the words behind a wrapper, the text that it evaluates, or something
that cannot be read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.permissions.shell.programs import (
    CODE_LETTERS,
    CODE_OPTIONS,
    EVALUATORS,
    OTHER_SHELLS,
    PROGRAM_TEXT,
    SHELL_STATE,
    SHELLS,
    WRAPPERS,
    base,
)  # fmt: skip

Words = tuple[str, ...]
_MOST_PLACES = 64
_MOST_RUNS = 8
_FIND_RUNS = ("-exec", "-execdir", "-ok", "-okdir")
_FIND_WRITES = ("-fprint", "-fprint0", "-fprintf", "-fls")
_COMPILER = ("-wrapper", "-B", "-specs", "--specs", "-fplugin", "@")
"""By these a compiler loads or starts what a file or folder of theirs says."""
_OPTIONS: dict[str, tuple[str, ...]] = {
    "rg": ("--pre", "--hostname-bin", "--search-zip"), "fd": ("-x", "-X", "--exec", "--exec-batch"),
    "fdfind": ("-x", "-X", "--exec", "--exec-batch"), "sort": ("--compress-program",),
    "tar": ("--checkpoint-action", "--to-command", "--use-compress-program", "-I", "--info-script", "-F",
    "--new-volume-script", "--rsh-command", "--rmt-command"), "bsdtar": ("--use-compress-program", "-I"),
    "split": ("--filter",), "csplit": (), "zip": ("-TT", "--unzip-command"), "rsync": ("-e", "--rsh",
    "--rsync-path"), "scp": ("-S", "-o", "-F"), "sftp": ("-S", "-o", "-b"), "ssh": ("",), "mosh": ("",),
    "autossh": ("",), "nc": ("-e", "-c", "--exec", "--sh-exec"), "ncat": ("-e", "-c", "--exec", "--sh-exec",
    "--lua-exec"), "socat": ("",), "install": ("--strip-program",), "wget": ("--use-askpass", "-e",
    "--execute"), "curl": ("-K", "--config"), "date": ("-s", "--set"), "docker": ("exec", "run"),
    "podman": ("exec", "run"), "kubectl": ("exec", "run"), "npm": ("exec", "x", "--script-shell",
    "--node-options", "--editor", "--viewer"), "pnpm": ("exec", "dlx"),
    "yarn": ("exec", "dlx"), "uv": ("run", "tool"), "poetry": ("run",), "pipenv": ("run",),
    "hatch": ("run",), "conda": ("run",), "bundle": ("exec",), "mise": ("exec", "x"), "asdf": ("exec",),
    "rustup": ("run",), "go": ("run", "generate", "-toolexec",
    "--toolexec", "-exec", "--exec", "-vettool", "--vettool"), "nix": ("run", "shell", "develop"),
    "crontab": ("",),
    "systemctl": ("edit",), "gcc": _COMPILER, "g++": _COMPILER, "pytest": (), "make": ("--eval",
    "SHELL="), "gmake": ("--eval", "SHELL="), "sqlite3": ("",), "psql": ("-c", "--command"), "mysql": ("-e",
    "--execute"), "dc": ("-e", "--expression"), "jq": (), "ctags": ("--options",), "pax": (),
    "cpio": ("--rsh-command",), "dpkg": ("-i", "--pre-invoke"), "apt": ("-o",), "apt-get": ("-o",),
    "7z": (), "ffmpeg": (), "cargo": ("--config",), "env-update": (), "mount": ("",), "gpg": ("--exec-path",
    "--photo-viewer"), "ip": ("netns", "vrf"), "test": ("-v", "-R"), "[": ("-v", "-R"), "printf": ("-v",),
    "wait": ("-p",),
    "bat": ("--pager",), "batcat": ("--pager",), "cc": _COMPILER, "c++": _COMPILER, "clang": _COMPILER,
    "clang++": _COMPILER, "ssh-keygen": ("-D",), "ssh-add": ("-s",), "openssl": ("-engine", "-provider-path"),
}  # fmt: skip
"""Options (or sub-commands) by which a program starts others or evaluates text; "" for any use of it. Long
options count abbreviated too.
"""
_TELLING = frozenset({"rm", "sudo", "doas", "dd", "shred", "eval", "env", "xargs", *SHELLS})
"""Behind a program that is not known these look like what it starts."""
_PLAIN = frozenset(
    {
        "git", "echo", "printf", "grep", "rg", "cat", "ls", "npm", "pnpm", "yarn", "cargo", "make",
        "pytest", "cp", "mv", "rm", "mkdir", "touch", "tee", "cd", "man", "which", "type", "pip", "apt",
        "apt-get", "dnf", "brew", "wc", "head", "tail", "diff", "tr", "cut", "test", "file", "stat", "kill",
        "pkill", "pgrep", "ps",
    }
)  # fmt: skip
_BUNDLED = {"rg": "z", "fd": "xX", "fdfind": "xX", "tar": "IF", "rsync": "e", "scp": "SoF", "sftp": "Sob",
    "wait": "p", "curl": "K", "wget": "e", "nc": "ec", "ncat": "ec", "psql": "c", "mysql": "e", "dc": "e",
    "make": "E", "gmake": "E"}  # fmt: skip
_NPM_RUNS = frozenset(["init", "innit", "create", "explore", "edit", "set-script"])
"""Sub-commands that run what a package brings or what stands behind them."""
_EVALUATING = frozenset(["timeit", "pdb", "code", "cProfile", "profile", "trace", "runpy", "asyncio"])
"""Modules of Python that run their words."""
_TAKING = {"python": "WX", "pypy": "WX", "perl": "I", "ruby": "ICEFT", "php": "cdz", "lua": "l",
    "luajit": "l", "node": "C", "nodejs": "C", "bun": "", "deno": ""}  # fmt: skip
"""Short options of interpreters whose value may be the next word: code may stand behind that."""
_SED = re.compile(
    r"(?:\d+|\$)?(?:,(?:\d+|\$))?!?[pdq=]\Z|(?:(?:\d+|\$)(?:,(?:\d+|\$))?)?s([^\w\s\\])(?:(?!\1)[^\\\n]|\\[^\n])*"
    r"\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gpiI0-9]*\Z"
)
"""Sed scripts of one command that can neither run nor write anything."""


@dataclass(frozen=True)
class Starts:
    """What a command starts. `inner` are words that it may run, each a possible reading; `texts` are lines of
    shell that it may evaluate; `dark` when it runs what cannot be read from the words.
    """

    inner: tuple[Words, ...] = ()
    texts: tuple[str, ...] = ()
    dark: bool = False


def starts(words: Words) -> Starts | None:
    """Return what a command starts besides itself, None when it is known to start nothing by its words."""
    if not words or not words[0]:
        return Starts(dark=True)
    name = base(words[0])
    if name in SHELLS or name in EVALUATORS:
        return _shell(name, words)
    if name == "command" and words[1:2] in (("-v",), ("-V",)):
        return None
    if name in WRAPPERS or name.startswith("ld-linux"):
        return _wrapped(words, dark=False)
    if name in ("find", "gfind"):
        return _find(words)
    if name in CODE_LETTERS:
        return _interpreter(name, words)
    if name in _OPTIONS and _has_option(name, words):
        return _wrapped(words, dark=True)
    return Starts(texts=_texts(words), dark=True) if _evaluates(name, words) else None


def _evaluates(name: str, words: Words) -> bool:
    """Whether words are, or hold, a program of some kind."""
    if name in OTHER_SHELLS or name in PROGRAM_TEXT:
        return True
    if name in ("sed", "gsed"):
        return not _is_calm_sed(words)
    if name in ("make", "gmake") and any("$" in word for word in words):  # X='$(shell ...)'
        return True
    if name in ("npm", "pnpm", "yarn") and not _NPM_RUNS.isdisjoint(_first_operand(words)):
        return True
    if name in SHELL_STATE:  # subscripts are evaluated: unset 'a[$(x)]'
        return any(letter in word for word in words for letter in "[$`")
    if any("(?{" in word or "(??{" in word for word in words):  # code in a Perl pattern
        return True
    return name not in _PLAIN and any(base(word) in _TELLING for word in words[1:-1])


def _first_operand(words: Words) -> Words:
    """Return the words that may be a sub-command: the first, or all behind an option, which may take one."""
    return words[1:2] if not words[1:] or not words[1].startswith("-") else words[1:]


def inner_at(words: Words) -> int:
    """Return where the program stands that a wrapper of simple form starts, 0 where that is not certain."""
    name = words[0] if words else ""
    if name in ("nohup", "setsid", "nice", "command") and len(words) > 1:  # not xargs, which adds words
        return 1 if re.match(r"[A-Za-z0-9_./]", words[1]) and "=" not in words[1] else 0
    if name == "timeout" and len(words) > 2 and re.fullmatch(r"\d+(?:\.\d+)?[smhd]?", words[1]):
        return 2 if not words[2].startswith("-") else 0
    return 0


def _wrapped(words: Words, *, dark: bool) -> Starts:
    """Every place where the inner command may begin: options differ from wrapper to wrapper."""
    inner = tuple(words[at:] for at in range(1, min(len(words), _MOST_PLACES)) if words[at])
    return Starts(inner, _texts(words), dark or len(words) > _MOST_PLACES)


def _texts(words: Words) -> tuple[str, ...]:
    """Words that are lines of shell, or hold them: all with a blank, also behind the `=` of an option."""
    found = [word for word in words[1:] if re.search(r"[\s;|&$`()]", word)]
    found += [word.partition("=")[2] for word in words[1:] if word.startswith("-") and "=" in word]
    return tuple(text for text in found if text)


def _shell(name: str, words: Words) -> Starts:
    if name == "eval":
        return Starts(texts=(" ".join(words[1:]),))
    if name in SHELLS:
        code = [at for at, word in enumerate(words) if re.fullmatch(r"[-+][A-Za-z]*c[A-Za-z]*", word)]
        return Starts(texts=words[1:] if code else _texts(words), dark=not code)
    return Starts(texts=(*words[1:], " ".join(words[1:])), dark=True)


def _find(words: Words) -> Starts | None:
    at = [place for place, word in enumerate(words) if word in _FIND_RUNS]
    if at:
        runs = tuple(_until_end(words[place + 1 : place + 1 + _MOST_PLACES]) for place in at[:_MOST_RUNS])
        return Starts(tuple(filter(None, runs)), _texts(words), dark=len(at) > _MOST_RUNS)
    return Starts(dark=True) if any(word in _FIND_WRITES for word in words) else None


def _until_end(words: Words) -> Words:
    return words[: next((at for at, word in enumerate(words) if word in (";", "+")), len(words))]


def _interpreter(name: str, words: Words) -> Starts | None:
    """Code on the line, from a pipe, or a module of ours; a script that a rule names is left to the rule."""
    letters = CODE_LETTERS[name]
    operands = [word for word in words[1:] if not word.startswith("-") or word == "-"]
    taken = False
    for at, word in enumerate(words[1:], 1):
        if word.startswith("--"):
            if word.split("=")[0] in CODE_OPTIONS:
                return Starts(texts=_texts(words), dark=True)
            taken = "=" not in word
        elif name in ("python", "pypy") and (module := re.match(r"-[A-Za-ln-z]*m(.*)", word, re.DOTALL)):
            if (module[1] or "".join(words[at + 1 : at + 2])) in _EVALUATING:
                return Starts(texts=_texts(words), dark=True)
            break
        elif word.startswith("-") and not set(letters).isdisjoint(word[1:]):
            return Starts(texts=_texts(words), dark=True)
        elif word.startswith("-"):
            taken = word[-1] in _TAKING.get(name, word)
        elif not taken:
            break
        else:
            taken = False
    asks_version = len(words) == 2 and words[1] in ("--version", "-V", "-v", "--help", "-h")
    if asks_version or (operands and operands[0] != "-" and name not in ("deno", "bun", "nix-shell")):
        return None
    return Starts(texts=_texts(words), dark=True)


def _is_calm_sed(words: Words) -> bool:
    scripts: list[str] = []
    rest = list(words[1:])
    given = False
    while rest:
        word = rest.pop(0)
        if word in ("-e", "--expression") and rest:
            scripts.append(rest.pop(0))
            given = True
        elif re.fullmatch(r"-[nErsuzi]+", word) or word in ("--quiet", "--silent", "--posix", "--debug"):
            continue
        elif word.startswith("-"):
            return False
        elif not given and not scripts:
            scripts.append(word)
            given = True
    return bool(scripts) and all(_SED.match(script) for script in scripts)


def _has_option(name: str, words: Words) -> bool:
    wanted = _OPTIONS[name]
    if "" in wanted:
        return True
    for word in words[1:]:
        head = word.split("=", 1)[0]
        for option in wanted:
            if option.startswith("--"):
                if head.startswith("--") and len(head) > 2 and option.startswith(head):
                    return True
            elif (
                word.startswith(option)
                if option.startswith(("-", "@")) or option.endswith("=")
                else word == option or word.startswith(option + "=")
            ):
                return True
        if (
            word.startswith("-")
            and not word.startswith("--")
            and not set(_BUNDLED.get(name, "")).isdisjoint(word[1:])
        ):
            return True
    if name == "zip":  # -TT is one option, also behind others
        return any(re.match(r"-[A-Za-z]*TT", word) for word in words[1:])
    old = words[1] if name in ("tar", "bsdtar") and len(words) > 1 and words[1] else "-"
    return old[0] != "-" and not set("IF").isdisjoint(old.split("=")[0])
