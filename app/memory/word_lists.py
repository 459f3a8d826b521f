"""Words in six languages by which memory compares texts: folded, as `words.plain` gives them."""

from __future__ import annotations

_STOP = """
a an the of to in on at is are was were be been it its this that these those i me my mine you your we
our us he him his she her they them their do does did can could would will shall should may might must
please and or but for with by from as so then there here have has had am not no yes what which who when
where why how about any some more very just also user person name named call called s t m re ve ll d let
want need tell show know give get make help like likes prefer prefers book plan find write read look see
use go next last week day today now new over time names users der die das den dem des ein eine einen
einem einer eines und oder aber zu zum zur mit von vom im ist sind war bin bist hat habe haben hast ich
du er sie es wir ihr mich mir dich dir mein meine meinen meiner meinem dein deine nicht kein keine auch
bitte wer wie wo wann warum welche welcher heisst heisse heissen genannt el la los las un una unos unas
de del y o que en por para con sin mi mis tu tus su sus se le lo te son ser esta soy eres si como cuando
donde quien cual llama llamo les une et ou je il elle nous vous ils mon ma mes ton ta tes sa ses ce
cette ces est sont suis au aux dans pour sur avec pas ne qui quoi quand comment appelle os um uma e da
dos na nos nas eu voce ele ela meu minha seu sua sao sou nao com chama ka ki ke ko hai hain ho tha thi
mera meri mere tera kya aur ye main hun hoon nahi kaun kab kahan मेरा मेरी मेरे तेरा तेरी का की के को से
में है हैं हूँ हूं था थी थे और या यह वह ये वे मैं तुम आप हम क्या कौन कब कहाँ कहां नहीं नाम पर ने भी तो
"""
_NOT = """
not no never dont doesnt didnt isnt arent wasnt cant cannot wont without longer nicht kein keine keinen
nie niemals ohne pas jamais sans ne nunca jamas sin nao sem nahi नहीं मत कभी
"""
_MANY = """
like likes love loves enjoy enjoys hate hates allergic speak speaks use uses know knows own owns eat
eats drink drinks play plays read reads visited visit mag mogen liebe hasse spreche nutze benutze esse
trinke spiele allergisch gern aime adore deteste parle mange gusta encanta odio hablo como gosto adoro
falo पसंद
"""

STOP = frozenset(_STOP.split())
"""Say nothing about what is meant."""
NOT = frozenset(_NOT.split())
"""Deny what stands beside them."""
MANY = frozenset(_MANY.split())
"""Stand before what may be several things at once: liking tea does not speak against liking coffee."""
