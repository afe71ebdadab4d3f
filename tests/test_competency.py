"""The questions that the ontology exists to answer, asked of a small game and of real editions.

`gold/competency.tsv` lists them. Answers on the small games are in `golden/answers` for questions of the
catalogue (see `test_answers`), and in `golden/competency` for those in `tests/competency`. For a real
edition, whose words may not be kept here, the table has the number of rows, some names that must occur, and a
digest of the whole answer.
"""

from __future__ import annotations

import csv
import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from asking import session_on, table
from real import pages, rules
from rulesgraph.loaders.build import build, write_inferred
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.answering.running import run
from rulesgraph.queries.catalogue.questions import Question, read_question
from rulesgraph.queries.checking.conclusions import Conclusions, conclude
from rulesgraph.queries.session import Answer, Session
from sweep import PartOf

TESTS = Path(__file__).parent
ROOT = TESTS.parent

TABLE = TESTS / "gold" / "competency.tsv"
DOCUMENT = ROOT / "docs" / "COMPETENCY.md"
AREAS = {
    "terms",
    "kinds",
    "lists",
    "order",
    "place in the turn",
    "reliance",
    "history",
    "evidence",
    "defects",
}
CATALOGUE = "catalogue"
EDITIONS = {
    "mini": "cr-2031-07-01",
    "defined": "cr-2032-04-01",
    "flawed": None,
    "disputed": "cr-2031-02-01,cr-2032-03-01",
}
"""The games of which a question of `tests/competency` is asked, and in which editions."""

BOTH = "cr-2008-02-01,cr-2009-07-11"


@dataclass(frozen=True)
class Competency:
    """One question; `rows` is how many a real edition gives, `holds` are values that occur in them.

    `digest` is that of the whole answer, row by row.
    """

    area: str
    question: str
    game: str
    argument: str
    edition: str
    rows: int
    holds: tuple[str, ...]
    digest: str

    @property
    def folder(self) -> str:
        return "answers" if self.game == CATALOGUE else "competency"

    @property
    def home(self) -> str:
        return f"{'queries' if self.game == CATALOGUE else 'tests'}/{self.folder}"

    @property
    def parsed(self) -> Question:
        return read_question(self.question, self.file.read_text(encoding="utf-8"))

    @property
    def file(self) -> Path:
        return ROOT / self.home / f"{self.question}.rq"

    @property
    def golden(self) -> Path:
        return TESTS / "golden" / self.folder / f"{self.question}.tsv"


def read_table() -> list[Competency]:
    with TABLE.open(encoding="utf-8", newline="") as lines:
        return [
            Competency(
                area=cells["area"],
                question=cells["question"],
                game=cells["game"],
                argument=cells["argument"],
                edition=cells["edition"],
                rows=int(cells["rows"]),
                holds=tuple(name for name in cells["holds"].split("; ") if name),
                digest=cells.get("digest") or "",
            )
            for cells in csv.DictReader(lines, delimiter="\t")
        ]


ROWS = read_table()
OURS = [row for row in ROWS if row.game != CATALOGUE]


@pytest.fixture(scope="module")
def games(
    tmp_path_factory: pytest.TempPathFactory, mini_store: Path, disputed_store: Path
) -> dict[str, Session]:
    """Sessions over the small games, by name; for `defined`, inferences are included."""
    folder = tmp_path_factory.mktemp("games")
    locations = {"mini": mini_store, "disputed": disputed_store}
    for name in ("defined", "flawed"):
        locations[name] = folder / name
        assert not build([TESTS / name], str(locations[name])).refused
    _, inferred = conclude(session_on(locations["defined"]), EDITIONS["defined"])
    write_inferred(str(locations["defined"]), inferred)
    return {name: session_on(location) for name, location in locations.items()}


@pytest.fixture(scope="module")
def real_store(shared: Path, store_of: Callable[..., Path]) -> Path:
    """A store with two real editions and the release of rulings between them."""
    return store_of(rules(shared, "2008-02-01"), rules(shared, "2009-07-11"), *pages(shared))


@pytest.fixture(scope="module")
def concluded(real_store: Path) -> Conclusions:
    """What is inferred from two real editions at once."""
    return conclude(session_on(real_store), BOTH)


@pytest.fixture(scope="module")
def complete(real_store: Path, concluded: Conclusions) -> Session:
    """A session over the real editions with what is inferred from their facts."""
    write_inferred(str(real_store), concluded[1])
    return session_on(real_store)


def test_there_are_enough_questions_of_every_area() -> None:
    assert len(ROWS) >= 40
    found = Counter(row.area for row in ROWS)
    assert set(found) == AREAS
    assert min(found.values()) >= 3
    assert len({row.question for row in ROWS}) == len(ROWS)


def test_every_row_has_its_query_and_its_answers_and_nothing_is_left_over() -> None:
    for row in ROWS:
        assert row.file.is_file(), row.question
        assert row.golden.is_file(), row.question
        assert row.rows > 0, f"{row.question}: an answer without rows would hold nothing"
        assert row.holds, row.question
        assert bool(row.argument) == bool(row.parsed.parameters), row.question
    names = {row.question for row in OURS}
    assert names == {path.stem for path in (TESTS / "competency").iterdir()}
    assert {f"{name}.tsv" for name in names} == {
        path.name for path in (TESTS / "golden" / "competency").iterdir()
    }


@pytest.mark.parametrize("row", OURS, ids=lambda row: row.question)
def test_the_small_game_gives_its_table(
    row: Competency, games: dict[str, Session], update_golden: bool
) -> None:
    answer = run(games[row.game], row.parsed, (), EDITIONS[row.game])
    assert answer.rows
    assert answer.columns == row.parsed.returns
    found = table(answer)
    if update_golden:
        row.golden.parent.mkdir(exist_ok=True)
        row.golden.write_text(found, encoding="utf-8")
    assert found == row.golden.read_text(encoding="utf-8")


def ask_really(row: Competency, complete: Session) -> Answer:
    if row.game == CATALOGUE:
        return ask(complete, row.question, [row.argument] if row.argument else [], edition=row.edition)
    return run(complete, row.parsed, (), row.edition)


def digest_of(answer: Answer) -> str:
    """Return the beginning of the SHA-256 of an answer's columns and rows."""
    return hashlib.sha256(table(answer._replace(notes=())).encode()).hexdigest()[:16]


@pytest.mark.long(small="test_the_small_game_gives_its_table")
def test_real_editions_give_the_whole_answers(
    complete: Session, update_golden: bool, part_of: PartOf
) -> None:
    found, asked = [], ROWS if update_golden else part_of(ROWS, 15)
    for row in asked:
        answer = ask_really(row, complete)
        values = {str(value) for cells in answer.rows for value in cells}
        assert set(row.holds) <= values, row.question
        found.append(replace(row, rows=len(answer.rows), digest=digest_of(answer)))
    if update_golden:
        head = "area\tquestion\tgame\targument\tedition\trows\tholds\tdigest"
        lines = [
            "\t".join(
                (r.area, r.question, r.game, r.argument, r.edition, str(r.rows), "; ".join(r.holds), r.digest)
            )
            for r in found
        ]
        TABLE.write_text("\n".join((head, *lines)) + "\n", encoding="utf-8")
    else:
        assert {r.question: (r.rows, r.digest) for r in found} == {
            r.question: (r.rows, r.digest) for r in asked
        }


def document() -> str:
    """The table as people read it."""
    lines = [
        "# Competency questions",
        "",
        f"The {len(ROWS)} questions that the ontology exists to answer. The tests ask each of",
        "them of a small invented game and compare the whole answer, and of a real edition and compare the",
        "number of rows, some values and a checksum. `tests/test_competency.py` generates this page from",
        "[its table](../tests/gold/competency.tsv).",
        "",
        "| about | question | query | small game | real edition | rows | in them |",
        "|---|---|---|---|---|---:|---|",
    ]
    for row in read_table():
        question = row.parsed.title
        for parameter in row.parsed.parameters:
            question = question.replace(f"{{{parameter.name}}}", f"*{row.argument}*")
        query = f"[`{row.question}`](../{row.home}/{row.question}.rq)"
        golden = f"[answer](../{row.golden.relative_to(ROOT).as_posix()})"
        holds, edition = ", ".join(row.holds), row.edition.replace(",", ", ")
        lines.append(f"| {row.area} | {question} | {query} | {golden} | {edition} | {row.rows} | {holds} |")
    return "\n".join(lines) + "\n"


@pytest.mark.long(small="test_a_change_between_editions_is_no_contradiction")
def test_real_editions_changed_and_contradict_nothing(concluded: Conclusions) -> None:
    found = {(row["check"], row["severity"], row["subject"]) for row in concluded[0].records()}
    assert found == {("kind_changed", "info", "Deathtouch"), ("kind_changed", "info", "Lifelink")}
    for row in concluded[0].records():
        assert row["since"] == "cr-2009-07-11"
        assert "a triggered ability up to cr-2008-02-01, a static ability since" in str(row["message"])
    evasive = [line for line in concluded[1]["cr-2009-07-11"] if "/term/fear>" in line]
    assert any(line.endswith("#StaticAbility>") for line in evasive)


def test_the_document_is_the_table(update_golden: bool) -> None:
    if update_golden:
        DOCUMENT.write_text(document(), encoding="utf-8")
    assert DOCUMENT.read_text(encoding="utf-8") == document()
