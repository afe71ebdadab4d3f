"""Find the citations of rules in a block of any text, each with the title beside it.

The grammar is that of references in rules documents. There every match is a citation, because such texts have
few other numbers; here "704.5" may be a price, a version or a frequency. So a citation is *sure* after a word
that says so ("rule", "CR", "§"), or in a list with a sure one. A bare number is *likely* a citation with the
letter of a subrule, in brackets, at the beginning of a line, or after "see", "per" and the like. Since all
texts have sections, a section is a sure citation only after "CR" or before "of the rules", and a likely one
with its title. Likely ones count if some edition has a chapter with that number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ...loaders.reading.references import find_references
from ...loaders.records import Reference, Target, TargetKind
from ...ontology.grouping import runs
from .blocks import TextBlock
from .quantities import MEASURES, WIDTH, belongs_to_others, is_quantity

_AHEAD = 40
"""The number of characters before a number that may introduce it."""

SURE, MARKED, LIKELY, BARE, OTHER = 4, 3, 2, 1, 0
"""How certain it is that a number is a rule number.

A sure one always counts, a marked one if some edition has its chapter. A likely one that may be a measurement
counts only if some edition has the number, and a bare one also needs a name beside it.
"""


_CUE = re.compile(r"(?:rules?|subrules?|sections?)\b", re.IGNORECASE)
"""A word that makes its number a sure citation, unless it is a section."""

_SENDS = re.compile(
    r"(?:\b(?:see|cf\.?|per|under|citing|cites?|cited|quotes?|quoting|violat\w+|appl(?:y|ies)|according to"
    r"|implements?|as in|by|and|or|from|in|of|with|to|as|via|follow(?:s|ing)?|check|read|because of|unlike)"
    r"|[(\[“\"{|;,—–-])\s?$",
    re.IGNORECASE,
)
"""What may send a reader to the number after it, if the block has other citations."""

_STRONG_SENDS = re.compile(
    r"(?:\b(?:see|cf\.?|per|citing|cites?|cited|according to|as|under)|(?<!\w)[(\[])\s?$", re.IGNORECASE
)
"""The same, where nothing else shows a citation."""

_DATED = re.compile(r"(?<!\d)((?:19|20)\d\d)-?(\d\d)-?(\d\d)\s?[-–:]\s?$")
"""A date before a number, as in some programs: *20091005 - 500.8*."""

_RULES_OF = re.compile(r"\b(?:CR|[Rr]ules?)(?: of)? (?:19|20)\d\d-\d\d-\d\d[,:]? $")
"""The date of its rules before a number: *CR 2008-02-01 500.8*."""

_NAMES = re.compile(
    r"(?:^|[^\w.])(?!(?:The|An?|This|That|It|My|Your|His|Her|Its|Our|Their) )[A-Z][\w'’-]+(?: [\w'’-]+){0,4} "
    r"(?:is|are|was|were|=)(?: (?:found )?(?:in|under))? $"
)
"""Matches words that give the place of a capitalised thing: *Trample is 702.19.*"""

SAYS = (
    r"(?:says?|saying|stat(?:es?|ing)|read(?:s|ing)?|tells?(?:\sus)?|provides?|specif(?:y|ies)|explains?"
    r"|defines?|clarif(?:y|ies))"
)
"""Verbs for what a rule says."""

_TELLS = re.compile(
    rf"[,)]?\s(?:{SAYS}|appl(?:y|ies)|covers?|handles?|governs?|makes|lets?|puts|allows?|requires?|forbids?|means"
    r"|describes?|prohibits?)\b"
)
"""Matches after a number what a rule does: *704.5 says*."""

_ENDS = re.compile(r"[.,;)]?(?:\s|$)")
_HEAD = re.compile(r"[.:]?\)?\s*(?:[-–—:|]\s*)?[A-Z“\"(]|$")
"""What follows a number at the beginning of a line: the text of the rule, or nothing."""

_BETWEEN = re.compile(r"[\s\"']?(?:[,;/&+|]|and|or|through|to|[-–—])*\s?(?:and|or|&)?[\s\"']?", re.IGNORECASE)
"""What joins the items of a list of numbers."""

_BY_WORD = re.compile(
    r"\b(?:sections? (?P<section>\d{2})|chapter (?P<open>\()?(?P<chapter>[1-9]\d\d)(?(open)\)))(?![\w.]*\d)",
    re.IGNORECASE,
)
"""A section with a number that no rule has, or a chapter called so: the rules never cite these like that."""

_IMPOSSIBLE = re.compile(
    r"(?<!\w)(?P<word>C\.?R\.?|[Cc]omp(?:rehensive)? [Rr]ules?|[Rr]ules?|RULES?)"
    r"(?:[\s:#]{1,3}|[`\"']?\s?[:=|]\s?[`\"'\[]{0,2})"
    r"(?P<number>\d{1,6}(?:[.,]\d{1,6})*[a-z]{0,4}\d{0,3})(?![\w-])(?!\.\d)"
)
"""A number that no rule can have after a word for rules: *rule 50.3*, *CR 704.5.1*."""

_FIGURE = re.compile(r"(?:[Rr]ules|RULES)\b|\D*[|=]|\w+: ?\d|\D*0")
"""Figures beside that word, if below one hundred: cells of a table, settings, versions and measures."""

_NAME_AHEAD = re.compile(r"(?:[a-z,;] |\b(?=\w*[A-Z]\w*[A-Z]))(?!(?:Magic|MTG|CR) )\w*[A-Z]\w*(?: [A-Z])? $")
"""The name of other rules: *by Sonar rule 4.2*, *MISRA C rule 14.4*."""

_KEY_END = re.compile(r'"\s?:\s?["\d{\[]')
"""Shows that a title is a JSON key: *100, "Action": "Accept"*."""

_OF_THEIRS = re.compile(
    r"\W{0,2}\s?(?:of|in|from)\s(?:the|an?|my|our|your|his|her|its|their|this|that|[A-Z]\w*)\b"
)
"""Shows that a number belongs to something else: *rule 34 of the internet*."""

_OF_THE_RULES = re.compile(
    r",? (?:of|in|from) the (?:(?:official|current|newest|latest|MTG|Magic|game) )?"
    r"(?:(?:Comprehensive )?Rules?(?: (?:text|document))?|CR)\b"
    r"(?! (?:of|for) (?!Magic\b|the game\b))",
    re.IGNORECASE,
)
_RULES_AHEAD = re.compile(r"(?:\bCR|\bComprehensive Rules?)[,:]? $", re.IGNORECASE)
"""What shows, after a number or before it, that it is one of the rules of the game."""

_PRICE = re.compile(r"\d{3}\.\d\d")
_ROUND = re.compile(r"\d{3}\.0\d*")
"""A number that no rule has, but many measurements have."""

_LONGEST_TITLE = 80
_TITLE = re.compile(r"^\s[\"“]([A-Z][^\"“”]*)[\"”]\)?(?:[.,;:]|\s*$)")
"""A title after a number, without the comma that the rules use: *702.19 "Trample".*"""

_POSSIBLE = re.compile(r"\d{3}|\d{3}\.\d{1,3}[a-z]{0,2}|G.*")
"""A number that a rule, a chapter or an entry may have."""

_SUBRULE = re.compile(r"\d{3}\.\d{1,3}[a-z]{1,2}")


@dataclass(eq=False, slots=True)
class Citation:
    """One place where a text cites rules: `start` and `end` are offsets into its block, end exclusive.

    `numbers` are canonical, more than one for a range; `title` is in quotes after the number. `quotes` are
    the words quoted beside it; it is `signed` if it directly follows them. Words in `near` belong to it only
    because they are near. `said` is what the text says below a heading with the citation, or before its
    footnote mark. `grade` says how certain it is that this is a citation, from `BARE` to `SURE`. `written` is
    a day beside it. `chain` has all the numbers of its list if some of these are only letters.
    """

    block: TextBlock
    start: int
    end: int
    numbers: tuple[str, ...]
    kind: TargetKind
    grade: int
    title: str = ""
    quotes: tuple[str, ...] = ()
    signed: bool = False
    near: frozenset[str] = frozenset()
    said: str = ""
    written: str = ""
    chain: tuple[str, ...] = ()
    edition: str = ""

    @property
    def span(self) -> tuple[int, int]:
        """Its place in the text."""
        return self.block.span(self.start, self.end)

    @property
    def surface(self) -> str:
        """The citation as it is written, cleaned as its block is."""
        return self.block.text[self.start : self.end]

    @property
    def is_short(self) -> bool:
        """Whether the text has only a part of its number, as *m* in *704.5k, m*."""
        start, end = self.span
        return end - start < len(self.numbers[0])

    @property
    def is_possible(self) -> bool:
        """Whether a rule may have its first number."""
        is_section = self.kind is TargetKind.SECTION
        return is_section or bool(_POSSIBLE.fullmatch(self.numbers[0]))

    @property
    def is_bare(self) -> bool:
        """Whether only a name can show that it is a citation."""
        return self.grade == BARE

    def ahead(self, width: int) -> str:
        """Return this many characters of its block before it."""
        return self.block.text[max(0, self.start - width) : self.start]

    def behind(self, width: int) -> str:
        """Return this many characters of its block after it."""
        return self.block.text[self.end : self.end + width]


CitingBlock = tuple[TextBlock, list[Citation]]
"""A block and its citations."""


def citations(block: TextBlock, *, bare: bool = False) -> list[Citation]:
    """Return the citations of a block, in order, without the words quoted beside them.

    With `bare`, other numbers that may be rule numbers are included.
    """
    text, references = block.text, _references(block.text)
    joined = [
        one.end <= two.start and bool(_BETWEEN.fullmatch(text, one.end, two.start))
        for one, two in pairwise(references)
    ]
    found: list[Citation] = []
    for it, goes_on in zip(references, (False, *joined), strict=False):
        numbers, grade = tuple(target.key for target in it.targets), found[-1].grade if goes_on else OTHER
        title = it.quoted_title or next(iter(_TITLE.findall(text[it.end : it.end + _LONGEST_TITLE])), "")
        own = Citation(block, it.start, it.end, numbers, it.targets[0].kind, _grade(text, it, grade), title)
        own.written = _day_before(text, it.start)
        found.append(own)
    _regrade(found, joined)
    least, is_sure = BARE if bare else LIKELY, any(it.grade == SURE for it in found)
    told = [it for it in found if it.grade >= least and (is_sure or it.kind is not TargetKind.SECTION)]
    for first, last in runs(it.is_short for it in told[1:]):
        several = told[first : last + 1] if last > first else []
        for one in several:
            one.chain = tuple(number for it in several for number in it.numbers)
    return told


def _regrade(found: Sequence[Citation], joined: Sequence[bool]) -> None:
    """Raise the grades of citations by those of others; `joined` says which are in a list with the next."""
    best = max((it.grade for it in found), default=OTHER)
    chapters = {it.numbers[0][:3] for it in found if it.grade == SURE}
    for place, it in reversed([*enumerate(found)]):
        leads = any(joined[place : place + 1]) and found[place + 1].grade >= LIKELY
        sent = best >= LIKELY and _SENDS.search(it.block.text, max(0, it.start - _AHEAD), it.start)
        if it.is_bare and (leads or sent or it.numbers[0][:3] in chapters):
            it.grade = LIKELY
    both = zip(joined, pairwise(found), strict=True)
    for first, last in runs(on and min(one.grade, two.grade) >= LIKELY for on, (one, two) in both):
        own = found[first : last + 1]
        # One of a list shows that it has citations only.
        is_formed = len(own) > 1 and any(
            it.grade == SURE or (_SUBRULE.match(it.surface) and it.surface[-1] not in MEASURES) for it in own
        )
        for it in own:
            if it.grade == LIKELY and (is_formed or (best == SURE and not _PRICE.fullmatch(it.surface))):
                it.grade = MARKED


def _references(text: str) -> list[Reference]:
    """Return the possible citations of rules, sections and entries, in order."""
    read = find_references(text)
    found = [_without_key(text, it) for it in read if it.targets[0].kind is not TargetKind.TERM]
    for match in _BY_WORD.finditer(text):
        kind = TargetKind.SECTION if match["section"] else TargetKind.RULE
        found.append(
            Reference(*match.span(), match[0], (Target(kind, match["section"] or match["chapter"]),))
        )
    taken = {place for it in found for place in range(it.start, it.end)}
    for match in _IMPOSSIBLE.finditer(text):
        if match.start("number") not in taken and _is_ours(text, match):
            found.append(Reference(*match.span(), match[0], (Target(TargetKind.RULE, match["number"]),)))
    return sorted(found, key=lambda it: it.start)


def _without_key(text: str, it: Reference) -> Reference:
    """Return a reference without a title that is a JSON key."""
    number = it.surface.partition('"')[0].rstrip(", ")
    is_key = it.quoted_title and number and _KEY_END.match(text, it.end - 1)
    return Reference(it.start, it.start + len(number), number, it.targets) if is_key else it


def _is_ours(text: str, match: re.Match[str]) -> bool:
    """Return whether an impossible number is meant as a rule number: others have *rule 34*, and *CR 5*."""
    ahead = text[max(0, match.start() - WIDTH) : match.start()]
    is_low = len(match["number"].partition(".")[0]) < 3
    is_figure = is_low and (_FIGURE.match(match[0]) or _NAME_AHEAD.search(ahead))
    is_whole = "." in match["number"] and not is_figure and not _OF_THEIRS.match(text, match.end())
    is_theirs = belongs_to_others(text, *match.span()) or _POSSIBLE.fullmatch(match["number"])
    return not is_theirs and bool(is_whole or _OF_THE_RULES.match(text, match.end()))


def _grade(text: str, it: Reference, before: int) -> int:
    """Return how certain it is that a reference is a citation.

    `before` is the grade of the one before it in a list.
    """
    ahead, behind = text[max(0, it.start - _AHEAD) : it.start], text[it.end : it.end + WIDTH]
    kind, is_section = it.targets[0].kind, it.surface.lower().startswith("section")
    grade = OTHER
    if is_section and (_RULES_AHEAD.search(ahead) or _OF_THE_RULES.match(behind)):
        grade = SURE
    elif _ROUND.fullmatch(it.surface) or belongs_to_others(text, it.start, it.end):
        grade = OTHER
    elif kind is TargetKind.SECTION:
        grade = MARKED if it.quoted_title else OTHER
    elif (
        (_CUE.match(it.surface) and not is_section)
        or _IMPOSSIBLE.match(it.surface)
        or _day_before(text, it.start)
        or _RULES_OF.search(ahead)
        or before == SURE
    ):
        grade = SURE
    elif before < LIKELY and is_quantity(text, it.start, it.end):
        grade = OTHER
    elif it.quoted_title or it.surface[:7].lower() == "chapter" or _is_marked(ahead, behind):
        grade = MARKED
    elif before >= LIKELY or is_section or kind is TargetKind.ENTRY or _SUBRULE.match(it.surface):
        grade = LIKELY
    elif kind is TargetKind.RULE and "." in it.surface:
        grade = BARE
    return grade


def _is_marked(ahead: str, behind: str) -> bool:
    """Return whether the text around a number marks it as a rule number."""
    sent = _STRONG_SENDS.search(ahead) and not behind[:1].isalnum()
    at_head = not ahead.strip(" \"'“([") and _HEAD.match(behind)
    named = _NAMES.search(ahead) and _ENDS.match(behind)
    return bool(sent or at_head or named or _TELLS.match(behind))


def _day_before(text: str, start: int) -> str:
    """Return the day directly before a number, like ``2008-02-01``, or ``""``."""
    match = _DATED.search(text, max(0, start - 14), start)
    return "-".join(match.groups()) if match else ""
