"""Return rules and terms as objects, one by name or all of them; describe cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...loaders.language.numbers import level
from ...ontology import RG, SKOS, UnknownNameError, UsageError
from ..operations import operation, typed, typed_methods
from .nodes import RuleNode, TermNode, answer_about, node_kinds, nodes_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...queries.session import Answer, Session, Sheet
    from .passages import Neighbourhood


@typed_methods
class Things:
    """The part of `Rules` that returns rules and terms, and describes cards, using its session."""

    session: Session

    @typed
    def __contains__(self, name: str) -> bool:
        """Return whether a number or name means something in a loaded edition.

        >>> "420.5" in rules, "702.19" in rules, "Landwalk" in rules
        (True, False, True)
        """
        from ...queries.finding.things import resolve

        try:
            return bool(resolve(self.session, [name]))
        except UsageError as error:  # an ambiguous name is there
            return not isinstance(error, UnknownNameError)

    def rules(
        self, *, within: str | None = None, kind: str = "rule", edition: str | None = None
    ) -> tuple[RuleNode, ...]:
        """Return everything in the documents that has a number, in document order; not what is only cited.

        The entries of a glossary have no numbers: `terms` has them.

        Args:
            within: only this section, chapter or rule, given by its number, and its parts.
            kind: ``"rule"`` of any level, only ``"chapter"`` or ``"subrule"``, ``"section"``, ``"entry"``,
                ``"paragraph"``, ``"ruling"``, or ``"all"`` of them.
            edition: the edition to look at, see `Rules`.

        Raises `UnknownNameError` for an unknown kind or number.

        >>> lanterns.rules(within="320.3")
        (RuleNode('320.3', 'cr-2031-07-01'), RuleNode('320.3a', 'cr-2031-07-01'))
        """
        from ...queries.finding.things import resolve

        if kind not in (known := (*node_kinds(), "chapter", "subrule", "all")):
            raise UnknownNameError("kind", kind, known)
        found = resolve(self.session, [within], edition) if within is not None else None
        if within is not None and found and found.things[0].kind == "term":
            raise UnknownNameError(
                "number", within, (), f"It is a term: term({within!r}).defined_by has its rules"
            )
        nodes = nodes_in(self.session, found.scope if found else self.session.scope(edition))
        inside = set(found.things[0].iris) if found else {it.iri for it in nodes}
        for node in nodes:  # in document order, so that a whole comes before its parts
            if node.whole in inside:
                inside.add(node.iri)
        found_of = (it for it in nodes if it.document and it.iri in inside)
        return tuple(
            it
            for it in found_of
            if kind in {it.kind, "all"} or (it.kind == "rule" and kind == level(it.number))
        )

    def terms(self, *, kind: str | None = None, edition: str | None = None) -> tuple[TermNode, ...]:
        """Return the terms, sorted by name.

        Args:
            kind: only terms of this kind, such as ``"keyword ability"``; see the question `terms_of_kind`.
            edition: the edition to look at, see `Rules`.

        Some items on lists in the rules have no name; ``ask("list_items", "state-based actions")`` has all.
        Raises `UnknownNameError`, with the names of all kinds, for an unknown kind.

        >>> [row["item"] for row in lanterns.ask("list_items", "keyword abilities")]
        ['Glimmer', 'Drift', 'Flutter']
        >>> [term.name for term in rules.terms()][:3]
        ['Artifacts', 'Aura', 'Basic Land Type']
        """
        from ...queries.finding.kinds import kinds

        scope = self.session.scope(edition)
        held = {term for _, term in self.session.pairs(scope, RG.defines)}
        held.update(term for term, _ in self.session.pairs(scope, RG.definedBy))
        called = sorted((name, it) for it, name in self.session.pairs(scope, SKOS.prefLabel) if it in held)
        if kind is not None:
            try:
                of_kind = answer_about(self.session, "terms_of_kind", kind, edition)
            except UnknownNameError as error:
                labels = sorted({it.name for it in kinds(self.session).values()})
                raise UnknownNameError(
                    "kind", kind, error.suggestions, f"Kinds: {', '.join(labels)}."
                ) from None
            known = {row["term"] for row in of_kind}
            called = [(name, it) for name, it in called if name in known]
        return tuple(TermNode(self.session, scope, name, (it,)) for name, it in called)

    @operation("tool")
    def rule(self, number: str, *, edition: str | None = None) -> RuleNode:
        """Return the rule, section, entry, paragraph or ruling with a number.

        Args:
            number: the number, as it is printed.
            edition: the edition to look at, see `Rules`.

        >>> rules.rule("G12.9").title
        'Legendary'
        """
        from ...queries.finding.things import resolve
        from ...queries.session import in_one_view

        found = resolve(self.session, [number], edition)
        thing = found.things[0]
        if thing.kind == "term":
            raise UsageError(f"{number!r} is a term, not a number", way_out=f"Use term({number!r}).")
        own, places = thing.iris[0], {self.session.iris.parse(it).edition: it for it in thing.iris}
        if in_one_view(found.scope, f"rule {number}").united:
            own = next((places[it] for it in found.scope.editions if it in places), own)
        return nodes_in(self.session, found.scope, [own])[0]

    @operation("tool")
    def term(self, name: str, *, edition: str | None = None) -> TermNode:
        """Return a term by any of its names, in upper or lower case, singular or plural.

        Args:
            name: one of its names.
            edition: the edition to look at, see `Rules`.

        >>> rules.term("state based effects").name
        'State-Based Effects'
        """
        from ...queries.finding.things import resolve
        from ...queries.session import in_one_view

        try:
            found = resolve(self.session, [name], edition)
        except UnknownNameError as error:
            from ...queries.sheets.show import listed

            if listed(self.session, name, edition, error):
                error = UnknownNameError(error.kind, name, (), f"It is on a list: show({name!r}) says where.")
            raise error from None
        thing = found.things[0]
        if thing.kind != "term":
            raise UsageError(f"{name!r} is a number, not a term", way_out=f"Use rule({name!r}).")
        return TermNode(self.session, in_one_view(found.scope, f"term {name}"), thing.name, thing.iris)

    def card_sets(self) -> Answer:
        """List the card data sets, newest first; questions use the newest.

        Columns: card_set (its id, which `drop` takes), title, issued, cards, rulings.

        >>> len(rules.card_sets())
        1
        """
        from ...queries.cards.current import card_sets
        from ...queries.session import Answer

        columns = ("card_set", "title", "issued", "cards", "rulings")
        found = card_sets(self.session)
        rows = tuple((it.set_id, it.title, it.issued, it.cards, it.rulings) for it in found)
        return Answer("card_sets", columns, rows)

    @operation("tool")
    def card(self, name: str, *, limit: int | None = None, edition: str | None = None) -> Sheet:
        """Collect everything known about a card: text, keywords, rulings, the terms and rules they touch.

        Args:
            name: the name of the card or of one of its faces, or a part of the name that no other card has.
            limit: give at most this many rows of each table.
            edition: the edition whose rules are shown, see `Rules`.

        For each ruling you get the rules that it rests on, and what has happened to them since: under
        *number* those that it cites, under *maybe* a guess, if nine of ten such guesses are right.

        Raises `UnknownNameError` if no loaded card has the name.

        >>> [table.name for table in rules.card("Quickglass Blade").tables]
        ['text', 'keywords', 'touches', 'rulings']
        """
        from ...queries.sheets.card import card_sheet

        return card_sheet(self.session, name, edition=edition).limited(limit)

    @operation("tool")
    def cards_changed(
        self, before: str, after: str, *, within: str | None = None, limit: int | None = None
    ) -> Answer:
        """List the cards that the changes between two editions of the rules affect, most affected first.

        Args:
            before: the earlier edition, by its id or date.
            after: the later edition.
            within: only cards that changes in this section, chapter or rule affect; see `diff`.
            limit: give at most this many rows.

        Columns: card, term, number, link, quote (the card's words), before and after (the rule's changed
        sentences). New and reworded rules count, through the terms that they define or list. The link is
        ``"keyword"`` (printed), ``"mention"``, or ``"reminder"`` for a predefined token in reminder text
        alone. Cards that only mention a term are left out if they are more than one in fifty; a note says so.

        Raises `UsageError` if no cards are loaded.

        >>> lanterns.cards_changed("cr-2031-02-01", "cr-2031-07-01")
        Traceback (most recent call last):
            ...
        rulesgraph.ontology.errors.UsageError: no cards are loaded
          `rulesgraph build` reads MTGJSON's and Scryfall's files.
        """
        from ...queries.cards.releases import cards_changed

        return cards_changed(self.session, before, after, within).limited(limit)

    @operation("tool")
    def rulings_changed(
        self,
        card: str = "",
        *,
        edition: str | None = None,
        progress: Callable[[str, int, int], None] | None = None,
    ) -> Answer:
        """List the card rulings whose rule has changed since they were made.

        Args:
            card: the name of one card (default: all cards, which takes a minute or two).
            edition: the edition whose rules are shown, see `Rules`.
            progress: called with what is being done, how much of it is done, and the total.

        Columns are those of `check`. If the ruling cites the rule by its number at the time, the row is a
        ``"warning"``; if the rule is only a probable guess (right in nine of ten cases), it is an ``"info"``,
        and a new number alone does not count as a change. The message quotes the sentences that are newer
        than the ruling, as far as editions are loaded; rulings that share much of such a sentence come first,
        those that share little come last.

        Raises `UsageError` if no cards are loaded, `UnknownNameError` for a name that no card has.

        >>> next(iter(rules.rulings_changed("Quickglass Blade")))["message"]
        'Rule 420.5, which it cites, has changed since 2008-02-01: moved and reworded 2009-07-11.'
        """
        from ...queries.cards.ruled import rulings_changed

        return rulings_changed(self.session, card, edition, progress)

    @operation("tool")
    def neighbourhood(self, name: str, tokens: int = 1500, *, edition: str | None = None) -> Neighbourhood:
        """Collect the passages around a term or rule, verbatim, closest first, within a token budget.

        Args:
            name: a term or the number of a rule.
            tokens: the budget, at least 1; more than 20,000 count as that.
            edition: the edition to look at, see `Rules`.

        Its own text comes first, then what it relies on, then what cites it. `left_out` counts what did not
        fit, and `others` are the names and numbers of the first twenty of these.

        >>> [passage["name"] for passage in lanterns.neighbourhood("Flutter", tokens=300)["passages"]]
        ['Flutter', '320.4a', 'Dusk Checks']
        """
        from .passages import around

        if tokens < 1:
            raise UsageError(f"the budget is {tokens} tokens", way_out="Give at least 1.")
        return around(self.session, (self.rule, self.term), name, tokens, edition)
