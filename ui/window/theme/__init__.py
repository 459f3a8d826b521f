"""The look, defined once: every widget takes colours, type, space, shape, motion and icons from its `Theme`.

Widgets take a `Theme` in their constructor and follow a change in `set_theme(theme)`. No colour, size or
duration stands anywhere else. What the style sheet (`resources/themes/window.qss`) knows by property, set
before the widget is shown: `QPushButton` `kind` = main, quiet, danger, accent, example, toast, or none
(plain); `QToolButton` is an icon alone (it needs an accessible name and a tooltip), `kind` = main for the
filled one; a segmented control is a row of checkable `QPushButton` without gaps with `segment` = first,
middle, last; `QLabel` `tone` = title, heading, strong, muted, small, caption, section, danger, caution,
good; `QFrame` `box` = card, dialog, composer, panel, ground, notice, waiting, toast, rule;
`QPlainTextEdit` `box` = field.
"""

from __future__ import annotations

from ui.window.theme.palette import DARK, LIGHT, Colors
from ui.window.theme.theme import Theme, make_theme, system_is_dark

__all__ = ["DARK", "LIGHT", "Colors", "Theme", "make_theme", "system_is_dark"]
