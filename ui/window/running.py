"""Whether a turn runs in a conversation, by what was seen to begin and end here.

A stored conversation says who holds it, but says so late: the turn of this process has ended before its
hold is given back. So the events of a turn win over what the store says, until the store agrees.
"""

from __future__ import annotations

import msgspec

from app.events import Event, RequestSent, SessionChanged, TurnEnded, TurnStarted


class Running:
    """Corrects the news of conversations; turns of other processes are as the store has them."""

    def __init__(self) -> None:
        self._ours: dict[str, bool] = {}

    def corrected(self, event: Event) -> Event:
        """Return the event, its conversation marked as running or not as it is known here."""
        if isinstance(event, TurnStarted | RequestSent):
            self._ours[event.session] = True
        elif isinstance(event, TurnEnded):
            self._ours[event.session] = False
        elif isinstance(event, SessionChanged) and event.info is not None and event.session in self._ours:
            ours = self._ours[event.session]
            if event.info.running == ours:
                if not ours:
                    del self._ours[event.session]
            else:
                return SessionChanged(
                    session=event.session, info=msgspec.structs.replace(event.info, running=ours)
                )
        return event
