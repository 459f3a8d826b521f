"""The pictures of a message as a wire sends them: what the model can see, and words for what it cannot.

What is said here depends on the message, the model and the bytes alone, so that a later request begins with
the same bytes.
"""

from __future__ import annotations

import re
from base64 import b64encode
from typing import Any, NamedTuple

import msgspec

from app.models.profile import Profile
from app.models.profiles import model_data
from app.models.request import ModelRequest
from app.records import Message, Picture

MEDIA = ("image/png", "image/jpeg", "image/webp", "image/gif")
"""The kinds that all providers take."""

VISION = "vision"
"""The ability of models that see pictures."""


_BLAMED = r"image|picture|vision|multimodal|mmproj"
"""What a server's words hold when it is a picture that it refuses."""


class Sight(NamedTuple):
    """A picture that is sent."""

    media: str
    data: str
    """Its bytes as Base64."""

    @property
    def url(self) -> str:
        """The picture as a data URL (RFC 2397)."""
        return f"data:{self.media};base64,{self.data}"


class Shown(NamedTuple):
    """What becomes of the pictures of one message."""

    sights: tuple[Sight, ...] = ()
    unseen: str = ""
    """One line for each picture that is not sent, to stand in the text; "" when all are."""

    def beside(self, text: str) -> str:
        """Return a message's text with the lines for what is not sent below it."""
        return "\n\n".join(part for part in (text, self.unseen) if part)


def takes_pictures(profile: Profile, model: str) -> bool:
    """Return whether a model sees pictures, as far as its data says."""
    abilities = model_data(profile, model).abilities
    return VISION in abilities or not abilities  # of an unknown model its server knows more than we do


def shown(message: Message, request: ModelRequest) -> Shown:
    """Return the pictures of `message` for the model of `request`."""
    if not message.pictures:
        return Shown()
    sees = takes_pictures(request.profile, request.model)
    sights: list[Sight] = []
    unseen: list[str] = []
    for picture in message.pictures:
        raw = request.images.get(picture.id)
        if not sees:
            unseen.append(_named(picture, "this model takes no pictures"))
        elif raw is None:
            unseen.append(_named(picture, "it is not available"))
        elif picture.media not in MEDIA:
            unseen.append(_named(picture, f"models take no {picture.media}"))
        else:
            sights.append(Sight(picture.media, b64encode(raw).decode()))
    return Shown(tuple(sights), "\n".join(unseen))


def without_pictures(payload: Any, request: ModelRequest) -> ModelRequest | None:
    """Return the request without its pictures where a server refused one with status 400: a picture that is
    broken or too large would otherwise end the conversation. None where that is not it.
    """
    if not request.images or payload is None or not re.search(_BLAMED, str(payload)[:4000], re.I):
        return None
    if not any(shown(message, request).sights for message in request.messages):
        return None
    return msgspec.structs.replace(request, images={})


def caption(tool: str) -> str:
    """Return the words before a tool's pictures, where they stand apart from its result."""
    return f"Pictures from the result of {tool}:"


def _named(picture: Picture, why: str) -> str:
    size = f", {picture.width} x {picture.height}" if picture.width and picture.height else ""
    return f"[A picture was not sent, since {why}: {picture.name or picture.media}{size}]"
