"""Turn the bytes of a terminal into keys: letters, named keys (xterm's sequences) and pasted text."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

_PASTE_BEGINS, _PASTE_ENDS = "\x1b[200~", "\x1b[201~"
_SEQUENCE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1bO[A-Za-z]|\x1b[^\[O]")
_UNFINISHED = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|O)?\Z")

_NAMED = {
    "enter": ("\r",),
    "newline": ("\n", "\x1b\r", "\x1b\n", "\x1b[13;2u", "\x1b[27;2;13~"),
    "backspace": ("\x7f", "\x08"),
    "delete": ("\x1b[3~",),
    "left": ("\x1b[D", "\x1bOD", "\x02"),
    "right": ("\x1b[C", "\x1bOC", "\x06"),
    "up": ("\x1b[A", "\x1bOA", "\x10"),
    "down": ("\x1b[B", "\x1bOB", "\x0e"),
    "home": ("\x1b[H", "\x1bOH", "\x1b[1~", "\x01"),
    "end": ("\x1b[F", "\x1bOF", "\x1b[4~", "\x05"),
    "word_left": ("\x1b[1;5D", "\x1b[1;3D", "\x1bb"),
    "word_right": ("\x1b[1;5C", "\x1b[1;3C", "\x1bf"),
    "kill_word": ("\x17", "\x1b\x7f"),
    "kill_before": ("\x15",),
    "kill_after": ("\x0b",),
    "interrupt": ("\x03",),
    "end_of_input": ("\x04",),
    "redraw": ("\x0c",),
    "suspend": ("\x1a",),
    "tab": ("\t",),
}
_NAMES = {sequence: name for name, sequences in _NAMED.items() for sequence in sequences}


class Key(NamedTuple):
    """A named key, or `text` with what was typed or pasted."""

    name: str
    text: str = ""


class Keys:
    """Decodes a stream of bytes; letters and sequences that are cut in two wait for their rest."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""
        self._pasted: str | None = None

    def feed(self, data: bytes) -> list[Key]:
        """Return the keys that are complete."""
        text = self._held + self._decoder.decode(data)
        self._held = ""
        keys: list[Key] = []
        while text:
            text = self._paste(text, keys) if self._pasted is not None else self._step(text, keys)
        return keys

    def _paste(self, text: str, keys: list[Key]) -> str:
        whole = (self._pasted or "") + text
        body, end, rest = whole.partition(_PASTE_ENDS)
        if not end:
            self._pasted = whole
            return ""
        self._pasted = None
        keys.append(Key("text", body.replace("\r\n", "\n").replace("\r", "\n")))
        return rest

    def _step(self, text: str, keys: list[Key]) -> str:
        if text.startswith(_PASTE_BEGINS):
            self._pasted = ""
            return text[len(_PASTE_BEGINS) :]
        if text[0] == "\x1b":
            if _UNFINISHED.match(text):
                self._held = text
                return ""
            found = _SEQUENCE.match(text)
            sequence = found[0] if found else text[0]
            if sequence in _NAMES:
                keys.append(Key(_NAMES[sequence]))
            return text[len(sequence) :]
        if text[0] in _NAMES:
            keys.append(Key(_NAMES[text[0]]))
            return text[1:]
        letters = re.match(r"[^\x00-\x1f\x7f-\x9f]+", text)
        if letters:
            keys.append(Key("text", letters[0]))
            return text[letters.end() :]
        return text[1:]  # a control character that means nothing here
