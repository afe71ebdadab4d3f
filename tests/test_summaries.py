"""Summaries of a rulings site: every ruling with its day and authority, of rules and of cards."""

from __future__ import annotations

from datetime import date

from rulesgraph.loaders.records import Attribution
from test_rulings import load, units

SUMMARY = """\
==============================================================================

General Rulings Summary                                     Updated 2000/07/12

==============================================================================

Rulings about lamps come from many keepers.

A '+' is used to mark changes since the 2000/06/10 release.

----
The Keeper

==============================================================================

Table of Contents:
------------------------------------------------------------------------------
 A - Lighting
 B - Dusk
 Credits

==============================================================================
 A - Lighting
------------------------------------------------------------------------------

 A.19 - Lamp Oil
  A.19.1 - A lamp without oil stays dark.  It may be filled at any time that
    its keeper likes. [Keeper 00/06/05]
+ A.19.2 - Oil of two lamps is never mixed. [Duelist #5, Page 12]
  A.19.Ruling.1 - Whoever spills it pays for it. [Keeper 08/27/97]

 402 - Dusk
 402.1 - Dusk falls once a day. [CompRules 1999/11/01]
    Example: It falls on Monday.
 402.1a - It does not fall twice. [CompRules 1999/11/01]
+402.1.Ruling.1 - It may fall late, which keepers hate. [Keeper 2000/07/01]

Credits:
------------------------------------------------------------------------------
These pages are free. See rule 100 of the harbour.
"""


def test_a_summary_has_every_ruling_with_its_day_and_authority() -> None:
    document = load(SUMMARY)
    assert document.edition == "rulings-2000-07-12"
    assert document.document == "rulings-2000-07-12-general-rulings-summary"
    assert [it.code for it in document.problems] == ["missing-date"]  # of the magazine
    assert document.unaccounted == ()
    found = [(it.number, *it.attributions) for entry in document.entries for it in units(entry)]
    assert found == [
        ("A.19.1", Attribution("Keeper", date(2000, 6, 5))),
        ("A.19.2", Attribution("Duelist #5, Page 12", None)),
        ("A.19.Ruling.1", Attribution("Keeper", date(1997, 8, 27))),
        ("402.1", Attribution("CompRules", date(1999, 11, 1))),
        ("402.1a", Attribution("CompRules", date(1999, 11, 1))),
        ("402.1.Ruling.1", Attribution("Keeper", date(2000, 7, 1))),
    ]
    assert [(it.number, it.heading) for it in document.entries] == [("A.19", "Lamp Oil"), ("402.1", "")]
    assert document.entries[0].paragraphs[0].text.endswith("at any time that its keeper likes.")


CARDS = """\
==============================================================================
Card Rulings Summary (CHANGES ONLY)                         Updated 2001/02/03
==============================================================================
These are new: each has a '+'.
==============================================================================
- - * - * -  L  - * - * - -

Lamp of Dusk:
+ It dims (see Rule 402.1). [Keeper 2001/02/01]
+ Its light is warm.
    [Keeper 01/02/02]

Lantern:
  It glows. [Keeper 2001/02/01]
  It is hung up where
    ships can see it. [Keeper 2001/02/02]
"""


def test_rulings_of_cards_stand_under_their_names() -> None:
    document = load(CARDS)
    assert (document.problems, document.unaccounted) == ((), ())
    rulings = [(entry.heading, it) for entry in document.entries for it in entry.rulings]
    found = [(heading, it.text, it.attributions[0].as_of) for heading, it in rulings]
    assert found == [
        ("Lamp of Dusk", "It dims (see Rule 402.1).", date(2001, 2, 1)),
        ("Lamp of Dusk", "Its light is warm.", date(2001, 2, 2)),
        ("Lantern", "It glows.", date(2001, 2, 1)),
        ("Lantern", "It is hung up where ships can see it.", date(2001, 2, 2)),
    ]
    assert document.entries[0].rulings[0].references[0].targets[0].key == "402.1"


def test_a_summary_cut_before_its_first_name_is_read_from_there() -> None:
    document = load(CARDS.replace("Lamp of Dusk:", "of an old lamp"))
    assert [it.heading for it in document.entries] == ["Lantern"]
    assert {it.code for it in document.problems} == {"stray-text"}
    assert document.unaccounted == ()
