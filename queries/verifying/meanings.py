"""Look up what rule numbers meant in every edition, and where those rules are in one of them.

The bundled list of all editions has numbers and no words, so this needs only the text of the edition that
citations are checked against. Loaded editions that the list does not cover are added to it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Mapping
from datetime import timedelta
from functools import cached_property
from typing import NamedTuple

from ...loaders.history.lives import Lives
from ...loaders.language.dates import Period, periods
from ...loaders.language.numbers import parent, wholes
from ...ontology import grouped, in_a_list
from .citations import Citation
from .findings import ERROR, STANDS, WARNING, Finding

CHAPTER = 3
"""The number of digits in the number of a chapter; sections have fewer."""

_MOST_READ = 20_000
"""The number of numbers above which what they meant is forgotten; an edition has some 3,500."""


class NumberMeaning(NamedTuple):
    """A run of editions, `first` to `last`, in which a provision had a number.

    `now` are the numbers of that provision, or of what replaced it, in the edition checked against; `words`
    is the checksum of its words, if known.
    """

    provision: str
    first: str
    last: str
    now: tuple[str, ...] = ()
    words: str = "-"


class Meanings:
    """The meanings of numbers through all editions, seen from the edition `here` (numbers: `standing`).

    `others` has number → provision for each edition that the list, `lives`, does not cover.
    """

    def __init__(
        self, lives: Lives, here: str, standing: Collection[str], others: Mapping[str, Mapping[str, str]]
    ) -> None:
        self.here = here
        self.standing = standing
        self.lives = lives
        self.others = others
        self.editions = sorted({*lives.editions, *others, here})
        covered = [name for name in lives.editions if name <= here]
        self._reach = covered[-1] if covered else ""
        self._covered = here in lives.editions
        self._numbers_here = {provision: number for number, provision in others.get(here, {}).items()}
        self._read: dict[str, list[NumberMeaning]] = {}

    def of(self, number: str) -> list[NumberMeaning]:
        """Return everything that a number has meant, latest first."""
        if len(self._read) > _MOST_READ:
            self._read.clear()
        if number not in self._read:
            stretches = [(it, own.first, own.last, own.words) for it, own in self.lives.holders(number)]
            others = ((has.get(number, ""), name) for name, has in self.others.items())
            stretches += [(it, name, name, "-") for it, name in others if it]
            meanings = [
                NumberMeaning(it, first, last, self._now(it, last), words)
                for it, first, last, words in stretches
            ]
            self._read[number] = sorted(meanings, key=lambda it: it.last, reverse=True)
        return self._read[number]

    def past(self, number: str) -> list[NumberMeaning]:
        """Return what a number meant in earlier editions, if that rule has another number in this one."""
        return [
            it
            for it in self.of(number)
            if it.last < self.here and it.now and number not in it.now and it.now[0] in self.standing
        ]

    def at(self, number: str, edition: str) -> NumberMeaning | None:
        """Return what a number meant in an edition, None if it did not exist."""
        return next((it for it in self.of(number) if it.first <= edition <= it.last), None)

    def number_then(self, number: str, edition: str) -> str:
        """Return the number that the rule with a number here had in an edition, ``""`` if unknown."""
        own = self.at(number, self.here)
        then = self.lives.at(own.provision, edition) if own else None
        return then.number if then else ""

    def _after_removal(self, number: str, edition: str) -> tuple[str, tuple[str, ...]]:
        """Return what else to say about a removed rule of an edition, and the rules with its parts.

        If most of its parts are gone, nothing replaced it: the text only says where the others are, or the
        rest of the rule that it was part of.
        """
        if own := self._scattered(number, edition):
            parts = self._parts(number, edition)
            left = sum(bool(it.now) for it in parts)
            if 2 * left >= len(parts):
                return f"; see {', '.join(own)} instead", own
            are = "is" if left == 1 else "are"
            return f"; only {left} of its {len(parts)} parts {are} left, in {in_a_list(own)}", ()
        for whole in wholes(number)[1:]:
            then = self.at(whole, edition) if len(whole) >= CHAPTER else None
            if rest := (then and then.now) or self._scattered(whole, edition):
                outer = [it for it in rest if not {*rest}.intersection(wholes(it)[1:])]
                where = "still there" if outer == [whole] else f"in {', '.join(outer)}"
                return f"; no rule replaced it, and the rest of {whole} is {where}", ()
        return "", ()

    def gone(self, number: str, edition: str) -> tuple[str, tuple[str, ...]]:
        """Return since when a rule of an edition has been gone, in words, and the rules with its parts."""
        more, now = self._after_removal(number, edition)
        then = self.at(number, edition)
        since = self.after(then.last if then else edition)
        return f"{number} of {edition} has been gone since {since}{more}", now

    def lost(self, number: str) -> Finding | None:
        """Return that the loaded copy lacks a number that its edition has; None if it does not have it."""
        if number in self.standing or not self.at(number, self.here):
            return None
        said = f"this copy of {self.here} lacks {number}, which others have: `rulesgraph check` tells more"
        return Finding("unknown", said, severity=WARNING)

    def came_later(self, number: str) -> Finding | None:
        """Return with which edition after this one a number came; None if it did not."""
        later = [it for it in self.of(number) if it.first > self.here]
        if not later:
            return None
        there = f", where it is {', '.join(later[0].now)}" if later[0].now else ""
        said = f"{number} is newer than {self.here}{there}: it came with {later[-1].first}"
        return Finding("newer", said, later[0].now)

    def followed(self, number: str, edition: str) -> Finding | None:
        """Return what became of the rule that had a number in an edition; None if none had it."""
        then = self.at(number, edition)
        if not then:
            return None
        if number in then.now:
            return Finding(STANDS)
        if then.now:
            is_sure = not self.lives.is_doubted(then.provision, edition, self.here)
            was = self.was(number, then, edition) + ("" if is_sure else ", but that is doubtful")
            severity = ERROR if is_sure else WARNING
            return Finding("moved", was, then.now, severity=severity, fix=is_sure and len(then.now) == 1)
        if edition > self.here:
            return Finding("newer", f"{number} is newer than {self.here}: it came with {then.first}")
        return Finding("gone", *self.gone(number, edition))

    def newer(self, number: str, written: str) -> Finding | None:
        """Report that a number is not in the edition a text was written against; nothing for ``""``."""
        is_asked = written and "." in number  # a range's chapters are reported with its ends
        later = [it.first for it in self.of(number) if it.first > written] if is_asked else []
        if not later or self.at(number, written):
            return None
        return Finding(
            "newer", f"{number} came with {min(later)}, and the text was written against {written}"
        )

    def was(self, number: str, meaning: NumberMeaning, edition: str) -> str:
        """Return in words what a number of an edition is now."""
        now = f"{', '.join(meaning.now)} in {self.here}" if meaning.now else "gone"
        return f"{number} of {edition} is {now}"

    def _scattered(self, number: str, edition: str) -> tuple[str, ...]:
        """Return the numbers here below which are most of a rule's parts in an edition, at most three."""
        now = (it for part in self._parts(number, edition) for it in part.now)
        return tuple(it for it, _ in Counter(parent(it) for it in now if "." in it).most_common(3))

    def _parts(self, number: str, edition: str) -> list[NumberMeaning]:
        """Return what the numbers directly below one meant in an edition."""
        below = (it for it in self._ever.get(number[:CHAPTER], ()) if parent(it) == number)
        return [part for it in below if (part := self.at(it, edition))]

    @cached_property
    def _ever(self) -> dict[str, list[str]]:
        """Chapter → all numbers that ever were in it."""
        ever = {*self.lives.numbers}.union(*self.others.values())
        return grouped((it[:CHAPTER], it) for it in sorted(ever) if len(it) >= CHAPTER)

    def in_force(self, day: str) -> str:
        """Return the edition in force on a day like ``2008-02-01``, ``""`` for one before all."""
        place = bisect_right(self.editions, f"cr-{day}")
        return self.editions[place - 1] if place else ""

    def during(self, first: str, last: str) -> list[str]:
        """Return the editions in force on days like ``2008-02-01``; all before here for an empty `last`."""
        if not last:
            return [it for it in self.editions if it < self.here]
        since = self.in_force(first) or f"cr-{first}"
        return [it for it in self.editions if since <= it <= f"cr-{last}"]

    def after(self, edition: str) -> str:
        """Return the edition after one, ``""`` for none."""
        place = bisect_right(self.editions, edition)
        return self.editions[place] if place < len(self.editions) else ""

    def _now(self, provision: str, last: str) -> tuple[str, ...]:
        if number := self._number_of(provision):
            return (number,)
        if last >= self.here or not self._reach:
            return ()
        heirs = (self._number_of(it) for it in self.lives.became(provision, last, self._reach))
        return tuple(dict.fromkeys(filter(None, heirs)))

    def _number_of(self, provision: str) -> str:
        if not self._covered:
            return self._numbers_here.get(provision, "")
        stands = self.lives.at(provision, self.here)
        return stands.number if stands else ""


class Past(NamedTuple):
    """The time in which, says a text, a rule had a number: two days, ``""`` for unknown.

    `firm` means that the text says this about the number itself: *until 2009*, *was rule 502.15*.
    """

    first: str = ""
    last: str = ""
    firm: bool = True


_FARTHEST_AHEAD, _FARTHEST_BEHIND = 200, 60
_TOLD_OF_THE_PAST = re.compile(
    r"(?:19|20)\d\d|\b(?:old|older|former|previous|used to|until|obsolete)", re.IGNORECASE
)
_FORMERLY = re.compile(
    r"\b(?:old|older|former|formerly|previous|previously|obsolete|outdated|used to be|until)"
    r"\W+(?:(?:the|an?|in|as|at|under|numbered|called|rules?|CR)\W+)*$",
    re.IGNORECASE,
)
_WAS = re.compile(r"\b(?:was|were) (?:(?:covered|in|under|at|by|the|rules?|CR) )*$", re.IGNORECASE)
_UNTIL = re.compile(
    r"(?:\s*\([^()]{0,40}\))?[\s,;(]*(?:formerly|no longer\b|until\b(?! (?:the |your |its |that )?"
    r"(?:end|next|beginning|turn|an?|it|they|you|that)\b))",
    re.IGNORECASE,
)
_THIS_DAY = re.compile(
    r"(?s).*(?:[.!?;]\s|\b(?:now|today|currently)\b|\b(?:and|but)\s(?:(?:it|they)\s)?(?:is|are)\b)"
)
"""Matches what ends before the words about the time of a number."""

_NOW = re.compile(r"[)\]]?,?\s(?:now|today|currently)\s*(?:[.,;:!?)]|$)", re.IGNORECASE)

_SINCE = re.compile(r"\b(?:since|after)\W+(?:[\w]+\W+){0,3}$", re.IGNORECASE)
_CHANGED = re.compile(
    r"\b(?:chang|introduc|add|remov|renam|replac|revis|rewrit|rewrote|rework|reword|updat|creat|drop|eliminat"
    r"|abolish|came|appear)\w*(?: \w+){0,2} $",
    re.IGNORECASE,
)
"""Words that say when something changed, which does not date a number: *changed in 2031*."""

_EARLIER = re.compile(r"\b(?:before|prior to)\W+(?:[\w]+\W+){0,3}$", re.IGNORECASE)
_YEAR_BEHIND = re.compile(r"^ \(((?:19|20)\d\d)\)")
_CLAIM = re.compile(r"\b(?:was|were|until|before)\b", re.IGNORECASE)
_OF_A_TIME = re.compile(
    r"[\s,;(]*(?:(?:as|in|of|per|from|under|until|before|by|the|comprehensive|rules?|cr|edition|version)[\W_]+)*",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"\b(?:cr-|(?:in|of|from|under|until|till|before|prior to|during|dated|CR|rules?|edition|version):?\s"
    r"(?:the\s)?)$",
    re.IGNORECASE,
)
_OF_RULES = re.compile(
    r"[\s-]?(?:(?:comp\w*\.?|official|magic|mtg)\s)*(?:rules?(?:text)?|CR|editions?|version)\b(?!\s\d)",
    re.IGNORECASE,
)
"""What is before and after a date of the rules; other dates are an author's."""


def _is_said(text: str, period: Period) -> bool:
    """Return whether a text gives a date of the rules."""
    ahead = (text[: period.start], text[: period.end].rstrip("0123456789"))
    return any(map(_SAID.search, ahead)) or bool(_OF_RULES.match(text, period.end))


_OPENING = 300
_OF_AN_EDITION = re.compile(
    r"\b(?:rules?|CR|editions?|rulebook)\W{1,4}"
    r"(?:(?:text|document|version|edition|effective|dated|as|in|force|of|from|on|the)\W{1,4})*(?:cr-)?$|\bcr-$",
    re.IGNORECASE,
)
_AT_ANOTHER_TIME = re.compile(
    r"\d{3}\.\d|\b(?:until|till|before|prior|since|after|was|were)\b", re.IGNORECASE
)
_NAMED = re.compile(r"[\"'”)\]}*_]*(?:\s*(?:[,:;.(\n–—-]|$)|\s(?=(?:rules?|CR)\b|§))", re.IGNORECASE)
_TODAY = re.compile(
    r"\b(?:now|today|currently|nowadays|no longer|(?:current|newest|latest) rules)\b", re.IGNORECASE
)


def day_of_rules(text: str) -> str:
    """Return the day of the rules that a text names before all numbers, ``""`` if it has other times too.

    >>> day_of_rules("By the Comprehensive Rules effective July 1, 2031: rule 201.2 says so.")
    '2031-07-01'
    >>> day_of_rules("As of CR 2031-07-01, rule 201.2 says so. It is rule 201.3 today.")
    ''
    """
    named, *_ = [*periods(text[:_OPENING]), None]
    ahead = text[: named.start] if named else ""
    if not named or named.first != named.last or _AT_ANOTHER_TIME.search(ahead):
        return ""
    behind = _OF_RULES.match(text, named.end)
    is_named = behind or _OF_AN_EDITION.search(ahead)
    if not is_named or not _NAMED.match(text, behind.end() if behind else named.end) or _TODAY.search(text):
        return ""
    return "" if any(it[:2] != named[:2] for it in periods(text)) else str(named.first)


def past_of(it: Citation) -> Past | None:
    """Return the time of older rules that the words beside a citation name, None for today's rules."""
    ahead, behind = it.ahead(_FARTHEST_AHEAD), it.behind(_FARTHEST_BEHIND)
    if _WAS.search(ahead) and not any(periods(ahead + behind)):
        return Past(firm=False)
    if _NOW.match(behind) or not (_TOLD_OF_THE_PAST.search(ahead) or _TOLD_OF_THE_PAST.search(behind)):
        return None
    if match := _THIS_DAY.match(ahead):
        ahead = ahead[match.end() :]
    behind = _YEAR_BEHIND.sub(r" (in \1)", behind)
    for period in periods(behind):
        alone = behind[: period.start].strip() in {"(", ","} and behind.startswith(")", period.end)
        if _OF_A_TIME.fullmatch(behind, 0, period.start) and (alone or _is_said(behind, period)):
            firm = bool(_WAS.search(ahead) or _CLAIM.search(behind[: period.start]))
            return _past(period, behind, firm=firm)
    for period in reversed([*periods(ahead)]):
        if _is_said(ahead, period) and not _SINCE.search(ahead[: period.start]):
            is_claimed = _CLAIM.search(ahead) and not _CHANGED.search(ahead[: period.start])
            return _past(period, ahead, firm=bool(is_claimed))
    return Past() if _FORMERLY.search(ahead) or _UNTIL.match(behind) else None


def _past(period: Period, words: str, *, firm: bool) -> Past:
    """Return the time that a period means beside some words: after *before*, the day before it."""
    if _EARLIER.search(words[: period.start]):
        day = str(period.first - timedelta(days=1))
        return Past(day, day)
    return Past(str(period.first), str(period.last), firm)
