"""The checksums of other editions tell what an edition lost, without a word of theirs."""

from __future__ import annotations

from rulesgraph.loaders.history.authority import Authority, Tenure, wording_of
from rulesgraph.loaders.history.items import Item
from rulesgraph.queries.checking.checksums import departures_from_known
from rulesgraph.queries.checking.witnesses import Departure, Deposition, DepositionKind, Witness

TEXTS = {
    "100.1": "Every captain has one ship, and rows it home at night.",
    "100.1a": "A captain without a ship watches from the pier until the tide turns. Nobody else may watch.",
    "100.1b": "A ship without a captain drifts. It drifts for as long as the tide is out, and no longer.",
    "100.2": "The voyage ends when all ships lie in the same harbour.",
}
BEFORE, AFTER = "cr-2030-01-01", "cr-2034-01-01"


def authority(*editions: str) -> Authority:
    """Return a file that has the wordings of `TEXTS` in all of some editions."""
    rows = [
        Tenure(f"P{place:05}", wording_of(number, Item("", number, text)), editions[0], editions[-1])
        for place, (number, text) in enumerate(TEXTS.items())
    ]
    read = Authority(editions, tuple(rows)).text()
    return Authority.read(read)


def found(edition: str, texts: dict[str, str], covered: Authority) -> list[Departure]:
    said = [
        Deposition(DepositionKind.RULE, number, it, line)
        for line, (number, it) in enumerate(texts.items(), 1)
    ]
    return list(departures_from_known(Witness(edition, said), covered))


def test_an_edition_between_two_that_are_known() -> None:
    lost = {number: text for number, text in TEXTS.items() if number != "100.1b"}
    message = (
        f"rule 100.1b is not here, or not in the words that {BEFORE} and {AFTER} are known to have for it"
    )
    assert found("cr-2032-01-01", lost, authority(BEFORE, AFTER)) == [
        Departure(True, "100.1b", 2, message, "")
    ]


def test_an_edition_that_is_known_itself() -> None:
    cut = TEXTS | {"100.1a": "A captain without a ship watches from"}
    message = f"rule 100.1a departs from the words that {BEFORE} is known to have for it"
    assert found(BEFORE, cut, authority(BEFORE)) == [Departure(False, "100.1a", 2, message, cut["100.1a"])]


def test_what_is_no_loss() -> None:
    between = authority(BEFORE, AFTER)
    assert found("cr-2032-01-01", TEXTS, between) == []
    moved = {f"2{number[1:]}": text for number, text in TEXTS.items()}
    assert found("cr-2032-01-01", moved, between) == []
    # nothing is known of an edition after the last one, and of another game
    assert found("cr-2036-01-01", {"100.1": "A ship."}, between) == []
    assert found("cr-2032-01-01", {"100.1": "A moth sits on a lantern."}, between) == []
