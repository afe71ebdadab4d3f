"""Measure how many questions keep their meaning in a neutral phrase, and how many lose a condition.

    python tests/measure_frames.py [SHARED] [--phrases seen|unseen] [--questions N] [--misses]

The rules for words around a question were made with the phrases of `tests/gold/frames.txt` and the traps of
`tests/gold/traps.txt` (*seen*): questions with words that change them. Those of `frames-unseen.txt` and
`traps-unseen.txt` were written before they were measured, once. The questions are those of
`test_understanding.py`, N for each phrase, by a seed. A question is kept if the phrase does not change how it
is understood. A trap is missed if it is understood as the question without its condition.
"""

from __future__ import annotations

import argparse
import random
from itertools import islice
from pathlib import Path

import rulesgraph
from real import rules
from rulesgraph.ontology.errors import UsageError
from rulesgraph.queries.answering.readings import readings
from rulesgraph.queries.session import Session
from shared import PLACE, documents
from test_understanding import ASKED

DAY = "2026-01-16"
GOLD = Path(__file__).parent / "gold"
SEED = 24


def frames(which: str) -> list[str]:
    """Return the phrases that are ``"seen"`` or ``"unseen"``, with ``{}`` for the question."""
    return _gold("frames", which)


def traps(which: str) -> list[tuple[str, str]]:
    """Return questions with a condition, each with the question without it."""
    return [(words, plain) for words, plain in (it.split(" | ") for it in _gold("traps", which))]


def _gold(name: str, which: str) -> list[str]:
    path = GOLD / (f"{name}.txt" if which == "seen" else f"{name}-unseen.txt")
    return path.read_text(encoding="utf-8").splitlines()


def meaning(session: Session, words: str) -> str:
    """Return how words are understood, ``""`` if they ask no question of the catalogue."""
    try:
        return next((it.meaning for it in islice(readings(session, words, None), 1)), "")
    except UsageError:
        return ""


def framed(frame: str, question: str) -> str:
    """Return a question with a phrase around it."""
    return frame.format(question.rstrip("?. "))


def main() -> None:
    """Print the share of readings that are kept, and the misses."""
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("shared", nargs="?", type=documents, default=str(PLACE))
    reader.add_argument("--phrases", choices=("seen", "unseen"), default="unseen")
    reader.add_argument("--questions", type=int, default=8, help="questions for each phrase (%(default)s)")
    reader.add_argument("--misses", action="store_true")
    options = reader.parse_args()
    session = rulesgraph.build([rules(options.shared, DAY)], store=":memory:").rules.session
    known = {words: meaning(session, words) for words, *_ in ASKED}
    # A bare name is no question: the words around it may belong to it.
    asked = {words: it for words, it in known.items() if it and not it.endswith("by itself")}
    chance = random.Random(SEED)
    pairs = [
        (framed(frame, words), asked[words])
        for frame in frames(options.phrases)
        for words in chance.sample(sorted(asked), min(options.questions, len(asked)))
    ]
    misses = [(words, it, found) for words, it in pairs if (found := meaning(session, words)) != it]
    print(f"{options.phrases}: {len(pairs) - len(misses)} of {len(pairs)} readings kept")
    given = traps(options.phrases)
    overlooked = [words for words, plain in given if meaning(session, words) == meaning(session, plain)]
    print(f"{options.phrases}: {len(overlooked)} of {len(given)} conditions overlooked")
    for row in (*misses, *((it,) for it in overlooked)) if options.misses else ():
        print(*row, sep=" | ")


if __name__ == "__main__":
    main()
