"""Score an assistant's answers against the correct ones, by kind of question."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence

from ...ontology import Json, UsageError, grouped
from ..session import Answer, Cells
from ..verifying.blocks import text_blocks
from ..verifying.citations import citations
from .making import RulesQuestion

COLUMNS = ("kind", "hops", "questions", "answered", "exact", "precision", "recall")
TOTAL = "all"

_SEPARATORS = re.compile(r"[\n;,]|\band\b")
_BRACKETS = re.compile(r"\([^()]*\)")
_LEADS = re.compile(r":|\b(?:are|is|defines?)\b(?: the)?(?: terms?)?")
_EDGE, _END = r"(?:^|(?<=[\n;,*“\"•-])|\band\b)\s*(?:the )?", r"\s*(?:$|[\n;,.*”\"]|and\b)"
"""What is before and behind a name in a list."""

_DENIES = re.compile(
    r"\bno (?:such|other|(?:\w+ )?(?:rules?|part|term|entry)|\d)\b|\b(?:no longer|not|never) exist|"
    r"n['’]t exist|(?:\bis not|isn['’]t) (?:an? |any )?(?:rule|defined|term|part|in)\b",
    re.IGNORECASE,
)
"""What denies that there is the thing asked for."""

_NUMBER = re.compile(r"(?<![\w.])\d{3}\.\d+[a-z]?\b")
_REJECTED = re.compile(
    r"\b(?:not|rather than|instead of|unlike) (?:(?:by|in|the|rules?) )*\d[\w.]*", re.IGNORECASE
)
_EXCEPTS = re.compile(r"\b(?:but|except|other than|besides)\b[^.]*\d{3}\b", re.IGNORECASE)


def read_answers(lines: Iterable[str], source: str) -> dict[str, frozenset[str] | str]:
    """Read JSON Lines of objects with `id` and `answer`: a list of numbers or names, or a text.

    Raises `UsageError` for an invalid line or a repeated id.
    """
    found: dict[str, frozenset[str] | str] = {}
    for place, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            it: Json = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise UsageError(f"this is not valid JSON: {error}", where=f"{source}:{place}") from None
        identifier, answer = (it.get("id"), it.get("answer")) if isinstance(it, Mapping) else (None, None)
        if not isinstance(identifier, str) or not isinstance(answer, str | list):
            raise UsageError("expected an object with `id` and `answer`", where=f"{source}:{place}")
        if identifier in found:
            raise UsageError(f"{identifier} is answered twice", where=f"{source}:{place}")
        found[identifier] = answer if isinstance(answer, str) else frozenset(map(str, answer))
    return found


def score(questions: Sequence[RulesQuestion], answers: Mapping[str, frozenset[str] | str]) -> Answer:
    """Return a row for each kind of question, and one for all of them.

    `exact` is the share of questions whose answer is exactly the gold; for one that cannot be answered,
    nothing must be named. `precision` and `recall` are means over the questions; a missing answer counts as
    wrong. In a text, the cited rules count except those that lead to the answer, or else the names that it
    lists. Columns: `COLUMNS`. Raises `UsageError` if all answers are to other questions.
    """
    if answers and questions and not any(it.id in answers for it in questions):
        raise UsageError(
            f"these answers belong to other questions: {min(answers)} is not one of {questions[0].id} "
            f"to {questions[-1].id}",
            way_out="Give the seed, number and edition that their questions were made with.",
        )
    groups = grouped(((it.kind, it.hops), _mark(it, answers.get(it.id))) for it in questions)
    rows: list[Cells] = [(kind, hops, *_means(marks)) for (kind, hops), marks in groups.items()]
    rows.append((TOTAL, None, *_means([mark for marks in groups.values() for mark in marks])))
    notes = tuple(
        f"no question has the id {it}" for it in sorted(set(answers) - {q.id for q in questions})[:5]
    )
    return Answer("questions", COLUMNS, tuple(rows), questions[0].edition if questions else "", notes)


def _mark(question: RulesQuestion, given: frozenset[str] | str | None) -> tuple[float, float, float, bool]:
    """Return whether an answer is exact, its precision and recall, and whether there is one."""
    if given is None:
        return 0.0, 0.0, 0.0, False
    gold = {_folded(it) for it in question.answer}
    said = _numbers(question, given) if question.asks == "rules" else _names(question, given)
    if not gold:
        right = float(not said)
        return right, right, right, True
    common = len(gold & said)
    return float(gold == said), common / len(said) if said else 0.0, common / len(gold), True


def _numbers(question: RulesQuestion, given: frozenset[str] | str) -> set[str]:
    """Return the numbers that an answer gives; in a text, without those that lead to them or are denied.

    A text may name the rules of the question and those on the way to the answer, and may correctly say that
    there is no such rule. In a list, each item counts by the numbers in it, or as a whole without any.
    """
    if not isinstance(given, str):
        return {number for it in given for number in _cited(it) or ([it] if it.strip() else [])}
    if not question.answerable and _DENIES.search(given) and not _EXCEPTS.search(given):
        return set()
    said = _cited(_REJECTED.sub("", given))
    led = _cited(question.question) | {*question.rules} if question.answerable else set()
    return said - (led - {*question.answer})


def _cited(text: str) -> set[str]:
    read = (number for block in text_blocks(text) for it in citations(block) for number in it.numbers)
    return {*read, *_NUMBER.findall(text)}


def _names(question: RulesQuestion, given: frozenset[str] | str) -> set[str]:
    """Return the names that an answer lists, without the words in a text that introduce them."""
    if not isinstance(given, str):
        return {_folded(it) for it in given}
    start = max((it.end() for it in _LEADS.finditer(given)), default=0)
    text = _BRACKETS.sub("", given[start:])
    found: set[str] = set()
    for name in sorted(question.answer, key=len, reverse=True):  # a name may have *and* or a comma in it
        text, times = re.subn(rf"{_EDGE}{re.escape(name)}(?={_END})", ";", text, flags=re.IGNORECASE)
        found |= {_folded(name)} if times else set()
    return found | {_folded(it) for it in _SEPARATORS.split(text)} - {""}


def _folded(name: str) -> str:
    return " ".join(name.casefold().removeprefix("rule ").split()).strip(" .\"'“”*_`-•")


def _means(marks: Sequence[tuple[float, float, float, bool]]) -> tuple[int, int, float, float, float]:
    count = len(marks) or 1
    exact, precision, recall = (round(sum(mark[n] for mark in marks) / count, 3) for n in range(3))
    return len(marks), sum(mark[3] for mark in marks), exact, precision, recall
