"""Lists of words and endings in six languages: what says nothing, what says little, and what stems lose."""

from __future__ import annotations

_ENDINGS = """
izations ization ationen aciones acoes ations ation acion acao ements ement mente ments ment nesses ness
ables able ibles ible ungen ung ingly ings ing iendo ando endo indo ados adas idos idas ado ada ido ida
aron ieron arem erem irem assem amos emos imos aient erait ions ion iere ieren iert eren ern ers er ies
ied ed es en em et est elt te ten tes ly ar ir ez ais ait ant ons ent eur euse s e a o i y iyan iyon on
"""
_STOP = """
a an the of to in on at is are was were be been it its this that these those i me my you your we our us
he she they them do does did can could would will shall should please pls and or for with by from as so
then there here have has had am im ich du er sie es wir ihr der die das den dem des ein eine einen einem
einer und oder zu mit von ist sind bitte mir mich mein meine meinen kannst el la los las un una unos unas
de del y o que en por favor mi mis tu le les une et ou je il elle mon ma mes moi ce cette ces est au aux
dans pour sur os um uma e da dos no na nos nas meu minha eu voce para ka ki ke ko se hai hain ho mera
meri mere kya aur yeh ye wo का की के को से में है हैं हो मेरा मेरी मेरे क्या और यह ये वह एक पर
"""
_WEAK = """
show tell give want need let get got make know what which how when where who why any all some more much
many new now just like thing something look see take put use say find help every each one two also out up
off about into if not no yes okay hey hi thanks today tomorrow yesterday zeig gib mach will brauche was
welche wie wo wann alle muestra dame quiero necesito haz cual como donde todo todos montre donne veux
besoin fais quel quelle comment tout tous mostra quero preciso faz qual onde tudo dikhao batao chahiye
karo kar do sab दिखाओ बताओ करो चाहिए
"""

_HINDI = "ियों ियाँ ाओं ुओं ना ने नी ता ते ती ों ें ो े ा ी ि ू ु ं ँ"

ENDINGS = tuple(sorted(_ENDINGS.split(), key=lambda ending: (-len(ending), ending)))
"""Of English, German, Spanish, French, Portuguese and Latin-script Hindi, the longest first. One list for
all: the language of a request is not known, and index and request pass through the same rules.
"""
HINDI_ENDINGS = tuple(_HINDI.split())
STOP = frozenset(_STOP.split())
"""Words that say nothing about a tool; they count a little in ordered pairs and not at all alone."""
WEAK = frozenset(_WEAK.split())
"""Words that nearly every request has: of little weight where only words decide."""
