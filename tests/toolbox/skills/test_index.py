"""The index stays within its tokens whatever people write, prefers pins and use, and keeps its bytes."""

from __future__ import annotations

import random

import pytest
from rs_bpe import openai

from app.skill_records import Skill
from app.toolbox.skills.choices import Choices
from app.toolbox.skills.index import BUDGET, LEAST, index_of, ordered, shortened

count = openai.o200k_base().count

TEXTS = {
    "en": "Write the monthly report from the meter readings and check every sum twice",
    "de": "Zusammenfassung der wichtigsten Änderungen für Projektverantwortliche schreiben",
    "es": "Escribe el resumen de la reunión con las decisiones y las tareas pendientes",
    "fr": "Écris le compte rendu de la réunion avec les décisions et les tâches à faire",
    "pt": "Escreva a ata da reunião com as decisões e as tarefas de cada pessoa",
    "hi": "यह बैठक के नोट्स को निर्णयों और कामों की सूची में बदलता है",
    "fi": "Kirjoita yhteenveto asiakirjasta ja kokouksesta",
    "vi": "Viết bản tóm tắt của tài liệu bằng tiếng Việt",
    "ru": "Напиши отчёт о работе за месяц и отправь его начальнику",  # noqa: RUF001
    "ar": "اكتب ملخصا للوثيقة باللغة العربية مع القرارات",
    "th": "ข้อความนี้เป็นภาษาไทยเพื่อการทดสอบ",
    "am": "የአማርኛ ቋንቋ በጣም ቆንጆ ነው",
    "bo": "བོད་སྐད་ནི་སྐད་ཡིག་ཅིག་ཡིན",
    "zh": "处理文件并写摘要会议记录",
    "ja": "処理する文書の要約を作成し、会議の議事録をまとめます",
    "emoji": "🙂🚀👩\u200d💻✅🧪",
    "hex": "zxq vbn 8f3a91 0xdeadbeef q7k2",
}
WORDS = ("trip", "day", "week", "month", "year", "night", "house", "garden", "meal", "walk", "song", "film")


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("number", [1, 14, 300])
def test_it_stays_within_its_tokens(language: str, number: int) -> None:
    skills = [
        Skill(name=f"plan-a-{WORDS[at % len(WORDS)]}-{at}", description=f"{TEXTS[language]} " * 20)
        for at in range(number)
    ]
    index = index_of(skills)
    assert count(index.text) <= BUDGET
    assert len(index.named) >= min(number, 2) and len(index.named) + len(index.left_out) == number
    assert ("load_skill(query)" in index.text) == bool(index.left_out)
    if number == 14 and language == "en":
        assert index.left_out == () and count(index.text) > BUDGET * 0.65


def test_odd_texts_of_all_kinds_stay_within_too() -> None:
    chance = random.Random(4)
    for _ in range(60):
        skills = [
            Skill(name=f"s{number}", description=" ".join(chance.choices(list(TEXTS.values()), k=3)))
            for number in range(chance.randrange(1, 40))
        ]
        assert count(index_of(skills).text) <= BUDGET


def test_pins_then_recent_use_then_whose_they_are() -> None:
    skills = [Skill(name=name, description="d", source=source) for name, source in (
        ("a", "bundled"), ("b", "bundled"), ("c", "person"), ("d", "project"), ("e", "bundled"),
        ("f", "person"),
    )]  # fmt: skip
    choices = Choices(pinned=("e", "f"), used={"b": 5.0, "c": 9.0})
    assert [skill.name for skill in ordered(skills, choices)] == ["e", "f", "c", "b", "d", "a"]


def test_a_skill_is_not_hidden_by_its_place_in_the_alphabet() -> None:
    """anthropics/claude-code#12782."""
    skills = [Skill(name=f"s-{number:03}", description=TEXTS["en"]) for number in range(200)]
    used = index_of(ordered(skills, Choices(pinned=("s-199",), used={"s-150": 1.0})))
    assert used.named[:2] == ("s-199", "s-150")


def test_what_is_cut_is_named() -> None:
    """anthropics/claude-code#64606."""
    skills = [Skill(name="short", description="Short."), Skill(name="long", description=TEXTS["en"] * 50)]
    index = index_of(skills)
    assert index.cut == ("long",) and "- short: Short." in index.text and "…" in index.text


def test_the_same_skills_give_the_same_bytes_and_none_give_none() -> None:
    skills = [Skill(name=f"s{number}", description=TEXTS["fr"]) for number in range(30)]
    assert index_of(skills) == index_of(list(skills))
    assert index_of([]).text == "" and index_of([Skill(name="bare")]).text.endswith("\n- bare")


def test_a_count_that_is_handed_in_decides() -> None:
    skills = [Skill(name=f"s{number}", description=TEXTS["en"]) for number in range(30)]
    index = index_of(skills, count)
    assert BUDGET * 0.9 < count(index.text) <= BUDGET
    assert index_of(skills, lambda text: 1_000).named == ()


def test_cutting_ends_at_a_word() -> None:
    assert shortened("one two three", 13) == "one two three"
    assert shortened("one two, three", 12) == "one two…"
    assert shortened("x" * 99, LEAST) == "x" * (LEAST - 1) + "…"
