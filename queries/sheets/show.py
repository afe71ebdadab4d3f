"""Show everything known about a term, rule, section or entry, as a sheet of small tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...loaders.history.lives import bundled_lives
from ...loaders.language.lexicon import How
from ...loaders.language.names import either_number
from ...loaders.language.words import fold, words_in
from ...ontology import DCTERMS, UnknownNameError, bind, literal
from ..cards.current import current_cards
from ..catalogue.questions import question
from ..evidence.links import explained
from ..finding.names import identify, is_name, other_names
from ..finding.provisions import provision_named, rules_of_provision
from ..finding.recognition import recognise
from ..finding.things import Resolution, Thing, editions_with, resolve, section_named
from ..history.beyond import MISSING, NOT_LOADED, namesakes, provisions_of, unlisted
from ..history.links import HistoryAnswer
from ..history.rows import COLUMNS
from ..history.summary import RELATED, life_of_provision, numbers_now, since
from ..history.trace import history_of
from ..session import Answer, Cells, Session, Sheet, in_one_view, with_history

_NUMBERED = (
    ("text", "rule_text"),
    ("parts", "sheets/parts"),
    ("examples", "examples_of"),
    ("defines", "terms_defined_by"),
    ("cites", "cited_by"),
    ("cited by", "citing"),
    ("problems", "sheets/problems"),
)
_PRINTED = tuple(table for table in _NUMBERED if table[0] not in {"defines", "parts"})
TABLES: dict[str, tuple[tuple[str, str], ...]] = {
    "term": (
        ("definition", "definition"),
        ("rulings", "sheets/rulings"),
        ("examples", "examples_of"),
        ("redirects", "sheets/redirects"),
        ("defined by", "defining_rules"),
        ("also see", "also_see"),
        ("cites", "cited_by"),
        ("cited by", "citing"),
        ("mentions", "terms_mentioned_in"),
        ("mentioned by", "mentions_of"),
        ("problems", "sheets/problems"),
    ),
    "rule": _NUMBERED,
    "section": tuple(table for table in _NUMBERED if table[0] in {"parts", "cited by", "problems"}),
    "entry": _PRINTED,
    "paragraph": _PRINTED,
    "ruling": _PRINTED,
}
"""The tables of a sheet, by kind of thing: each has a heading, and the question or query behind it."""

_COLUMNS = {
    "sheets/parts": ("number", "title", "text", "document", "line"),
    "sheets/redirects": ("direction", "term"),
    "sheets/rulings": ("number", "text", "authority", "as_of", "document", "line"),
    "sheets/problems": ("code", "severity", "message", "document", "line"),
}


def show(session: Session, name: str, *, edition: str | None = None) -> Sheet:
    """Return the sheet of the term or number called `name`, or else of the card or the item of a list.

    Terms go first, unless the name is marked as that of a card (``[[Fear]]``). A permanent id stands for the
    rule in the edition, by default in the newest that has it. For errors, see `resolve`.
    """
    try:
        return _sheet(session, name, edition)
    except UnknownNameError as error:
        if found := listed(session, name, edition, error):
            return found
        raise


def _sheet(session: Session, name: str, edition: str | None) -> Sheet:
    """Return the sheet of a term, a number or a card."""
    if provision := provision_named(session, name):
        return _provision(session, provision, edition)
    if current_cards(session):
        # Without cards, no name can be a card's.
        from ..cards.naming import card_meant, is_marked
        from .card import card_sheet

        if is_marked(name) or card_meant(session, name):
            return card_sheet(session, name, edition=edition)
    found = _resolved(session, name, edition)
    in_one_view(found.scope, f"show {name}")
    thing = found.things[0]
    own = session.run("sheets", "facts", found.scope, {"it": thing.iris[:1]})
    facts = own or session.run("sheets", "facts", found.scope, {"it": thing.iris})
    notes = list(found.notes)
    history = _history(session, found, thing)
    if history is not None:
        notes = [
            *numbers_now(session, [thing]),
            *notes,
            *since(session, history, _oldest(session, thing)),
        ]
        told = {MISSING, *unlisted(with_history(session.editions()))}
        notes += [note for note in history.notes if note in told]
        if thing.kind == "rule" and edition is None:
            for provision in provisions_of(session, thing.iris).values():
                notes += namesakes(thing.name, provision, history.stages, found.scope.edition)
    if facts and all(row[3] is False for row in facts):
        whole = any(it.has_history for it in session.editions() if it.id == found.scope.edition)
        why = "this edition has no such rule" if whole else "the document that contains it is not loaded"
        notes.append(f"{thing.name} is only cited: {why}.")
    tables = [_now(session, history)] if history and thing.kind == "term" and edition is None else []
    tables = [table for table in tables if table.edition != found.scope.label and table.rows]
    for heading, source in TABLES[thing.kind]:
        table = _table(session, found, thing, heading, source)
        if thing.kind == "entry" and heading in {"cites", "cited by"}:
            table = _with_other_rules(session, found, thing, table)
        if table.rows:
            tables.append(table)
    if history is not None:
        tables.append(history)
    return Sheet(
        kind=thing.kind,
        name=thing.name,
        other_names=other_names(session, thing.iris[0]) if thing.kind == "term" else (),
        status=_only(row[2] for row in facts),
        number=thing.name if thing.kind != "term" else _only(row[0] for row in facts),
        title=_only(row[1] for row in facts),
        edition=found.scope.label,
        editions=_standing_in(session, thing),
        notes=tuple(notes),
        tables=tuple(tables),
    )


def _standing_in(session: Session, thing: Thing) -> tuple[str, ...]:
    """Return the loaded editions that have a thing; a rule with a permanent id may have any number there."""
    provisions = provisions_of(session, thing.iris) if thing.kind == "rule" else {}
    found = {it for provision in provisions.values() for it, *_ in rules_of_provision(session, provision)}
    found = found or editions_with(session, identify(session, thing.name), False)
    names = {it.id: it.short_name for it in session.editions()}
    if thing.kind == "entry":  # other documents also have a section with that number
        own = names.get(session.iris.parse(thing.iris[0]).edition)
        found = {it for it in found if names.get(it) == own}
    return tuple(sorted(found))


def _provision(session: Session, provision: str, edition: str | None) -> Sheet:
    """Return the sheet of a rule by its permanent id; it has no text if no loaded edition has the rule."""
    life = life_of_provision(session, provision)
    related = [("came from", life.sources), ("went into", life.heirs)]
    tables = [Answer(heading, RELATED, rows, "") for heading, rows in related if rows]
    here = session.scope(edition).editions if edition else ()
    standing = [it for it in life.standing if not here or it[0] in here]
    if here and not standing:
        raise UnknownNameError("provision", provision, (), f"{', '.join(here)} has no rule with this id")
    if standing:
        sheet = show(session, standing[0][2], edition=standing[0][0])
        note = f"{provision} is one rule through all its numbers: {sheet.number} in {sheet.edition}."
        return sheet._replace(notes=(note, *sheet.notes), tables=(*sheet.tables, *tables))
    history = HistoryAnswer(
        "history", COLUMNS, life.rows, f"{life.rows[0].edition} to {life.rows[-1].edition}"
    )
    notes = (*since(session, history), f"No loaded edition has {provision}.", NOT_LOADED)
    return Sheet("provision", provision, (), "", life.number, "", "", (), notes, (history, *tables))


def _resolved(session: Session, name: str, edition: str | None) -> Resolution:
    """Return the thing with a name or, if no term has it, the rule that players call by that name."""
    try:
        return resolve(session, (name,), edition)
    except UnknownNameError as error:
        recognised = recognise(session, name, edition)
        rules = [it for it in recognised.standing if it.how is How.PLAYERS and it.used == name.strip()]
        if len(rules) != 1:
            from ..cards.naming import unknown_card

            may_be_card = current_cards(session) and not error.suggestions
            card = unknown_card(session, name) if may_be_card else None
            raise card if card and card.suggestions else _of_tournaments(session, error) from None
        found = resolve(session, (rules[0].name,), recognised.scope.label)
        return found._replace(
            notes=(f'"{rules[0].used}" is {rules[0].name}, in players\' words.', *found.notes)
        )


def listed(session: Session, name: str, edition: str | None, unknown: UnknownNameError) -> Sheet | None:
    """Return the sheet of something without an entry on a list of the rules, such as a creature type."""
    scope, asked = session.scope(edition), question("lists_with")
    text = bind(asked.text, {"words": [literal(form) for form in either_number(fold(name.lower()))]})
    rows = session.select(text, scope.default_graphs, scope.named_graphs)
    if not rows:
        return None
    lists = Answer("lists", asked.returns, tuple(dict.fromkeys(rows)), scope.label)
    item = str(rows[0][1])
    notes = [f"{item} has no entry of its own; it is on a list of the rules."]
    if is_name(session, f"{item} token"):
        notes.append(f"{item} Token has one: `rulesgraph show '{item} Token'`.")
    if unknown.kind == "card" and unknown.suggestions:
        notes.append(f"Cards with similar names: {'; '.join(unknown.suggestions)}.")
    return Sheet("item", item, (), "", "", "", scope.label, (), tuple(notes), (lists,))


def _of_tournaments(session: Session, error: UnknownNameError) -> UnknownNameError:
    """Return an error that also names the tournament rules with that name, if there are any."""
    # Imported here because only unknown names need it.
    from ..searching.plain_words import MAY_COVER, without_tournaments, words_of_tournaments

    theirs = " or ".join(map(str, words_of_tournaments(words_in(error.name))))
    told = [f"{MAY_COVER} {theirs}.", *without_tournaments(session)] if theirs else []
    return UnknownNameError(error.kind, error.name, (), "\n  ".join(told)) if told else error


def _oldest(session: Session, thing: Thing) -> str:
    """Return the edition before which nothing is known about a thing; nothing for rules, which are known."""
    loaded = with_history(session.editions())
    return loaded[0].id if thing.kind == "term" and loaded[0].id > bundled_lives().editions[0] else ""


def _history(session: Session, found: Resolution, thing: Thing) -> HistoryAnswer | None:
    """Return the history of a rule or term, if anything is known about it in other editions."""
    followed = [it.id for it in session.editions() if it.has_history]
    here = next((edition for edition in found.scope.editions if edition in followed), None)
    if here is None or found.scope.united or thing.kind not in {"term", "rule"}:
        return None
    for key in dict.fromkeys(session.iris.parse(iri).key for iri in thing.iris):
        try:
            history = history_of(session, key, here)
        except UnknownNameError:
            continue  # a name without an entry
        return history._replace(name="history") if len(followed) > 1 or len(history.rows) > 1 else None
    return None


def _now(session: Session, history: HistoryAnswer) -> Answer:
    """Return the name of a term, with its rule, in the newest edition of the comprehensive rules."""
    newest = with_history(session.editions())[-1].id
    names = tuple((name, where) for where, name, *_ in history.stages if where == newest and name is not None)
    return Answer("now", ("name", "edition"), names, newest)


def _table(session: Session, found: Resolution, thing: Thing, heading: str, source: str) -> Answer:
    scope = found.scope
    if source in _COLUMNS:
        folder, name = source.split("/")
        rows = session.run(folder, name, scope, {"it": thing.iris})
        return Answer(heading, _COLUMNS[source], tuple(rows), scope.label)
    asked = question(source)
    bound = bind(asked.text, {"concept": thing.iris})
    rows = session.select(bound, scope.default_graphs, scope.named_graphs)
    shown: Sequence[Cells] = tuple(dict.fromkeys(explained(session, asked, rows)))
    return Answer(heading, asked.returns, tuple(shown), scope.label)


def _with_other_rules(session: Session, found: Resolution, thing: Thing, table: Answer) -> Answer:
    """Link citations between tournament rules: ``MTR 5.2`` is in the newest loaded edition of the MTR."""
    own, *_ = (it for it in session.editions() if it.id == found.scope.edition)
    rows = list(table.rows)
    if table.name == "cites":
        for place, (cites, _, loaded, *others) in enumerate(rows):
            section = None if loaded else section_named(session, str(cites))
            if section:
                number, edition = section
                cited = [session.iris.entry(edition, number)]
                titles = session.pairs(session.scope(edition), DCTERMS.title, of=cited)
                rows[place] = (cites, _only(title for _, title in titles) or None, bool(titles), *others)
    elif own.short_name:
        name = f"{own.short_name} {thing.name}"
        newest = {it.short_name: it for it in reversed(session.editions()) if it.short_name}
        for other in newest.values():
            iris = (session.iris.entry(other.id, name),)
            scope = session.scope(other.id)
            citing = Resolution((Thing("entry", name, iris),), scope)
            rows += _table(session, citing, citing.things[0], "cited by", "citing").rows
    return table._replace(rows=tuple(rows))


def _only(values: Iterable[object]) -> str:
    """Return the first value that is not None, or ``""``."""
    return next((str(value) for value in values if value is not None), "")
