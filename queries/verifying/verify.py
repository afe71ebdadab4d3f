"""Check the citations in a text against an edition, and report what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from ...loaders.history.lives import bundled_lives
from ...ontology.errors import UsageError
from ..session import Answer, Cells, Edition, Session, edition_called, with_history
from .citations import Citation, citations
from .cited_iris import cited_iris, judged_iris, without
from .judging import Judge
from .passages import TextBlock, line_starts, passages, place_of
from .pasts import STANDS, Finding
from .rulebook import Rulebook

NUMBERS_DIFFER = "numbers and words may have differed."

COLUMNS = ("line", "column", "citation", "number", "finding", "now", "message", "quote", "edition", "iri")


def verify(
    session: Session,
    text: str,
    *,
    edition: str | None = None,
    asof: str | date | None = None,
    every: bool = False,
) -> Answer:
    """Hold the citations of rules in any text against an edition; a row for each that is wrong.

    The edition is the one named, or the newest of the comprehensive rules on the day `asof`, or the newest.
    Numbers of entries (``G16.2``) are held against the newest rulings of the same time. With `every`, those
    that stand have a row as well. Columns: `COLUMNS`; ``finding`` is one of

    - ``unknown``: no loaded edition has the number;
    - ``moved``: what is cited stands elsewhere: `now`;
    - ``removed``: it is gone, since when the message says; `now` is what took its place;
    - ``later``: the number came only after this edition;
    - ``reworded``: the words quoted stood there in an earlier edition;
    - ``title``, ``words``: what is quoted is not there; `now` is where the edition has it;
    - ``not loaded``: the store does not hold what would have to be looked at.

    The store's own IRIs of rules, provisions, sections, entries and terms are citations, too: that of a rule
    is followed from the edition that it names.

    What a text says of the meaning of terms is not judged.

    Raises `UnknownNameError` for an edition that is not loaded, `UsageError` for a day before all of them.
    """
    book, entries = _books(session, edition, asof)
    named = cited_iris(session, text)
    plain = without(text, named)
    found = list(with_quotations([(passage, citations(passage)) for passage in passages(plain)]))
    judge = Judge(session, book, entries)
    judged = judge.judge(found)
    editions = with_history(session.editions()) if named else []
    told = judged_iris(session, named, book.edition, editions)
    starts = line_starts(text)
    rows: list[Cells] = []

    def tell(
        span: tuple[int, int], number: str, finding: Finding, held: Rulebook | None, iri: str | None
    ) -> None:
        if every or finding.kind != STANDS:
            cited = " ".join(text[span[0] : span[1]].split())
            now, edition = ", ".join(finding.now) or None, held.edition.id if held else None
            more = (now, finding.message or None, finding.quote or None, edition, iri)
            rows.append((*place_of(starts, span[0]), cited, number, finding.kind, *more))

    for citation, number, finding in judged:
        held = judge.book_for(citation)
        item = held.items.get(number) if held else None
        tell(citation.span, number, finding, held, item.iri if item else None)
    for cited, finding, rule in told:
        tell((cited.start, cited.end), cited.place.name, finding, book, rule)
    if named:
        rows.sort(key=lambda row: row[:2])
    checked = len({citation.span for citation, _, _ in judged}) + len(told)
    wrong = sum(it.kind != STANDS for it in (*(it[2] for it in judged), *(finding for _, finding, _ in told)))
    note = f"{checked} citation{'' if checked == 1 else 's'}, {wrong} finding{'' if wrong == 1 else 's'}"
    return Answer("verify", COLUMNS, tuple(rows), book.edition.id, (*_overlooked(book.edition, asof), note))


def _overlooked(chosen: Edition, asof: str | date | None) -> list[str]:
    """Return a note where a day had rules that are not loaded, and newer than those that were chosen."""
    day = _day(asof)
    name = bundled_lives().in_force(day) if day and chosen.has_history else ""
    held = f"cr-{chosen.issued}"
    return [f"The rules of {day} are {name}, which is not loaded: {NUMBERS_DIFFER}"] if name > held else []


def _books(
    session: Session, edition: str | None, asof: str | date | None
) -> tuple[Rulebook, Rulebook | None]:
    """Return the rules to hold numbers against, and the rulings to hold numbers of entries against."""
    loaded = session.editions()
    if edition is not None and asof is not None:
        raise UsageError("an edition and a day are given", way_out="Give one of them.")
    chosen = edition_called(edition, loaded) if edition is not None else _newest(loaded, _day(asof))
    until = _day(asof) or chosen.issued or date.max
    others = [it for it in loaded if not it.has_history and (it.issued or date.min) <= until]
    rulings = next((it for it in others if it.id != chosen.id), None)
    book = Rulebook(session, chosen)
    return book, book if not chosen.has_history else Rulebook(session, rulings) if rulings else None


def _day(asof: str | date | None) -> date | None:
    if asof is None or isinstance(asof, date):
        return asof
    try:
        return date.fromisoformat(asof.strip())
    except ValueError:
        raise UsageError(f"{asof!r} is not a date", way_out="A date is like 2008-02-01.") from None


def _newest(loaded: Sequence[Edition], day: date | None) -> Edition:
    """Return the newest edition of the comprehensive rules, or without any of them the newest at all."""
    if not loaded:
        raise UsageError("nothing is loaded", way_out="Load documents with `rulesgraph build`.")
    rules = [it for it in loaded if it.has_history] or list(loaded)
    in_force = [it for it in rules if day is None or (it.issued or date.min) <= day]
    if not in_force:
        oldest = min(rules, key=lambda it: it.age_key)
        name = bundled_lives().in_force(day) if day and rules[0].has_history else ""
        load = f" `rulesgraph build` loads {name}, those of that day, from its text." if name else ""
        way_out = f"The oldest are those of {oldest.issued}.{load}"
        raise UsageError(f"no rules of {day} are loaded", way_out=way_out)
    return max(in_force, key=lambda it: it.age_key)


_QUOTED = re.compile(
    r"“(?P<curly>[^“”]{1,3000}(?:“[^“”]{0,300}”[^“”]{0,3000})*)”"
    r"|(?<!\w)\"(?=\S)(?P<straight>[^\"]{1,3000}?)(?<=\S)\"(?!\w)"
    r"|«\s?(?P<angled>[^«»]{1,3000}?)\s?»"
    r"|(?<!\w)‘(?P<single>[^‘“”\"]{8,600}?)’(?!\w)"
    r"|(?<![\w'])'(?=\S)(?P<plain>(?:[^'\"]|(?<=\w)'(?=\w)){8,600}?)(?<=\S)'(?!\w)"
)
_INTRODUCES = re.compile(
    r"(?:\s?\([^()]{1,60}\))?\W{0,3}(?:(?:which|that|it|the text|also|clearly|explicitly|only|still)\s)?"
    r"(?:says?|states?|reads?|reading|stating|saying|tells?(?:\sus)?|provides?|specifies|explains?|defines?"
    r"|puts it|notes?|goes|begins|starts|ends|writes|confirms?|clarifies|adds|is|has|as follows|quote|text)?"
    r"(?:\s(?:that|as follows|in part|explicitly|clearly|so|us|with|the words|reads|in full|simply))*\W{0,4}"
)
_ATTRIBUTES = re.compile(
    r"\W{0,4}(?:(?:per|as\sper|as|from|in|under|by|according\sto|says|cf\.?|reads|source|quoting"
    r"|quoted\sfrom|this\sis|that\sis|that's|it's|is|the\stext\sof|to\squote|states|so)\W{1,3}){0,3}",
    re.IGNORECASE,
)
_ADDS = re.compile(r"\W{0,3}(?:and|or|but|then|also|as well as)?\W{0,3}")
_OWN_WORDS = re.compile(r"[.:]?\)?\s*(?:[-–—:]\s*)?(?=[A-Z“\"{+-])")


def _with_quotes(found: list[Citation], text: str) -> list[Citation]:
    """Give each citation of a passage the words in quotes that belong to it: behind it, or before it."""
    if not found:
        return found
    quotes: dict[int, list[str]] = {}
    last: tuple[int, int] | None = None
    for start, end, words in _quoted(text):
        if any(it.start <= start < it.end for it in found):
            continue
        owner = _owner(found, text, start, end)
        if owner is None and last is not None and _ADDS.fullmatch(text, last[1], start):
            owner = last[0]
        if owner is not None:
            quotes.setdefault(owner, []).append(words)
            last = owner, end
    return [replace(it, quotes=tuple(quotes.get(n, ()))) for n, it in enumerate(found)]


def _quoted(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _QUOTED.finditer(text):
        yield match.start(), match.end(), match[match.lastgroup or 0]


def _owner(found: list[Citation], text: str, start: int, end: int) -> int | None:
    """Return which citation the words between `start` and `end` are quoted beside."""
    before = [n for n, it in enumerate(found) if it.end <= start]
    near = before and start - found[before[-1]].end <= 90
    if near and _INTRODUCES.fullmatch(text, found[before[-1]].end, start):
        return before[-1]
    after = next((n for n, it in enumerate(found) if it.start >= end), None)
    near = after is not None and found[after].start - end <= 40
    return (
        after if after is not None and near and _ATTRIBUTES.fullmatch(text, end, found[after].start) else None
    )


def with_quotations(passages: Iterable[tuple[TextBlock, list[Citation]]]) -> Iterator[Citation]:
    """Yield all citations; a block of quotation belongs to the citation that heads or announces it."""
    announced: Citation | None = None
    for passage, found in passages:
        own = _with_quotes(found, passage.text)
        if passage.quoted and not any(it.quotes for it in own):
            head = _OWN_WORDS.match(passage.text, own[0].end) if own and own[0].start <= 2 else None
            if head:
                own[0] = replace(own[0], quotes=(passage.text[head.end() :].strip(),), plain_title="")
            elif announced is not None and not own:
                yield replace(announced, quotes=(passage.text.strip(),))
                announced = None
                continue
        if announced is not None:
            yield announced
            announced = None
        last = own[-1] if own else None
        ends = last is not None and not last.quotes and len(passage.text) - last.end <= 30
        if last is not None and ends and not passage.quoted and _INTRODUCES.fullmatch(passage.text, last.end):
            announced = own.pop()
        yield from own
    if announced is not None:
        yield announced
