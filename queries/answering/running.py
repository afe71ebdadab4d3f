"""Answer a question of the catalogue with its arguments."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from shlex import quote

from ...loaders.language.names import either_number
from ...loaders.language.words import fold
from ...ontology import PREFIXES, RG, UsageError, bind, counted, literal
from ..cards.current import NO_CARDS, current_cards, listed_types, meant, of_all_types, types_called
from ..catalogue.questions import Parameter, ParameterKind, Question
from ..catalogue.questions import question as called
from ..evidence.links import explained
from ..finding.names import identify, is_name
from ..finding.things import Resolution, Thing, find_authority, resolve, terms_behind, terms_for
from ..reliance.levels import Reach
from ..session import Answer, Cells, Scope, Session, in_one_view

_OF_NAMES = (ParameterKind.TERM, ParameterKind.THING)

_BY_LABEL = frozenset((ParameterKind.KIND, ParameterKind.PROCEDURE, ParameterKind.PART))
"""Parameters whose value is a label of the vocabulary, or part of one."""

_ADDED = "rg:addedIn"
"""The mark of a query that compares an edition with the one before it."""

NO_LIST = "These were found sentence by sentence, not in a list of the rules: there may be more."
"""The remark on things of a kind of which the rules have no list."""

_TENURES = "rg:hasTenure"
"""The mark of a query that also uses the timeline."""


def command(*words: str, edition: str | None = "") -> str:
    """Return the command line for a command and its arguments, with an edition if one is given.

    >>> command("show", "First Strike", edition="cr-2031-07-01")
    "rulesgraph show 'First Strike' --edition cr-2031-07-01"
    """
    return " ".join(map(quote, ("rulesgraph", *words, *(("--edition", edition) if edition else ()))))


Walker = Callable[[Session, Sequence[str], str | None, Reach], Answer]


def answer_to(
    session: Session,
    question: Question,
    args: Sequence[str],
    edition: str | None,
    reach: Reach | None = None,
    limit: int | None = None,
) -> Answer:
    """Answer a question of the catalogue by its walk or its query; raises the errors of `ask`."""
    reach = reach or Reach()
    if question.walk == "interaction" and limit and reach == Reach():
        reach = Reach(steps=None)  # it gives ten rows unless all are requested
    if reach != Reach() and not question.follows_links:
        raise UsageError(
            f"{question.name} does not follow chains of links",
            way_out="--via and --steps only work for reliance questions, such as terms_relying_on.",
        )

    def answered(where: str | None) -> Answer:
        if question.follows_links:
            return _walk(question)(session, args, where, reach)
        return run(session, question, args, where)

    if question.walk == "documents" and edition is None:
        return answered("all")._replace(notes=())  # not that editions were asked together
    answer = answered(edition)
    if answer.rows or edition is not None:
        return answer
    return answer._replace(notes=answer.notes + _when_in_use(session, question, args, answer, answered))


def run(session: Session, question: Question, args: Sequence[str], edition: str | None = None) -> Answer:
    """Answer by the question's own query, with its parameters bound.

    Raises `UsageError` if a question about cards or the timeline has more editions than one view.
    """
    of_types = question.area == "cards" and args and question.parameters[0].kind is not ParameterKind.CARD
    several = types_called(session, args[0]) if of_types else ()  # *Serra Angel* is one card, not two types
    if len(several) > 1:
        return of_all_types([run(session, question, (it, *args[1:]), edition) for it in several])
    values, scope, notes = bound(session, question, args, edition)
    if question.area == "cards" or _TENURES in question.text:
        in_one_view(scope, question.name)
    timeline = (session.iris.graph("timeline"),) if _TENURES in question.text else ()
    graphs = scope.default_graphs + timeline
    if question.area == "cards":
        data = current_cards(session)
        notes.append(data.title if data else NO_CARDS)
        graphs += data.graphs(session.iris) if data else ()
    text = bind(question.text, values)
    is_kept = question.walk == "documents"  # what the store keeps of every edition needs no view
    rows = (
        session.select(text, graphs, scope.named_graphs, kept=is_kept)
        if is_kept or not scope.too_many
        else _of_each(session, scope, text)
    )
    finished, remarks = _finished(session, question, scope, rows, (args, values))
    gap: list[str] = []
    if _ADDED in question.text:
        from ..history.beyond import gap_before

        gap = gap_before(session, scope)
    notes += (*remarks, *gap)
    if scope.united:
        how = "asked one by one" if scope.too_many else "asked together"
        notes.append(f"The editions were {how}: there is a row for each edition.")
    if not finished and _TENURES in question.text:
        notes.append("Rules have a history only if two editions of the rules are loaded.")
    elif not finished and question.area == "cards":
        notes.append(f"None were found. {question.note}")
    elif (
        not (finished or remarks or gap) and edition is None and len(session.editions()) > len(scope.editions)
    ):
        notes.append(f"Nothing in {scope.label}; use --edition to ask about another edition.")
    if question.wider:
        held, more = len({row[0] for row in finished}), run(session, called(question.wider), args, edition)
        if more.rows and len(more) != held:
            why = ", without those that only other sentences name" if len(more) < held else ""
            notes.append(f"`{command('ask', question.wider, *args)}` has {counted(len(more), 'row')}{why}.")
        elif finished and not more.rows and question.wider == "list_items":
            notes.append(NO_LIST)
    # Without a list of a kind, there may be things of it; that no rule cites another is an answer.
    is_known = bool(finished) or not (gap or question.area == "kinds")
    kept = tuple(dict.fromkeys(finished))
    lead: tuple[str, ...] = ()
    if question.walk == "whether" and remarks and kept and kept[0][0] == "names both":
        lead, is_known = tuple(remarks), False
    told = Answer(question.name, question.returns, kept, scope.label, tuple(notes), answered=is_known)
    return told._replace(lead=lead)


def _finished(
    session: Session,
    question: Question,
    scope: Scope,
    rows: Sequence[Cells],
    asked: tuple[Sequence[str], Mapping[str, Sequence[str]]],
) -> tuple[Sequence[Cells], Sequence[str]]:
    """Return the rows of a query as shown, and remarks; few questions need the imports.

    `asked` are the arguments, and the values of the parameters.
    """
    if question.walk == "whether":
        from .stated import deciding

        return deciding(session, rows, *asked, lambda it, args: run(session, called(it), args, scope.label))
    if question.walk in ("replacement", "obsolete_terms"):
        from .stated import replacements

        return replacements(session, scope, rows), ()
    if question.walk == "meant" and not scope.united:
        rows = meant(session, scope, rows)
    remarks: Sequence[str] = ()
    if question.walk == "mentions" and not scope.united:
        from .mentions import in_longer_names

        remarks = in_longer_names(session, scope, asked[1][question.parameters[0].name])
    return explained(session, question, rows), remarks


def _of_each(session: Session, scope: Scope, text: str) -> list[Cells]:
    """Return the rows of a query in each edition of a scope separately, in the order of the editions."""
    found: dict[Cells, None] = {}
    for name in scope.editions:
        with session.looking_at(name) as one:
            found |= dict.fromkeys(session.select(text, one.default_graphs, one.named_graphs))
    return list(found)


def _walk(question: Question) -> Walker:
    # Imported here: questions that follow no links do not need them.
    if question.walk == "interaction":
        from ..reliance.interaction import interaction

        return interaction
    from ..reliance import questions

    walk: Walker = getattr(questions, question.walk)
    return walk


def _when_in_use(
    session: Session, question: Question, args: Sequence[str], empty: Answer, ask: Callable[[str], Answer]
) -> tuple[str, ...]:
    """Return remarks on obsolete names in a question without an answer: where they were last in use.

    `ask` asks an edition the same question, by its id. A name is in use if something defines it and no entry
    calls it obsolete. For several obsolete names, the remark names the newest edition that used all of them.
    """
    given = zip(question.parameters, args, strict=True)
    names = _terms_called(session, [words for parameter, words in given if parameter.kind in _OF_NAMES])
    entries = session.pairs(None, RG.defines, to=names)
    marked = dict(session.pairs(None, RG.status, of={entry for entry, _ in entries}, to=[RG.Obsolete]))
    obsolete: dict[str, set[str]] = {term: set() for term in names}
    defined: dict[str, set[str]] = {term: set() for term in names}
    rules = ((rule, term) for term, rule in session.pairs(None, RG.definedBy, of=names))
    for evidence, term in (*entries, *rules):
        where = obsolete if evidence in marked else defined
        where[term].add(session.iris.parse(evidence).edition)
    looked_at = set(empty.edition.split(", "))
    gone = [term for term in names if obsolete[term] & looked_at]
    if not gone:
        return ()
    said = " and ".join(names[term] for term in gone)
    said += f" {'is' if len(gone) == 1 else 'are'} obsolete in {empty.edition}"
    used = set.intersection(*(defined[term] - obsolete[term] for term in gone))
    last = next((it.id for it in session.editions() if it.id in used), "")
    if not last:
        return (f"{said}, and no loaded edition uses {'it' if len(gone) == 1 else 'them'}.",)
    try:
        rows_there = len(ask(last))
    except UsageError:  # another name is not in that edition
        return (f"{said}; last used in {last}.",)
    asked = command("ask", question.name, *args, edition=last)
    return (f"{said}; `{asked}` has {counted(rows_there, 'row')}.",)


def said_of_obsolete(
    session: Session, terms: Mapping[str, str], edition: str, phrases: Collection[str] = ()
) -> list[str]:
    """Return a sentence for each obsolete term (IRI → name), but not for unreplaced everyday `phrases`."""
    gone = [name for iri, name in terms.items() if iri in session.once(_obsolete_terms, edition)]
    rows = [row for it in gone for row in answer_to(session, called("replacement"), (it,), edition).rows]
    told = [(term, said) for term, _, new, said, *_ in rows if new or term not in phrases]
    return [f"{term} is obsolete in {edition}: “{said}”" for term, said in told]


def _obsolete_terms(session: Session, edition: str) -> frozenset[str]:
    marked = {entry for entry, _ in session.pairs(None, RG.status, to=[RG.Obsolete])}
    entries = {entry for entry in marked if session.iris.parse(entry).edition == edition}
    return frozenset(term for _, term in session.pairs(None, RG.defines, of=entries))


def _terms_called(session: Session, words: Sequence[str]) -> dict[str, str]:
    """Return the terms that words name, without numbers: IRI → preferred name."""
    try:
        named = [identify(session, it) for it in words]
    except UsageError:  # a kind, or a part of the turn, by its label
        return {}
    return {it.key: it.name for it in named if it.kind == "term"}


def bound(
    session: Session, question: Question, args: Sequence[str], edition: str | None = None
) -> tuple[dict[str, Sequence[str]], Scope, list[str]]:
    """Return the input of a question's query: terms for each parameter, a scope, and remarks for people.

    The scope has all the terms. Raises `UnknownNameError` for unknown names, and `UsageError` for a value
    that is not a term or a date where one is required.
    """
    given = dict(zip(question.parameters, args, strict=True))
    naming = [parameter for parameter in given if parameter.kind.stands_in_editions]
    found = _by_label(session, naming, given, edition)
    values: dict[str, Sequence[str]] = {}
    if found is None:
        for parameter in naming if len(naming) > 1 else ():
            kind = _kind_alone(session, given[parameter]) if parameter.kind is ParameterKind.KIND else None
            values |= {parameter.name: kind.iris} if kind else {}
        for parameter in naming if question.area == "cards" else ():
            types = listed_types(session, given[parameter])
            values |= {parameter.name: types} if types else {}
        naming = [parameter for parameter in naming if parameter.name not in values]
        if values and not naming:
            return values, session.scope(edition), []
        found = resolve(session, [given[parameter] for parameter in naming], edition)
    scope, notes = found.scope, list(found.notes)
    if edition is None and scope != session.current:
        # Most questions are about the newest edition.
        from ..history.summary import numbers_now

        notes = [*numbers_now(session, found.things), *notes]
    for parameter, thing in zip(naming, found.things, strict=True):
        only_term = parameter.kind is ParameterKind.TERM and thing.kind != "term"
        values[parameter.name] = terms_for(session, thing, scope, notes) if only_term else thing.iris
        if parameter.kind is ParameterKind.KIND and thing.kind not in ("kind", "term"):
            values[parameter.name] = (*thing.iris, *terms_behind(session, thing, scope))
    for parameter, words in given.items():
        if parameter.kind is ParameterKind.AUTHORITY:
            iri, scope = find_authority(session, words, scope, edition)
            values[parameter.name] = (iri,)
        elif parameter.kind is ParameterKind.WORDS:
            values[parameter.name] = [literal(form) for form in either_number(fold(words.lower()))]
        elif parameter.kind is ParameterKind.CARD:
            from ..cards.naming import required_card, told_of

            values[parameter.name] = ((card := required_card(session, words)).iri,)
            notes += told_of(card)
        elif parameter.kind is ParameterKind.DATE:
            values[parameter.name] = (_day(words),)
    return {parameter.name: values[parameter.name] for parameter in given}, scope, notes


def _by_label(
    session: Session, naming: Sequence[Parameter], given: Mapping[Parameter, str], edition: str | None
) -> Resolution | None:
    """Return the kind, the procedure or the part of the turn that has this label, else None."""
    given_to = {parameter.kind: given[parameter] for parameter in naming}
    if len(given_to) != 1 or not given_to.keys() & _BY_LABEL:
        return None
    # Few questions are about these.
    from ..finding.kinds import resolve_kind, resolve_part, resolve_procedure

    [(kind, words)] = given_to.items()
    found = {
        ParameterKind.KIND: resolve_kind,
        ParameterKind.PROCEDURE: resolve_procedure,
        ParameterKind.PART: resolve_part,
    }
    return found[kind](session, words, edition)


def _kind_alone(session: Session, words: str) -> Thing | None:
    """Return the kind that words name, if no term has that name."""
    # Few questions are about kinds.
    from ..finding.kinds import kind_called

    return None if is_name(session, words) else kind_called(session, words)


def _day(words: str) -> str:
    """Return the first day of a date, as a term."""
    # Few questions name a date.
    from ...loaders.language.dates import period_called

    period = period_called(words)
    if period is None:
        raise UsageError(
            f"{words!r} is not a date", way_out="Write it as 2007-05-01, 2007/05/01, 2007-05 or 2007."
        )
    return f'"{period.first.isoformat()}"^^<{PREFIXES["xsd"]}date>'


def arguments_of(question: Question, args: Sequence[str]) -> tuple[str, ...]:
    """Return the arguments of a question; raises `UsageError` if it takes more or fewer."""
    wanted = question.parameters
    if len(args) != len(wanted):
        takes = ", ".join(f"{p.name} ({p.description})" for p in wanted) or "no arguments"
        typed = " ".join((question.name, *(p.name.upper() for p in wanted)))
        raise UsageError(
            f"{question.name} takes {takes}; {len(args) or 'none'} given",
            way_out=f"`rulesgraph ask {typed}` asks: {question.usage}",
        )
    return tuple(args)
