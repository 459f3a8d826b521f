"""What a tool may do with models that make pictures: have one made or changed, and saved as a file."""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol, runtime_checkable


class MadePicture(NamedTuple):
    """A picture that was made and saved. `verified`: the file reads back as what came."""

    path: str
    """As people read it: relative to the working folder where possible."""
    place: str
    """Absolute."""
    data: bytes
    media: str
    model: str
    prompt: str
    """What the model made of the words, "" where it does not say."""
    undo: str
    verified: bool
    note: str = ""
    """For the model: what the person changed, and a name that does not fit what came."""


@runtime_checkable
class MakePictures(Protocol):
    """Models that make pictures, behind the gate of one call: one question shows all that is sent, and the
    file that the picture is written to.
    """

    async def draw(
        self, prompt: str, *, size: Literal["square", "wide", "tall"] = "square", path: str = ""
    ) -> MadePicture:
        """Have a picture made; without `path` it gets a name by its words, in the working folder.

        Raises Refused, ModelError (no_image_model, no_key, and those of any request), and the ToolErrors of
        writing a file.
        """
        ...

    async def edit(self, prompt: str, picture: str, *, mask: str = "", path: str = "") -> MadePicture:
        """Have a picture file changed and saved as a new one, beside it without `path`. `mask` is a picture
        whose clear parts may change. Raises as `draw`, and ToolError not_found, wrong_kind.
        """
        ...
