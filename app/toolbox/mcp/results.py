"""What a server answered, as a result for the model: texts joined, images apart, all else named in words."""

from __future__ import annotations

import base64
import binascii
import json
from typing import TYPE_CHECKING, Any

from tools import ToolResult

if TYPE_CHECKING:
    from mcp_types import CallToolResult

IMAGES_CAP, IMAGE_BYTES = 8, 8 << 20
INDENTED_CAP = 20_000
"""Characters of structured content that are laid out for the eye."""
_IMAGES = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg"}


def result_of(answer: CallToolResult) -> ToolResult:
    """Return an answer as the model reads it; structured content stands in where there is no text."""
    texts: list[str] = []
    images: list[bytes] = []
    for block in answer.content:
        _take(block, texts, images)
    if not any(texts) and answer.structured_content is not None:
        texts = [_structured(answer.structured_content)]
    text = "\n\n".join(filter(None, texts))
    if not text:
        text = "It failed without a word." if answer.is_error else _nothing(images)
    summary = "failed" if answer.is_error else _summary(text, images)
    return ToolResult(text=text, summary=summary, ok=not answer.is_error, images=tuple(images))


def _structured(content: Any) -> str:
    """Return it as JSON; indented where that is short, since indenting millions of values takes a minute."""
    try:
        text = json.dumps(content, ensure_ascii=False)
        return json.dumps(content, indent=1, ensure_ascii=False) if len(text) <= INDENTED_CAP else text
    except RecursionError:
        return "[structured content that is nested too deeply]"


def _nothing(images: list[bytes]) -> str:
    return (
        f"{len(images)} images."
        if len(images) > 1
        else "An image."
        if images
        else "Done; it returned nothing."
    )


def _summary(text: str, images: list[bytes]) -> str:
    if images:
        return "1 image" if len(images) == 1 else f"{len(images)} images"
    lines = text.count("\n") + 1
    return f"{lines} lines" if lines > 1 else ""


def _take(block: Any, texts: list[str], images: list[bytes]) -> None:
    match block.type:
        case "text":
            texts.append(block.text)
        case "image":
            image = _image(block.data)
            if image and len(images) < IMAGES_CAP:
                images.append(image)
            else:
                texts.append(f"[an image of type {block.mime_type} that cannot be shown]")
        case "audio":
            texts.append(f"[a sound of type {block.mime_type}]")
        case "resource_link":
            texts.append(
                " ".join(filter(None, (f"[{block.title or block.name}]({block.uri})", block.description)))
            )
        case "resource":
            texts.append(_resource(block.resource))


def _resource(resource: Any) -> str:
    text = getattr(resource, "text", None)
    if isinstance(text, str):
        return f"{resource.uri}\n{text}"
    return f"[{resource.uri}, {len(resource.blob) * 3 // 4} bytes of type {resource.mime_type or 'unknown'}]"


def _image(data: str) -> bytes | None:
    """Return the bytes of a picture that models can see, None for any other."""
    if len(data) > IMAGE_BYTES * 4 // 3 + 4:
        return None
    try:
        image = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return None
    return image if any(image.startswith(mark) for mark in _IMAGES) else None
