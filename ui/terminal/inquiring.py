"""A question of a model at the terminal: numbered choices, an answer in the person's own words, or none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from app.daily_records import Inquiry, InquiryReply
from ui.inquiry_words import asks_title, several_text
from ui.terminal.clean import visible
from ui.terminal.output import Style
from ui.words import _

Styled = Callable[[str, Style], str]
SKIP = "/skip"


def lines(inquiry: Inquiry, styled: Styled) -> Iterator[str]:
    """Yield the question with its choices, numbered from 1."""
    yield styled(asks_title(), "muted")
    yield from (styled(visible(line), "strong") for line in inquiry.question.splitlines())
    for number, choice in enumerate(inquiry.choices, 1):
        detail = styled(f"  {visible(choice.detail, lines=False)}", "muted") if choice.detail else ""
        yield f"  {number}. {visible(choice.text, lines=False)}{detail}"


def hint(inquiry: Inquiry) -> str:
    """Say how it is answered."""
    if not inquiry.choices:
        return _("Write an answer. {skip}: rather not answer.").replace("{skip}", SKIP)
    numbers = "1,3" if inquiry.several and len(inquiry.choices) > 2 else "1"
    words = _("{how} A number such as {numbers}, or your own words. {skip}: rather not answer.")
    made = words.replace("{how}", several_text(inquiry.several)).replace("{numbers}", numbers)
    return made.replace("{skip}", SKIP)


def read(line: str | None, inquiry: Inquiry) -> InquiryReply | str:
    """Return the reply that a line is, or why it is none. Nobody there (None) is no answer."""
    if line is None or line.strip().casefold() == SKIP:
        return InquiryReply(declined=True)
    text = line.strip()
    if not text:
        return _("Please answer, or type {skip}.").replace("{skip}", SKIP)
    if not inquiry.choices or not re.fullmatch(r"\d{1,2}(?:\s*[,; ]\s*\d{1,2})*", text):
        return InquiryReply(text=text)
    numbers = list(dict.fromkeys(int(one) for one in re.findall(r"\d+", text)))
    if not all(1 <= number <= len(inquiry.choices) for number in numbers):
        words = _("There are choices from 1 to {most}.")
        return words.replace("{most}", str(len(inquiry.choices)))
    if len(numbers) > 1 and not inquiry.several:
        return _("Only one of them can be picked.")
    return InquiryReply(picked=tuple(inquiry.choices[number - 1].text for number in numbers))
