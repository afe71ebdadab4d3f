"""The permanent ids of provisions: for invented rules, and for real editions against the file of all."""

from __future__ import annotations

import csv
import itertools
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

import measure_history as measure
import pytest
from agreement import ids_astray
from commands import Run
from pyoxigraph import Literal, RdfFormat, parse
from rulesgraph.loaders.describing.describe import CC0
from rulesgraph.loaders.history.authority import Authority, bundled, wording_of
from rulesgraph.loaders.history.extending import EditionRules, extended, merged, new_id, rules_of
from rulesgraph.loaders.history.items import Item
from rulesgraph.loaders.history.likeness import likeness, signature
from rulesgraph.loaders.history.lives import Lives, bundled_lives
from rulesgraph.loaders.history.matching import changes_between
from rulesgraph.loaders.history.tenures import Successor
from rulesgraph.loaders.language.numbers import wholes
from rulesgraph.ontology.errors import UsageError
from rulesgraph.ontology.iris import Iris, child
from rulesgraph.ontology.terms import PREFIXES, last_name
from sweep import PartOf

ROOT = Path(__file__).resolve().parents[1]
IRIS = Iris()
KEEPERS = "Each keeper lights three lanterns before the older keeper takes the first turn of the evening."
MOTHS = "A moth whose lantern goes dark returns to the bag unless another lit lantern stands beside it."
OIL = "Whenever a lantern loses its last oil, turn it to the left and take the moths that sit on it."
FOG = "Fog hides every lantern on the table until a keeper spends two drops of oil to lift it."


def edition(day: str, before: list[Item] | None = None, **rules: str) -> tuple[list[Item], EditionRules]:
    """Return an edition of rules (`r100_1="…"`) as items, and as the authority takes them."""
    name = f"cr-{day}"
    numbered = {number[1:].replace("_", "."): words for number, words in rules.items()}
    items = [Item(IRIS.rule(name, number), number, words) for number, words in numbered.items()]
    return items, rules_of(name, items, changes_between(before or [], items), IRIS)


def ids(authority: Authority, day: str) -> dict[str, str]:
    return {number: row.provision for number, row in authority.rules_of(f"cr-{day}").items()}


@pytest.fixture(scope="module")
def lives() -> tuple[EditionRules, EditionRules, EditionRules]:
    """Three editions: a rule moves, one is split, one is merged with its neighbour, one comes."""
    items, one = edition("2001-01-01", r100_1=KEEPERS, r100_2=f"{MOTHS} {OIL}", r100_3=FOG)
    items, two = edition("2002-01-01", items, r100_1=FOG, r100_2=MOTHS, r100_3=OIL, r100_4=KEEPERS)
    _, three = edition("2003-01-01", items, r100_2=MOTHS, r100_3=f"{OIL} {FOG}", r100_4=KEEPERS)
    return one, two, three


def test_ids_follow_rules_and_splits_and_merges_are_stated(
    lives: tuple[EditionRules, EditionRules, EditionRules],
) -> None:
    found = extended(Authority(), lives)
    first, second, third = (new_id("cr-2001-01-01", f"100.{k}") for k in (1, 2, 3))
    came = new_id("cr-2002-01-01", "100.3")
    assert ids(found, "2001-01-01") == {"100.1": first, "100.2": second, "100.3": third}
    assert ids(found, "2002-01-01") == {"100.1": third, "100.2": second, "100.3": came, "100.4": first}
    assert ids(found, "2003-01-01") == {"100.2": second, "100.3": came, "100.4": first}
    assert found.replaced == (
        Successor(second, came, "cr-2002-01-01"),
        Successor(third, came, "cr-2003-01-01"),
    )


def test_a_new_id_is_that_of_the_place_where_a_rule_was_first_seen() -> None:
    places = [("cr-2001-01-01", "100.1"), ("cr-2001-01-01", "100.2"), ("cr-2002-01-01", "100.1")]
    assert [new_id(*it) for it in places] == ["Pfc03771718", "Pc360cee8fb", "P087bb28fa5"]


def test_files_of_two_who_extend_one_are_merged() -> None:
    """Both saw the rule that was new in 2002, in different editions, and gave it different ids."""
    old = {"r100_1": KEEPERS, "r100_2": MOTHS, "r100_3": OIL}
    one, two, three = (
        edition(f"200{k}-01-01", None, **old, **more)[1]
        for k, more in enumerate(({}, {"r100_4": FOG}, {"r100_5": FOG}), start=1)
    )
    known = extended(Authority(), [one])
    mine, yours = extended(known, [one, two]), extended(known, [one, three])
    came, later = new_id("cr-2002-01-01", "100.4"), new_id("cr-2003-01-01", "100.5")
    assert (ids(mine, "2002-01-01")["100.4"], ids(yours, "2003-01-01")["100.5"]) == (came, later)
    for first, second, stays, goes in ((mine, yours, came, later), (yours, mine, later, came)):
        both = merged(first, second)
        assert both.editions == ("cr-2001-01-01", "cr-2002-01-01", "cr-2003-01-01")
        assert ids(both, "2001-01-01") == ids(known, "2001-01-01")
        assert ids(both, "2002-01-01")["100.4"] == ids(both, "2003-01-01")["100.5"] == stays
        assert [it.new for it in both.replaced if it.old == goes] == [stays]
        assert merged(both, second) == both


def test_files_in_which_one_id_is_two_rules_are_refused(
    lives: tuple[EditionRules, EditionRules, EditionRules],
) -> None:
    mine = extended(Authority(), lives[:1])
    [keepers], [fog] = ([row for row in mine.rows if row.wording.number == n] for n in ("100.1", "100.3"))
    forked = replace(fog, provision=keepers.provision, first="cr-2002-01-01", last="cr-2002-01-01")
    with pytest.raises(UsageError, match=f"forks: {keepers.provision} is 100.1 of cr-2001"):
        merged(mine, Authority(("cr-2002-01-01",), (forked,)))


def test_extending_changes_no_id_whatever_comes_when(
    lives: tuple[EditionRules, EditionRules, EditionRules],
) -> None:
    """Editions are added one by one in any order; a longer file says everything that a shorter one did."""
    for order in itertools.permutations(range(3)):
        found = Authority()
        for place in order:
            before = {day: ids(found, day) for day in ("2001-01-01", "2002-01-01", "2003-01-01")}
            found = extended(found, [lives[place]])
            for day, known in before.items():
                assert not known or ids(found, day) == known
        assert found.editions == ("cr-2001-01-01", "cr-2002-01-01", "cr-2003-01-01")


def test_what_was_provisional_is_stated_as_replaced(
    lives: tuple[EditionRules, EditionRules, EditionRules],
) -> None:
    one, two, _ = lives
    found = extended(Authority(), [one])
    assert "100.3" not in found.provisions(two.edition, two.wordings)
    longer = extended(found, [one, two])
    assert (
        Successor("cr-2002-01-01/100.3", new_id("cr-2002-01-01", "100.3"), "cr-2002-01-01") in longer.replaced
    )


def test_the_number_alone_gives_no_id_and_another_game_has_none(
    lives: tuple[EditionRules, EditionRules, EditionRules],
) -> None:
    found = extended(Authority(), lives)
    other = "Nobody may look under the cups while the dealer turns them round."
    asked = [wording_of("100.2", Item("x", "100.2", other)), wording_of("7.1", Item("y", "7.1", FOG))]
    assert found.provisions("cr-2004-01-01", asked) == {"7.1": new_id("cr-2001-01-01", "100.3")}
    assert found.provisions("cr-2004-01-01", asked[:1]) == {}


def test_a_renaming_is_told_with_the_first_edition_known_to_have_the_new_name(
    lives: tuple[EditionRules, EditionRules, EditionRules],
) -> None:
    one, two, three = lives
    found = extended(Authority(), [one, replace(three, renamed=[("Lamp", "Lantern")])])
    assert found.renamed == (Successor("Lamp", "Lantern", "cr-2003-01-01"),)
    both = [one, replace(two, renamed=[("Lamp", "Lantern"), ("Night", "Evening")]), three]
    longer = extended(found, both)
    assert longer.renamed == (
        Successor("Lamp", "Lantern", "cr-2002-01-01"),
        Successor("Night", "Evening", "cr-2002-01-01"),
    )
    # what is loaded lacks the edition between, in which both names had changed
    apart = [one, replace(three, renamed=[("Lamp", "Lantern"), ("Night", "Nightfall")])]
    assert extended(longer, apart) == longer
    assert Lives(longer.text()).renamings == longer.renamed == Authority.read(longer.text()).renamed


def test_the_text_of_the_file_is_read_back(lives: tuple[EditionRules, EditionRules, EditionRules]) -> None:
    found = extended(Authority(), lives)
    assert Authority.read(found.text()).text() == found.text()
    assert "lantern" not in found.text()
    with pytest.raises(UsageError, match="line 2"):
        Authority.read("edition\tcr-2001-01-01\nnonsense\n")


def test_signatures_tell_likeness() -> None:
    words = f"{KEEPERS} {MOTHS}".split()
    assert likeness(signature(words), signature(words)) == 1.0
    assert likeness(signature(words), signature(f"{OIL} {FOG}".split())) < 0.2
    assert 0.6 < likeness(signature(words), signature([*words[:-4], "in", "the", "mist"])) < 0.95


# -- the real editions --------------------------------------------------------------------------------


@cache
def _rules(shared: Path, days: tuple[str, ...]) -> tuple[EditionRules, ...]:
    found = []
    for place, day in enumerate(days):
        changes = measure.changes(shared, days[place - 1], day) if place else ()
        found.append(rules_of(f"cr-{day}", measure.digest(shared, day).items, changes, IRIS))
    return tuple(found)


def _days(shared: Path, *folders: str) -> tuple[str, ...]:
    paths = [path for folder in folders for path in (shared / "corpora" / folder).glob("*.txt")]
    return tuple(sorted(path.stem for path in paths))


def hold_ids(shared: Path, days: Iterable[str]) -> None:
    """Fail unless each rule of these editions has its own id, which is the one of the bundled file."""
    file = bundled()
    for day in days:
        it = rules_of(f"cr-{day}", measure.digest(shared, day).items, (), IRIS)
        given = file.provisions(it.edition, it.wordings)
        assert given == ids(file, day)
        assert set(given) == {wording.number for wording in it.wordings}
        assert len(set(given.values())) == len(given)


def test_every_rule_of_the_newest_edition_has_its_id_from_the_bundled_file(shared: Path) -> None:
    assert len(bundled().text()) < 2_000_000
    hold_ids(shared, _days(shared, "cr")[-1:])


@pytest.mark.long(small="test_every_rule_of_the_newest_edition_has_its_id_from_the_bundled_file")
def test_every_rule_of_the_editions_at_hand_has_its_id_from_the_bundled_file(
    shared: Path, part_of: PartOf
) -> None:
    hold_ids(shared, part_of(_days(shared, "cr", "pairs"), 4))


@pytest.mark.long(small="test_extending_changes_no_id_whatever_comes_when")
def test_files_of_nine_editions_give_the_ids_of_the_full_one(shared: Path, part_of: PartOf) -> None:
    """An edition left out gets the right id, or rightly none, for 97 of 100 rules over two seeded draws."""
    days = _days(shared, "cr")
    all_rules = _rules(shared, days)
    full = extended(Authority(), all_rules)
    full_ids = {day: ids(full, day) for day in days}
    good = whole = 0
    for seed in part_of(range(2), 1):
        held = sorted(random.Random(seed).sample(days, 3))
        nine = tuple(day for day in days if day not in held)
        part = extended(Authority(), _rules(shared, nine))
        true = {its: full_ids[day][n] for day in reversed(nine) for n, its in ids(part, day).items()}
        known = set(true.values())
        for day in held:
            it = all_rules[days.index(day)]
            given = part.provisions(it.edition, it.wordings)
            for number, provision in full_ids[day].items():
                expected = provision if provision in known else None
                good += true.get(given.get(number, "")) == expected
                whole += 1
    print(f"ids of editions that the file lacks: {good}/{whole} = {good / whole:.3f}")
    assert good >= 0.97 * whole


@pytest.mark.long(small="test_files_of_two_who_extend_one_are_merged")
def test_a_file_merged_of_halves_tells_rules_apart_as_the_one_of_all(shared: Path) -> None:
    """Two people extend a file by halves of the other editions; nearly all rules are grouped as over all.

    Not all are: words on both sides of an edition that one half lacks look like one rule more often.
    """
    days = _days(shared, "cr")
    base = extended(Authority(), _rules(shared, days[::3]))
    rest = [day for day in days if day not in days[::3]]
    halves = [extended(base, _rules(shared, tuple(sorted((*days[::3], *rest[k::2]))))) for k in (0, 1)]
    both, full = merged(*halves), extended(base, _rules(shared, days))
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    for day in days:
        here, there = ids(both, day), ids(full, day)
        assert here.keys() == there.keys()
        assert len(set(here.values())) == len(here)
        for number, provision in here.items():
            groups[provision][there[number]] += 1
    whole = sum(it.total() for it in groups.values())
    good = sum(max(it.values()) for it in groups.values())
    print(f"rules that both files group alike: {good}/{whole} = {good / whole:.4f}")
    assert good >= 0.995 * whole


@pytest.mark.long(small="test_two_provisions_are_never_one_rule")
def test_links_and_ids_tell_the_same_story(shared: Path) -> None:
    """A rule continues where its provision does, whatever editions are loaded; `agreement.py` checks more."""
    days = _days(shared, "cr", "pairs")
    drawn = [sorted(random.Random(seed).sample(days, 3)) for seed in range(2)]
    assert [ids_astray(shared, chosen) for chosen in (["2009-05-01", "2009-07-11"], *drawn)] == [[], [], []]


def test_equal_words_at_an_equal_number_keep_their_id() -> None:
    """Of an edition and the next one that the file covers."""
    known = bundled()
    for before, after in itertools.pairwise(map(known.rules_of, known.editions)):
        same = [n for n in before.keys() & after.keys() if before[n].wording == after[n].wording]
        assert not [n for n in same if before[n].provision != after[n].provision]


def test_a_rule_of_one_keyword_is_not_followed_to_a_new_keyword() -> None:
    """Keywords share formulas: prowl's is where a source was (502.76b), but not lifelink's (702.13b)."""
    known = bundled()
    for before, after in itertools.pairwise(map(known.rules_of, known.editions)):
        here = {it.provision: number for number, it in after.items()}
        old = {it.provision for it in before.values()}
        for number, it in before.items():
            then, now = number[:-1], here.get(it.provision, "")[:-1]
            if re.match("[57]02.*[a-z]$", number) and then in before and now in after:
                assert after[now].provision in old, (number, here[it.provision])


def test_what_an_id_named_by_mistake_has_another_one() -> None:
    known = bundled()
    rows = {
        it: [row for row in known.rows if row.provision == it] for pair in known.corrected for it in pair[:2]
    }
    for it in known.corrected:
        assert any(row.first <= it.last and it.first <= row.last for row in rows[it.new]), it
    # A retired id leads to the one that its rule has; no row has it.
    assert known.given_up.items() >= {("P00737", "P00419"), ("P03515", "P00171")}
    assert not [old for old, new in known.given_up.items() if rows[old] or not rows[new]]
    assert Authority.read(known.text()) == known
    assert known.rules_of("cr-2007-05-01")["502.60c"].provision == "P03527"


def test_a_heading_goes_where_its_rules_go() -> None:
    """Of those without an heir, none leaves four fifths of its rules to an unrelated heading."""
    known = bundled()
    replaced = {one for it in known.replaced for one in it[:2]}
    for before, after in itertools.pairwise(map(known.rules_of, known.editions)):
        here, there = ({it.provision: number for number, it in rules.items()} for rules in (before, after))
        for gone in here.keys() - there.keys() - replaced:
            below = [one for one, number in here.items() if here[gone] in wholes(number)[1:]]
            heads = Counter(head for one in below if one in there for head in wholes(there[one])[1:])
            new = [it for it in heads if after[it].provision not in {*here, *replaced}]
            assert not [it for it in new if heads[it] >= 0.8 * len(below) and len(below) > 2], here[gone]


def test_a_withdrawn_relation_does_not_come_back() -> None:
    """Many rules had this formula: 508.7e was said to be split off from 800.7 (P01082)."""
    known = bundled()
    wrong = {(it.old, it.new) for it in known.withdrawn}
    assert ("P01082", "P02569") in wrong
    assert wrong.isdisjoint((it.old, it.new) for it in known.replaced)
    before = replace(
        known, withdrawn=(), replaced=(*known.replaced, Successor("P01082", "P02569", "cr-2019-08-23"))
    )
    assert merged(before, known) == merged(known, before) == extended(known, []) == known


def test_two_provisions_are_never_one_rule() -> None:
    """However similar the words are, one comes from the other. A rule without a permanent id may be any."""
    old = Item("o", "100.1", KEEPERS, provision="P1", is_settled=True)
    other = Item("n", "100.1", KEEPERS, provision="P2", is_settled=True)
    assert [change.kind for change in changes_between([old], [other])] == ["split"]
    for loose in (old._replace(is_settled=False), other):
        pair = [loose, other._replace(is_settled=False)]
        assert [change.kind for change in changes_between(pair[:1], pair[1:])] == ["unchanged"]


def test_a_rule_without_its_id_went_into_its_heir_and_into_its_parts() -> None:
    """The heir has its own id; another rule with a different opening has a sentence of the old one."""
    old = (
        "Lighting a lantern is a special action: its keeper turns the wick up. A keeper can take this special"
        " action only during dusk, while the bag is closed and no moth flies."
    )
    heir = (
        "Lighting the lantern is one special action, in which its own keeper turns a wick fully up, during"
        " dusk and while one bag is shut but no moth flies."
    )
    part = (
        "A keeper can take this special action only during dusk, while the bag is closed and no moth flies."
    )

    def fates(*texts: str) -> set[tuple[str, str]]:
        items = [
            Item(f"n{k}", f"200.{k}", text, provision=f"P{k}", is_settled=True)
            for k, text in enumerate(texts, start=2)
        ]
        before = [Item("o", "100.1", old, provision="P1", is_settled=True)]
        return {(it.kind.value, it.new) for it in changes_between(before, items) if it.old}

    assert fates(part) == {("split", "n2")}
    assert fates(part, heir) == fates(heir, part) == {("split", "n2"), ("split", "n3")}


def test_extending_says_what_it_does_not_change(
    run: Callable[..., tuple[int, str, str]], mini_store: Path, tmp_path: Path
) -> None:
    first, more = tmp_path / "first.tsv", tmp_path / "more.tsv"
    _, _, err = run("authority", "--store", mini_store, "-o", first)
    assert err.startswith("31 provisions in 47 wordings over 2 editions.")
    assert "keep their old ids" not in err
    kinds = Counter(line.partition("\t")[0][0] for line in first.read_text().splitlines())
    assert kinds == {"e": 2, "r": 1, "P": 47, "d": 1, "t": 17}
    # editions, names, wordings of provisions, doubts, other texts
    code, _, err = run("authority", "--store", mini_store, "--extend", first, "-o", more)
    assert code == 0
    assert "Editions that are already loaded keep their old ids" in err
    assert more.read_text() == first.read_text()


def test_files_with_other_ids_for_every_rule_are_merged_in_seconds() -> None:
    """Each rule of the second is searched among all editions of the first."""
    known = bundled()
    renamed = {row.provision: f"Q{row.provision}" for row in known.rows}
    other = replace(known, rows=tuple(replace(it, provision=renamed[it.provision]) for it in known.rows))
    start = time.process_time()
    both = merged(known, replace(other, replaced=()))
    assert time.process_time() - start < 10
    assert both.rows == known.rows
    assert {(it.old, it.new) for it in both.replaced} >= {(new, old) for old, new in renamed.items()}


def test_merging_reads_no_store(run: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    file, both = tmp_path / "mine.tsv", tmp_path / "both.tsv"
    file.write_text(bundled().text(), encoding="utf-8")
    code, _, err = run("authority", "--merge", file, file, "-o", both, "--store", tmp_path / "nowhere")
    assert (code, err) == (0, "3593 provisions in 14096 wordings over 128 editions.\n")
    found = Authority.read(both.read_text(encoding="utf-8"))
    assert replace(found, renamed=bundled().renamed) == bundled()
    assert {*found.renamed} == {*bundled().renamed}
    code, _, err = run("authority", "--merge", file, file, "--extend", file, "-o", both)
    assert code == 2
    assert "--merge is not allowed" in err


def test_the_bundled_file_merged_with_itself_is_the_same() -> None:
    assert merged(bundled(), bundled()) == bundled()


ROW = f"P00001\t100.1\tabcdefgh\t{'A' * 43}\tcr-2001-01-01\tcr-2001-01-01\n"
COVERS = "edition\tcr-2001-01-01\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "covers no edition"),
        (COVERS + ROW[:60], "line 2"),
        (COVERS + ROW.replace("P00001", "Q00001"), "Q00001"),
        (COVERS + ROW.replace("A" * 43, "A" * 5), "number 100.1"),
        (COVERS + ROW.replace("cr-2001-01-01\n", "cr-2002-01-01\n"), "number 100.1"),
    ],
)
def test_a_damaged_file_is_refused_and_nothing_is_written(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path, text: str, told: str
) -> None:
    whole, damaged, out = tmp_path / "whole.tsv", tmp_path / "damaged.tsv", tmp_path / "out.tsv"
    whole.write_text(COVERS + ROW)
    damaged.write_text(text)
    out.write_text("kept")
    code, _, err = run("authority", "--merge", whole, damaged, "-o", out)
    assert (code, out.read_text()) == (2, "kept")
    assert told in err
    assert run("authority", "--merge", whole, whole, "-o", out)[0] == 0
    assert out.read_text() == COVERS + ROW


# -- as linked data -------------------------------------------------------------------------------------


def test_the_bundled_file_as_linked_data_has_every_tenure_and_no_words(run: Run, tmp_path: Path) -> None:
    """No store is read, since there is none."""
    path = tmp_path / "provisions.ttl"
    code, _, talk = run("authority", "--as", "turtle", "-o", path, "--store", tmp_path / "none")
    covered = bundled().coverage
    counted = (
        f"{covered.provisions} provisions in {covered.rows} wordings over {covered.editions} editions.\n"
    )
    assert (code, talk) == (0, counted)
    told = [quad.triple for quad in parse(path.read_bytes(), RdfFormat.TURTLE)]
    by_name = defaultdict(list)
    for it in told:
        by_name[last_name(it.predicate.value)].append(it)
    lives = bundled_lives()
    known = {
        child(IRIS.provision(it), "tenure", own.first) for it in lives.provisions for own in lives.tenures(it)
    }
    assert {it.object.value for it in by_name["hasTenure"]} == known
    assert {it.subject.value for it in by_name["lastEdition"]} == known
    assert [it.object.value for it in by_name["license"]] == [CC0]
    # Anything but an IRI is a number, a day or a description.
    about = {it.predicate.value for it in told if isinstance(it.object, Literal) and " " in it.object.value}
    assert about == {PREFIXES["dcterms"] + name for name in ("title", "description")}


def test_the_bundled_file_as_a_table_has_the_same_tenures(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "lives.csv"
    assert run("authority", "--as", "csv", "-o", path, "--store", tmp_path / "none")[0] == 0
    rows = list(csv.DictReader(path.read_text().splitlines()))
    lives = bundled_lives()
    known = [(it, own.first, own.number) for it in lives.provisions for own in lives.tenures(it)]
    assert [(row["provision"], row["first_edition"], row["number"]) for row in rows] == known
    card = (ROOT / "docs" / "dataset.md").read_text(encoding="utf-8")
    columns = re.findall(
        r"`(\w+)`", "".join(re.findall(r"^\| (`[^|]*) \|", card.partition("columns")[2], re.M))
    )
    assert columns == list(rows[0])


def test_a_made_file_is_written_as_linked_data_as_well(run: Run, mini_store: Path, tmp_path: Path) -> None:
    path, table = tmp_path / "mine.ttl", tmp_path / "mine.tsv"
    assert run("authority", "-o", table, "--store", mini_store)[0] == 0
    assert run("authority", "--as", "turtle", "--extend", table, "-o", path, "--store", mini_store)[0] == 0
    [made] = {line.split("\t")[0] for line in table.read_text().splitlines() if "\t320.4\t" in line}
    assert path.read_text().count(f"<provision/{made}/tenure/") == 4
