"""The work of reading grows in proportion to the text, however its lines are laid out.

We count the characters that patterns search, not seconds: twice the text must mean twice the work. If each
line searched everything before it, it would be four times.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
import rulesgraph.loaders.language
import rulesgraph.loaders.reading
from rulesgraph.loaders.reading.detect import load_document
from rulesgraph.loaders.reading.source import decode
from rulesgraph.ontology.terms import DocumentKind

FEW = 1000
MOST = 2.4
"""How much more a second doubling may take than the first: twice as much, or four times for a square."""

FRONT = "Oars Comprehensive Rules\n\nThese rules are current as of March 4, 2032.\n\n1. Piers\n\n"
RULES = "".join(
    f"{chapter}. Boats\n\n"
    + "".join(
        f"{chapter}.{number}. The keeper counts the boats, see rule {chapter}.{number}.\n\n"
        for number in range(1, 41)
    )
    for chapter in range(100, 103)
)
BACK = "Credits\n\nOars(TM) is ours.\n"
GLOSSARY = "Glossary\n\nOar\nA thing of wood.\n\n"


def going_on(count: int) -> str:
    """Return as many lines as requested that continue a sentence and contain numbers."""
    return "".join(
        f"counts the boats that come in section {n} with {n} oars and goes\n" for n in range(count)
    )


def one_paragraph(count: int) -> str:
    return f"{FRONT}{RULES}103. Piers\n\n103.1. The keeper\n{going_on(count)}home.\n\n{GLOSSARY}{BACK}"


def wrapped_rules(count: int) -> str:
    rules = "".join(
        f"{chapter}. Boats\n\n"
        + "".join(
            f"{chapter}.{number}. The keeper of a pier counts the boats that\ncome in and goes home.\n\n"
            for number in range(1, 51)
        )
        for chapter in range(100, 100 + count // 100)
    )
    return f"{FRONT}{rules}{GLOSSARY}{BACK}"


def glossary_alone(count: int) -> str:
    entries = "".join(
        f"Oar{''.join(chr(97 + int(figure)) for figure in str(n))}\nA thing of wood. See rule 100.1.\n\n"
        for n in range(count // 2)
    )
    return f"{FRONT}{RULES}Glossary\n\n{entries}{BACK}"


def one_entry(count: int) -> str:
    return f"{FRONT}{RULES}Glossary\n\nOar\nA thing of wood that the keeper\n{going_on(count)}home.\n\n{BACK}"


def rulings(count: int) -> str:
    return "".join(
        f"G{n // 500 + 1}.{n % 500} - Oar {n}\n"
        f"G{n // 500 + 1}.{n % 500}a - The keeper counts the boats. [CompRules 2003/07/01]\n"
        for n in range(1, count // 2)
        if n % 500
    )


def one_ruling(count: int) -> str:
    return f"{rulings(1000)}G9.1 - Pier\nG9.1a - The keeper\n{going_on(count)}home. [CompRules 2003/07/01]\n"


def prose(count: int) -> str:
    return "".join(
        f"Oar {n}\n\nA creature whose controller draws, see rule 100.{n % 9}.\n\n" for n in range(count // 2)
    )


def one_block_of_prose(count: int) -> str:
    return f"{prose(1000)}Pier\n\nThe keeper\n{going_on(count)}home.\n"


LAYOUTS: dict[Callable[[int], str], DocumentKind] = {
    one_paragraph: DocumentKind.COMPREHENSIVE,
    wrapped_rules: DocumentKind.COMPREHENSIVE,
    glossary_alone: DocumentKind.COMPREHENSIVE,
    one_entry: DocumentKind.COMPREHENSIVE,
    rulings: DocumentKind.RULINGS,
    one_ruling: DocumentKind.RULINGS,
    prose: DocumentKind.PROSE,
    one_block_of_prose: DocumentKind.PROSE,
}


class Counting:
    """A pattern that counts the characters that it looks through; `match` and `fullmatch` count as one."""

    steps = 0

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern = pattern

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.pattern, name)
        if not callable(found):
            return found

        def counted(*arguments: Any) -> Any:
            text, *span = arguments[1:] if name in {"sub", "subn"} else arguments
            if name in {"match", "fullmatch"}:
                Counting.steps += 1
            else:
                start, end = (
                    (*span, *(0, len(text))[len(span) :]) if name not in {"sub", "subn"} else (0, len(text))
                )
                Counting.steps += max(0, min(end, len(text)) - start)
            return found(*arguments)

        return counted


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count what the patterns of all modules that read do."""
    for package in (rulesgraph.loaders.reading, rulesgraph.loaders.language):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module: ModuleType = importlib.import_module(found.name)
            for name, value in list(vars(module).items()):
                if isinstance(value, re.Pattern):
                    monkeypatch.setattr(module, name, Counting(value))


def steps(text: str, kind: DocumentKind) -> int:
    before = Counting.steps
    assert load_document(decode(text.encode(), "oars.txt")).kind is kind
    return Counting.steps - before


@pytest.mark.usefixtures("counting")
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda it: it.__name__)
def test_work_grows_as_the_text_does(layout: Callable[[int], str]) -> None:
    few, more, most = (steps(layout(FEW * times), LAYOUTS[layout]) for times in (1, 2, 4))
    assert most > few
    assert most - more <= MOST * (more - few)
