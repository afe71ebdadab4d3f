"""Report citations that stand beside the subject of another rule, or beside more of its words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from math import log

from ...loaders.language.numbers import parent
from ...loaders.language.words import sentences
from ...ontology import in_a_list
from .citations import Citation
from .findings import Finding
from .meanings import NumberMeaning
from .rulebook import Book, Rulebook, folded
from .weighing import LIST, Words, same_topic

_FARTHEST, _NEAREST, _CONTEXT = 600, 80, 20
_OPENS = re.compile(r"\s?[(\[]\s?$")
_SEE = re.compile(r"\bsee(?: also)?[:,]? $", re.IGNORECASE)
"""Words that point back to something said earlier."""

_CITING = re.compile(
    r"[\s,;:–—(\[-]*(?:\b(?:see(?: also)?|cf\.?|per|by|under|in|according to|as)[\s:,]*)?$", re.IGNORECASE
)
_CLOSES = ")] "
"""What is around a citation and only cites."""

_LEAD = re.compile(r"^[^.!?:]{1,40}:\s+(?=\W?[A-Z])")
"""The text before a rule's words: *reads:*."""

_ANSWERS = frozenset(("Yes.", "No."))
"""Sentences that say nothing by themselves, and do not deny the next one."""

_LIKE = 80
"""How similar words are to a title that they mean, out of 100."""

EDGE = " .,:;)–—-"


OF_EDITION = re.compile(
    r"^\W*(?:(?:as of|under|in|by|per|with|according to) )?(?:the )?(?:(?:comprehensive )?(?:rules|CR)[ -])?"
    r"(?:of )?\d{4}-\d\d-\d\d(?: (?:comprehensive )?(?:rules|edition|CR))?\s*[,:;–—-]?\s+",
    re.IGNORECASE,
)
"""The edition that a sentence is about, at its beginning: *As of CR 2031-02-01: …*."""


def said_by(citation: Citation) -> list[str]:
    """Return the sentence or two about a citation: before one in brackets, otherwise after it.

    For one that ends its sentence or block, this is that sentence.
    """
    ahead, behind = citation.ahead(_FARTHEST), citation.said or citation.behind(_FARTHEST)
    has_words = re.search(r"\w{3}", ahead)
    opens = has_words and _OPENS.search(ahead)
    ends = has_words and not citation.said and (behind[:1] == "." or not re.search(r"\w", behind))
    if opens or ends:
        text = ahead[: opens.start()] if opens else ahead
        said = [text[start:end] for start, end in sentences(text) if text[start:end] not in _ANSWERS]
        most = 2 if opens else 0 if _SEE.search(ahead) else 1
        return [" ".join(said[-count:]) for count in range(1, min(most, len(said)) + 1)]
    if _SEE.search(ahead):
        return []
    behind = _LEAD.sub("", behind.lstrip(EDGE))
    said = [behind[start:end] for start, end in sentences(behind)]
    return [" ".join(said[:count]) for count in (1, 2) if count <= len(said)]


def statement_at(citation: Citation, beside: Collection[Citation], words: Words | None) -> str:
    """Return the whole sentence of a citation without what cites, up to the words of others.

    If that says nothing, as *See rule 201.2* does, it is the sentence before, if no other number is there.
    """
    if citation.said:
        return ""
    text, (start, end) = citation.block.text, (citation.start, citation.end)
    first, last = max(0, start - _FARTHEST), end + _FARTHEST
    quoted = text[max(0, start - _CONTEXT) : end]
    if any(quoted in quote for it in beside for quote in it.quotes):
        return ""
    near = (it for it in beside if it.block is citation.block and it is not citation)
    own = [it for it in near if first <= it.start < last]
    for it in reversed([it for it in own if it.end <= start]):
        start = it.start if LIST.fullmatch(text, it.end, start) else start
    for it in [it for it in own if it.start >= end]:
        end = it.end if LIST.fullmatch(text, end, it.start) else end
    own = [it for it in own if it.end <= start or it.start >= end]
    spans = [(first + one, first + two) for one, two in sentences(text[first:last])]
    at = next((n for n, (_, until) in enumerate(spans) if start < until), len(spans) - 1)
    since = max([spans[at][0], *(it.end for it in own if it.end <= start)])
    until = min([max(end, spans[at][1]), *(it.start for it in own if it.start >= end)])
    if words and own:
        since, until = max(since, min(words.naming.since, start)), min(until, max(words.naming.until, end))
    ahead, behind = _CITING.sub("", text[since:start]), text[end:until].lstrip(_CLOSES)
    said = f"{ahead}{' ' * behind[:1].isalnum()}{behind}".strip(EDGE)
    if at and not re.search(r"\w{3}", said):
        first, last = spans[at - 1]
        said = "" if any(first <= it.start < last for it in own) else text[first:last]
    return said


def said_at(
    book: Rulebook, citation: Citation, beside: Collection[Citation], words: Words | None
) -> list[str]:
    """Return what is said at a citation: the sentence beside it and, if that says more, the one it is in."""
    said = (*said_by(citation)[:1], statement_at(citation, beside, words))
    both = [OF_EDITION.sub("", it) for it in filter(None, said)]
    stems = book.topics.stemmer.of(both)
    return both[: 1 if len(both) > 1 and {*stems[1]} <= {*stems[0]} else 2]


_NAMED = re.compile(r"(?s).*\b(?:is|are|was|were)(?: in [\w ]+)?")

_OF_A_TIME = re.compile(r"\b(?:older|old|editions?)\b", re.IGNORECASE)


def said_then(book: Book, citation: Citation, beside: Collection[Citation], told: Finding) -> str:
    """Return a sentence about an older rule that says more of it than *… was rule 201.2*, else ``""``."""
    said = statement_at(citation, beside, None)
    if _NAMED.fullmatch(said):
        return ""
    titles = [it for now in told.now for it in book.topics.words_of_title(now)]
    stems = {*book.topics.stemmer.of([_OF_A_TIME.sub("", said)])[0]}.difference(titles)
    return said if sum(book.topics.weight(it) > 0 for it in stems) > 1 else ""


_BRACKET = re.compile(r",? ?[(\[,]\W?(?:[a-z]+ ){1,3}")
"""What is between a number and its former one: *704.5 (formerly 420.5)*."""


def number_of_now(
    book: Book, citation: Citation, then: Iterable[NumberMeaning], beside: Iterable[Citation]
) -> str:
    """Return the number directly before a bracketed older one, if its topic is not what that one became."""
    text, became = citation.block.text, [now for it in then for now in it.now]
    for other in beside if became else ():
        gap = (text, other.end, citation.start)
        is_before = other.block is citation.block and _BRACKET.fullmatch(*gap)
        is_apart = not any(same_topic(one, now) for one in other.numbers for now in became)
        if is_before and is_apart and other.numbers[0] in book.titles:
            return other.numbers[0]
    return ""


def is_invented(book: Book, number: str, title: str) -> bool:
    """Return whether quoted words look like a title, but resemble none of this rule or the rules above."""
    from rapidfuzz import fuzz

    is_title = bool(book.titles[number]) and title == title.title() and title[-1:] not in ".!?"
    titles = (it.lower() for it in book.titles_of(number))
    return is_title and all(fuzz.token_set_ratio(title.lower(), it) < _LIKE for it in titles)


def called(citation: Citation) -> str:
    """Return the numbers of a citation; for a range, the first two."""
    return ", ".join(citation.numbers[:2])


def cites(book: Rulebook, number: str, citation: Citation) -> bool:
    """Return whether a rule cites what a citation cites; a text may tell what that rule says about it."""
    return any(it in words for words in book.items[number].texts for it in citation.numbers)


_HEADED = re.compile(
    r"(?:^|.*[.!?] )(?:the |an? )?(?P<subject>[a-z'-]+(?: [a-z'-]+){0,3}?)"
    r"(?:: |(?:,? (?:is|are)|:? see) (?:(?:[a-z]+ed|found) )?(?:(?:in|by|under|at) )?)$"
)
"""What a text says a rule is about: *Lanterns: rule 201*, *Lanterns are covered by rule 201*."""

_RARE = 3.0
"""The weight of a word that one rule in 20 has."""


def elsewhere(book: Rulebook, citation: Citation) -> Finding | None:
    """Report the subject of a rule, if nothing more is said about it and only another rule has that name."""
    topics, [number, *more] = book.topics, citation.numbers
    subject = _HEADED.fullmatch(folded(citation.ahead(_NEAREST)).lstrip(EDGE) + " ")
    if not subject or more or not re.match(r"[.;]?\s*$|[.;]\s", citation.behind(2)):
        return None
    stems = topics.stemmer.of([subject["subject"]])[0]
    rarest = max(stems, key=topics.weight, default=0)
    if (
        not all(map(topics.weight, stems))
        or topics.weight(rarest) < _RARE
        or topics.shared(number, dict.fromkeys(stems, 1.0))
        or topics.is_of(subject["subject"], number)
    ):
        return None
    titled = (it for it in book.titles if it.isdigit() and rarest in topics.words_of_title(it))
    now = next(iter((*topics.called(subject["subject"]), *titled)), "")
    title = book.titles_of(number)[0]
    message = f"{number} is “{title}” in {book.name}; nothing there is about “{subject['subject']}”"
    return Finding("topic", message, (now,)) if now else None


_FIGURE = re.compile(r"[+-]\d+/[+-]\d+|(?<![\w.+/-])\d{1,2}[a-z]?(?![\w/]|\.\d)")
"""Figures that words do not include: *a +1/+1 counter*, *layer 7b*, *0*."""

_NUMBERED = re.compile(r"\d{3}\.\d|\b(?:[Rr]ules?|CR) \d{3}\b")
_TELLING, _MORE, _MOST = 6.0, 0.4, 0.6
"""How far a sibling must lead by weight and by share, and the share of words and figures it must have."""

_ALIKE, _MOST_NAMED = 0.75, 3
"""Further siblings are named too if they have this share of the best lead; the maximum number of all."""


def of_sibling(book: Rulebook, citation: Citation, words: Words) -> Finding | None:
    """Report a sibling rule that clearly has more of the words and figures beside a number.

    It may also have all of the rare ones, if the cited rule lacks some. What the rule above says is ignored.
    """
    topics, number, text = book.topics, citation.numbers[0], next(iter(said_by(citation)), "")
    parts = book.children.get(parent(number), ())
    is_alone = len(citation.numbers) == 1 and words.others.isdisjoint(parts)
    is_its_subject = folded(text).startswith(f"{folded(book.titles[number] or '-')} ")  # *Create works as in*
    if not words.weights or not is_alone or is_its_subject or _NUMBERED.search(text):
        return None
    stems = dict.fromkeys(topics.stemmer.of([text])[0], 1.0)
    figures = {it: book.anywhere((it,)) for it in _FIGURE.findall(folded(text))}
    weights: dict[int | str, float] = {it: topics.weight(it) for it in stems}
    weights |= {it: log(len(book.items) / len(having)) for it, having in figures.items() if having}

    def held(number: str) -> set[int | str]:
        near = {*book.with_parts(number)}
        return {*topics.shared(number, stems), *(it for it, having in figures.items() if near & {*having})}

    def weight(own: set[int | str]) -> float:
        return sum(map(weights.__getitem__, own))

    now, whole = held(number), weight({*weights})
    leads = [(weight(own - now) - weight(now - own), own, it) for it in parts if (own := held(it))]
    lead, own, other = max(leads, key=lambda it: it[0], default=(0.0, set(), ""))
    told = own - now
    fits = len(told) > 1 and topics.fit(other, stems) - topics.fit(number, stems) >= _MORE
    is_most = lead >= max(_TELLING, _MORE * whole) and weight(own) >= _MOST * whole
    rare: set[int | str] = {it for it in stems if topics.weight(it) >= _RARE}
    has_all = "." in number and len(rare) > 1 and rare <= own and weight(rare - now) >= _TELLING
    if not has_all and not (is_most and (fits or not told.isdisjoint(figures))):
        return None
    if any(cites(book, it, citation) for it in book.with_parts(other)):
        return None
    wording = next(iter(book.items[other].texts), "")
    alike = sorted((it for it in leads if it[0] >= _ALIKE * lead), key=lambda it: -it[0])
    those = tuple(it for _, _, it in alike)[:_MOST_NAMED]
    message = f"{in_a_list(those)} {'have' if len(those) > 1 else 'has'} more of these words than {number}"
    return Finding("topic", message, those, text, wording=wording)
