"""Form English verbs, and find the plain verbs that a form may belong to.

Regular forms follow from the spelling alone. Which of two spellings a long verb has (*targeted*, *targetted*)
depends on its stress, which the letters do not show. Both are given: an unused form does no harm when you
look for forms in a text. Irregular verbs are in a table.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ...ontology.grouping import grouped

_IRREGULAR_FORMS = """
arise arose arisen|be was were been|bear bore borne|beat beat beaten|become became become|begin began begun
bend bent|bet bet|bid bid|bind bound|bite bit bitten|bleed bled|blow blew blown|break broke broken
breed bred|bring brought|build built|burst burst|buy bought|cast cast|catch caught|choose chose chosen
come came come|cost cost|creep crept|cut cut|deal dealt|dig dug|do did done|draw drew drawn
drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought
find found|flee fled|fly flew flown|forget forgot forgotten|freeze froze frozen|get got gotten
give gave given|go went gone|grow grew grown|have had|hear heard|hide hid hidden|hit hit|hold held|keep kept
know knew known|lay laid|lead led|leave left|lend lent|let let|light lit|lose lost|make made|mean meant
meet met|pay paid|put put|quit quit|read read|ride rode ridden|ring rang rung|rise rose risen|run ran run
say said|see saw seen|seek sought|sell sold|send sent|set set|shake shook shaken|shed shed|shoot shot
show showed shown|shut shut|sing sang sung|sink sank sunk|sit sat|sleep slept|slide slid|speak spoke spoken
spend spent|spin spun|split split|spread spread|spring sprang sprung|stand stood|steal stole stolen
stick stuck|strike struck stricken|swear swore sworn|sweep swept|swim swam swum|swing swung|take took taken
teach taught|tear tore torn|tell told|think thought|throw threw thrown|wake woke woken|wear wore worn
weave wove woven|win won|wind wound|write wrote written
"""
"""The plain verb with its past and its participle; a missing participle equals the past."""

_IRREGULAR = {
    plain: frozenset(pasts)
    for plain, *pasts in (verb.split() for verb in re.split(r"[|\n]", _IRREGULAR_FORMS.strip()))
}
_OF_PAST = grouped((past, plain) for plain, pasts in _IRREGULAR.items() for past in pasts)

_NOT_USED_AS_PAST = frozenset(
    "bit bore bound fell felt found lay lead left lit rose rung saw shed sunk wound".split()
)
"""Pasts that are more often a noun or an adjective."""

_ONE_WAY = {
    past: plains[0]
    for past, plains in _OF_PAST.items()
    if len(plains) == 1 and past not in _IRREGULAR and past not in _NOT_USED_AS_PAST
}

PARTICLES = ("in", "out", "up", "down", "off", "on", "aside")
"""Words that make another verb of the verb before them: *phase out*."""

_PREFIX = re.compile(r"(?:be|fore|mis|out|over|re|un|under|up|with)(?=\w{3})")
_CLOSED = re.compile(r"(?:[^aeiou]|qu)[aeiouy][^aeiouwxy]$")
"""A consonant, a single vowel and a consonant, which may double."""

_VOWELS = re.compile(r"[aeiouy]+")

_NOUN = re.compile(r"(?<=\w\w\w)(?:(?<=[ts])ion|ment)$")
NOUNS_OF_VERBS = {
    "choice": "choose",
    "decision": "decide",
    "destruction": "destroy",
    "division": "divide",
    "entry": "enter",
    "growth": "grow",
    "loss": "lose",
    "payment": "pay",
    "reduction": "reduce",
    "resolution": "resolve",
    "response": "respond",
}
"""Nouns for the action of a verb, where no ending shows the verb."""

_VERB_COMES = re.compile(
    r"(?:(?:^|[.:;,!?•—–(\"“\n]) ?|n['’]t "
    r"|\b(?:to|may|can|cannot|could|must|would|will|i|we|you|they|also|instead|then|and|or) )$",
    re.IGNORECASE,
)
"""What precedes a plain verb, and few nouns."""

_OBJECT_COMES = re.compile(
    r" (?:it|them|target|all|the|an?|my|your|his|her|their|its|up to|one|two|three|four|that many)\b"
)
"""What follows a verb, and no noun."""

_SUBJECT_COMES = re.compile(r"\b(?:player|opponent|controller|owner|it|who|then) $")
"""What precedes the third person of a verb, and few plurals."""

_ENDING = re.compile(r"(?:ied|ies|ed|es|s|ying|ing)$")


class Verb(NamedTuple):
    """A plain verb with its forms; `past` includes the participle, and all spellings."""

    plain: str
    third: str
    past: frozenset[str]
    gerund: frozenset[str]

    @property
    def forms(self) -> frozenset[str]:
        """All forms, including the plain one."""
        return frozenset((self.plain, self.third)) | self.past | self.gerund


@lru_cache(maxsize=8192)
def verb_of(plain: str) -> Verb:
    """Return the verb whose plain form is `plain`, in lower case.

    >>> sorted(verb_of("deal").forms), sorted(verb_of("tap").past), sorted(verb_of("die").gerund)
    (['deal', 'dealing', 'deals', 'dealt'], ['tapped'], ['dying'])
    """
    stems = _stems(plain)
    if plain.endswith("ie"):
        gerund = frozenset((f"{plain[:-2]}ying",))
    elif plain.endswith("e") and not plain.endswith(("ee", "oe", "ye")):
        gerund = frozenset((f"{plain[:-1]}ing",))
    else:
        gerund = frozenset(f"{stem}ing" for stem in stems)
    return Verb(plain, _third(plain), _irregular_past(plain) or _regular_past(plain, stems), gerund)


def plain_verbs(form: str) -> tuple[str, ...]:
    """Return the verbs that `form`, in lower case, may be a form of, without itself.

    Only one of them need be a word: the spelling does not show which.

    >>> plain_verbs("cycled"), plain_verbs("left"), plain_verbs("dies")
    (('cycl', 'cycle'), ('leave',), ('die',))
    """
    guesses = list(_OF_PAST.get(form, ()))
    prefix = _PREFIX.match(form)
    if prefix:
        guesses += [prefix[0] + plain for plain in _OF_PAST.get(form[prefix.end() :], ())]
    ending = _ENDING.search(form)
    if ending:
        stem = form[: ending.start()]
        guesses += [stem, f"{stem}e", f"{stem}ie" if len(stem) == 1 else f"{stem}y"]
        if stem[-1:] == stem[-2:-1]:
            guesses.append(stem[:-1])
    return tuple(
        sorted({guess for guess in guesses if len(guess) > 1 and form in verb_of(guess).forms} - {form})
    )


def verbs_of_noun(noun: str) -> tuple[str, ...]:
    """Return the verbs whose action `noun`, a singular in lower case, may name.

    Only one of them need be a word, as with `plain_verbs`.

    >>> verbs_of_noun("regeneration"), verbs_of_noun("destruction"), verbs_of_noun("attachment")
    (('regenerat', 'regenerate', 'regener', 'regenere'), ('destroy',), ('attach',))
    """
    if noun in NOUNS_OF_VERBS:
        return (NOUNS_OF_VERBS[noun],)
    ending = _NOUN.search(noun)
    if not ending:
        return ()
    stem = noun[: ending.start()]
    if ending[0] == "ment":
        return (stem,)
    without = stem.removesuffix("at")
    return (stem, f"{stem}e", *((without, f"{without}e") if without != stem else ()))


def unbent(form: str) -> str:
    """Return the plain verb of an irregular form, in lower case; else the form itself.

    >>> unbent("drawn"), unbent("tapped"), unbent("left")
    ('draw', 'tapped', 'left')
    """
    return _ONE_WAY.get(form, form)


def _stems(plain: str) -> frozenset[str]:
    """Return the part before *-ed* and *-ing* of a verb that ends in a consonant."""
    doubled = frozenset((plain + plain[-1],)) if _CLOSED.search(plain) else frozenset()
    syllables = len(_VOWELS.findall(plain.replace("qu", "q")))
    return doubled if doubled and syllables < 2 else doubled | {plain}


def _regular_past(plain: str, stems: frozenset[str]) -> frozenset[str]:
    if plain.endswith("e"):
        return frozenset((f"{plain}d",))
    if _ends_in_consonant_and_y(plain):
        return frozenset((f"{plain[:-1]}ied",))
    return frozenset(f"{stem}ed" for stem in stems)


def _irregular_past(plain: str) -> frozenset[str]:
    """Return the past of an irregular verb, with or without a prefix (*foretell*), else nothing."""
    if plain in _IRREGULAR:
        return _IRREGULAR[plain]
    prefix = _PREFIX.match(plain)
    if prefix:
        return frozenset(prefix[0] + past for past in _IRREGULAR.get(plain[prefix.end() :], ()))
    return frozenset()


def _third(plain: str) -> str:
    if _ends_in_consonant_and_y(plain):
        return f"{plain[:-1]}ies"
    return f"{plain}es" if plain.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{plain}s"


def _ends_in_consonant_and_y(plain: str) -> bool:
    return plain.endswith("y") and plain[-2:-1] not in "aeiou"


def is_verb(text: str, start: int, end: int, name: str) -> bool:
    """Return whether ``text[start:end]``, a form of a name that is both verb and noun, is the verb.

    >>> text = "Counter target spell. Put a counter on it."
    >>> is_verb(text, 0, 7, "Counter"), is_verb(text, 28, 35, "Counter")
    (True, False)
    """
    form, verb = text[start:end].lower(), verb_of(name.lower())
    if form in verb.forms - {name.lower(), verb.third}:
        return True
    comes = _VERB_COMES if form == name.lower() else _SUBJECT_COMES
    return bool(comes.search(text, max(0, start - 12), start) or _OBJECT_COMES.match(text, end))
