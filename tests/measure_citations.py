"""Measure how often wrong citations are reported, and correct ones too.

`python tests/measure_citations.py TREES` judges the rows of ../shared/citations/gold.tsv in the repositories
in TREES (`owner+name`), divided at random: a half to tune on and a half only to publish. The other figures
need no tree: texts with planted numbers, and editions checked against themselves.
"""

from __future__ import annotations

import csv
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random

import rulesgraph
from measure import Score
from measure import gold as rows_of
from real import parsed, rules
from rulesgraph.loaders.history.lives import bundled_lives
from rulesgraph.loaders.language.numbers import parent
from rulesgraph.queries.citing.cite import judged
from rulesgraph.queries.citing.material import material_of
from rulesgraph.queries.citing.scan import read
from rulesgraph.queries.session import Session
from rulesgraph.queries.verifying.rulebook import Book
from rulesgraph.queries.verifying.verify import verify

SEED, TEXTS = 1, 500

FRAMES = (
    "See {0}, which settles it.",
    "It is put into the graveyard (rule {0}), and nobody may answer.",
    "Yes: as {0} says, the older one goes.",
    "No. {0} says that both stay. (See also CR {1}.)",
    "By CR {0} you draw first; {1} comes later.",
    "That follows from rules {0} and {1}.",
    "- **{0}** Nothing happens here.\n- **{1}** Nor here.",
    "This works [CR:{0}].",
    "Under {0}, the player chooses.",
    "// CR {0} + CR {1}: both hold\nfn both() {{}}",
    "They are gone ({0}).",
    "Per {0}, they leave together; cf. {1}.",
)
"""What a model writes around numbers, in words of our own."""

NOTHING = (
    "It costs ${0}.{1}, or {0}.{1} EUR with the bag.",
    "Version {0}.{1}.{2} came out on 20{2}-03-{3}.",
    "let width = {0}.{1}; // measured",
    "Open http://10.4.{0}.{3}:8080/ and wait {0}.{1} ms.",
    "The total is {0}.{1}, and {0}.{1} kg of it is sand.",
    "We were {0} people in 20{3}, {2} of them new.",
    "HTTP {0}, then a timeout after {1} s.",
    "Val::Px({0}.0), {0}.5f and -{0}.{1}e3",
    "Chapter {2} of our plan has {0} pages.",
    "He ran {0}.{1} km in {2} minutes.",
    "Price list: a lamp {0}.{1}0 USD, oil {2}.50 USD",
    "The firmware {0}.{1} needs driver {0}.{2}.",
)


def planted(session: Session) -> Score:
    """Return how many numbers that never were are noticed in texts with right ones among them."""
    material = material_of(session)
    random = Random(SEED)
    known = [number for number in material.titles if "." in number and number[0].isdigit()]
    ever = bundled_lives().numbers
    right = wrong = missed = 0
    for _ in range(TEXTS):
        frame = random.choice(FRAMES)
        numbers = [random.choice(known), random.choice(known)]
        place = random.randrange(1 + ("{1}" in frame))
        stem = numbers[place].rstrip("abcdefghijklmnopqrstuvwxyz")
        false = random.choice([f"{stem}z", f"{stem[:3]}.{random.randrange(30, 1000)}", f"{stem[:3]}.999b"])
        if false in ever or false in known:
            continue
        numbers[place] = false
        told = {str(row[3]) for row in verify(session, frame.format(*numbers)).rows}
        right += false in told
        missed += false not in told
        wrong += len(told - {false})
    return Score(right, wrong, missed)


def alarms(session: Session) -> Score:
    """Return how many texts without a citation raise no alarm (right), and how many do (wrong)."""
    random = Random(SEED)
    wrong = 0
    for _ in range(TEXTS):
        low, high = random.randrange(10, 30), random.randrange(10, 30)
        text = random.choice(NOTHING).format(random.randrange(100, 904), random.randrange(1, 100), low, high)
        wrong += bool(verify(session, text).rows)
    return Score(TEXTS - wrong, wrong, wrong)


def own_references(session: Session, shared: Path, day: str) -> Score:
    """Return how many citations of an edition checked against itself raise no alarm."""
    text = "\n\n".join(rule.text for rule in parsed(rules(shared, day)).rules)
    told = [row[4] == "stands" for row in verify(session, text, every=True).rows if row[4] != "unread"]
    return Score(sum(told), len(told) - sum(told), len(told) - sum(told))


def moved(session: Session, before: str, after: str) -> Score:
    """Return how many numbers that changed their rule between two editions are reported in a text.

    Nothing may be reported for a number that kept its rule until the current edition.
    """
    lives, here = bundled_lives(), material_of(session).name
    held: dict[str, dict[str, str]] = {before: {}, after: {}, here: {}}
    for number in lives.numbers:
        found = lives.holders(number)
        for provision, own in found:
            for edition, numbers in held.items():
                if own.first <= edition <= own.last:
                    numbers[number] = provision
    wanted = {number for number, it in held[before].items() if held[after].get(number) != it}
    stood = {number for number, it in held[before].items() if held[here].get(number) == it}
    text = "\n\n".join(f"See CR {number}." for number in sorted(wanted | stood))
    told = {str(row[3]) for row in verify(session, text, written=before).rows if row[4] == "moved"}
    return Score(len(told & wanted), len(told & stood - wanted), len(wanted - told))


def beside(session: Session, part: str) -> Score:
    """Return how many answers of solved cases are reported with the number of a sibling of their rule.

    With the right number they may not be. A sibling that the case cites as well is never drawn.
    """
    book, random, root = material_of(session), Random(SEED), Path(__file__).resolve().parents[1]
    told = accused = missed = 0
    with (root / "loaders" / "cases.tsv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["part"] == part]
    for row in rows:
        number, *more = row["rules"].split()
        parts = [it for it in book.below.get(parent(number), ()) if parent(it) == parent(number)]
        siblings = sorted({*parts} - {number, *more})
        if not siblings or number not in parts:
            continue
        answer = row["answer"].rstrip(".")
        wrong = bool(verify(session, f"{answer} (rule {random.choice(siblings)}).").rows)
        told, missed = told + wrong, missed + (not wrong)
        accused += bool(verify(session, f"{answer} (rule {number}).").rows)
    return Score(told, accused, missed)


def claimed(session: Session, half: str) -> Score:
    """Return how many sentences that contradict their rule are reported; right ones may not be."""
    found = [
        (row["claim"] == "wrong", bool(verify(session, row["text"]).rows))
        for row in rows_of("claims.tsv")
        if row["half"] == half
    ]
    return Score(found.count((True, True)), found.count((False, True)), found.count((True, False)))


def called_clean(session: Session, half: str) -> list[str]:
    """Return the sentences that contradict their rule and are neither reported nor called unchecked."""
    wrong = [row["text"] for row in rows_of("claims.tsv") if row["half"] == half and row["claim"] == "wrong"]
    return [text for text in wrong if not verify(session, text, strict=True).rows]


def scores(session: Session, shared: Path, day: str) -> dict[str, tuple[Score, tuple[float, float]]]:
    """Return what was measured without trees, with what is aimed at."""
    return {
        "number that never was": (planted(session), (0.99, 0.98)),
        "text without a citation": (alarms(session), (0.99, 0.99)),
        "citation of the rules by themselves": (own_references(session, shared, day), (0.99, 0.99)),
        "number of a sibling beside a paraphrase, unseen": (beside(session, "unseen"), (0.97, 0.25)),
        "contradiction in other words, unseen": (claimed(session, "unseen"), (1.0, 0.5)),
        "number that moved": (moved(session, "cr-2025-04-04", "cr-2025-06-06"), (0.99, 1.0)),
    }


# -- judged citations of public trees ----------------------------------------------------------------


def gold(shared: Path) -> Iterator[dict[str, str]]:
    """Yield the judged citations, each with its half."""
    with (shared / "citations" / "gold.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            place = "|".join(row[name] for name in ("repository", "commit", "path", "line", "cited"))
            half = "tuned" if int(sha256(place.encode()).hexdigest(), 16) % 2 else "unseen"
            yield {**row, "half": half}


@cache
def content(trees: Path, repository: str, commit: str, path: str) -> str:
    """Return a file of a repository at a commit."""
    where = trees / repository.replace("/", "+")
    folder = where / "repo" if (where / "repo").is_dir() else where
    done = subprocess.run(
        ["git", "-C", str(folder), "show", f"{commit}:{path}"], capture_output=True, check=True
    )
    return done.stdout.decode("utf-8", "replace")


def judged_gold(material: Book, shared: Path, trees: Path) -> dict[str, dict[str, Counter[str]]]:
    """Return, for each half and kind of gold, how often each finding was made."""
    found: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for row in gold(shared):
        text = content(trees, row["repository"], row["commit"], row["path"])
        sites = [it for it in read(row["path"], text)[0] if row["cited"] in it.citation.numbers]
        near = [it for it in sites if it.line == int(row["line"])]
        flags = [it.finding for it in judged(material, near, "")[0] if it.number == row["cited"]]
        said = f"{flags[0].kind} ({flags[0].severity})" if flags else "stands" if near else "not read"
        found[row["half"]][row["kind"]][said] += 1
    return found


def main() -> None:
    """Print the figures of judged citations."""
    shared, trees = Path(__file__).resolve().parents[1].parent / "shared", Path(sys.argv[1])
    if len(sys.argv) > 2:
        shared = Path(sys.argv[2])
    text = next((shared / "corpora").rglob("2026-04-17.txt"))
    session = rulesgraph.build([text], store=":memory:").rules.session
    for half, kinds in sorted(judged_gold(material_of(session), shared, trees).items()):
        for kind, told in sorted(kinds.items()):
            print(
                half,
                kind,
                sum(told.values()),
                *(f"{said}: {count}" for said, count in told.most_common()),
                sep="\t",
            )


if __name__ == "__main__":
    main()
