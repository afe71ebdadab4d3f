"""What a text in anyone's words names: terms, numbers, editions and dates, with their places."""

from __future__ import annotations

from pathlib import Path

import pytest
from asking import session_on
from rulesgraph.ontology.resources import players_words
from rulesgraph.ontology.terms import PREFIXES
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.finding import names, recognition
from rulesgraph.queries.finding.recognition import LONGEST, recognise
from rulesgraph.queries.session import Answer, Session

Found = tuple[str, str, str, str]
"""The kind, the name, what was written, and how it was recognised."""


BESIDE = pytest.mark.long(small="test_names_and_numbers_of_the_rules")


@pytest.fixture(params=["newest", pytest.param("real", marks=BESIDE)])
def current(request: pytest.FixtureRequest) -> Session:
    """The newest rules, alone or beside other editions of them."""
    session: Session = request.getfixturevalue(request.param)
    return session


def found(session: Session, text: str, edition: str | None = None) -> list[Found]:
    """Return what is recognised; a star precedes names that only other editions have."""
    things = recognise(session, text, edition).things
    assert all(text[it.start : it.end] == it.used for it in things)
    return [(it.kind, ("" if it.stands else "*") + it.name, it.used, it.how.value) for it in things]


NAME, FORM, NUMBER = "by name", "by a form of its name", "by number"
OLD, SLIP, SLANG = "by a name of other times", "misspelled", "in players' words"

INVENTED: list[tuple[str, list[Found]]] = [
    ("Does a moth flutter?", [("term", "Moth", "moth", NAME), ("term", "Flutter", "flutter", NAME)]),
    # More than one, and as a verb.
    ("when moths fluttered", [("term", "Moth", "moths", NAME),
                              ("term", "Flutter", "fluttered", FORM)]),
    # The longest name wins; what parts its words does not matter.
    ("the dusk-checks", [("term", "Dusk Checks", "dusk-checks", NAME)]),
    ("duskcheck", [("term", "Dusk Checks", "duskcheck", FORM)]),
    ("waning check", [("term", "Dusk Checks", "waning check", OLD)]),
    # One slip; two swapped letters; a word of the texts is none.
    ("fluter", [("term", "Flutter", "fluter", SLIP)]),
    ("flutetr", [("term", "Flutter", "flutetr", SLIP)]),
    ("what about a limp, friend?", []),
    ("rule 320.2 and 201.1A", [("rule", "320.2", "rule 320.2", NUMBER),
                               ("rule", "201.1a", "201.1A", NUMBER)]),
    ("300.2", [("rule", "*300.2", "300.2", NUMBER)]),
    ("999.9", []),
    # A bare number does not say what it counts.
    ("section 2, 300 times", [("section", "2", "section 2", NUMBER)]),
    ("", []),
    ("\x00\x07 \x1b[2J ???", []),
    ("Сколько мотыльков? 何匹の蛾？", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), INVENTED, ids=[text for text, _ in INVENTED])
def test_names_and_numbers_of_an_invented_game(text: str, expected: list[Found], mini: Session) -> None:
    assert found(mini, text) == expected


def test_dates_name_the_edition_then_in_force(mini: Session) -> None:
    text = "moths in 2031, since March 2031, before 2031-07-01, and back in 2030, as in cr-2031-02-01"
    assert [
        (it.kind, it.name, it.used, it.iri.rpartition("/")[2], it.stands)
        for it in recognise(mini, text).things[1:]
    ] == [
        ("date", "2031", "2031", "cr-2031-07-01", True),
        ("date", "2031-03", "March 2031", "cr-2031-02-01", True),
        ("date", "2031-07-01", "2031-07-01", "cr-2031-07-01", True),
        ("date", "2030", "2030", "", False),
        ("edition", "cr-2031-02-01", "cr-2031-02-01", "cr-2031-02-01", True),
    ]


def test_what_stands_is_each_thing_once_and_the_rest_is_told(mini: Session) -> None:
    seen = recognise(mini, "Moths flutter around a moth of rule 202; why so?")
    assert [it.name for it in seen.standing] == ["Moth", "Flutter", "202"]
    assert seen.rest == ("around", "a", "of", "why", "so")
    assert seen.scope == mini.current


def test_no_more_is_read_than_anybody_asks(mini: Session) -> None:
    assert recognise(mini, "moth " * 200_000).text == ("moth " * 200_000)[:LONGEST]


REAL: list[tuple[str, list[Found]]] = [
    ("Does trample work with deathtouch?", [("term", "Trample", "trample", NAME),
                                            ("term", "Deathtouch", "deathtouch", NAME)]),
    ("whats death touch", [("term", "Deathtouch", "death touch", FORM)]),
    ("702.19c", [("rule", "702.19c", "702.19c", NUMBER)]),
    ("CR 704.5k", [("rule", "704.5k", "CR 704.5k", NUMBER)]),
    ("rule 100", [("rule", "100", "rule 100", NUMBER)]),
    # Old names lead to the new ones, and things outside of the edition are marked.
    ("state based effects", [("term", "State-Based Actions", "state based effects", OLD)]),
    ("comes into play", [("term", "Enters the Battlefield", "comes into play", OLD)]),
    # Verbs in any form, names within names.
    ("3 creatures died, attacking during the declare attackers step",
     [("term", "Creature", "creatures", NAME), ("term", "Dies", "died", FORM),
      ("term", "Attack", "attacking", FORM),
      ("term", "Declare Attackers Step", "declare attackers step", NAME)]),
    # Slips of the pen.
    ("indestructable planeswaker", [("term", "Indestructible", "indestructable", SLIP),
                                    ("term", "Planeswalker", "planeswaker", SLIP)]),
    ("the right phrase of a friend", []),
    # Everyday senses: set phrases, and small words that are names where they are quoted.
    ("when does it take effect, in order to be in general", []),
    ('what is "if"', [("term", "If", "if", NAME)]),
    # What players say: short forms, slang, symbols; several meanings over one place; rules without a name.
    ("If I sac my general, does the bolt fizzle?",
     [("term", "Sacrifice", "sac", SLANG), ("term", "Commander", "my general", SLANG),
      ("term", "Damage", "bolt", SLANG), ("rule", "608.2b", "fizzle", SLANG)]),
    ("ETB, then loot, at EOT",
     [("term", "Enters the Battlefield", "ETB", SLANG), ("term", "Discard", "loot", SLANG),
      ("term", "Draw", "loot", SLANG),
      ("term", "Cleanup Step", "EOT", SLANG), ("term", "End Step", "EOT", SLANG)]),
    ("{t}: put a +1/+1 counter on it", [("term", "Tap Symbol", "{t}", SLANG),
                                        ("term", "Counter", "+1/+1 counter", SLANG)]),
    ("swinging with flyers", [("term", "Attack", "swinging", SLANG), ("term", "Flying", "flyers", FORM)]),
    ("I got decked with my deck", [("rule", "704.5b", "decked", SLANG), ("term", "Deck", "deck", NAME)]),
    # A word of a card's name is none.
    ("I cast Lightning Bolt", [("term", "Cast", "cast", NAME)]),
    ("if I untap Wall of Omens", [("term", "Untap", "untap", NAME)]),
    # A state, or an everyday word, is named by no other form of it.
    ("he flips a card and removes it permanently", [("term", "Card", "card", NAME)]),
    ("if you kick a flipped one", [("term", "Kicker", "kick", FORM), ("term", "Flipped", "flipped", NAME)]),
    # Whoever plays is a thing of its own, whoever attacks is none.
    ("each player draws, each attacker too",
     [("term", "Player", "player", NAME), ("term", "Draw", "draws", FORM),
      ("term", "Attack", "attacker", FORM)]),
    ("a wall of mine", [("term", "Wall", "wall", NAME)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), REAL, ids=[text for text, _ in REAL])
def test_names_and_numbers_of_the_rules(text: str, expected: list[Found], current: Session) -> None:
    assert found(current, text) == expected


@pytest.mark.long(small="test_dates_name_the_edition_then_in_force")
def test_an_edition_has_its_own_names(real: Session) -> None:
    old = "cr-2008-02-01"
    assert found(real, "state-based actions, mana value and trample", old) == [
        ("term", "State-Based Effects", "state-based actions", OLD),
        ("term", "Converted Mana Cost", "mana value", OLD),
        ("term", "Trample", "trample", NAME),
    ]
    assert found(real, "deathtouch and 704.5k", old) == [
        ("term", "Deathtouch", "deathtouch", NAME),
        ("rule", "*704.5k", "704.5k", NUMBER),
    ]


def test_every_word_of_players_stands_for_something_in_the_newest_rules(newest: Session) -> None:
    words = players_words(newest.iris.base)
    assert [word for _, word, note in words if not note.endswith(".")] == []
    meant = {
        (word, thing.iri if thing.kind == "term" else "a rule")
        for _, word, _ in words
        for thing in recognise(newest, word).things
        if thing.stands and thing.note
    }
    provision = newest.iris.provision("")
    wanted = {(word, "a rule" if thing.startswith(provision) else thing) for thing, word, _ in words}
    assert wanted - meant == set()


def test_a_word_of_players_is_one_statement_and_its_note_is_told(current: Session) -> None:
    rows = current.sparql('SELECT ?s ?p ?g { GRAPH ?g { ?s ?p "sac"@en } } ORDER BY ?g')
    term, hidden = current.iris.term("sacrifice"), f"{PREFIXES['skos']}hiddenLabel"
    assert isinstance(rows, Answer)
    assert rows.rows == tuple((term, hidden, current.iris.graph(graph)) for graph in ("current", "terms"))
    assert [it.note for it in recognise(current, "sac").things] == [
        "Short for giving up a permanent of one's own."
    ]


def test_words_of_players_are_left_out_where_nothing_has_the_name(mini: Session) -> None:
    assert recognise(mini, "sac it, fizzle, ETB").things == ()


def test_the_names_of_a_store_are_read_once_in_a_session(
    mini_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = session_on(mini_store)
    read: list[str] = []
    all_names = names.names_and_terms(session)

    def told(*scope: object) -> object:
        read.append("names")
        return all_names

    monkeypatch.setattr(names, "names_and_terms", told)
    monkeypatch.setattr(recognition, "names_and_terms", told)
    for words in ("what is a moth", "moths", "which terms rely on lanterns", "compare moths and lanterns"):
        ask(session, words)
    assert read == ["names"]


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("does a moth without flutter see a lantern", ["Moth", "Lantern"]),
        ("my moth doesn't have any flutter, may it see a lantern", ["Moth", "Lantern"]),
        ("does a moth with no flutter meet a moth with flutter", ["Moth", "Flutter"]),
        ("a moth without lanterns", ["Moth", "Lantern"]),  # only abilities are things that others lack
        ("without flutter", ["Flutter"]),  # else it names nothing
    ],
)
def test_abilities_that_are_said_to_be_lacking_do_not_count(
    words: str, left: list[str], mini: Session
) -> None:
    known = recognition.without_lacked(mini, recognise(mini, words))
    assert list(dict.fromkeys(it.name for it in known.things)) == left
    assert ("flutter" in known.text) == ("Flutter" in left)


@pytest.mark.parametrize(
    ("edition", "keyword", "wanted"),
    [("cr-2026-01-16", "702.19", {"510.1c", "509.1h"}), ("cr-2008-02-01", "502.9", {"310.2c", "309.2f"})],
)
@pytest.mark.parametrize("lacking", ["no trample", "without trample", "that doesn't have trample"])
def test_rules_for_what_lacks_an_ability_come_before_those_of_the_ability(
    lacking: str, edition: str, keyword: str, wanted: set[str], real: Session
) -> None:
    words = f"my attacker with {lacking} was blocked, the blocker died, does it deal damage to the player"
    numbers = [str(row[0]) for row in ask(real, words, edition=edition).rows]
    assert wanted <= {*numbers[:5]}
    assert not numbers[0].startswith(keyword)


def test_a_contraction_without_an_apostrophe_is_no_misspelt_name(newest: Session) -> None:
    """*Hasnt* is not *Haunt*."""
    for text in "my creature hasnt attacked", "theyre tapped and it hasnt untapped":
        assert SLIP not in {how for *_, how in found(newest, text)}
