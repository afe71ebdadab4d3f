"""Who relies on what, in small graphs with one rule of the walk each, and in the real documents."""

from __future__ import annotations

import pytest
from asking import EDITION, column, columns, session_of
from hypothesis import given
from hypothesis import strategies as st
from rulesgraph import Rules
from rulesgraph.ontology.errors import UsageError
from rulesgraph.ontology.iris import BASE
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.reliance.levels import reach_of
from rulesgraph.queries.reliance.walk import natural, why
from rulesgraph.queries.session import Cells, Session
from sweep import part_of_the_examples

RULE = f"{BASE}edition/{EDITION}/rule/"
ENTRY = f"{BASE}edition/{EDITION}/entry/"


def term(slug: str, name: str, *more: str) -> str:
    """A term with an entry; `more` are further statements of the term."""
    rest = "".join(f" ; {statement}" for statement in more)
    return (
        f't:{slug} a rg:Term ; skos:prefLabel "{name}"{rest} .\ne:{slug} a rg:Entry ; rg:defines t:{slug} .\n'
    )


def rule(number: str, text: str, *more: str, line: int = 1) -> str:
    """A rule that is part of the one above it by its number."""
    stem = number.rstrip("abcdefghij")
    above = stem if stem != number else number.rpartition(".")[0]
    part = f" ; dcterms:isPartOf <{RULE}{above}>" if above else f" ; dcterms:isPartOf s:{number[0]}"
    rest = "".join(f" ; {statement}" for statement in more)
    return (
        f'<{RULE}{number}> a rg:Rule ; skos:notation "{number}" ; rg:text "{text}" ;'
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
    )


def mentions(slug: str, text: str, target: str, line: int) -> str:
    """A paragraph below an entry that only uses a term's name."""
    return (
        f'e:{slug}-{line} a rg:Paragraph ; dcterms:isPartOf e:{slug} ; rg:text "{text}" ;'
        f" rg:firstLine {line} ; rg:mentions t:{target} .\n"
    )


def relies(session: Session, thing: str, *names: str) -> list[Cells]:
    return columns(ask(session, "terms_relying_on", [thing]), names or ("term", "steps", "link"))


def cites(number: str, text: str, target: str, surface: str, line: int, *more: str) -> str:
    """A rule that refers to `target` with the words `surface`."""
    it = f"{RULE}{number}"
    start = text.index(surface)
    return rule(number, text, f"rg:hasReference <{it}/ref/1>", *more, line=line) + (
        f"<{it}/ref/1> a rg:Reference ; rg:to {target} ; rg:start {start} ; rg:end {start + len(surface)} .\n"
    )


def titled(number: str, slug: str, name: str, line: int) -> str:
    """A rule with a title, and the term that is called by it."""
    level = "rule" if "." in number else "chapter"
    return f't:{slug} a rg:Term ; skos:prefLabel "{name}" ; rg:definedBy <{RULE}{number}> .\n' + rule(
        number, name, f'dcterms:title "{name}"', f'rg:level "{level}"', line=line
    )


# A lamp goes out by rule 10.2a; the chapter 10 is called "Checks".
CHECKS = (
    's:1 a rg:Section ; skos:notation "1" ; dcterms:title "Play" .\n'
    + titled("10", "checks", "Checks", 10)
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
    assert relies(session, "Checks") == [("Lamp", 1, "citation"), ("Bell", 1, "note")]
    assert relies(session, "10.2a") == [("Lamp", 1, "citation")]
    assert relies(session, "10.3") == []


def test_the_rule_that_defines_a_term_belongs_to_its_body_with_parts_and_examples() -> None:
    session = session_of(
        CHECKS
        + titled("20", "lamp", "Lamp", 20)
        + rule("20.1", "Lamps burn.", line=21)
        + cites("20.1a", "One goes out; see rule 10.2a.", f"<{RULE}10.2a>", "rule 10.2a", 22)
        + titled("30", "oil", "Oil", 30)
        + rule("30.1", "It feeds lamps.", line=31)
        + f"<{RULE}30.1/example/1> a rg:Example ; dcterms:isPartOf <{RULE}30.1> ; rg:firstLine 32 ;"
        + ' rg:text "The oil is gone. Checks come." ; rg:mentions t:checks .\n'
    )
    assert relies(session, "Checks", "term", "link", "quote", "line") == [
        ("Lamp", "citation", "One goes out; see rule 10.2a.", 22),
        ("Oil", "mention", "Checks come.", 32),
    ]
    rules = ask(session, "rules_relying_on", ["Checks"])
    assert columns(rules, ("rule", "link", "line")) == [("20.1a", "citation", 22), ("30.1", "mention", 32)]


def test_who_cites_one_item_of_a_list_does_not_rely_on_what_the_others_say() -> None:
    session = session_of(
        CHECKS
        + titled("40", "tokens", "Tokens", 40)
        + rule("40.1", "There are these tokens.", line=41)
        + rule("40.1a", "An ash token minds checks.", "rg:mentions t:checks", line=42)
        + rule("40.1b", "A blood token minds nothing.", line=43)
        + term("blood", "Blood Token")
        + says("blood", "See rule 40.1b.", f"<{RULE}40.1b>", "rule 40.1b", 44)
    )
    assert relies(session, "Checks") == [("Tokens", 1, "mention")]
    assert relies(session, "Tokens") == [("Blood Token", 1, "citation")]


@pytest.mark.parametrize(
    ("via", "rows"),
    [
        (None, [("Checks", 1, 0)]),
        ("mention", [("Checks", 1, 0), ("Lamp", 1, 0)]),
        ("citation,mention", [("Checks", 2, 0), ("Lamp", 1, 0)]),
        ("note", []),
    ],
)
def test_what_is_relied_on_most_counts_the_kinds_of_links_that_are_named(
    via: str | None, rows: list[Cells]
) -> None:
    session = session_of(
        CHECKS
        + term("lamp", "Lamp")
        + says("lamp", "It dims. See rule 10.2a.", f"<{RULE}10.2a>", "rule 10.2a", 20)
        + term("bell", "Bell")
        + mentions("bell", "Checks wait for it.", "checks", 21)
        + mentions("bell", "It calls a lamp.", "lamp", 22)
    )
    found = ask(session, "most_relied_on", reach=reach_of(via))
    assert (found.columns, list(found.rows)) == (("term", "relying_terms", "relying_rules"), rows)


def test_a_pointer_to_its_own_rule_is_the_definition_of_a_term() -> None:
    session = session_of(
        titled("50", "keywords", "Keywords", 50)
        + rule("50.1", "Flash", 'dcterms:title "Flash"', 'rg:level "rule"', line=51)
        + term("flash", "Flash", f"rg:definedBy <{RULE}50.1>")
        + says("flash", "It is quick. See rule 50.1.", f"<{RULE}50.1>", "rule 50.1", 52)
    )
    assert relies(session, "Keywords") == []
    assert relies(session, "50.1") == [("Flash", 1, "definition")]
    assert ask(session, "terms_relying_on", ["50.1"]).notes == (
        "50.1 defines Flash. If you ask by name, mentions count too.",
    )


def test_a_titled_rule_is_the_body_of_its_own_term_and_not_of_the_chapters() -> None:
    session = session_of(
        CHECKS
        + titled("50", "keywords", "Keywords", 50)
        + titled("50.1", "flash", "Flash", 51)
        + rule("50.1a", "Flash ends before checks.", "rg:mentions t:checks", line=52)
        + rule("50.2", "Other keywords end by checks.", "rg:mentions t:checks", line=53)
    )
    assert relies(session, "Checks", "term", "line") == [("Flash", 52), ("Keywords", 53)]


def test_a_title_that_has_the_name_in_it_is_no_evidence() -> None:
    session = session_of(
        CHECKS
        + rule("60", "Lamp Checks", 'dcterms:title "Lamp Checks"', "rg:mentions t:checks", line=60)
        + term("lamp-checks", "Lamp Checks", f"rg:definedBy <{RULE}60>")
    )
    assert relies(session, "Checks") == []


def test_rows_come_by_strength_then_by_how_many_then_by_name() -> None:
    session = session_of(
        CHECKS
        + term("ant", "Ant") + mentions("ant", "It minds checks.", "checks", 20)
        + titled("20", "bee", "Bee", 21) + rule("20.1", "It minds checks.", "rg:mentions t:checks", line=22)
        + term("cat", "Cat") + says("cat", "Also see rule 10.", f"<{RULE}10>", "rule 10", 23, "Note")
        + term("dog", "Dog") + says("dog", "See rule 10.3.", f"<{RULE}10.3>", "rule 10.3", 24)
        + term("eel", "Eel") + says("eel", "See rule 10.2.", f"<{RULE}10.2>", "rule 10.2", 25)
        + says("eel", "But see rule 10.3.", f"<{RULE}10.3>", "rule 10.3", 26)
        + mentions("eel", "It minds checks.", "checks", 27)
        + term("fox", "Fox") + says("fox", "See rule 10.", f"<{RULE}10>", "rule 10", 28)
    )  # fmt: skip
    assert relies(session, "Checks", "term", "link", "quote", "line") == [
        ("Eel", "citation", "See rule 10.2.", 25),
        ("Dog", "citation", "See rule 10.3.", 24),
        ("Fox", "citation", "See rule 10.", 28),
        ("Cat", "note", "Also see rule 10.", 23),
        ("Ant", "mention", "It minds checks.", 20),
        ("Bee", "mention", "It minds checks.", 22),
    ]


# Lamp minds checks, Oil is sent to Lamp, Wick to Oil, Wax to Wick.
CHAIN = (
    CHECKS
    + term("lamp", "Lamp") + mentions("lamp", "It minds checks.", "checks", 20)
    + term("oil", "Oil") + says("oil", "It burns. See Lamp.", "t:lamp", "Lamp", 21)
    + term("wick", "Wick") + says("wick", "Also see Oil.", "t:oil", "Oil", 22, "Note")
    + mentions("wick", "It is in a lamp.", "lamp", 23)
    + term("wax", "Wax") + says("wax", "See Wick.", "t:wick", "Wick", 24)
)  # fmt: skip


def test_the_direct_answer_tells_how_many_more_rely_at_two_steps_and_three() -> None:
    session = session_of(CHAIN)
    direct = ask(session, "terms_relying_on", ["Checks"])
    assert columns(direct, ("term", "steps", "link", "quote", "through")) == [
        ("Lamp", 1, "mention", "It minds checks.", None)
    ]
    assert direct.notes == (
        "1 more at two steps, 1 more at three steps: --steps 3 shows these terms, --steps all shows all.",
    )
    two = ask(session, "terms_relying_on", ["Checks"], reach=reach_of(steps=2))
    assert two.notes == ("1 more at three steps: --steps 3 shows these terms, --steps all shows all.",)
    assert ask(session, "terms_relying_on", ["Wick"]).notes == ()


def test_beyond_one_step_a_row_quotes_the_last_link_and_names_the_term_before() -> None:
    found = ask(session_of(CHAIN), "terms_relying_on", ["Checks"], reach=reach_of(steps="all"))
    assert columns(found, ("term", "steps", "link", "quote", "line", "through")) == [
        ("Lamp", 1, "mention", "It minds checks.", 20, None),
        ("Oil", 2, "mention", "It minds checks.", 20, "Lamp"),
        ("Wick", 3, "mention", "It minds checks.", 20, "Lamp"),
        ("Wax", 4, "mention", "It minds checks.", 20, "Lamp"),
    ]
    assert found.notes == ()


def test_only_the_first_link_may_be_a_mention_unless_it_is_asked_for() -> None:
    session = session_of(CHAIN)
    for via, steps, expected in (
        ("mention", "all", [("Lamp", 1), ("Wick", 2)]),
        ("citation,notes", "all", []),
        (None, 2, [("Lamp", 1), ("Oil", 2)]),
    ):
        found = ask(session, "terms_relying_on", ["Checks"], reach=reach_of(via, steps))
        assert columns(found, ("term", "steps")) == expected


def test_nobody_goes_on_from_a_whole_section() -> None:
    session = session_of(
        CHECKS
        + term("evening", "Evening")
        + says("evening", "See section 1.", "s:1", "section 1", 20)
        + term("night", "Night")
        + says("night", "See Evening.", "t:evening", "Evening", 21)
    )
    assert relies(session, "Checks") == []
    assert relies(session, "section 1") == [("Evening", 1, "citation")]


def test_beyond_the_first_step_a_rule_of_no_term_stands_for_itself() -> None:
    session = session_of(
        CHECKS
        + rule("30", "Moths", line=49)
        + cites("30.1", "A moth dies; see rule 10.2.", f"<{RULE}10.2>", "rule 10.2", 50)
        + term("moth", "Moth")
        + says("moth", "See rule 30.1.", f"<{RULE}30.1>", "rule 30.1", 51)
        + term("swarm", "Swarm")
        + says("swarm", "See rule 30.", f"<{RULE}30>", "rule 30", 52)
    )
    all_of_them = ask(session, "terms_relying_on", ["Checks"], reach=reach_of(steps="all"))
    assert columns(all_of_them, ("term", "steps", "link", "quote", "through")) == [
        ("Moth", 2, "citation", "A moth dies; see rule 10.2.", "30.1")
    ]
    assert columns(why(session, "Moth", "Checks"), ("step", "from", "link", "to", "line")) == [
        (1, "Moth", "citation", "30.1", 51),
        (2, "30.1", "citation", "Checks", 50),
    ]


def test_of_equally_short_chains_the_strongest_is_shown() -> None:
    session = session_of(
        CHECKS
        + term("lamp", "Lamp") + says("lamp", "See rule 10.", f"<{RULE}10>", "rule 10", 20)
        + term("bell", "Bell") + says("bell", "See Checks.", "t:checks", "Checks", 22)
        + term("oil", "Oil") + says("oil", "See Bell.", "t:bell", "Bell", 24)
        + says("oil", "See Lamp.", "t:lamp", "Lamp", 25)
    )  # fmt: skip
    found = ask(session, "terms_relying_on", ["Checks"], reach=reach_of(steps=2))
    assert columns(found, ("term", "steps", "link", "line", "through")) == [
        ("Lamp", 1, "citation", 20, None),
        ("Bell", 1, "note", 22, None),
        ("Oil", 2, "note", 22, "Bell"),
    ]


def test_of_several_links_of_one_kind_the_first_in_the_text_is_quoted() -> None:
    text = "It dims (see rule 10.3). It dies (see rule 10.2)."
    session = session_of(
        CHECKS
        + term("lamp", "Lamp")
        + says("lamp", text, f"<{RULE}10.2>", "rule 10.2", 20)
        + f"<{ENTRY}lamp/paragraph/20> rg:hasReference e:first ."
        + f"e:first rg:to <{RULE}10.3> ; rg:start 9 ; rg:end 22 .\n"
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
        + term("lamp", "Lamp")
        + says("lamp", "Fill it (see rule 40, Oil).", f"<{RULE}40>", "rule 40, Oil", 60)
        + f'<{ENTRY}lamp/paragraph/60/ref/1> rg:quotedTitle "Oil" .\n'
    )
    assert relies(session, "40", "term", "link", "quote", "line") == [
        ("Lamp", "citation", "Fill it (see rule 40, Oil).", 60),
        ("Oil", "definition", "Fill it (see rule 40, Oil).", 60),
    ]


def test_why_says_when_there_is_nothing_to_say() -> None:
    session = session_of(CHECKS + term("lamp", "Lamp"))
    none = why(session, "Lamp", "Checks")
    assert none.rows == ()
    assert none.notes == ("No chain of links leads from Lamp to Checks.",)
    same = why(session, "10.2a", "Checks")
    assert same.rows == ()
    assert same.notes == ("10.2a and Checks are the same thing, or one is part of the other.",)


def test_why_finds_a_mention_at_either_end() -> None:
    session = session_of(
        CHECKS
        + term("lamp", "Lamp") + mentions("lamp", "It needs oil.", "oil", 20)
        + term("oil", "Oil") + says("oil", "See Checks.", "t:checks", "Checks", 21)
    )  # fmt: skip
    everything = ask(session, "relied_on_by_term", ["Lamp"], reach=reach_of(steps="all"))
    assert columns(everything, ("name", "kind", "steps", "link", "quote", "through")) == [
        ("Oil", "term", 1, "mention", "It needs oil.", None),
        ("Checks", "term", 2, "mention", "See Checks.", "Oil"),
    ]
    assert columns(why(session, "Lamp", "Checks"), ("step", "from", "link", "to")) == [
        (1, "Lamp", "mention", "Oil"),
        (2, "Oil", "note", "Checks"),
    ]


def test_why_goes_over_what_both_ends_name(newest_rules: Rules) -> None:
    """Four explicit steps led over *Priority*, which has nothing to do with either."""
    chain = [(row["from"], row["link"], row["to"]) for row in newest_rules.why("Trample", "Toughness")]
    assert chain == [("Trample", "mention", "Lethal Damage"), ("Lethal Damage", "mention", "Toughness")]
    explicit = newest_rules.why("Trample", "Toughness", via=["citation", "note", "definition"])
    assert all(row["link"] != "mention" for row in explicit)


def test_why_takes_the_shorter_of_the_two_ways_and_a_part_for_the_whole() -> None:
    session = session_of(
        CHECKS
        + term("lamp", "Lamp") + mentions("lamp", "It needs oil.", "oil", 20)
        + says("lamp", "See Wick.", "t:wick", "Wick", 21)
        + term("oil", "Oil") + says("oil", "None is left (see rule 10.2a).", f"<{RULE}10.2a>", "10.2a", 22)
        + term("wick", "Wick") + says("wick", "See Shade.", "t:shade", "Shade", 23)
        + term("shade", "Shade") + says("shade", "It falls (see rule 10).", f"<{RULE}10>", "10", 24)
    )  # fmt: skip
    steps = ("step", "from", "link", "to")
    assert columns(why(session, "Lamp", "10"), steps) == [
        (1, "Lamp", "mention", "Oil"),
        (2, "Oil", "citation", "10.2a"),
    ]
    explicit = why(session, "Lamp", "10", reach=reach_of("citation,note", "all"))
    assert columns(explicit, steps) == [
        (1, "Lamp", "note", "Wick"),
        (2, "Wick", "note", "Shade"),
        (3, "Shade", "citation", "10"),
    ]


@pytest.mark.parametrize("via", ["quotation", "", ","])
def test_an_unknown_kind_of_link_is_refused(via: str) -> None:
    with pytest.raises(UsageError, match=r"The kinds are citation, note, definition, mention"):
        reach_of(via, None)


def test_a_chain_has_at_least_one_step() -> None:
    for steps in (0, "-1", "many"):
        with pytest.raises(UsageError, match=f"at least one step, not {steps}\n.*Give a number, or all"):
            reach_of(None, steps)
    assert [reach_of(None, steps).steps for steps in (None, 2, "3", " All ")] == [1, 2, 3, None]


def test_numbers_sort_by_their_value() -> None:
    names = ["Bell", "420.10", "420.9a", "420.9", "arc", "Éa"]
    assert sorted(names, key=natural) == ["420.9", "420.9a", "420.10", "arc", "Bell", "Éa"]


# -- both directions agree ------------------------------------------------------------------------

NODES = ("a", "b", "c", "d", "e")
RULES = ("10", "10.2", "10.2a", "10.3", "20", "20.1")
PLACES = (*NODES, *RULES)
EDGES = st.lists(
    st.tuples(st.sampled_from(PLACES), st.sampled_from(("Paragraph", "Note")), st.sampled_from(PLACES)),
    max_size=12,
    unique=True,
)


@given(EDGES)
@part_of_the_examples(0.6)
def test_what_relies_on_a_thing_is_relied_on_from_it(edges: list[tuple[str, str, str]]) -> None:
    """A relies on B in n steps exactly when B is relied on by A in n steps, and `why` shows n steps."""
    lines = [term(node, node.upper()) for node in NODES]
    lines.append(f"t:c rg:definedBy <{RULE}20> .")
    lines += [rule(number, f"Rule {number}.") for number in RULES]
    for line, (source, cls, target) in enumerate(edges, start=1):
        to = f"t:{target}" if target in NODES else f"<{RULE}{target}>"
        if source in NODES:
            lines.append(says(source, "See it.", to, "it", line, "Note" if cls == "Note" else "Citation"))
        else:
            lines.append(
                f"<{RULE}{source}> rg:hasReference e:ref{line} ."
                f" e:ref{line} rg:to {to} ; rg:start 0 ; rg:end 4 ."
            )
    session = session_of("\n".join(lines))
    explicit = reach_of("citation,note", "all")
    into, out_of = set(), set()
    for node in NODES:
        rows = columns(ask(session, "terms_relying_on", [node], reach=explicit), ("term", "steps"))
        into |= {(found, node.upper(), steps) for found, steps in rows}
        rows = columns(ask(session, "relied_on_by_term", [node], reach=explicit), ("name", "kind", "steps"))
        out_of |= {(node.upper(), name, steps) for name, what, steps in rows if what == "term"}
    assert into == out_of
    for one_end, other_end, length in into:
        chain = why(session, str(one_end), str(other_end), reach=explicit)
        assert len(chain.rows) == length
        assert column(chain, "step") == list(range(1, len(chain.rows) + 1))
