"""Measure how well cards are linked, and how well rules are found for their rulings and for questions.

    python tests/measure_cards.py [SHARED] [QUESTIONS] [--cases]

The judged rulings are those of ../shared/cards. QUESTIONS is the file `evals/rulesguru_full_v2.jsonl` of the
public repository jongorecki/rulemancer, which is not part of the project: its questions are asked without the
marks of cards, with the available half of all cards loaded. Those whose number modulo 5 is 2 are held out.
With `--cases` each third of them (number modulo 5) is asked with the other two loaded as solved cases.
"""

from __future__ import annotations

import csv
import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha1
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import rulesgraph
from measure import Score, gold
from measure_questions import DAY, KnownQuestion, Tried, asked, share
from real import rules, rules_without_cases
from rulesgraph import Rules
from rulesgraph.loaders.cards.records import without_name
from rulesgraph.loaders.cases import BUNDLED
from rulesgraph.queries.cards.current import about_cards, current_cards
from rulesgraph.queries.cards.naming import card_called
from rulesgraph.queries.cards.ruled import closest_to_ruling
from shared import documents

UNSEEN = 2
CARDS = Path("cards") / "atomic-half.json.gz"


class AskedOfCards(NamedTuple):
    """A question that names cards: whether one is loaded, and whether it is held out."""

    known: KnownQuestion
    is_loaded: bool
    is_unseen: bool


def cards_of(shared: Path) -> dict[str, list[dict[str, object]]]:
    """Return the available cards, by name."""
    with gzip.open(shared / CARDS, "rt", encoding="utf-8") as file:
        found: dict[str, list[dict[str, object]]] = json.load(file)["data"]
    return found


def link_scores(built: Rules, part: str) -> dict[str, Score]:
    """Return how well terms and printed keywords are found on the cards that were read by hand."""
    session = built.session
    data = current_cards(session)
    assert data is not None
    found: dict[str, Counter[tuple[str, str]]] = {"terms": Counter(), "keywords": Counter()}
    true: dict[str, Counter[tuple[str, str]]] = {"terms": Counter(), "keywords": Counter()}
    for row in gold("cards.tsv"):
        card = card_called(session, f"[[{row['card']}]]") if row["part"] == part else None
        if card:
            for kind, query in (("terms", "touched"), ("keywords", "keywords")):
                links = about_cards(session, data, query, {"card": [card.iri]})
                found[kind].update((card.name, session.iris.slug_of(str(link[1]))) for link in links)
                true[kind].update((card.name, slug) for slug in row[kind].split() if slug != "-")
    return {kind: Score.of(found[kind], true[kind]) for kind in found}


def sure_rulings(built: Rules, shared: Path) -> Score:
    """Return how often a rule is right that is claimed to be right for nine rulings in ten."""
    texts = {(name, it): text for name, it, text in rulings_of(shared)}
    right = []
    for row in gold("card_rulings.tsv"):
        text = texts.get((row["card"], row["sha1_of_the_rulings_text"]), "")
        near = closest_to_ruling(built.session, without_name(text, row["card"]), None, 2) if text else []
        if near and near[0][1] and near[0][0] == row["rule"]:
            right.append(row["read"] == "right")
    return Score(sum(right), len(right) - sum(right), 0)


def rulings_of(shared: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the rulings on the available cards: the card, the checksum of the text, the text."""
    for name, faces in cards_of(shared).items():
        for ruling in faces[0].get("rulings") or ():  # type: ignore[attr-defined]
            yield name, sha1(ruling["text"].encode(), usedforsecurity=False).hexdigest(), ruling["text"]


def judged_rulings(session_of: Rules, shared: Path) -> Iterator[Tried]:
    """Yield the judged rulings on available cards, each with the rules that were found for it."""
    texts = {checksum: (name, text) for name, checksum, text in rulings_of(shared)}
    with (shared / "cards" / "rulings-gold.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            right = tuple(row["governing_rules"].split())
            name, text = texts.get(row["sha1_of_the_rulings_text"], ("", ""))
            card = card_called(session_of.session, f"[[{name.partition(' // ')[0]}]]")
            if card and right:
                near = closest_to_ruling(session_of.session, without_name(text, card.name), None)
                known = KnownQuestion(name, text, right, "ruling", "")
                yield Tried(known, tuple(number for number, _ in near))


def questions_in(path: Path, shared: Path) -> Iterator[AskedOfCards]:
    """Yield the questions of a file whose rules are known."""
    faces = {str(face.get("faceName") or name) for name, own in cards_of(shared).items() for face in own}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        place = int(row["id"].removeprefix("rg")) % 5
        if row["gold"] and place <= UNSEEN:
            text = row["question"].replace("[", "").replace("]", "")
            known = KnownQuestion(row["id"], text, tuple(row["gold"]), "cards", "")
            yield AskedOfCards(known, not faces.isdisjoint(row["cards"]), place == UNSEEN)


def rows(shared: Path, questions: Path | None) -> Iterator[str]:
    """Yield the table, a line at a time."""
    edition, cards = rules(shared, DAY), shared / CARDS
    carded = rulesgraph.build([edition, cards], store=":memory:").rules
    yield "| cards | links | gold | precision | recall |"
    yield "|---|---|---:|---:|---:|"
    for part in ("tuned", "unseen"):
        for kind, score in link_scores(carded, part).items():
            true = score.right + score.missed
            yield f"| {part} | {kind} | {true:,} | {score.precision:.3f} | {score.recall:.3f} |"
    sure = sure_rulings(carded, shared)
    yield f"\nRules of rulings that are told as sure: {sure.right} of {sure.right + sure.wrong} right.\n"
    judged = list(judged_rulings(carded, shared))
    yield "| what | number | lenient @10 | @5 | @1 | strict @5 | @1 |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    yield _row("judged rulings", judged)
    if questions is None:
        return
    stores = {
        "without cards": rules_without_cases(edition),
        "with cards": rules_without_cases(edition, cards),
        "with cards and the bundled cases": carded,
    }
    every = list(questions_in(questions, shared))
    for half, is_unseen in (("looked at", False), ("not looked at", True)):
        for loaded, is_loaded in (("a loaded card", True), ("no loaded card", False)):
            own = [it.known for it in every if (it.is_unseen, it.is_loaded) == (is_unseen, is_loaded)]
            for label, store in stores.items():
                yield _row(f"questions with {loaded}, {half}; asked {label}", asked(store, own))


def in_folds(shared: Path, questions: Path) -> Iterator[str]:
    """Yield a line for each third of the questions, asked with the other two as cases, and one for all."""
    answers = {row["id"]: row["answer_gold"] for row in map(json.loads, questions.open(encoding="utf-8"))}
    every = list(questions_in(questions, shared))
    whole: list[Tried] = []
    for third in range(UNSEEN + 1):
        own = [it.known for it in every if it.is_loaded and _third(it) == third]
        with TemporaryDirectory() as folder:
            file = Path(folder) / f"{BUNDLED}.jsonl"
            others = [it.known for it in every if _third(it) != third]
            cases = (
                {"id": it.name, "question": it.question, "answer": answers[it.name], "rules": it.rules}
                for it in others
            )
            lines = (json.dumps({**case, "as_of": DAY}) for case in cases)
            file.write_text("\n".join(lines), encoding="utf-8")
            sources = [rules(shared, DAY), shared / "cards" / "atomic-half.json.gz", file]
            store = rulesgraph.build(sources, store=":memory:").rules
        found = asked(store, own)
        whole += found
        yield _row(f"questions with a loaded card, number modulo 5 = {third}; {len(others)} cases", found)
    yield _row("all of these", whole)


def _third(it: AskedOfCards) -> int:
    return int(it.known.name.removeprefix("rg")) % 5


def _row(label: str, found: Sequence[Tried]) -> str:
    places = ("lenient", 10), ("lenient", 5), ("lenient", 1), ("strict", 5), ("strict", 1)
    shares = (f"{share(found, *place):.2f}" for place in places)
    return f"| {label} | {len(found):,} | {' | '.join(shares)} |"


if __name__ == "__main__":
    given = [Path(it) for it in sys.argv[1:]]
    folder = documents(*(it for it in given if it.is_dir()))
    file = next((it for it in given if it.is_file()), None)
    for line in in_folds(folder, file) if file and "--cases" in sys.argv else rows(folder, file):
        print(line)
