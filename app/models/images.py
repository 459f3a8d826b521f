"""Models that make pictures: which one, what it is sent, and the picture in its answer (the Images
API of OpenAI and what copies it; what differs is data of the profile).
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from urllib.parse import urlsplit

from app.documents.kinds import media_of
from app.errors import ModelError
from app.models.profile import ImageData, Profile
from app.models.refusal import Asked, from_answer, not_understood

if TYPE_CHECKING:
    from app.models.models import Models

MOST = 60 * 1024 * 1024
"""Bytes of an answer; base64 of the largest pictures is below."""
Size = Literal["square", "wide", "tall"]


class Picture(NamedTuple):
    """A picture to be sent along: its name, media type and bytes."""

    name: str
    media: str
    data: bytes


class Made(NamedTuple):
    """A picture that came. `prompt` is what the model made of the words, "" where it does not say."""

    data: bytes
    media: str
    prompt: str = ""


class Job(NamedTuple):
    """One request for a picture."""

    url: str
    fields: dict[str, Any]
    pictures: tuple[tuple[str, Picture], ...] = ()
    """Sent as parts of a form, each under its name."""


class Maker(NamedTuple):
    """A model that makes pictures, ready to be asked."""

    profile: Profile
    images: ImageData
    model: str
    key: str

    @property
    def name(self) -> str:
        """PROFILE/MODEL."""
        return f"{self.profile.name}/{self.model}"

    def headers(self) -> dict[str, str]:
        """Return the headers of a request."""
        made = {"accept": "application/json", **self.profile.headers}
        return {**made, self.profile.key_header: f"{self.profile.key_prefix}{self.key}"} if self.key else made

    def drawing(self, prompt: str, size: Size, ending: str) -> Job:
        """Return the request for a new picture."""
        return Job(self._url(self.images.generate), self._sent(prompt, size, ending))

    def editing(self, prompt: str, picture: Picture, mask: Picture | None, ending: str) -> Job:
        """Return the request to change a picture. Raises ModelError unsupported."""
        if not self.images.edit:
            what = "changing pictures"
            raise ModelError("unsupported", f"{self.name} cannot change pictures.", feature=what)
        fields = self._sent(prompt, None, ending)
        pictures = [picture, *([mask] if mask else [])]
        if self.images.edit_as == "json":
            sent = [{"type": "image_url", "url": _data_url(one)} for one in pictures]
            fields |= {"image": sent[0], **({"mask": sent[1]} if mask else {})}
            return Job(self._url(self.images.edit), fields)
        return Job(self._url(self.images.edit), fields, tuple(zip(("image", "mask"), pictures, strict=False)))

    def _url(self, path: str) -> str:
        return f"{self.profile.base_url.rstrip('/')}{path}"

    def _sent(self, prompt: str, size: Size | None, ending: str) -> dict[str, Any]:
        images = self.images
        fields: dict[str, Any] = {"model": self.model, "prompt": prompt, **images.body}
        if size and images.sizes.get(size):
            fields[images.size_field] = images.sizes[size]
        if images.formats.get(ending):
            fields["output_format"] = images.formats[ending]
        return fields


async def find(models: Models, wanted: str) -> Maker:
    """Return the model that makes pictures: PROFILE/MODEL, or with "" the first provider that has a key.

    Raises ModelError: no_image_model, no_key, no_profile, terms_open.
    """
    if wanted:
        name, _, model = wanted.partition("/")
        profile, _ = models.named(f"{name}/{model or '-'}")
        images = profile.images or ImageData(model=model)
        if not (model or images.model):
            raise _none(f"{name} names no model that makes pictures.")
        return await _ready(models, profile, images, model or images.model)
    for info in await models.profiles():
        profile, _ = models.named(f"{info.name}/-")
        if profile.images is not None and info.key in ("environment", "keyring", "file", "not needed"):
            return await _ready(models, profile, profile.images, profile.images.model)
    raise _none("No provider with a key makes pictures.")


async def _ready(models: Models, profile: Profile, images: ImageData, model: str) -> Maker:
    key = await models.sign_in.key(profile)
    if profile.needs_key and not key:
        title = profile.title or profile.name
        raise ModelError("no_key", f"There is no key for {title}.", profile=profile.name)
    return Maker(profile, images, model, key)


def _none(why: str) -> ModelError:
    return ModelError(
        "no_image_model", f"{why} The person can enter a key, or set image_model in the settings."
    )


async def ask(models: Models, maker: Maker, job: Job) -> Made:
    """Send a request and return the picture. Raises ModelError, also for an answer that holds none."""
    asked = _asked(maker, job.url)
    content: dict[str, Any] = {"json": job.fields}
    if job.pictures:
        files = [(name, (one.name, one.data, one.media)) for name, one in job.pictures]
        content = {"data": {name: _text(value) for name, value in job.fields.items()}, "files": files}
    answer = await models.client.connections.small(
        "POST", job.url, asked, maker.headers(), maker.images.seconds, most=MOST, **content
    )
    if answer.status != 200:
        raise from_answer(answer.status, answer.headers, answer.body, asked)
    return picture_in(answer.body, asked)


def picture_in(body: bytes, asked: Asked) -> Made:
    """Return the picture of an answer. Raises ModelError web_page, bad_reply."""
    try:
        first = json.loads(body)["data"][0]
        coded, link = first.get("b64_json"), first.get("url")
        if not coded and isinstance(link, str) and link.startswith("data:"):
            coded = link.partition(",")[2]
        if not coded and link:
            raise asked.error("bad_reply", "It sent a link in place of the picture.")
        data = base64.b64decode(coded, validate=True)
        said = first.get("revised_prompt")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError, binascii.Error):
        raise not_understood(body, asked) from None
    media = media_of(data)
    if not media:
        raise asked.error("bad_reply", "What it sent is no picture.")
    return Made(data, media, said if isinstance(said, str) else "")


def _asked(maker: Maker, url: str) -> Asked:
    parts = urlsplit(url)
    profile = maker.profile
    return Asked(
        name=profile.name,
        title=profile.title or profile.name,
        host=parts.netloc.rpartition("@")[2],
        path=parts.path,
        model=maker.model,
        key=maker.key,
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _data_url(picture: Picture) -> str:
    return f"data:{picture.media};base64,{base64.b64encode(picture.data).decode('ascii')}"


def shown(job: Job) -> str:
    """Return all that a request sends, as a person reads it: pictures by name and size."""

    def plain(value: Any) -> Any:
        if isinstance(value, Mapping) and str(value.get("url", "")).startswith("data:"):
            return f"a picture of {len(str(value['url'])):,} characters"
        return value

    fields = {name: plain(value) for name, value in job.fields.items()}
    fields |= {name: f"{one.name} ({one.media}, {len(one.data):,} bytes)" for name, one in job.pictures}
    return json.dumps(fields, ensure_ascii=False, indent=1)
