"""What became of a picture that a model made."""

from __future__ import annotations

from tools import MadePicture, ToolResult


def told(made: MadePicture, verb: str) -> ToolResult:
    """Return the result of a call that made a picture."""
    head = "Verified" if made.verified else "Unverified"
    saved = "it reads back as it came" if made.verified else "the file does not read back as it came"
    lines = [f"{head}: {made.model} {verb} {made.path} ({made.media}, {len(made.data):,} bytes); {saved}."]
    lines += [f"The model took it as: {made.prompt}"] if made.prompt else []
    lines += [made.note] if made.note else []
    return ToolResult(
        "\n".join(lines),
        f"{verb} {made.path}",
        ok=made.verified,
        view="image",
        data={"path": made.place},
        undo=made.undo,
        images=(made.data,),
    )
