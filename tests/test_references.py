"""Explicit references in every form that editions use, with words, targets and titles."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from real import pages, parsed, rules
from rulesgraph.loaders.reading.references import find_references
from rulesgraph.loaders.records import Paragraph, Reference, Rule, TargetKind
from sweep import first

HEADINGS = frozenset(
    ["Active Player, Nonactive Player Order", 'Intervening "If" Clause', "Attacks and Isn't Blocked"]
)


def shown(reference: Reference) -> str:
    """Return one reference as `surface -> kind:targets | title`."""
    targets = " ".join(target.key for target in reference.targets)
    title = f" | {reference.quoted_title}" if reference.quoted_title is not None else ""
    return f"{reference.surface} -> {reference.targets[0].kind.value}:{targets}{title}"


TABLE = [
    # single numbers, any level, any capital
    ("A lamp is lit as rule 420 says.", ["rule 420 -> rule:420"]),
    ("Lit lamps (see Rule 420.5a) stay.", ["Rule 420.5a -> rule:420.5a"]),
    ("A number ends before the full stop: see rule 420.5.", ["rule 420.5 -> rule:420.5"]),
    ("Subrule 704.5aa has two letters.", ["Subrule 704.5aa -> rule:704.5aa"]),
    # a missing space, a space too many
    ('See rule702.72, "Dimming."', ['rule702.72, "Dimming." -> rule:702.72 | Dimming']),
    ("See rule 606. 8b for lamps.", ["rule 606. 8b -> rule:606.8b"]),
    ("See rule 606. 8 lamps are lit.", ["rule 606 -> rule:606"]),
    # lists: an item is one reference
    (
        "See Rules 412.4, 412.5, and 413.2a.",
        ["Rules 412.4 -> rule:412.4", "412.5 -> rule:412.5", "413.2a -> rule:413.2a"],
    ),
    ("See rules 308 and 309 for lamps.", ["rules 308 -> rule:308", "309 -> rule:309"]),
    ("See rules 608.3a and b.", ["rules 608.3a -> rule:608.3a", "b -> rule:608.3b"]),
    ("See rules 613.1, 613.2; and rule 7.", ["rules 613.1 -> rule:613.1", "613.2 -> rule:613.2"]),
    (
        "Rule 412.4, Rule 412.5, and Rule G8.4",
        ["Rule 412.4 -> rule:412.4", "Rule 412.5 -> rule:412.5", "Rule G8.4 -> entry:G8.4"],
    ),
    # a count after a single "rule" does not belong to it
    ("By rule 702.9 and 120 lamps it is lit.", ["rule 702.9 -> rule:702.9"]),
    # ranges, with every dash and what wrong decoding leaves of it
    ("See 409.1f-h.", ["409.1f-h -> rule:409.1f 409.1g 409.1h"]),
    ("Rules 603.7d–f apply.", ["Rules 603.7d–f -> rule:603.7d 603.7e 603.7f"]),
    ("As 409.1a?c says.", ["409.1a?c -> rule:409.1a 409.1b 409.1c"]),
    ("As 409.1a\ufffdc says.", ["409.1a\ufffdc -> rule:409.1a 409.1b 409.1c"]),
    ("See rules 306-308.", ["rules 306-308 -> rule:306 307 308"]),
    (
        "See rules 306–307, 400, and 402.",
        ["rules 306–307 -> rule:306 307", "400 -> rule:400", "402 -> rule:402"],
    ),
    ("See rules 418.5b-418.5d.", ["rules 418.5b-418.5d -> rule:418.5b 418.5c 418.5d"]),
    ("See rules 418.5b - d. Glow.", ["rules 418.5b - d -> rule:418.5b 418.5c 418.5d"]),
    (
        "See rules 409.1b, 409.1f - h, and 1.",
        ["rules 409.1b -> rule:409.1b", "409.1f - h -> rule:409.1f 409.1g 409.1h"],
    ),
    ("See rules 418.5d - b.", ["rules 418.5d -> rule:418.5d"]),
    ("See rules 613.7–9.", ["rules 613.7–9 -> rule:613.7 613.8 613.9"]),
    (
        "Rule 212.2g through Rule 212.2i for lamps",
        ["Rule 212.2g through Rule 212.2i -> rule:212.2g 212.2h 212.2i"],
    ),
    (
        "Rules 409.1b and Rule 409.1f through Rule 409.1g.",
        ["Rules 409.1b -> rule:409.1b", "Rule 409.1f through Rule 409.1g -> rule:409.1f 409.1g"],
    ),
    ("rules 409.1b and 1f-g", ["rules 409.1b -> rule:409.1b", "1f-g -> rule:409.1f 409.1g"]),
    ("See rules 409.1f through h.", ["rules 409.1f through h -> rule:409.1f 409.1g 409.1h"]),
    # what follows a dash in the sentence is no end of a range
    ("See rule 704.5b - a lamp is lit.", ["rule 704.5b -> rule:704.5b"]),
    ("By rule 704.5b through a lamp.", ["rule 704.5b -> rule:704.5b"]),
    ("A rule 704.5-like lamp.", ["rule 704.5 -> rule:704.5"]),
    # bare numbers
    ("as specified in 103.4a, lamps", ["103.4a -> rule:103.4a"]),
    ("Lamps dim (see 601.3d).", ["601.3d -> rule:601.3d"]),
    ("Lamps dim (see 601).", ["601 -> rule:601"]),
    ("See 718, “Lamp Cards.”", ["718, “Lamp Cards.” -> rule:718 | Lamp Cards"]),
    # titles
    (
        'See rule 408.1, "Timing, Priority, and the Lamp."',
        ['rule 408.1, "Timing, Priority, and the Lamp." -> rule:408.1 | Timing, Priority, and the Lamp'],
    ),
    (
        "(See rule 702.1, “Dash,” 702.2, “Dim,” and 702.3, “Glow.”)",
        [
            "rule 702.1, “Dash,” -> rule:702.1 | Dash",
            "702.2, “Dim,” -> rule:702.2 | Dim",
            "702.3, “Glow.” -> rule:702.3 | Glow",
        ],
    ),
    (
        'rule 808, "Lamp vs. Lamp Game," lamps',
        ['rule 808, "Lamp vs. Lamp Game," -> rule:808 | Lamp vs. Lamp Game'],
    ),
    (
        "rule 901, “Lampchase;” rule 902",
        ["rule 901, “Lampchase;” -> rule:901 | Lampchase", "rule 902 -> rule:902"],
    ),
    # without a comma; after a full stop only what is closed like a title
    (
        'See rule 419.8 "Sources of Light."',
        ['rule 419.8 "Sources of Light." -> rule:419.8 | Sources of Light'],
    ),
    ('See rule 418.5. "Lamps at Dusk," and', ['rule 418.5. "Lamps at Dusk," -> rule:418.5 | Lamps at Dusk']),
    ('See rule 418.5. "Glow" means it glows.', ["rule 418.5 -> rule:418.5"]),
    ("See rule 603.1.) “Glow [cost]” means it glows.", ["rule 603.1 -> rule:603.1"]),
    # a closing quote that is missing
    ('See Rule 206, "Lamp Symbol.  Visit the lamps.', ['Rule 206, "Lamp Symbol -> rule:206 | Lamp Symbol']),
    (
        '(See Rule 420, "Lamp-Based Effects). A "lamp"',
        ['Rule 420, "Lamp-Based Effects -> rule:420 | Lamp-Based Effects'],
    ),
    # quotes lost in decoding
    (
        "rule 420, \ufffdLamp Effects.\ufffd",
        ["rule 420, \ufffdLamp Effects.\ufffd -> rule:420 | Lamp Effects"],
    ),
    # sections; of three figures they are what later editions call chapters
    ('See Section 3, "Lamps."', ['Section 3, "Lamps." -> section:3 | Lamps']),
    ("See sections 1 and 2.", ["sections 1 -> section:1", "2 -> section:2"]),
    ("See sections 1–3, and 5.", ["sections 1–3 -> section:1 2 3", "5 -> section:5"]),
    (
        'section 100, "General," and section 101, "Lamps."',
        ['section 100, "General," -> rule:100 | General', 'section 101, "Lamps." -> rule:101 | Lamps'],
    ),
    ("See section 5 of lamps, section 50, section 5.1.", ["section 5 -> section:5"]),
    # an appendix is not loaded
    ("See Appendix B, “Older Lamps,” section 5.", []),
    # entries of a rulings site; a paragraph's letter is not kept
    ('Also see Rule G1.30, "Lamp."', ['Rule G1.30, "Lamp." -> entry:G1.30 | Lamp']),
    ("G12.9b says more.", ["G12.9b -> entry:G12.9"]),
    # terms
    ("See Landwalk.", ["Landwalk -> term:Landwalk"]),
    ("see also Lamp, Oil Lamp.", ["Lamp -> term:Lamp", "Oil Lamp -> term:Oil Lamp"]),
    ("See also Lamp, Dim, and Glow.", ["Lamp -> term:Lamp", "Dim -> term:Dim", "Glow -> term:Glow"]),
    ("See also Lamp and Oil.", ["Lamp -> term:Lamp", "Oil -> term:Oil"]),
    ("Also see Lord of the Lamp.", ["Lord of the Lamp -> term:Lord of the Lamp"]),
    ("See “Lit Lamps” in this Glossary.", ["“Lit Lamps” -> term:Lit Lamps"]),
    ('See "Enters the Lamp."', ['"Enters the Lamp." -> term:Enters the Lamp']),
    (
        'See Lamp Types and rule 212.8, "Lamps."',
        ["Lamp Types -> term:Lamp Types", 'rule 212.8, "Lamps." -> rule:212.8 | Lamps'],
    ),
    # names with a comma, an "and" or quotes, known as headings
    (
        "See Active Player, Nonactive Player Order.",
        ["Active Player, Nonactive Player Order -> term:Active Player, Nonactive Player Order"],
    ),
    ("See Attacks and Isn’t Blocked.", ["Attacks and Isn’t Blocked -> term:Attacks and Isn't Blocked"]),
    ('See "Intervening "If" Clause."', ['"Intervening "If" Clause." -> term:Intervening "If" Clause']),
    ("See \"Intervening 'If' Clause.\"", ["\"Intervening 'If' Clause.\" -> term:Intervening 'If' Clause"]),
    # no references
    ("See the Lamp Rules. See Glossary. See Lamp Floor Rules for more.", []),
    ("Players see Lamps lit; he can see if Lamps burn.", []),
    (
        "This rule dims what rule 410.5 in the previous edition lit; see rule 100.1.",
        ["rule 100.1 -> rule:100.1"],
    ),
    ("This rule turns round rule 410.5 in previous editions of this book.", []),
    ("Lamps of 100.5 cm, $103.50, 250.5%, version 101.2, 1.104.5 and 120 lamps.", []),
    ("Call 32.070.233.277 or 555.1234.", []),
    ("The rules 4 and 5 of lamps are 100 years old.", []),
]


@pytest.mark.parametrize(("text", "expected"), TABLE)
def test_references(text: str, expected: list[str]) -> None:
    found = find_references(text, HEADINGS)
    assert [shown(reference) for reference in found] == expected
    for reference in found:
        assert text[reference.start : reference.end] == reference.surface


def test_without_headings_a_comma_parts_names() -> None:
    found = find_references("See Active Player, Nonactive Player Order.")
    assert [reference.surface for reference in found] == ["Active Player", "Nonactive Player Order"]


PIECES = st.sampled_from(
    'rule Rules section see See also Also through and , . ; – - ( ) " “ ” ? 4 420 420.5 420.5a b h '
    "G8.4 G1.30a Lamp Oil of the Appendix A \ufffd ' 1.5 99 rules420 l o".split()
)


@given(
    st.one_of(
        st.text(max_size=120), st.lists(PIECES, max_size=25).map(" ".join), st.lists(PIECES).map("".join)
    )
)
def test_spans_slice_back_and_rise(text: str) -> None:
    free = 0
    for reference in find_references(text, HEADINGS):
        assert reference.start >= free
        assert reference.end > reference.start
        assert text[reference.start : reference.end] == reference.surface
        assert reference.targets
        assert all(target.key and not target.key.endswith(".") for target in reference.targets)
        free = reference.end


def test_an_entry_ends_no_range_of_rules() -> None:
    found = find_references("Lamps (100.2–G1.30)")
    kinds = [("100.2", TargetKind.RULE), ("G1.30", TargetKind.ENTRY)]
    assert [(it.surface, it.targets[0].kind) for it in found] == kinds


def test_a_damaged_character_is_no_name() -> None:
    assert list(find_references('See " \ufffd', HEADINGS)) == []


@given(st.integers(100, 999), st.integers(1, 300), st.sampled_from(["", "a", "k", "z", "aa"]), st.booleans())
def test_every_number_is_found_wherever_it_stands(chapter: int, rule: int, letters: str, bare: bool) -> None:
    number = f"{chapter}.{rule}{letters}"
    (reference,) = find_references(f"Lamps ({'' if bare else 'rule '}{number}), then dusk.")
    assert [(target.kind, target.key) for target in reference.targets] == [(TargetKind.RULE, number)]


def test_totals_of_the_rulings_pages(shared: Path) -> None:
    """Distinct rule targets in each paragraph, summed; in notes, entries of the site too."""
    totals = []
    for document in map(parsed, pages(shared)):
        rules = sections = noted = 0
        for entry in document.entries:
            units: list[Paragraph] = [*entry.paragraphs, *entry.rulings]
            for unit in units:
                targets = {target for reference in unit.references for target in reference.targets}
                rules += sum(target.kind is TargetKind.RULE for target in targets)
                sections += sum(target.kind is TargetKind.SECTION for target in targets)
            for note in entry.notes:
                noted += len({target for reference in note.references for target in reference.targets})
        totals.append((rules, sections, noted))
    assert totals == [(26, 1, 15), (12, 0, 23), (14, 0, 20)]


@pytest.mark.parametrize(
    "edition",
    first(
        1,
        ("2026-01-16", "1999-11-01", "2009-05-01", "2016-11-11"),
        pytest.mark.long(small="test_no_number_of_an_edition_is_left_out"),
    ),
)
def test_no_number_of_an_edition_is_left_out(shared: Path, edition: str) -> None:
    """Every number with a dot that could be a rule's, and every "rule" with a number, is in a reference."""
    document = parsed(rules(shared, edition))
    units: list[Rule | Paragraph] = list(document.rules)
    units += [paragraph for entry in document.entries for paragraph in entry.paragraphs]
    left = [
        match[0]
        for unit in units
        for match in re.finditer(r"\d{3}\.\d|\b[Rr]ules?\s*\d", unit.text)
        if not any(r.start <= match.end() - 1 < r.end for r in unit.references)
    ]
    assert left == []
