"""Commands that only read, by a strict list of programs and of their harmless options: what may run in the
sandbox without a question where the person allows that (product 5.3; facts: safety 2.1).

No git, awk, env, xargs, sort or less: each can run programs. No search through whole folders, since it would
read what a question belongs to, such as `.env`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from app.permissions.shell.scene import HARMLESS, Scene, spellings
from app.permissions.shell.survey import Survey

_LETTERS = {
    "cat": "AbEensTtuv", "head": "cnqvz", "tail": "cnqvz", "wc": "clLmw",
    "ls": "1aAbBcCdfFgGhHiIklLmnNopqQrsStTuUvwxXZ", "grep": "abcEeFGhHiILlmnoqsvwxyzABCZ",
    "egrep": "ceEFhHiLlmnoqsvwxABC", "fgrep": "ceEFhHiLlmnoqsvwxABC", "cut": "bcdfnsz", "tr": "cCdst",
    "nl": "bdfhilnpsvw", "tac": "brs", "rev": "", "paste": "dsz", "column": "txcsNR", "fold": "bsw",
    "expand": "it", "unexpand": "at", "stat": "Lfct", "file": "bikLNrsz", "du": "0abcdhHklLmPsSxt",
    "df": "ahHiklmPTtx", "diff": "abBcdeEiIlLnNpqstTuUwWyC", "cmp": "bilns", "comm": "123z", "echo": "neE",
    "printf": "", "true": "", "false": "", "pwd": "LP", "basename": "asz", "dirname": "z",
    "realpath": "eLmPqsz", "readlink": "efmnqsvz", "md5sum": "bctwz", "sha1sum": "bctwz",
    "sha256sum": "bctwz", "sha512sum": "bctwz", "b2sum": "bctwzl", "cksum": "", "strings": "aefnot",
    "hexdump": "bcCdnosvx", "od": "AjNStvwabcdfiloshx", "whoami": "", "id": "agGnruz", "uname": "asnrvmpio",
    "which": "a", "seq": "fsw", "nproc": "", "sleep": "", "numfmt": "dz", "fmt": "cstuwgp", "base64": "diw",
    "uptime": "ps", "tree": "adflxLPIrtucnsphDFi", "test": "", "sed": "n", "jq": "crRsSeaMjn",
}  # fmt: skip
_LONG = frozenset(
    {
        "--all", "--almost-all", "--human-readable", "--color", "--colour", "--count", "--lines", "--bytes",
        "--line-number", "--ignore-case", "--invert-match", "--fixed-strings", "--extended-regexp",
        "--only-matching", "--max-count", "--files-with-matches", "--context", "--after-context",
        "--before-context", "--word-regexp", "--with-filename", "--no-filename", "--number", "--brief",
        "--unified", "--side-by-side", "--recursive-none", "--summarize", "--max-depth", "--total", "--si",
        "--format", "--dereference", "--quiet", "--silent", "--no-messages", "--version", "--help",
        "--sort", "--time", "--reverse", "--group-directories-first", "--classify", "--delimiter",
        "--fields", "--characters", "--only-delimited", "--raw-output", "--compact-output", "--null-input",
        "--type", "--glob", "--no-heading", "--heading", "--smart-case", "--hidden-none", "--width",
        "--wrap", "--zero", "--mime-type", "--mime", "--regexp", "--apparent-size",
    }
)  # fmt: skip
_JQ_READS = re.compile(r"\b(?:import|include)\b")
"""A program of jq reads other files by these."""
_PAGES = re.compile(r"\d+(?:,(?:\d+|\$))?p\Z")


def only_reading(found: Survey, at: Scene) -> bool:
    """Whether a plain line only reads, and nothing outside of the working folder."""
    if found.starters or not found.certain:
        return False
    for redirect in found.redirects:
        if redirect.target is None or (
            redirect.direction in ("both", "append") and redirect.target not in HARMLESS
        ):
            return False
        if redirect.direction == "write" and redirect.target not in HARMLESS:
            return False
        if redirect.direction == "read" and not _stays(redirect.target, at):
            return False
    return all(
        _reads(words) and all(_stays(word, at) for word in words[1:]) and not _searches(words, at)
        for words in found.certain
    )


def _searches(words: Sequence[str], at: Scene) -> bool:
    """Whether a command shows what lies in a folder that its words name."""
    return words[0] == "diff" and any(os.path.isdir(path) for word in words[1:] for path in at.paths(word))


def _reads(words: Sequence[str]) -> bool:
    name = words[0]
    if name not in _LETTERS:
        return False
    if name == "sed" and not (len(words) >= 3 and words[1] == "-n" and _PAGES.match(words[2])):
        return False
    if name == "jq" and any(_JQ_READS.search(word) for word in words[1:]):
        return False
    if name == "test" or name == "[":
        return not any(word in ("-v", "-R") for word in words)
    options = words[1 : words.index("--")] if "--" in words else words[1:]
    return all(_harmless(name, word) for word in options if word.startswith("-") and word != "-")


def _harmless(name: str, option: str) -> bool:
    if option.startswith("--"):
        return option.partition("=")[0] in _LONG
    letters = option[1:]
    known = _LETTERS[name]
    if name in ("seq", "head", "tail", "nl", "sleep") and re.fullmatch(r"-\d+(?:\.\d+)?", option):
        return True
    taken = re.match(r"[A-Za-z]*", letters)
    return (
        bool(letters)
        and taken is not None
        and set(taken[0]) <= set(known)
        and bool(re.fullmatch(r"[A-Za-z1]*[\d.,]*", letters))
    )


def _stays(word: str, at: Scene) -> bool:
    """Whether a word, taken for a path, leads nowhere but into the working folder."""
    return all(at.inside(path) for name in spellings(word) for path in at.paths(name))
