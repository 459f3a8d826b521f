"""The two palettes: every colour of the window by the role it plays, for light and for dark."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtGui import QColor, QPalette


class Colors(NamedTuple):
    """Colours by role. Every pair of text and ground has a contrast of at least 4.5 : 1 (held by a test)."""

    ground: QColor
    """Behind the transcript and the pages."""
    surface: QColor
    """Cards, fields, dialogs."""
    panel: QColor
    """The rail and the side panels."""
    text: QColor
    muted: QColor
    line: QColor
    accent: QColor
    on_accent: QColor
    accent_soft: QColor
    good: QColor
    caution: QColor
    danger: QColor
    added: QColor
    added_inside: QColor
    removed: QColor
    removed_inside: QColor
    code_ground: QColor
    code_keyword: QColor
    code_string: QColor
    code_comment: QColor
    code_function: QColor
    hover: QColor
    """Under the pointer: a veil of the text's colour, to be painted over any ground."""
    pressed: QColor
    accent_hover: QColor
    """The main button under the pointer."""
    shadow: QColor
    scrim: QColor
    """Over the window behind a dialog."""


def _colors(**roles: str) -> Colors:
    return Colors(**{role: QColor(value) for role, value in roles.items()})


LIGHT = _colors(
    ground="#FBFAF9",
    surface="#FFFFFF",
    panel="#F4F2F0",
    text="#1F1B1E",
    muted="#6B6268",
    line="#E7E2DF",
    accent="#7A2E5D",
    on_accent="#FFFFFF",
    accent_soft="#F5EAF1",
    good="#2B7548",
    caution="#8F5600",
    danger="#B3261E",
    added="#E6F4EA",
    added_inside="#CBE8D4",
    removed="#FBE9E7",
    removed_inside="#F5CFCB",
    code_ground="#F6F4F2",
    code_keyword="#7A2E5D",
    code_string="#2B7548",
    code_comment="#716870",
    code_function="#1F4E8C",
    hover="#0D1F1B1E",
    pressed="#1A1F1B1E",
    accent_hover="#682650",
    shadow="#241F1B1E",
    scrim="#661F1B1E",
)

DARK = _colors(
    ground="#171417",
    surface="#1F1B1F",
    panel="#1A171A",
    text="#EEE9EC",
    muted="#A79DA3",
    line="#342E33",
    accent="#D795BB",
    on_accent="#2A1221",
    accent_soft="#3A2733",
    good="#7CC79A",
    caution="#E0AF68",
    danger="#F2918A",
    added="#1C3326",
    added_inside="#27503A",
    removed="#3B2222",
    removed_inside="#5A2F2E",
    code_ground="#241F24",
    code_keyword="#D795BB",
    code_string="#8ECFA8",
    code_comment="#968B92",
    code_function="#8DB6EA",
    hover="#12EEE9EC",
    pressed="#20EEE9EC",
    accent_hover="#E2AACA",
    shadow="#80000000",
    scrim="#99000000",
)


def high_contrast(system: QPalette) -> Colors:
    """Return the system's own colours by our roles, for people who asked their system for high contrast."""
    text, ground = system.color(QPalette.ColorRole.WindowText), system.color(QPalette.ColorRole.Window)
    accent, on_accent = (
        system.color(QPalette.ColorRole.Highlight),
        system.color(QPalette.ColorRole.HighlightedText),
    )
    base = LIGHT if ground.lightnessF() > 0.5 else DARK
    plain = {
        role: text
        for role in ("text", "muted", "line", "code_keyword", "code_string", "code_comment", "code_function")
    }
    grounds = {role: ground for role in ("ground", "surface", "panel", "code_ground", "accent_soft")}
    kept = {role: getattr(base, role) for role in base._fields}
    return Colors(
        **{**kept, **plain, **grounds, "accent": accent, "on_accent": on_accent, "accent_hover": accent}
    )


def qt_palette(colors: Colors) -> QPalette:
    """Return the palette for Fusion, so that Qt's own parts (menus, dialogs, selections) match."""
    role = QPalette.ColorRole
    palette = QPalette()
    for name, color in (
        (role.Window, colors.ground),
        (role.WindowText, colors.text),
        (role.Base, colors.surface),
        (role.AlternateBase, colors.panel),
        (role.Text, colors.text),
        (role.PlaceholderText, colors.muted),
        (role.Button, colors.surface),
        (role.ButtonText, colors.text),
        (role.BrightText, colors.danger),
        (role.Highlight, colors.accent),
        (role.HighlightedText, colors.on_accent),
        (role.Link, colors.accent),
        (role.LinkVisited, colors.accent),
        (role.ToolTipBase, colors.text),
        (role.ToolTipText, colors.ground),
        (role.Light, colors.surface),
        (role.Midlight, colors.panel),
        (role.Mid, colors.line),
        (role.Dark, colors.line),
        (role.Shadow, colors.line),
        (role.Accent, colors.accent),
    ):
        palette.setColor(name, color)
    for name in (role.Text, role.WindowText, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, name, colors.muted)
    return palette
