"""Questions that name cards: names are found, removed and shown; without card data nothing changes."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
import rulesgraph
from commands import Run
from rulesgraph.loaders.build import build, starter_sources
from rulesgraph.loaders.store import open_store
from rulesgraph.ontology.errors import UnknownNameError, UsageError
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.cards import asking, meeting, ruled
from rulesgraph.queries.cards.current import about_cards, current_cards, required_cards
from rulesgraph.queries.cards.meeting import note_on_card, why_card
from rulesgraph.queries.cards.naming import cards_in
from rulesgraph.queries.reliance.levels import Reach
from rulesgraph.queries.session import Session
from rulesgraph.queries.sheets.card import card_sheet
from rulesgraph.queries.sheets.show import show

MINI = Path(__file__).with_name("mini")


@pytest.fixture(scope="module")
def carded() -> Session:
    """A session over the starter rules and the starter cards."""
    store = open_store(":memory:", write=True)
    assert not build(store=store).refused
    return Session(store)


@pytest.fixture(scope="module")
def plain() -> Session:
    """A session over the starter rules alone."""
    store = open_store(":memory:", write=True)
    build(starter_sources(), store)
    return Session(store)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Does quickglass blade give lifelink?", ["Quickglass Blade"]),  # in any case
        ("Can I respond to Merrin's trigger?", ["Merrin"]),  # two names begin so
        ("I own Merrin, Keeper of Tolls.", ["Merrin, Keeper of Tolls"]),
        ("What does the Keeper of Tolls do?", ["Merrin, Keeper of Tolls"]),  # a part that it alone has
        ("Can lanternfall be copied?", ["Lanternfall"]),
        ("They lanternfalled my land; who lanternfalls first?", ["Lanternfall", "Lanternfall"]),
        ("What would Merrin, Master of Oil say?", ["Merrin, Master of Oil"]),  # another one, not loaded
        ("May I play Tide?", ["Ebb // Tide"]),  # a face; an English word, in capitals
        ("the tide of battle", []),
        ("Must a creature with provoke attack?", []),  # the term wins
        ("Does [[Provoke]] stop phasing?", ["Provoke"]),
        ("Does [Provoke] stop phasing?", ["Provoke"]),
        ("What about Slow Lanterns and Wicker Saint's echo?", ["Slow Lantern", "Wicker Saint"]),
        ("Is Wax Wisp and Frobnic Wizard's ability static?", ["Wax Wisp", "Frobnic Wizard"]),  # of none
        ("Does [[Any Thing]] work?", ["Any Thing"]),
        ("When does the Declare Blockers Step end?", []),
        ("What Happens In The Declare Attackers Step Of My Turn", []),  # capitals everywhere say nothing
    ],
)
def test_cards_in_a_question(carded: Session, plain: Session, text: str, names: list[str]) -> None:
    assert [card.name for card in cards_in(carded, text)] == names
    assert all(text[card.start : card.end] == card.used for card in cards_in(carded, text))
    assert all(not card.iri for card in cards_in(plain, text))  # no card data, no cards


def test_a_card_that_is_misspelt_is_suggested(carded: Session, plain: Session) -> None:
    for attempt in (card_sheet, show, lambda session, name: ask(session, "rules_of_card", [name])):
        with pytest.raises(UnknownNameError, match="Did you mean Quickglass Blade"):
            attempt(carded, "Quickglas Blade")
    with pytest.raises(UnknownNameError, match=r"no card is called 'Zzyzx'\n  It is not in Cards of"):
        card_sheet(carded, "Zzyzx")
    with pytest.raises(UsageError, match="no cards are loaded"):
        card_sheet(plain, "Quickglas Blade")


def test_a_misspelt_card_is_taken_if_very_near(carded: Session, plain: Session) -> None:
    notes = ask(carded, "does thornwatter adder stay in the game").notes
    assert notes[1].startswith("“thornwatter adder” was taken for Thornwater Adder, the only card with")
    told = "No loaded card is called “thronwatter adder”. Did you mean Thornwater Adder?"
    alone = ask(carded, "thronwatter adder")
    assert (alone.name, alone.rows[0][0], alone.notes) == ("card_text", "Thornwater Adder", (told,))
    assert "Did you mean" not in " ".join(ask(plain, "does thornwatter adder stay in the game").notes)
    assert cards_in(carded, "does a frobnicated adder stay in the game") == ()


def test_cards_are_taken_out_and_told(carded: Session) -> None:
    found = ask(carded, "Does Wicker Saint with Frobnic Wizard rely on priority when it pays evoke?")
    told = "Named on the cards: Artifacts (212.2), Evoke (502.74) and Protection (502.7)."
    assert (*found.notes[:2], found.answered) == ("Cards: Wicker Saint.", told, False)  # one is missing
    assert "“Frobnic Wizard” looks like a card name, but no such card is loaded" in found.lead[0]
    assert "wicker" not in " ".join(found.notes[2:])
    assert found.understood is not None
    assert found.understood.others == ("rulesgraph show 'Wicker Saint'",)


def test_what_a_card_touches_counts(carded: Session) -> None:
    """The question names no term, but the card does."""
    reasons = " ".join(str(row["reason"]) for row in ask(carded, "What happens with Thornwater Adder?"))
    assert "Poisonous" in reasons


@pytest.mark.parametrize(
    ("question", "is_near"),
    [
        ("Does Quickglass Blade stay on a bearer that is no creature?", True),
        ("Does Quickglass Blade tap?", False),  # a ruling has words of its rules, but none of the question
    ],
)
def test_the_nearest_rulings_count_and_others_are_not_shown(
    carded: Session, monkeypatch: pytest.MonkeyPatch, question: str, is_near: bool
) -> None:
    found = ask(carded, question)
    with_rulings = found.rows
    shown = [note for note in found.notes if note.startswith("A ruling (Quickglass Blade, 2008-02-01): “If")]
    assert len(shown) == is_near
    monkeypatch.setattr(asking, "RULED", 0.0)
    without = ask(carded, question).rows
    assert (with_rulings != without) is is_near
    if is_near:
        assert "state-based" in str(with_rulings[0][1]).lower()


def test_where_two_cards_meet_comes_first(carded: Session) -> None:
    """What `interaction` finds in their words and rulings, with the command for the rest."""
    found = ask(carded, "does Merrin, Keeper of Tolls touch Wicker Saint")
    one, other = ask(carded, "interaction", ["Merrin, Keeper of Tolls", "Wicker Saint"]).rows[:2]
    said = [f"Both: {row[0]}. {row[1]}: “{row[2]}” {row[3]}: “{row[4]}”" for row in (one, other)]
    assert said[1] == found.lead[0]  # the other one is a ruling without a word of the question
    assert said[0] not in found.lead
    assert found.understood is not None
    assert found.understood.others[0].startswith("rulesgraph ask interaction 'Merrin, Keeper of Tolls' 'W")
    ruled = ask(carded, "does the protection of Merrin, Keeper of Tolls stop Wicker Saint")
    assert {said[0], said[1]} == {it for it in ruled.lead if it.startswith("Both:")}
    assert not any(str(one[2]) in it for it in ruled.lead if it.startswith("A ruling"))


def test_the_same_sentences_of_two_cards_are_told_once(carded: Session) -> None:
    """`interaction` has them for each term that both name."""
    names = "Merrin's Errand", "Merrin, Keeper of Tolls"
    rows = ask(carded, "interaction", names).rows
    assert len(rows) > len({row[2:5] for row in rows})
    assert sum(it.startswith("Both:") for it in ask(carded, f"is {names[0]} good with {names[1]}").lead) == 1


@pytest.mark.parametrize(
    ("question", "answered"),
    [
        ("Is Thornwater Adder legal in the modern league?", False),  # what it touches is not what is asked
        ("What happens with Thornwater Adder?", True),
    ],
)
def test_what_no_rule_says_of_a_card_is_not_answered(carded: Session, question: str, answered: bool) -> None:
    assert ask(carded, question).answered is answered


def test_rulings_on_the_other_face_are_left_out() -> None:
    faces = [
        ("card", "one", "Ebb", "Instant", "Phase out."),
        ("card", "two", "Tide", "Sorcery", "Untap lands."),
    ]
    about = [made("instant phase out"), made("sorceri untap"), made("each player")]
    assert asking._of_faces(about, faces[:1], faces[1:]) == [about[0], about[2]]
    assert asking._of_faces(about, faces, []) == about


def made(text: str, card: str = "Lamp") -> ruled.Ruling:
    words = text.split()
    return ruled.Ruling(card, f"{card}, 2031-02-01", text, words, frozenset(words))


def test_rulings_with_the_most_and_rarest_words_are_nearest() -> None:
    rulings = [made(it) for it in ("lit oil a b c d e f", "lit oil", "lit rare", "dark")]
    near = ruled.nearest(rulings, {"lit": 1.0, "oil": 1.0, "rare": 1.0})
    assert [it.text for it in near] == ["lit rare", "lit oil", "lit oil a b c d e f"]


def test_three_rulings_on_each_card_are_shown_and_where_the_others_are() -> None:
    rulings = [made(f"lamp {it}") for it in "abcde"] + [made(it, "Tall Wick") for it in ("wick", "soot")]
    rulings.append(made("oil", "Oil"))  # none of its own is near
    assert list(asking._shown(rulings, rulings[:6])) == [
        "A ruling (Lamp, 2031-02-01): “lamp a”",
        "A ruling (Lamp, 2031-02-01): “lamp b”",
        "A ruling (Lamp, 2031-02-01): “lamp c”",
        "A ruling (Tall Wick, 2031-02-01): “wick”",
        "More rulings on Lamp (2): `rulesgraph show Lamp`.",
        "More rulings on Tall Wick (1): `rulesgraph show 'Tall Wick'`.",
    ]


def test_a_card_counts_as_its_types_in_rulings(carded: Session) -> None:
    """Neither has a word of the question, but a ruling on one says what happens to things like the other."""
    data = required_cards(carded)
    rulings = ruled.rulings_on(carded, data, [carded.iris.base + "card/quickglass-blade"])
    for card, found in ("slow-lantern", 0), ("wicker-saint", 1):
        faces = about_cards(carded, data, "faces", {"card": [f"{carded.iris.base}card/{card}"]})
        sought = asking._types_of(carded, faces)
        assert len(ruled.nearest(rulings, sought)) == found


@pytest.mark.parametrize(
    "question",
    ["What is phasing?", "Which terms rely on state-based effects?", "How do I evoke?"],
)
def test_questions_without_cards_have_the_same_answers(
    carded: Session, plain: Session, question: str
) -> None:
    assert ask(carded, question) == ask(plain, question)


@pytest.mark.parametrize(
    ("words", "name", "first"),
    [
        ("Which cards have lifelink?", "cards_with", "Quickglass Blade"),
        ("cards that mention protection", "cards_with", "Merrin, Keeper of Tolls"),
        ("Which rules apply to Wicker Saint?", "rules_of_card", "Artifacts"),
        ("Rulings on Quickglass Blade", "rulings_about", "2008-02-01"),
        ("Slow Lantern", "card_text", "Slow Lantern"),
    ],
)
def test_questions_about_cards(carded: Session, plain: Session, words: str, name: str, first: str) -> None:
    found = ask(carded, words)
    assert (found.name, str(found.rows[0][0])) == (name, first)
    assert ask(plain, "cards_with", ["Lifelink"]).notes[0].startswith("No cards are loaded")


def test_where_only_terms_are_taken_a_card_is_named_as_one(carded: Session) -> None:
    with pytest.raises(
        UnknownNameError, match="a card with this name: see `rulesgraph show 'Quickglass Blade'`"
    ):
        ask(carded, "definition", ["Quickglass Blade"])


def test_sheet_of_a_card(carded: Session, plain: Session) -> None:
    sheet = show(carded, "Quickglass Blade")
    tables = {table.name: table.records() for table in sheet.tables}
    assert (sheet.kind, list(tables)) == ("card", ["text", "keywords", "touches", "rulings"])
    assert [(row["keyword"], row["parameter"]) for row in tables["keywords"]] == [("Equip", "{2}")]
    assert {row["term"]: row["quote"] for row in tables["touches"]}["Lifelink"] == (
        "The bearer of Quickglass Blade has lifelink."
    )
    assert [(row["number"], row["maybe"]) for row in tables["rulings"]] == [("420.5", None)]
    assert ruled.GUESSED not in sheet.notes
    with pytest.raises(UnknownNameError):
        show(plain, "Quickglass Blade")


def test_rulings_whose_rule_changed(run: Run, tmp_path: Path) -> None:
    """The number that a ruling cites is one in the rules of its day."""
    store = tmp_path / "store"
    assert run("build", "--store", store)[0] == 0
    code, out, _ = run("check", "--rulings", "--store", store, "--format", "json")
    [found] = [row for row in json.loads(out) if row["severity"] == "warning"]
    assert (code, found["subject"], found["since"]) == (1, "Quickglass Blade", "2008-02-01")
    assert found["message"].startswith("Rule 420.5, which it cites, has changed since 2008-02-01: ")
    assert "2009-07-11" in found["message"]
    code, out, _ = run("check", "--rulings", "Slow Lantern", "--store", store, "--format", "json")
    assert (code, json.loads(out)) == (0, [])
    assert run("check", "--rulings", "No Such Card", "--store", store)[0] == 2
    told: list[tuple[str, int, int]] = []
    rulesgraph.open(store).rulings_changed(progress=lambda *it: told.append(it))
    assert [it[:2] for it in told] == [("Checking rulings", place) for place in range(told[0][2])]


@pytest.mark.parametrize(("lead", "guessed"), [(ruled._LEAD, 1), (0.0, 3), (1.1, 0)])
def test_a_sheet_and_the_check_agree_on_every_card(
    carded: Session, monkeypatch: pytest.MonkeyPatch, lead: float, guessed: int
) -> None:
    """Both say the same about the rules of each ruling; uncertain guesses are not shown."""
    monkeypatch.setattr(ruled, "_LEAD", lead)
    session = Session(carded.store)
    data = required_cards(session)
    told: dict[tuple[object, object], object] = {}
    guesses = 0
    for _, name in about_cards(session, data, "titles", {}):
        sheet = card_sheet(session, str(name))
        rows = [row for table in sheet.tables if table.name == "rulings" for row in table]
        told |= {(name, row["text"]): row["changed"] for row in rows if row["changed"]}
        guesses += sum(row["maybe"] is not None for row in rows)
        assert not any(row["number"] and row["maybe"] for row in rows)
        assert (ruled.GUESSED in sheet.notes) == any(row["maybe"] for row in rows)
    found: dict[object, str] = {(row[2], row[6]): str(row[5]) for row in ruled.rulings_changed(session).rows}
    assert found.keys() == told.keys() != set()
    assert all(f": {told[it]}." in found[it] for it in told)
    assert guesses == guessed


def test_guessed_rules_of_rulings_and_their_new_sentences(tmp_path: Path) -> None:
    """A rule that was only renumbered is not a finding; for one in new words, new sentences are shown."""
    texts = {
        "Night Box": "To trim a lantern is to take one oil from it. A trimmed lantern still counts as lit.",
        "Slow Glow": "Several instances of glimmer add up.",
    }
    own = {"type_line": "Artifact", "layout": "normal", "released_at": "2031-02-01", "oracle_text": ""}
    cards = [{"name": name, "oracle_id": name, **own} for name in texts]
    said = {"source": "wotc", "published_at": "2031-01-01"}
    rulings = [{"object": "ruling", "oracle_id": it, "comment": text, **said} for it, text in texts.items()]
    for name, content in ("cards", cards), ("rulings", rulings):
        (tmp_path / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    files = [tmp_path / "cards.json", tmp_path / "rulings.json", *sorted(MINI.glob("lanterns-*.txt"))]
    rules = rulesgraph.build(files, store=":memory:").rules
    [found] = rules.rulings_changed()
    assert (found["severity"], found["subject"], found["since"]) == ("info", "Night Box", "2031-01-01")
    assert found["message"] == (
        "Rule 201.2, on which it probably rests, has changed since 2031-01-01: reworded 2031-07-01. New: "
        "“To trim a lantern means to take one oil from it and turn it to the right.” “A trimmed lantern "
        "still counts as lit until the next dusk check is made.”"
    )
    [night, slow] = [rules.card(name).tables[-1].rows[0] for name in texts]
    assert night[2:] == (None, "201.2", "reworded 2031-07-01")
    assert slow[2:] == (None, "320.2b", None)
    first = ruled._order(("info", "", "Z", "", None, "since 2031-01-01: removed 2031-07-01.", "", ""))
    assert first < ruled._order(tuple(found.values()))


def test_no_rulings_without_cards(plain: Session) -> None:
    with pytest.raises(UsageError, match="no cards are loaded"):
        ruled.rulings_changed(plain)
    assert ruled.changed_since(plain, "420.5", None, None, cited=True) == ""


def test_terms_win_unless_the_card_is_marked(carded: Session) -> None:
    assert show(carded, "Provoke").kind == "term"
    assert {show(carded, it).kind for it in ("[[Provoke]]", "card Provoke")} == {"card"}
    assert {show(carded, it).kind for it in ("Permanent Card", "Card Type, Supertype, and Subtype")} == {
        "term"
    }
    assert card_sheet(carded, "Provoke").name == "Provoke"


def test_of_a_card_called_by_a_face_only_that_face_counts(carded: Session) -> None:
    data = current_cards(carded)
    assert data is not None
    ebb, tide, both = (
        set(asking._beside_cards(carded, data, asking._meant(faces, cards)[0]).words)
        for name in ("Ebb", "Tide", "Ebb // Tide")
        if (cards := cards_in(carded, f"Can I copy [[{name}]]?"))
        if (faces := asking._faces(carded, data, [cards[0].iri]))
    )
    assert ebb - tide
    assert tide - ebb
    assert both == ebb | tide


def test_a_card_with_two_faces(carded: Session) -> None:
    sheet = card_sheet(carded, "Tide")  # which comes first
    assert (sheet.name, sheet.other_names) == ("Ebb // Tide", ("Tide", "Ebb"))
    assert [row["types"] for row in sheet.tables[0]] == ["Sorcery", "Instant"]


def test_where_cards_meet_and_why_they_rest_on_a_term(carded: Session) -> None:
    met = ask(carded, "interaction", ["Wicker Saint", "Merrin, Keeper of Tolls"])
    ground = "Protection (502.7)", "Wicker Saint", "Protection from artifacts and from red"
    ruling = "Protection does not keep Merrin from being chosen by effects that name no target."
    assert [tuple(row.values())[:5] for row in met] == [
        (*ground, "Merrin, Keeper of Tolls, 2008-03-17", ruling),
        (*ground, "Merrin, Keeper of Tolls", "Protection from red"),
    ]
    assert meeting._RULED in met.notes
    with_term = ask(carded, "interaction", ["Lanternfall", "Echo"])
    assert with_term.rows[0][:3] == ("Echo (502.19)", "Lanternfall", "The enchanted land has echo {2}.")
    assert why_card(carded, "Lanternfall", "Land", None, Reach()).rows[0][1:4] == (  # type: ignore[union-attr]
        "Lanternfall",
        "mention",
        "Land",
    )
    assert why_card(carded, "Protection", "Land", None, Reach()) is None


def test_why_prefers_the_cards_own_words_then_rulings_and_passes_no_other_card(
    carded: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def links(card: str, term: str) -> list[object]:
        found = why_card(carded, card, term, None, Reach(steps=None))
        assert found is not None
        return [row["link"] for row in found]

    assert links("Quickglass Blade", "Lifelink") == ["mention"]
    assert links("Quickglass Blade", "State-Based Effects") == ["ruling"]
    assert links("Merrin, Keeper of Tolls", "Artifacts") == ["mention", "mention", "note"]
    monkeypatch.setattr(meeting, "cards_in", lambda _, text: ("another card",) * ("block or" in text))
    assert links("Merrin, Keeper of Tolls", "Artifacts") == []


@pytest.mark.parametrize(
    ("words", "name", "rows"),
    [
        ("How do Wicker Saint and Merrin, Keeper of Tolls interact?", "interaction", 2),
        ("Which rules matter for wicker saint and Merrin, Keeper of Tolls", "interaction", 2),
        ("Slow Lantern and Lanternfall", "interaction", 1),
        ("Quickglass Blade and Slow Lantern", "closest_rules", 1),  # they share nothing
        ("Does Wicker Saint work with protection?", "closest_rules", 1),
        ("Is the ruling for Quickglass Blade still true?", "check", 1),
        ("Do the rulings on Slow Lantern still apply?", "check", 0),
    ],
)
def test_questions_about_two_cards_or_whether_rulings_still_hold(
    carded: Session, words: str, name: str, rows: int
) -> None:
    found = ask(carded, words)
    assert (found.name, min(len(found), 2 if name == "interaction" else 1)) == (name, rows)


def test_rulings_that_a_change_touches_come_first() -> None:
    said = "A trimmed lantern counts as lit until dusk."
    new = ["A trimmed lantern still counts as lit until the next dusk check.", "It sleeps."]
    assert [ruled._distance(it, said) for it in (new, [], new[1:])] == [0, 1, 2]


def test_card_sets_are_listed(run: Run, tmp_path: Path) -> None:
    store = tmp_path / "store"
    assert run("build", "--store", store)[0] == 0
    assert (
        "rulesgraph-2008-03-17: Cards of rulesgraph, 2008-03-17, 12 cards with 4 rulings"
        in (run("editions", "--store", store)[2])
    )
    assert run("show", "Slow Lantern", "--store", store, "--format", "json")[0] == 0


def test_a_name_that_no_card_has_alone_brings_those_that_begin_so(carded: Session) -> None:
    with pytest.raises(UnknownNameError, match=r"Did you mean Merrin, Keeper of Tolls; Merrin's Errand\?"):
        card_sheet(carded, "merrin")
    with pytest.raises(UnknownNameError) as caught:
        card_sheet(carded, "Merr")
    assert "Merrin's Errand" not in caught.value.suggestions  # no whole word
    with pytest.raises(UnknownNameError, match=r"Did you mean Merrin's Errand\?"):
        card_sheet(carded, "Errnad")  # a part of a name, misspelt
    with pytest.raises(UnknownNameError, match="Did you mean Tide"):  # a face of Ebb // Tide
        card_sheet(carded, "tiide")


def test_the_beginning_of_several_names_is_told_at_every_door(carded: Session, plain: Session) -> None:
    begun = "Merrin, Keeper of Tolls; Merrin's Errand"
    told = f"The names of several cards begin with “{{}}”: {begun}. None was chosen."
    found = ask(carded, "does merrin rely on priority")
    assert (found.name, found.notes[0]) == ("closest_rules", told.format("merrin"))
    assert (found.lead[0], "merrin" in " ".join(found.notes[1:])) == (found.notes[0], False)
    alone = ask(carded, "Merrin?")
    assert (alone.name, [row[0] for row in alone.rows]) == ("card_text", begun.split("; "))
    assert alone.notes == (told.format("Merrin"),)
    for pair in (("merrin", "Echo"), ("Echo", "merrin"), ("merrin", "Wicker Saint")):
        with pytest.raises(UnknownNameError, match=f"Did you mean {begun}"):
            ask(carded, "interaction", pair)
        with pytest.raises(UnknownNameError, match="no term or number is called"):
            ask(plain, "interaction", pair)
    assert note_on_card(carded, "merrin") == (f"The names of several cards begin with “merrin”: {begun}.",)
    assert "“merrin”" in " ".join(ask(plain, "does merrin rely on priority").notes)


def test_a_card_that_is_found_by_its_face_says_so(carded: Session) -> None:
    note = "Tide is a face of Ebb // Tide."
    assert card_sheet(carded, "tide").notes[0] == note
    assert note not in card_sheet(carded, "Ebb // Tide").notes


def test_a_search_for_a_card_points_to_it(starter_store: Path) -> None:
    rules = rulesgraph.open(starter_store)
    said = "Slow Lantern is a card: `rulesgraph show 'Slow Lantern'` has its text, rulings and rules."
    assert rules.search("slow lantern").notes[0] == said
    for words in ("lantern", "provoke", "slow lantern rules"):
        assert not any("is a card" in note for note in rules.search(words).notes)


def test_where_a_card_meets_a_term_through_its_keywords(carded: Session) -> None:
    through = "This is what Life shares with keywords of Harbor Watchman: Landwalk, Plainswalk."
    found, turned = (
        ask(carded, "interaction", pair)
        for pair in (("Harbor Watchman", "Life"), ("Life", "Harbor Watchman"))
    )
    assert found.notes[-1] == turned.notes[-1] == through
    keyword = ask(carded, "interaction", ("Landwalk", "Life"))
    assert found.rows == keyword.rows
    assert [(row[2], row[4]) for row in turned.rows] == [(row[4], row[2]) for row in keyword.rows]
    other = ask(carded, "interaction", ("Harbor Watchman", "Landwalk"))
    assert not any("keywords" in note for note in other.notes)


def test_rulings_of_rules_that_did_not_change_are_told(starter_store: Path) -> None:
    rules = rulesgraph.open(starter_store)
    still = "No rule that the checked rulings rest on is known to have changed since."
    unchecked = "2 of 2 rulings were not checked: they cite no rule, and none is clearly the closest."
    notes = {
        "Slow Lantern": ["There are no rulings to check."],
        "Oru, First of the Walkers": [still],
        "Merrin, Keeper of Tolls": [unchecked],
    }
    assert {card: [*rules.rulings_changed(card).notes] for card in notes} == notes


def test_a_set_of_cards_is_no_edition(starter_store: Path) -> None:
    rules = rulesgraph.open(starter_store)
    with pytest.raises(
        UsageError, match=r"rulesgraph-2008-03-17 is a set of cards, not an edition\n .* passages"
    ):
        rules.export("jsonl", io.BytesIO(), edition="rulesgraph-2008-03-17")
