"""Tell numbers of other laws, prices, versions and measures from rule numbers."""

from __future__ import annotations

import re

WIDTH = 60
"""How many characters around a number are examined."""

MEASURES = frozenset("0123456789bdfghklmstwx")
"""The ends of measurements and prices: *it took 104.9ms*, *612.40 is a price*."""


def _any(words: str) -> str:
    """Return a pattern for any of these words, separated by white space; ``~`` stands for a space."""
    return "(?:" + "|".join(words.replace("~", r"\s").split()) + ")"


_OTHER_LAW = re.compile(
    r"(?:\b"
    + _any(
        r"CFR U\.?\s?S\.?\s?C\.? [Cc]ode Act Stat\. Art(?:icle|\.)? RFC ISO MTR IPG JAR SEC FRE FIDE UCI IP"
    )
    + r"|\b"
    + _any(
        "[Ff]ederal [Ff]irewall [Ff]loor [Cc]lub MISRA [Ll]int [Cc]hess [Ff]ootball [Tt]ournament [Hh]ouse"
    )
    + r")\W{0,3}$"
)
_OF_OTHERS = re.compile(
    r"\W{0,2}\s?(?:of|in|from)\s(?:(?:the|its|our|their|this)\s)?"
    r"(?!(?:[Cc]omp|[Mm]agic|[Rr]ules?\b|CR\b|MTG|[Gg]ame))"
    r"(?:[A-Z]{2,}\b|[A-Z][a-z]+\s[A-Z]|(?:[\w-]+\s){0,2}"
    + _any(
        "[Rr]egulation [Cc]ode [Ll]aws? [Cc]onstitution [Aa]ct [Cc]ontract [Aa]greement [Tt]reaty [Mm]anual"
    )
    + r"\b)"
)
_MONEY = r"[$€£¥₹~≈=<>±×^@%\\]"
_NAMES_A_NUMBER = (
    r"USD EUR GBP JPY CAD AUD US FM AM pp?\.? [Vv](?:er(?:sion)?)?\.? [Rr]elease [Bb]uild "
    r"[Pp]atch [Ff]irmware [Dd]river [Uu]pdate [Rr]evision [Rr]ev\.? [Ll]ines? [Pp]ages? "
    r"[Ff]ig(?:ure)?\.? [Tt]able [Tt]icket [Ii]ssue [Hh]ttp HTTP [Ee]rror [Ss]tatus [Pp]ort "
    r"[Cc]hannel [Rr]oom [Cc]ourse [Ii]tem [Mm]odel [Cc]ost(?:s|ing)? [Pp]rices? [Pp]riced~at "
    r"[Ww]orth [Pp]aid [Aa]bout [Aa]round [Rr]oughly [Nn]early [Aa]lmost [Oo]ver [Aa]verage "
    r"[Tt]otal(?:s|led)? [Ss]cored?"
)
_UNITS = (
    r"[kKMGT]i?[Bb] bytes? bits? [kMG]?Hz FM AM USD EUR GBP dollars? euros? bucks? cents? tix "
    r"points? pts degrees? percent px dpi fps bpm rpm mph kph km [cmµn]?m kg m?g lbs? oz ml "
    r"inch(?:es)? ft feet foot miles? met(?:er|re)s? [mµn]?s sec(?:ond)?s? min(?:ute)?s? hrs? "
    r"hours? days? weeks? years? k?cal(?:ories)? volts? watts? k?Wh? people users times million "
    r"billion thousand"
)
_NOT_BEFORE = re.compile(rf"(?:{_MONEY}|\b{_any(_NAMES_A_NUMBER)})[\s:]{{0,2}}$|\d\s?[-–:x×*/]\s?$")
_NOT_BEHIND = re.compile(
    rf"(?:\s|&(?:nbsp|thinsp|#0*160|#x0*a0);)?(?:%|°|[$€£¥]|[+*/=^<>]\s?\d|[-–]?{_any(_UNITS)}(?![\w']))"
)


def belongs_to_others(text: str, start: int, end: int) -> bool:
    """Return whether another law, standard or handbook is named next to the text from `start` to `end`."""
    ahead, behind = text[max(0, start - WIDTH) : start], text[end : end + WIDTH]
    return bool(_OTHER_LAW.search(ahead) or _OF_OTHERS.match(behind))


def is_quantity(text: str, start: int, end: int) -> bool:
    """Return whether a number is a price, version, measure, place or the like.

    >>> is_quantity("it costs $ 100.50", 11, 17), is_quantity("for 100.5 km", 4, 9)
    (True, True)
    """
    ahead, behind = text[max(0, start - WIDTH) : start], text[end : end + WIDTH]
    return bool(_NOT_BEFORE.search(ahead) or _NOT_BEHIND.match(behind))
