"""Answer how many there are: by what the same question with *which* finds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from ...loaders.language.names import plural, singular
from ...loaders.language.numbers import number_in
from ...ontology import UnknownNameError, counted, grouped, in_a_list
from ..catalogue.questions import question
from ..finding.kinds import kind_called
from ..session import Answer, Session, Understood, with_history
from .running import NO_LIST, answer_to

HOW_MANY = re.compile(r"\W*how many\b", re.IGNORECASE)


_OF_A_LIMIT = re.compile(
    r"\b(?:does|do|did|can|could|may|must|should|will|would|has|have|had)\b(?! (?:been|\w+ed)\b)",
    re.IGNORECASE,
)
"""Words of a question for what is allowed, or for what each has: *how many lamps can a moth have*."""

_BY_EDITION = re.compile(
    r"\W*(?:how many|(?:count|list|show)? ?(?:the )?number of|count(?: the)?) (?P<things>.+?)"
    r"(?: (?:are|were) there| there (?:are|were|have been)| (?:does|do|did) (?:each|every) edition have)?"
    r",? (?:in|for|by|per) (?:(?:each|every|all|any)(?: of the)? )?(?:loaded )?editions?\W*",
    re.IGNORECASE,
)
"""A question for numbers over time: *how many zones are there in each edition*."""

_WHICH_EDITION = re.compile(
    r"\W*(?:which|what) edition (?:has|had) the (?P<most>most|fewest) (?P<things>.+?)\W*", re.IGNORECASE
)

_OF_COUNTS = ("statistics", "terms_on_cards", "lists_with", "defining_rules")
"""Answers that consist of numbers, or of what has a thing or is about it."""

_NO_CHANGE = ("", "unchanged", "references", "first known")
"""What a history tells that is no change of words or number."""

_NAMED = ("term", "rule")
"""Columns with the thing that a row is about, which may have several rows."""


def of_how_many(read: Callable[..., Iterator[Any]], words: str, *given: Any) -> Iterator[Any]:
    """Yield the readings of words (`WordReading`); those of *how many there are* are also those of *which*.

    What something is does not say how many there are: *how many mulligans*.

    Raises `UnknownNameError` for an edition that is not loaded.
    """
    many = HOW_MANY.match(words)
    unknown: UnknownNameError | None = None
    try:
        yield from (it for it in read(words, *given) if not (many and _is_meaning(it)))
    except UnknownNameError as error:
        if not many:
            raise
        unknown = error
    if many and not _OF_A_LIMIT.search(words):
        which = f"which{words[many.end() :]}"
        yield from (it for it in read(which, *given) if not _is_meaning(it))
    if unknown:
        raise unknown


def _is_meaning(reading: Any) -> bool:
    """Return whether a reading is for what something is."""
    return bool(reading.thing) or reading.asked[:1] == ("definition",)


def by_edition(session: Session, words: str) -> Answer | None:
    """Return how many things of a kind there are in each loaded edition, oldest first, if words ask that.

    The lead names the edition with the most or the fewest. An edition without such things has no number.
    Returns None for other words.
    """
    said = _BY_EDITION.fullmatch(words) or _WHICH_EDITION.fullmatch(words)
    loaded = [it.id for it in with_history(session.editions())] if said else []
    rows = tuple((it, _count(session, said["things"].lower(), it)) for it in loaded) if said else ()
    known = [(count, it) for it, count in rows if count]
    if not (said and known):
        return None
    told = f"{counted(len(loaded), 'edition')} loaded; others are not counted."
    if most := said.groupdict().get("most"):
        best = (max if most.lower() == "most" else min)(count for count, _ in known)
        where = [it for count, it in known if count == best]
        also = f" ({len(where) - 1} more have as many, the last {where[-1]})" if len(where) > 1 else ""
        told = f"{where[0]} has the {most.lower()} {said['things']}, {best:,}{also}. {told}"
    meaning = f"How many {said['things']} are there in each edition?"
    columns, label = ("edition", "count"), " to ".join(dict.fromkeys((loaded[0], loaded[-1])))
    return Answer("by_edition", columns, rows, label, (told,), lead=(told,), understood=Understood(meaning))


def _count(session: Session, things: str, edition: str) -> int | None:
    """Return how many things of a kind an edition has: rules and entries, or what is on a list of them."""
    # Few questions need this.
    from .dated import items_of

    counts = {
        str(row["what"]): row["count"] for row in answer_to(session, question("statistics"), (), edition)
    }
    if isinstance(count := counts.get(things), int):
        return count
    kind = kind_called(session, things)
    asked = ("list_items", "terms_of_kind") if kind else ()
    found = (answer_to(session, question(it), (kind.name,), edition) for it in asked if kind)
    return next((len({it.lower() for it in items_of(one)}) for one in found if one.rows), None)


def with_numbers(words: str, answer: Answer, *, whole: bool) -> Answer:
    """Return an answer; if the words ask how many there are, the lead says so, for `whole` lists by name."""
    if not HOW_MANY.match(words):
        return answer
    counts = {str(row["what"]): row["count"] for row in answer} if answer.name == "statistics" else {}
    asked = [it for it in counts if re.search(rf"\b{it}\b", words, re.IGNORECASE)]
    if answer.name in _OF_COUNTS and not asked:
        return answer
    if answer.name == "history":
        told = [_number_of_changes(answer)]
    elif asked:
        told = [f"There are {counts[it]:,} {it}." for it in asked[:1]]
    elif "level" in answer.columns:  # parts of a rule, chapters
        levels = Counter(str(row["level"]) for row in answer if row.get("loaded") is not False)
        parts = [counted(number, level) for level, number in levels.items()]
        told = [f"These are {in_a_list(parts, len(parts))}."]
    elif answer.name == "list_items" and whole:
        told = [*_of_lists(answer)]
    elif NO_LIST in answer.notes:
        told = [f"{_number_of(answer)} found. {NO_LIST}"]
    else:
        told = [f"There {'is' if len(answer) == 1 else 'are'} {_number_of(answer)}."]
    notes = (*told, *(it for it in answer.notes if it != NO_LIST))
    return answer._replace(lead=(*told, *answer.lead), notes=notes)


def _number_of_changes(answer: Answer) -> str:
    """Return how often a rule changed in each way; of a term with a rule, the entry does not count."""
    told = [(bool(number_in(str(row["number"]))), str(row["change"])) for row in answer]
    of_rules = any(is_rule for is_rule, _ in told)
    kinds = Counter(kind for is_rule, kind in told if is_rule == of_rules and kind not in _NO_CHANGE)
    times = [f"{kind} {counted(number, 'time')}" for kind, number in kinds.items()]
    said = f"By this history, it was {in_a_list(times, len(times))}."
    return said if times else "No change of its number or words is known."


def _of_lists(answer: Answer) -> Iterator[str]:
    """Yield for each edition how many items its lists have."""
    for edition, rows in grouped((str(row["document"]), row) for row in answer).items():
        lists = grouped((str(row["list"]), str(row["item"]).lower()) for row in rows)
        numbers = {name: len({*own}) for name, own in lists.items()}
        said = (f"{it:,} {(singular if it == 1 else plural)(name)}" for name, it in numbers.items())
        yield f"{edition} lists {' and '.join(said)}."


def _number_of(answer: Answer) -> str:
    """Return how many things an answer is about, not how many rows it has, with their name if it is plain."""
    first = answer.columns[0]
    things = {(row[first], row.get("document")) for row in answer}
    if first == "source":  # a text by its number, or by the name of its entry
        rules = sum(bool(number_in(str(source))) for source, _ in things)
        kinds = {"rule": rules, "other text": len(things) - rules}
        return in_a_list([counted(number, noun) for noun, number in kinds.items() if number])
    if answer.name == "steps_of":
        nouns = {str(row[3]).split()[-1] for row in answer.rows}
        return counted(len(answer), *nouns) if nouns in ({"phase"}, {"step"}) else f"{len(answer):,}"
    return counted(len(things), first) if first in _NAMED else f"{len(answer):,}"
