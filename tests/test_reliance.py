"""Who relies on what, on small graphs drawn for one rule of the walk each, and on the real documents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import real
from asking import EDITION, column, columns, session_of, session_on
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesgraph.ontology.errors import UsageError
from rulesgraph.ontology.iris import BASE
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.reliance.questions import natural, why
from rulesgraph.queries.reliance.reach import KINDS, reach_of
from rulesgraph.queries.session import Cells, Session

RULE = f"{BASE}edition/{EDITION}/rule/"
ENTRY = f"{BASE}edition/{EDITION}/entry/"


def term(slug: str, name: str, *more: str) -> str:
    """A term with an entry; `more` are further statements of the term."""
    rest = "".join(f" ; {statement}" for statement in more)
    return (
        f't:{slug} a rg:Term ; skos:prefLabel "{name}"{rest} .\n'
        f"e:{slug} a rg:Entry ; rg:defines t:{slug} ; rg:loaded true .\n"
    )


def rule(number: str, text: str, *more: str, line: int = 1) -> str:
    """A rule that is part of the one above it by its number."""
    stem = number.rstrip("abcdefghij")
    above = stem if stem != number else number.rpartition(".")[0]
    part = f" ; dcterms:isPartOf <{RULE}{above}>" if above else f" ; dcterms:isPartOf s:{number[0]}"
    rest = "".join(f" ; {statement}" for statement in more)
    return (
        f'<{RULE}{number}> a rg:Rule ; skos:notation "{number}" ; rg:loaded true ; rg:text "{text}" ;'
        f" rg:firstLine {line}{part}{rest} .\n"
    )


def says(slug: str, text: str, target: str, surface: str, line: int, kind: str = "Citation") -> str:
    """A paragraph or note below an entry that refers to `target` with the words `surface`."""
    cls = "Note" if kind == "Note" else "Paragraph"
    it = f"{ENTRY}{slug}/{cls.lower()}/{line}"
    start = text.index(surface)
    return (
        f'<{it}> a rg:{cls} ; dcterms:isPartOf e:{slug} ; rg:text "{text}" ; rg:firstLine {line} ;'
        f" rg:hasReference <{it}/ref/1> ; rg:cites {target} .\n"
        f'<{it}/ref/1> a rg:Reference ; rg:to {target} ; rg:surface "{surface}" ;'
        f" rg:start {start} ; rg:end {start + len(surface)} .\n"
        f"t:{slug} rg:dependsOn {target} ; rg:reliesBy{kind} {target} .\n"
    )


def mentions(slug: str, text: str, target: str, line: int) -> str:
    """A paragraph below an entry that only uses a term's name."""
    return (
        f'e:{slug}-{line} a rg:Paragraph ; dcterms:isPartOf e:{slug} ; rg:text "{text}" ;'
        f" rg:firstLine {line} ; rg:mentions t:{target} .\n"
        f"t:{slug} rg:usesTerm t:{target} .\n"
    )


def relies(session: Session, thing: str, *names: str) -> list[Cells]:
    return columns(ask(session, "terms_relying_on", [thing]), names or ("term", "steps", "link"))


# A lamp goes out by rule 10.2a; the chapter 10 is called "Checks".
CHECKS = (
    's:1 a rg:Section ; skos:notation "1" ; rg:loaded true ; dcterms:title "Play" .\n'
    + term("checks", "Checks", f"rg:definedBy <{RULE}10>")
    + f"t:checks rg:dependsOn <{RULE}10> ; rg:reliesByDefinition <{RULE}10> .\n"
    + rule("10", "Checks", 'dcterms:title "Checks"', line=10)
    + rule("10.2", "These are the checks.", line=12)
    + rule("10.2a", "A dark lamp goes out.", line=13)
    + rule("10.3", "They wait for nobody.", line=14)
)


def test_links_to_the_rule_that_defines_a_term_and_to_its_parts_are_links_to_the_term() -> None:
    session = session_of(
        CHECKS
        + term("lamp", "Lamp")
        + says("lamp", "It dims. See rule 10.2a.", f"<{RULE}10.2a>", "rule 10.2a", 20)
        + term("bell", "Bell")
        + says("bell", "See Checks.", "t:checks", "Checks", 21)
    )
    assert relies(session, "Checks") == [("Bell", 1, "citation"), ("Lamp", 1, "citation")]
    assert relies(session, "rule 10") == [
        ("Lamp", 1, "citation"),
        ("Checks", 1, "definition"),
        ("Bell", 2, "definition"),
    ]
    assert relies(session, "10.2a") == [("Lamp", 1, "citation")]
    assert relies(session, "10.3") == []


def test_a_rule_asked_about_by_number_tells_of_its_name() -> None:
    session = session_of(CHECKS)
    assert ask(session, "terms_relying_on", ["10"]).notes == (
        "10 defines Checks: asked by name, what mentions it counts as well.",
    )
    assert ask(session, "terms_relying_on", ["10.2"]).notes == ()


def test_arriving_at_a_rule_one_goes_on_from_its_parts() -> None:
    session = session_of(
        CHECKS
        + rule("20", "Lamps", line=30)
        + rule("20.1", "Lamps burn.", line=31)
        + rule(
            "20.1a",
            "Some go out, see rule 10.3.",
            f"rg:dependsOn <{RULE}10.3>",
            f"rg:reliesByCitation <{RULE}10.3>",
            f"rg:hasReference <{RULE}20.1a/ref/1>",
            line=32,
        )
        + f"<{RULE}20.1a/ref/1> a rg:Reference ; rg:to <{RULE}10.3> ; rg:start 17 ; rg:end 26 .\n"
        + term("lamp", "Lamp")
        + says("lamp", "See rule 20.", f"<{RULE}20>", "rule 20", 40)
    )
    assert relies(session, "Checks") == [("Lamp", 2, "citation")]
    chain = why(session, "Lamp", "Checks")
    assert columns(chain, ("step", "from", "link", "to", "line")) == [
        (1, "Lamp", "citation", "20", 40),
        (2, "20.1a", "citation", "10.3", 32),
    ]


def test_nobody_goes_on_from_a_whole_section() -> None:
    session = session_of(
        CHECKS
        + term("evening", "Evening")
        + says("evening", "See section 1.", "s:1", "section 1", 20).replace(
            "t:evening rg:dependsOn s:1 ; rg:reliesByCitation s:1 .", ""
        )
    )
    assert relies(session, "Checks") == []
    assert relies(session, "section 1") == [("Evening", 1, "citation"), ("Checks", 1, "definition")]


def test_the_first_link_may_be_a_mention_and_the_others_may_not() -> None:
    session = session_of(
        CHECKS
        + term("lamp", "Lamp") + mentions("lamp", "It minds checks.", "checks", 20)
        + term("oil", "Oil") + says("oil", "See Lamp.", "t:lamp", "Lamp", 21)
        + term("wick", "Wick") + mentions("wick", "It is in a lamp.", "lamp", 22)
    )  # fmt: skip
    assert relies(session, "Checks") == [("Lamp", 1, "mention"), ("Oil", 2, "mention")]
    by_mention = ask(session, "terms_relying_on", ["Checks"], reach=reach_of("mention", None))
    assert columns(by_mention, ("term", "steps")) == [("Lamp", 1), ("Wick", 2)]
    explicit = ask(session, "terms_relying_on", ["Checks"], reach=reach_of("citation,notes,definition", None))
    assert explicit.rows == ()
    near = ask(session, "terms_relying_on", ["Checks"], reach=reach_of(None, 1))
    assert column(near, "term") == ["Lamp"]


def test_rules_that_mention_a_term_lie_on_the_way() -> None:
    session = session_of(
        CHECKS
        + rule("30.1", "A moth minds checks.", "rg:mentions t:checks", line=50)
        + term("moth", "Moth")
        + says("moth", "See rule 30.", f"<{RULE}30>", "rule 30", 51)
        + rule("30", "Moths", line=49)
    )
    assert relies(session, "Checks") == [("Moth", 2, "mention")]
    assert columns(ask(session, "rules_relying_on", ["Checks"]), ("rule", "steps", "link")) == [
        ("30.1", 1, "mention")
    ]


def test_the_shortest_chain_wins_and_of_equals_the_strongest() -> None:
    session = session_of(
        CHECKS
        + term("lamp", "Lamp") + says("lamp", "See Checks.", "t:checks", "Checks", 20)
        + mentions("lamp", "Checks matter.", "checks", 19)
        + term("bell", "Bell") + says("bell", "Also see Checks.", "t:checks", "Checks", 22, "Note")
        + term("oil", "Oil") + says("oil", "See Bell.", "t:bell", "Bell", 24)
        + says("oil", "See Lamp.", "t:lamp", "Lamp", 25)
    )  # fmt: skip
    assert relies(session, "Checks", "term", "steps", "link", "line") == [
        ("Lamp", 1, "citation", 20),
        ("Bell", 1, "note", 22),
        ("Oil", 2, "citation", 25),
    ]


def test_of_several_links_of_one_kind_the_first_in_the_text_is_quoted() -> None:
    text = "It dims (see rule 10.3). It dies (see rule 10.2)."
    session = session_of(
        CHECKS
        + term("lamp", "Lamp")
        + says("lamp", text, f"<{RULE}10.2>", "rule 10.2", 20)
        + f"<{ENTRY}lamp/paragraph/20> rg:hasReference e:first ."
        + f"e:first rg:to <{RULE}10.3> ; rg:start 9 ; rg:end 22 .\n"
        + f"t:lamp rg:dependsOn <{RULE}10.3> ; rg:reliesByCitation <{RULE}10.3> .\n"
    )
    assert relies(session, "Checks", "term", "quote") == [("Lamp", "It dims (see rule 10.3).")]


def test_a_cited_rule_is_the_rule_in_force() -> None:
    cited = f"{BASE}edition/pages-2030-02-01/rule/"
    session = session_of(
        CHECKS
        + f'<{cited}10.2> a rg:Rule ; skos:notation "10.2" ; rg:loaded false ; dcterms:isPartOf <{cited}10> ;'
        + f" rg:sameRule <{RULE}10.2> .\n"
        + f'<{cited}10> a rg:Rule ; skos:notation "10" ; rg:loaded false ; rg:sameRule <{RULE}10> .\n'
        + term("lamp", "Lamp")
        + says("lamp", "See rule 10.2.", f"<{cited}10.2>", "rule 10.2", 20)
        + term("page", "Page")
        + says("page", "See rule 10.", f"<{cited}10>", "rule 10", 21)
    )
    assert relies(session, "Checks") == [("Lamp", 1, "citation"), ("Page", 1, "citation")]
    assert relies(session, "10.2") == [("Lamp", 1, "citation")]


def test_renamed_terms_are_followed_both_ways_and_said() -> None:
    session = session_of(
        CHECKS
        + term("waning", "Waning", "rg:renamedTo t:checks")
        + term("lamp", "Lamp") + says("lamp", "See Waning.", "t:waning", "Waning", 20)
        + term("bell", "Bell") + says("bell", "See Checks.", "t:checks", "Checks", 21)
    )  # fmt: skip
    for name in ("Checks", "waning"):
        answer = ask(session, "terms_relying_on", [name])
        assert column(answer, "term") == ["Bell", "Lamp"]
        assert "both names count" in answer.notes[0]


def test_a_definition_shows_the_words_of_its_rule_or_of_who_quotes_its_title() -> None:
    session = session_of(
        CHECKS
        + term("oil", "Oil", f"rg:definedBy <{RULE}40>")
        + f'<{RULE}40> a rg:Rule ; skos:notation "40" ; rg:loaded false ; dcterms:title "Oil" .\n'
        + f"t:oil rg:dependsOn <{RULE}40> ; rg:reliesByDefinition <{RULE}40> .\n"
        + term("lamp", "Lamp")
        + says("lamp", "Fill it (see rule 40, Oil).", f"<{RULE}40>", "rule 40, Oil", 60)
        + f'<{ENTRY}lamp/paragraph/60/ref/1> rg:quotedTitle "Oil" .\n'
    )
    assert columns(why(session, "Checks", "10"), ("link", "quote", "line")) == [("definition", "Checks", 10)]
    assert columns(why(session, "Oil", "40"), ("link", "quote", "line")) == [
        ("definition", "Fill it (see rule 40, Oil).", 60)
    ]


def test_why_says_when_there_is_nothing_to_say() -> None:
    session = session_of(CHECKS + term("lamp", "Lamp"))
    none = why(session, "Lamp", "Checks")
    assert none.rows == ()
    assert "No chain of links leads from Lamp to Checks" in none.notes[-1]
    same = why(session, "10.2a", "Checks")
    assert same.rows == ()
    assert "part of the other" in same.notes[-1]


def test_why_finds_a_mention_at_either_end() -> None:
    session = session_of(
        CHECKS
        + term("lamp", "Lamp") + mentions("lamp", "It needs oil.", "oil", 20)
        + term("oil", "Oil") + says("oil", "See Checks.", "t:checks", "Checks", 21)
    )  # fmt: skip
    assert columns(ask(session, "relied_on_by_term", ["Lamp"]), ("name", "steps", "link")) == [
        ("Oil", 1, "mention"),
        ("Checks", 2, "mention"),
        ("10", 3, "mention"),
    ]
    assert columns(why(session, "Lamp", "Checks"), ("step", "from", "link", "to")) == [
        (1, "Lamp", "mention", "Oil"),
        (2, "Oil", "citation", "Checks"),
    ]


@pytest.mark.parametrize("via", ["quotation", "", ","])
def test_an_unknown_kind_of_link_is_refused(via: str) -> None:
    with pytest.raises(UsageError, match=r"The kinds are citation, note, definition, mention"):
        reach_of(via, None)


def test_a_chain_has_at_least_one_step() -> None:
    with pytest.raises(UsageError, match="at least one step"):
        reach_of(None, 0)


def test_numbers_sort_by_their_value() -> None:
    names = ["Bell", "420.10", "420.9a", "420.9", "arc", "Éa"]
    assert sorted(names, key=natural) == ["420.9", "420.9a", "420.10", "arc", "Bell", "Éa"]


# -- both directions agree ------------------------------------------------------------------------

NODES = ("a", "b", "c", "d", "e")
KINDS_OF_EDGE = ("Citation", "Note", "Definition")
ENDS = (*NODES, "10", "10.2", "10.2a")
EDGES = st.lists(
    st.tuples(st.sampled_from(NODES), st.sampled_from(KINDS_OF_EDGE), st.sampled_from(ENDS)),
    max_size=10,
    unique=True,
)
INNER = st.lists(
    st.tuples(st.sampled_from(["10", "10.2", "10.2a", "10.3"]), st.sampled_from(["20", "20.1"])),
    max_size=3,
    unique=True,
)


@given(EDGES, INNER, INNER)
@settings(max_examples=40)
def test_what_relies_on_a_thing_is_relied_on_from_it(
    edges: list[tuple[str, str, str]], inner: list[tuple[str, str]], outer: list[tuple[str, str]]
) -> None:
    """A relies on B in n steps exactly when B is relied on by A in n steps, and `why` shows n steps."""
    lines = [term(node, node.upper()) for node in NODES]
    lines.append(f"t:c rg:definedBy <{RULE}20> .")
    lines += [rule(number, f"Rule {number}.") for number in ("10", "10.2", "10.2a", "10.3", "20", "20.1")]
    for source, by, target in edges:
        to = f"t:{target}" if target in NODES else f"<{RULE}{target}>"
        if source != target:
            lines.append(f"t:{source} rg:dependsOn {to} ; rg:reliesBy{by} {to} .")
    for one, other in (*inner, *((b, a) for a, b in outer)):
        lines.append(f"<{RULE}{one}> rg:dependsOn <{RULE}{other}> ; rg:reliesByCitation <{RULE}{other}> .")
    session = session_of("\n".join(lines))
    explicit = reach_of("citation,note,definition", None)
    into, out_of = set(), set()
    for node in NODES:
        for found, steps, link in columns(
            ask(session, "terms_relying_on", [node], reach=explicit), ("term", "steps", "link")
        ):
            into.add((found, node.upper(), steps, link))
        rows = columns(
            ask(session, "relied_on_by_term", [node], reach=explicit), ("name", "kind", "steps", "link")
        )
        out_of |= {(node.upper(), name, steps, link) for name, what, steps, link in rows if what == "term"}
    assert into == out_of
    for one_end, other_end, length, link in into:
        chain = why(session, str(one_end), str(other_end), reach=explicit)
        assert len(chain.rows) == length
        weakest = max(KINDS.index(str(each)) for each in column(chain, "link"))
        assert KINDS[weakest] == link


# -- real documents -------------------------------------------------------------------------------

TWELVE = {
    "citation": {
        "Equipment", "Leaves Play", "Legendary", "Lethal Damage", "Life", "Lose the Game", "Loyalty",
        "Priority", "Protection",
    },
    "note": {"Poison Counter"},
    "mention": {"Effect", "Ending the Turn"},
}  # fmt: skip


@pytest.fixture(scope="module")
def pages(shared: Path, store_of: Callable[..., Path]) -> Session:
    """The three rulings pages alone."""
    return session_on(store_of(*real.pages(shared)))


def test_exactly_twelve_terms_of_three_pages_rely_on_state_based_effects_directly(pages: Session) -> None:
    answer = ask(pages, "terms_relying_on", ["state-based effect"])
    assert answer.edition == "rulings-2008-03-17"
    direct: dict[object, set[object]] = {}
    for name, steps, link in columns(answer, ("term", "steps", "link")):
        if steps == 1:
            direct.setdefault(link, set()).add(name)
    assert direct == TWELVE
    lengths = [int(str(steps)) for steps in column(answer, "steps")]
    assert lengths == sorted(lengths)
    assert len(answer.rows) > 12


def test_every_answer_quotes_words_of_its_line(pages: Session, shared: Path) -> None:
    files = {"g16": "000", "g5": "003", "g12": "004"}
    for name, quote, document, line in columns(
        ask(pages, "terms_relying_on", ["State-Based Effects"]), ("term", "quote", "document", "line")
    ):
        page = real.seed(shared, files[str(document).rpartition("-")[2]])
        text = " ".join(" ".join(page.read_text(encoding="utf-8").splitlines()[int(str(line)) - 1 :]).split())
        assert str(quote) in text, name


def test_the_steps_of_why_are_those_of_the_answer(pages: Session) -> None:
    answer = ask(pages, "terms_relying_on", ["420"])
    for name, steps, quote in columns(answer, ("term", "steps", "quote")):
        chain = why(pages, str(name), "420")
        assert len(chain.rows) == steps
        assert column(chain, "quote")[0] == quote


def test_names_are_found_in_any_case_number_and_form(pages: Session) -> None:
    answers = {
        given: column(ask(pages, "terms_relying_on", [given]), "term")
        for given in ("Life", "life total", "LIFE, LIFE TOTAL", "G12.12")
    }
    assert len({tuple(map(str, found)) for found in answers.values()}) == 1


def test_a_rulings_release_rests_on_the_rules_of_its_day(shared: Path, store_of: Callable[..., Path]) -> None:
    session = session_on(store_of(*real.pages(shared), real.rules(shared, "2008-02-01")))
    answer = ask(session, "terms_relying_on", ["420.5"])
    assert answer.edition == "rulings-2008-03-17, cr-2008-02-01"
    documents = {
        str(document).partition("-")[0]
        for document, steps in columns(answer, ("document", "steps"))
        if steps == 1
    }
    assert documents == {"rulings", "cr"}
