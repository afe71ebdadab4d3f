"""Check the citations in a text against an edition, and report those that are wrong."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date

from ...loaders.language.dates import period_called
from ...loaders.records import TargetKind
from ...ontology import Json, RulesMissingError, UsageError, counted, grouped
from ..session import Answer, Cells, Session, edition_called, ids_called
from .blocks import line_starts, place_of, text_blocks
from .citations import Citation, citations
from .entries import entry_quotations, misquoted_entry
from .findings import ERROR, NOT_CHECKED, NOTE, STANDS, UNREAD, WARNING, Finding
from .iri_citations import JudgedPlace, cited_iris
from .json_texts import parts
from .judging import Judge
from .meanings import day_of_rules
from .naming import name_before
from .opposites import NEARLY
from .quotations import with_quotations, without_number
from .rulebook import Book, Rulebook
from .wordings import FORMER, OTHER, SHORT, THEN, UNCLEAR, UNLIKE, unsourced

COLUMNS = (
    *("line", "column", "citation", "number", "finding", "severity"),
    *("now", "message", "quote", "edition", "iri", "wording"),
)

_MOST_NAMED = 8
"""The maximum number of unchecked numbers to list."""

CAUTION = "The words around a number marked as stands were compared with the rules, not judged."
"""What no check of citations can promise."""

_CHECKED = "Only rule numbers (“rule 704.5”) and quotations are, not other statements about the game."
_NO_NUMBER = "this quotation has no number"
_NOT_COMPARED = {
    _NO_NUMBER: ("quotation", "of the rules without a number"),
    SHORT: ("quotation", "of fewer than six words, not in the rule"),
    UNLIKE: ("quotation", "not like the rule"),
    NEARLY: ("sentence", "in nearly the words of the rule"),
    OTHER: ("sentence", "in other words than the rule"),
    FORMER: ("sentence", "in words that the rule no longer has"),
    THEN: ("sentence", "about older rules"),
    UNCLEAR: ("quotation", "of unclear origin"),
}
"""What a note says about words that were not checked, by message."""

_NUMBER = re.compile(
    r"\b[Cc]hapter [1-9]\d\d(?![\w.]*\d)|(?<![\w.])[1-9]\d\d\.[1-9]\d{0,2}[a-z]?(?![\w.]*\d)(?!\w)"
    r"|(?<=[(\[ ])(?P<bare>[1-9]\d\d)(?=[)\].,;:]{0,2}(?:\s|$))"
)
_FARTHEST_NAME = 80


def verify(
    session: Session,
    text: str,
    *,
    edition: str | None = None,
    written: str | date | None = None,
    asof: str | date | None = None,
    notes: bool = False,
    every: bool = False,
    strict: bool = False,
) -> Answer:
    """Check the rule citations in any text against an edition; return a row for each that is wrong.

    The edition is the given one, or the one named at the head of the text, or the newest of the comprehensive
    rules, or the newest. `written` is the edition that the text was written against, by its id or a day;
    `asof` is the same for a day. Numbers of entries (``G16.2``) are checked against the newest rulings of
    that time. With `notes`, uncertain findings get rows too; with `every`, also what is right and what was
    not checked. With `strict`, what was not checked or is newer than the edition is a warning. Columns:
    `COLUMNS`; ``finding`` is one of `findings.KINDS`.

    The store's own IRIs of rules, provisions, sections, entries and terms are citations, too. That of a rule
    is followed from the edition in it, whose words are compared with those beside it. Words quoted from the
    glossary count as citations of their entry.

    What a text says about the meaning of terms is not judged.

    Raises `UnknownNameError` for an edition that is not loaded, `UsageError` for a day before all of them,
    and `RulesMissingError` for a rule that no document has if no edition of the comprehensive rules is
    loaded.
    """
    if written is not None and asof is not None:
        raise UsageError("you gave both an edition and a date", way_out="Give one of them.")
    given = written if written is not None else asof
    book, entries, against, before = _checked_against(session, text, edition, given)
    iris = cited_iris(session, book, text)
    plain = iris.plain
    blocks = [block for part in parts(plain) for block in text_blocks(part)]
    read = [(it, iris.marked(citations(it, bare=True))) for it in blocks]
    entered = [(it, misquoted_entry(book, it)) for it in entry_quotations(book, plain, blocks)]
    found, unclear = with_quotations(read, {it.span for it, _ in entered})
    judge = Judge(book, entries, written=against)
    judged = judge.judge(found)
    unknown = (it for it, _, finding in judged if finding.kind == "not loaded")
    if not book.whole and edition is None and any(it.kind is TargetKind.RULE for it in unknown):
        raise RulesMissingError
    quoted = {words for it, _, _ in judged for words in it.quotes}.union(it.words for it, _ in entered)
    told, not_compared = iris.judged(judge, found, judged)
    told += [(it.span, it.name, left, book.name, None) for it, left in entered if left.kind != UNREAD]
    spans = [citation.span for citation, _, _ in judged]
    judged = [it for it in judged if not it[0].edition]
    unsigned = [span for block, _ in read for span in without_number(block, quoted)]
    unchecked = [
        *((span, plain[slice(*span)], NOT_CHECKED) for span in _not_judged(plain, spans, book)),
        *((span, "", Finding(UNREAD, _NO_NUMBER)) for span in unsigned),
        *((it.span, it.numbers[0], left) for it, left in not_compared),
        *((it.span, it.name, left) for it, left in entered if left.kind == UNREAD),
        *((it.span, "", left) for it in unclear if it.span not in unsigned and (left := unsourced(book, it))),
    ]
    results: list[JudgedPlace] = [
        *((it.span, number, finding, *_edition_and_iri(judge, it, number)) for it, number, finding in judged),
        *told,
        *((*it, None, None) for it in unchecked),
    ]
    stand = {it.span for it, _, finding in judged if finding.kind == STANDS}
    by_number = {it.span for it in judge.by_number} & stand
    starts = line_starts(text)
    rows: list[Cells] = []
    counts: Counter[str] = Counter()
    for result in results:
        finding = result[2]
        stands, is_unread = finding.kind == STANDS, finding.kind == UNREAD
        severity = NOTE if is_unread else finding.severity
        if strict and (is_unread or finding.kind == "newer"):
            severity = WARNING
        if not stands and (strict or not is_unread):
            counts[severity] += 1
        if every or (not stands and ((notes and not is_unread) or severity != NOTE)):
            rows.append(_row(text, starts, result, None if stands else severity))
    rows.sort(key=lambda row: row[:2])
    count = len({it.span for it, _, _ in judged}) + len(told)
    checked: dict[str, Json] = {
        "citations": count,
        **{f"{severity}s": counts[severity] for severity in (ERROR, WARNING, NOTE)},
        "not_checked": len(unchecked),
        "by_number": len(by_number),
        "caution": CAUTION,
    }
    wrong = sum(row[4] != STANDS and (strict or row[4] != UNREAD) for row in rows)
    skipped = grouped((it.message, number) for _, number, it in unchecked)
    note = _summary(count, wrong, skipped, len(by_number))
    newer = {span for span, _, it, *_ in results if it.kind == "newer" and not (strict or every or notes)}
    note += f", {counted(len(newer), 'number')} newer than {against or book.name}" if newer else ""
    later = f"The text was written against {against}, which is newer than {book.name}"
    before += [f"{later}: numbers and words may differ."] if against > book.name else []
    return Answer("verify", COLUMNS, tuple(rows), book.edition.id, (*before, note), checked=checked)


def _row(text: str, starts: Sequence[int], result: JudgedPlace, severity: str | None) -> Cells:
    span, number, finding, edition, iri = result
    cited, now = " ".join(text[slice(*span)].split()), ", ".join(finding.now)
    more = (now, finding.message, finding.quote, edition, iri, finding.wording)
    return (
        *(*place_of(starts, span[0]), cited, number, finding.kind, severity),
        *(it or None for it in more),
    )


def _edition_and_iri(judge: Judge, citation: Citation, number: str) -> tuple[str | None, str | None]:
    """Return the edition against which a number is checked, and its IRI there."""
    held = judge.book_for(citation)
    item = held.items.get(number) if isinstance(held, Rulebook) else None
    return held.name if held else None, item.iri if item else None


def _summary(citations: int, wrong: int, unchecked: Mapping[str, Sequence[str]], by_number: int) -> str:
    """Return a note on what was checked and found, and on what was not checked: message → the numbers."""
    note = f"{counted(citations, 'citation')}, {counted(wrong, 'finding')}"
    if not citations and not unchecked:
        note += f": nothing was checked. {_CHECKED}"
    if unread := unchecked.get(NOT_CHECKED.message):
        shown = [*dict.fromkeys(unread)]
        if len(shown) > _MOST_NAMED:
            shown[_MOST_NAMED:] = ["…"]
        note += f", {counted(len(unread), 'number')} found but not checked"
        note += f" ({', '.join(shown)}: write “rule” before a number)"
    for message, (what, said) in _NOT_COMPARED.items():
        if message in unchecked:
            note += f", {counted(len(unchecked[message]), what)} {said}, not checked"
    if by_number:
        note += f", {counted(by_number, 'number')} with too few words beside to compare"
    return note


def _not_judged(text: str, spans: Iterable[tuple[int, int]], book: Book) -> Iterator[tuple[int, int]]:
    """Yield the places, outside of these spans, of what looks like a rule number.

    A chapter's number alone looks like one after a name from the rules: *the stack (405)*.
    """
    taken = {place for start, end in spans for place in range(start, end)}
    for match in _NUMBER.finditer(text):
        start, bare = match.start(), match["bare"]
        if start in taken or (bare and bare not in book.titles):
            continue
        if not bare or name_before(text, max(0, start - _FARTHEST_NAME), start, book.topics):
            yield match.span()


def edition_written(book: Book, given: str | date | None) -> str:
    """Return the edition that a text was written against, given its id or a date."""
    meanings = book.meanings
    if given is None or not book.whole:
        return ""
    called = str(given).strip()
    issued = [it for it in ids_called(called, meanings.editions) if it in meanings.editions]
    if len(issued) == 1:
        return issued[0]
    if issued:
        way_out = f"Give one of them: {', '.join(issued)}."
        raise UsageError(f"{len(issued)} editions were issued in {called}", way_out=way_out)
    period = period_called(called.removeprefix("cr-"))
    if not period:
        raise UsageError(f"{called!r} is not a date or an edition", way_out="Write a date like 2008-02-01.")
    if f"cr-{period.first}" > max(f"cr-{date.today()}", meanings.editions[-1]):
        way_out = f"The newest known edition is {meanings.editions[-1]}."
        raise UsageError(f"nothing was written on {called} yet", way_out=way_out)
    name = meanings.in_force(str(period.first))
    if not name:
        way_out = f"The oldest known edition is {meanings.editions[0]}."
        raise UsageError(f"no rules are known for {called}", way_out=way_out)
    return name


def _checked_against(
    session: Session, text: str, edition: str | None, given: str | date | None
) -> tuple[Rulebook, Rulebook | None, str, list[str]]:
    """Return the documents to check a text against, the edition it was written against, and notes.

    The former are those of the edition `given`, or else of the one that the text names at its head.
    """
    book, entries = session.once(books, edition)
    day, meanings = day_of_rules(text) if given is None and book.whole else "", book.meanings
    named = meanings.in_force(day) if day and f"cr-{day}" <= meanings.editions[-1] else ""
    notes = []
    if day and named not in {it.id for it in session.editions()}:
        how = (
            f"its numbers are followed from {named}, and its words" if named else "its numbers and words are"
        )
        notes = [f"The text names rules of {day} that are not loaded: {how} compared with {book.name}."]
    elif named and edition is None:
        notes = [f"The text names {named}: it was checked against that edition."]
        book, entries = session.once(books, named)
    return book, entries, named or edition_written(book, given), notes


def books(session: Session, edition: str | None = None) -> tuple[Rulebook, Rulebook | None]:
    """Return the rules against which to check numbers, and the rulings for numbers of entries."""
    loaded = session.editions()
    if not loaded:
        raise UsageError("nothing is loaded", way_out="Load documents with `rulesgraph build`.")
    # The newest of the comprehensive rules or, without any, the newest edition.
    newest = next((it for it in loaded if it.has_history), loaded[0])
    chosen = edition_called(edition, loaded) if edition is not None else newest
    until = chosen.issued or date.max
    others = [it for it in loaded if not it.has_history and (it.issued or date.min) <= until]
    rulings = next((it for it in others if it.id != chosen.id), None)
    book = Rulebook(session, chosen)
    return book, book if not chosen.has_history else Rulebook(session, rulings) if rulings else None
