"""Check the citations in a text against an edition, and report what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date

from ...ontology.errors import UsageError
from ..session import Answer, Cells, Edition, Session, edition_called
from .citations import citations
from .cited_iris import cited_iris, judged_iris, without
from .judging import STANDS, Finding, Judge
from .meanings import Meanings
from .passages import line_starts, passages, place_of
from .quotations import with_quotations
from .rulebook import Book, Rulebook
from .weighing import NOTE

COLUMNS = (
    *("line", "column", "citation", "number", "finding", "severity"),
    *("now", "message", "quote", "edition", "iri", "wording"),
)

_MOST_NAMED = 8
"""The maximum number of unchecked numbers that are named."""

NUMBERS_DIFFER = "numbers and words may differ."

_NUMBER = re.compile(r"(?<![\w.])[1-9]\d\d\.[1-9]\d{0,2}[a-z]?(?![\w.]*\d)(?!\w)")


def verify(
    session: Session,
    text: str,
    *,
    edition: str | None = None,
    written: str | date | None = None,
    asof: str | date | None = None,
    notes: bool = False,
    every: bool = False,
) -> Answer:
    """Check the citations of rules in any text against an edition; a row for each that is wrong.

    The edition is the given one, or the newest of the comprehensive rules, or the newest. `written` is the
    edition that the text was written against, by its id or a day; `asof` is the same for a day. Numbers of
    entries (``G16.2``) are checked against the newest rulings of the same time. With `notes`, uncertain
    findings have a row as well, and with `every`, what stands. Columns: `COLUMNS`; ``finding`` is one of

    - ``unknown``: no edition has the number;
    - ``gone``: the number is gone; `now` is where its rule went, or its parts;
    - ``moved``: since the edition written against the rule got another number: `now`;
    - ``stale``: the words beside it fit what the number meant in an older edition, which is `now`;
    - ``topic``: the words beside it name another rule: `now`;
    - ``imprecise``: a neighbour of the rule fits better: `now` (a note);
    - ``newer``: the number came only after this edition;
    - ``words``: the quoted words are not there; `now` is where the edition has them;
    - ``not loaded``: the store lacks the edition to check against.

    The store's own IRIs of rules, provisions, sections, entries and terms are citations, too: that of a rule
    is followed from the edition that it names.

    What a text says about the meaning of terms is not judged.

    Raises `UnknownNameError` for an edition that is not loaded, `UsageError` for a day before all of them.
    """
    if written is not None and asof is not None:
        raise UsageError("you gave both an edition and a date", way_out="Give one of them.")
    book, entries = books(session, edition)
    book = session.once(_rulebooks).setdefault(book.name, book)
    meanings = book.meanings
    against = edition_written(meanings, written if written is not None else asof)
    named = cited_iris(session, text)
    plain = without(text, named)
    found = list(with_quotations([(passage, citations(passage, bare=True)) for passage in passages(plain)]))
    judge = Judge(book, entries, meanings, book.topics if meanings else None, written=against, notes=notes)
    judged = judge.judge(found)
    told = judged_iris(session, named, book.name, meanings)
    starts = line_starts(text)
    rows: list[Cells] = []

    def tell(
        span: tuple[int, int], number: str, finding: Finding, held: Book | None, iri: str | None
    ) -> None:
        stands = finding.kind == STANDS
        if every or (not stands and (notes or finding.severity != NOTE)):
            cited = " ".join(text[span[0] : span[1]].split())
            now, name = ", ".join(finding.now) or None, held.name if held else None
            more = (now, finding.message or None, finding.quote or None, name, iri, finding.wording or None)
            severity = None if stands else finding.severity
            rows.append((*place_of(starts, span[0]), cited, number, finding.kind, severity, *more))

    for citation, number, finding in judged:
        held = judge.book_for(citation)
        item = held.items.get(number) if isinstance(held, Rulebook) else None
        tell(citation.span, number, finding, held, item.iri if item else None)
    for cited, finding, rule in told:
        tell((cited.start, cited.end), cited.place.name, finding, book, rule)
    rows.sort(key=lambda row: row[:2])
    checked = len({citation.span for citation, _, _ in judged}) + len(told)
    wrong = sum(row[4] != STANDS for row in rows)
    note = f"{checked} citation{'' if checked == 1 else 's'}, {wrong} finding{'' if wrong == 1 else 's'}"
    judged_spans = [citation.span for citation, _, _ in judged]
    if unread := _not_judged(plain, judged_spans):
        shown = [*dict.fromkeys(unread)]
        shown[_MOST_NAMED:] = ["…"] * (len(shown) > _MOST_NAMED)
        note += f", {len(unread)} number{'' if len(unread) == 1 else 's'} found but not checked"
        note += f" ({', '.join(shown)}: write “rule” before a number)"
    later = f"The text was written against {against}, which is newer than {book.name}: {NUMBERS_DIFFER}"
    told_first = [later] if against > book.name else []
    return Answer("verify", COLUMNS, tuple(rows), book.edition.id, (*told_first, note))


def _not_judged(text: str, spans: Iterable[tuple[int, int]]) -> list[str]:
    """Return the numbers in a text that look like rule numbers but are outside all of some spans."""
    taken = {place for start, end in spans for place in range(start, end)}
    return [match[0] for match in _NUMBER.finditer(text) if match.start() not in taken]


def edition_written(meanings: Meanings | None, given: str | date | None) -> str:
    """Return the edition that a text was written against, from its id or a date."""
    if given is None or meanings is None:
        return ""
    if isinstance(given, str) and given.strip() in meanings.editions:
        return given.strip()
    day = _day(given)
    name = meanings.in_force(str(day))
    if not name:
        way_out = f"The oldest known edition is {meanings.editions[0]}."
        raise UsageError(f"no rules are known for {day}", way_out=way_out)
    return name


def books(session: Session, edition: str | None = None) -> tuple[Rulebook, Rulebook | None]:
    """Return the rules to check numbers against, and the rulings to check numbers of entries against."""
    loaded = session.editions()
    if not loaded:
        raise UsageError("nothing is loaded", way_out="Load documents with `rulesgraph build`.")
    chosen = edition_called(edition, loaded) if edition is not None else _newest(loaded)
    until = chosen.issued or date.max
    others = [it for it in loaded if not it.has_history and (it.issued or date.min) <= until]
    rulings = next((it for it in others if it.id != chosen.id), None)
    book = Rulebook(session, chosen)
    return book, book if not chosen.has_history else Rulebook(session, rulings) if rulings else None


def _day(given: str | date) -> date:
    if isinstance(given, date):
        return given
    try:
        return date.fromisoformat(given.strip().removeprefix("cr-"))
    except ValueError:
        raise UsageError(
            f"{given!r} is not a date or an edition", way_out="Write a date like 2008-02-01."
        ) from None


def _newest(loaded: Sequence[Edition]) -> Edition:
    """Return the newest edition of the comprehensive rules, or without any of them the newest at all."""
    return max([it for it in loaded if it.has_history] or loaded, key=lambda it: it.age_key)


def _rulebooks(_: Session) -> dict[str, Rulebook]:
    """Return the data of editions: reading takes half a second, judging a text a hundredth of it."""
    return {}
