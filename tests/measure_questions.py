"""Measure how well `ask` finds the rules that answer a question, with questions whose rules are known.

    python tests/measure_questions.py [SHARED] [--misses] [--folds]

The questions come from `../shared/questions/questions.tsv`, and ours from `tests/gold/questions.tsv`, where
those of the half *unseen* were never looked at one by one; each has the rules that answer it in the edition
of 2026-01-16. *Strict* counts only those numbers, *lenient* also a rule's parent and its parts. `--misses`
lists the questions without a lenient hit among the first ten or a strict one among the first five. `--folds`
fits the weights of the ranking to nine tenths of the questions and scores the last tenth, ten times, which
shows how much the weights owe to the questions they were fitted to. All this is without solved cases.
`--cases` asks the questions, and the unseen half of the bundled situations, with and without the other half;
the questions also with all, as the program does.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import rulesgraph
from real import rules, rules_without_cases
from rulesgraph import Answer, Rules
from rulesgraph.loaders.cases import BUNDLED, bundled_cases
from rulesgraph.queries.finding.recognition import recognise
from rulesgraph.queries.searching import weights
from rulesgraph.queries.searching.closest import closest
from rulesgraph.queries.searching.scores import Passages
from shared import PLACE, documents

DAY = "2026-01-16"
NUMBER = re.compile(r"(?<![\d.])\d{3}\.\d+[a-z]{0,2}(?![\d.])")
FOLDS = 10
GOLD = Path(__file__).parent / "gold"

WEIGHTS = {
    "SMALL": (0.1, 0.3),
    "IMPLIED": (0.25, 1.0),
    "PLAIN": (0.25, 1.0),
    "CITED": (0.15, 0.6),
    "SPEAKS": (0.0, 0.2),
    "DEFINES": (0.2, 0.8),
    "SHARED": (0.0, 0.8),
    "HEADS": (0.0, 0.2),
    "WHOLE": (0.15, 0.6),
    "ASIDE": (0.15, 0.6),
    "ALONE": (0.1, 0.4),
    "REPETITION": (0.8, 1.8),
    "OPPOSITE": (0.5, 1.0),
    "TIMED": (0.15, 0.6),
    "LATER": (0.25, 1.0),
    "SIBLING": (0.7, 1.0),
}
"""What else each weight might be: half of what it is, and about twice."""


@dataclass(frozen=True)
class KnownQuestion:
    """A question, the rules that answer it, and whether it is in words of the rules or plain ones."""

    name: str
    question: str
    rules: tuple[str, ...]
    kind: str
    vocabulary: str


@dataclass(frozen=True)
class Tried:
    """The places, from 1, of the first right number in an answer; 0 where none is right."""

    known: KnownQuestion
    numbers: tuple[str, ...]
    answered: bool = True
    score: float | None = None
    """That of the closest rule, if the answer is the closest rules."""

    @property
    def strict(self) -> int:
        """The place of the first number that is one of the known rules."""
        return next((n for n, it in enumerate(self.numbers, 1) if it in self.known.rules), 0)

    @property
    def lenient(self) -> int:
        """The place of the first number that is one, a part of one, or what one is part of."""
        near = {*self.known.rules, *map(parent, self.known.rules)}
        return next(
            (n for n, it in enumerate(self.numbers, 1) if it in near or parent(it) in self.known.rules), 0
        )


def parent(number: str) -> str:
    """Return the rule that a subrule is part of; a rule is its own."""
    return number.rstrip("abcdefghijklmnopqrstuvwxyz")


def known_questions(shared: Path) -> list[KnownQuestion]:
    """Return the questions whose rules are known."""
    return [_known(row) for row in _rows(shared / "questions" / "questions.tsv")]


def own_questions(half: str) -> list[KnownQuestion]:
    """Return the questions of our own of a half: ``"tuned"`` or ``"unseen"``."""
    return [_known(row) for row in _rows(GOLD / "questions.tsv") if row["half"] == half]


def unanswered(half: str) -> list[KnownQuestion]:
    """Return the questions of a half that the rules do not answer."""
    rows = _rows(GOLD / "unanswered.tsv")
    return [KnownQuestion(it["id"], it["question"], (), "", "") for it in rows if it["half"] == half]


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def _known(row: Mapping[str, str]) -> KnownQuestion:
    return KnownQuestion(
        row["id"], row["question"], tuple(row["rules"].split()), row["kind"], row["vocabulary"]
    )


def numbers_in(answer: Answer) -> tuple[str, ...]:
    """Return the rules that an answer shows, in order: its numbers, else those in its words."""
    own = [str(row.get("number") or "") for row in answer]
    if not any(map(NUMBER.fullmatch, own)):
        own = [str(cell) for row in answer.rows for cell in row]
    return tuple(dict.fromkeys(number for text in own for number in NUMBER.findall(text)))


def asked(rules: Rules, questions: Iterable[KnownQuestion]) -> list[Tried]:
    """Ask each question as a person would; a refusal says that there is no answer."""
    found = []
    for it in questions:
        try:
            answer = rules.ask(it.question)
        except rulesgraph.RulesgraphError:
            found.append(Tried(it, (), answered=False))
            continue
        score = answer[0]["score"] if isinstance(answer, Passages) and answer.rows else None
        top = score if isinstance(score, float) else None
        found.append(Tried(it, numbers_in(answer), answer.answered, top))
    return found


def share(found: Sequence[Tried], sort: str, most: int) -> float:
    """Return the share of questions with a right number among the first `most`."""
    return sum(0 < int(getattr(it, sort)) <= most for it in found) / len(found)


def parts(found: Sequence[Tried]) -> Iterator[tuple[str, list[Tried]]]:
    """Yield all questions, then those of each vocabulary, and of each kind with at least 14."""
    yield "all", list(found)
    for name in ("plain", "rules"):
        yield (
            f"in {name} words" if name == "plain" else "in words of the rules",
            [it for it in found if it.known.vocabulary == name],
        )
    for kind in sorted({it.known.kind for it in found}):
        own = [it for it in found if it.known.kind == kind]
        if len(own) >= 14:
            yield kind, own


def table(found: Sequence[Tried], **more: Sequence[Tried]) -> str:
    """Return the shares as a Markdown table, of `more` by name in a line each."""
    written = [
        "| questions | number | strict @1 | @5 | @10 | lenient @5 | @10 |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, own in (*parts(found), *more.items()):
        shares = [share(own, "strict", most) for most in (1, 5, 10)] + [
            share(own, "lenient", n) for n in (5, 10)
        ]
        written.append(f"| {name} | {len(own)} | " + " | ".join(f"{it:.2f}" for it in shares) + " |")
    return "\n".join(written)


def doubts(groups: Mapping[str, Sequence[Tried]]) -> str:
    """Return of how many questions `answered` is false, as a Markdown table."""
    written = ["| questions | number | `answered` is false |", "|---|---:|---:|"]
    for name, own in groups.items():
        written.append(f"| {name} | {len(own)} | {sum(not it.answered for it in own)} |")
    return "\n".join(written)


def by_score(found: Iterable[Tried]) -> str:
    """Return the shares of each fifth of the questions, by the score of the closest rule, as a table."""
    scored = sorted((it.score, n, it) for n, it in enumerate(found) if it.score is not None)
    written = ["| score of the closest rule | number | strict @5 | lenient @10 |", "|---|---:|---:|---:|"]
    for fifth in range(5):
        own = scored[len(scored) * fifth // 5 : len(scored) * (fifth + 1) // 5]
        shares = (share([it for *_, it in own], *which) for which in (("strict", 5), ("lenient", 10)))
        cells = f"{own[0][0]:.1f} to {own[-1][0]:.1f}", str(len(own)), *(f"{it:.2f}" for it in shares)
        written.append(f"| {' | '.join(cells)} |")
    return "\n".join(written)


# -- cross-validation -----------------------------------------------------------------------------


@contextmanager
def set_to(rules: Rules, **values: float) -> Iterator[None]:
    """Let some weights be other numbers for a while."""
    before = {name: getattr(weights, name) for name in values}
    vars(weights).update(values)
    vars(rules.session)["_once"].clear()  # candidates were made with the numbers of before
    try:
        yield
    finally:
        vars(weights).update(before)
        vars(rules.session)["_once"].clear()


def ranked(rules: Rules, questions: Iterable[KnownQuestion]) -> list[Tried]:
    """Return the closest rules of each question, whatever the catalogue answers."""
    session = rules.session
    return [Tried(it, numbers_in(closest(session, recognise(session, it.question)))) for it in questions]


def gain(found: Sequence[Tried]) -> float:
    """Return what weights are chosen by: the two shares that count, and a little the first right place."""
    first = sum(1 / it.strict for it in found if it.strict) / len(found)
    return share(found, "strict", 5) + share(found, "lenient", 10) + first / 10


def by_setting(rules: Rules, questions: Sequence[KnownQuestion]) -> dict[str, list[Tried]]:
    """Return the closest rules with the weights as they are, and with each of them changed alone."""
    found = {"as it is": ranked(rules, questions)}
    for name, values in WEIGHTS.items():
        for value in values:
            with set_to(rules, **{name: value}):
                found[f"{name} {value}"] = ranked(rules, questions)
    return found


def folds(settings: Mapping[str, Sequence[Tried]]) -> list[Tried]:
    """Score each tenth of the questions with the setting that is best on the others."""
    found: list[Tried] = []
    for fold in range(FOLDS):
        best = max(
            settings.values(), key=lambda own: gain([it for n, it in enumerate(own) if n % FOLDS != fold])
        )
        found += [it for n, it in enumerate(best) if n % FOLDS == fold]
    return found


def bundled(part: str) -> list[KnownQuestion]:
    """Return the situations that come with the program, of a half, as questions."""
    return [
        KnownQuestion(it["id"], it["question"], tuple(it["rules"].split()), "case", "plain")
        for it in bundled_cases()
        if it["part"] == part
    ]


def beside_cases(shared: Path) -> Rules:
    """Return the edition with the half of the situations that may be seen, instead of all."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"{BUNDLED}.jsonl"
        lines = (json.dumps(it) for it in bundled_cases() if it["part"] == "tuned")
        file.write_text("\n".join(lines), encoding="utf-8")
        return rulesgraph.build([rules(shared, DAY), file], store=":memory:").rules


def main() -> None:
    """Print the table, and the other requested figures."""
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("shared", nargs="?", type=documents, default=str(PLACE))
    reader.add_argument("--misses", action="store_true")
    reader.add_argument("--folds", action="store_true")
    reader.add_argument("--cases", action="store_true")
    options = reader.parse_args()
    built = rules_without_cases(rules(options.shared, DAY))
    questions = known_questions(options.shared)
    found = asked(built, questions)
    mine = {half: asked(built, own_questions(half)) for half in ("tuned", "unseen")}
    print(table(found, **{f"our own, {half}": own for half, own in mine.items()}))
    situations = {half: asked(built, bundled(half)) for half in ("tuned", "unseen")}
    groups = {f"that the rules do not answer, {it}": asked(built, unanswered(it)) for it in mine}
    groups |= {"of others": found, **{f"our own, {half}": own for half, own in mine.items()}}
    groups |= {f"situations, {half}": own for half, own in situations.items()}
    print(f"\n{doubts(groups)}\n")
    print(by_score([*found, *mine["tuned"], *mine["unseen"], *situations["tuned"], *situations["unseen"]]))
    for it in (*found, *mine["tuned"]) if options.misses else ():
        if not 0 < it.strict <= 5 or not 0 < it.lenient <= 10:
            print(it.known.name, it.strict, it.lenient, it.known.rules, it.known.question, it.numbers[:6])
    if options.cases:
        tried = {"of others": questions, "our own": own_questions("unseen"), "situations": bundled("unseen")}
        stores = {
            "without situations": built,
            "with their tuned half": beside_cases(options.shared),
            "with all": rulesgraph.build([rules(options.shared, DAY)], store=":memory:").rules,
        }
        for name, where in stores.items():
            print(f"\n{name}:\n")
            for kind, several in tried.items():
                if kind == "situations" and name == "with all":
                    continue
                answered = asked(where, several)
                places = ("lenient", 10), ("strict", 5), ("strict", 1)
                print(kind, len(answered), *(f"{share(answered, *place):.2f}" for place in places))
    if options.folds:
        settings = by_setting(built, questions)
        print("\nranked with weights that were set without them:\n")
        print(table(folds(settings)))
        print("\nwith one weight changed: lenient @10, strict @5")
        for name, own in settings.items():
            print(f"{name}: {share(own, 'lenient', 10):.3f} {share(own, 'strict', 5):.3f}")


if __name__ == "__main__":
    main()
