"""Return rules and terms as objects: one by name, or all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ontology.errors import UnknownNameError, UsageError
from ...ontology.terms import RG, SKOS
from ..operations import operation
from .nodes import RuleNode, TermNode, node_kinds, nodes_in

if TYPE_CHECKING:
    from ...queries.session import Session


class Things:
    """The part of `Rules` that returns rules and terms, using its session."""

    session: Session

    def __contains__(self, name: object) -> bool:
        """Return whether a number or name means something in a loaded edition.

        >>> "420.5" in rules, "702.19" in rules, "Landwalk" in rules
        (True, False, True)
        """
        from ...queries.finding.things import resolve

        try:
            resolve(self.session, [name])  # type: ignore[list-item]
        except UnknownNameError:
            return False
        except UsageError:  # it stands for several things
            return True
        return True

    def rules(
        self, *, within: str | None = None, kind: str = "rule", edition: str | None = None
    ) -> tuple[RuleNode, ...]:
        """Return everything in the documents that has a number, in document order; not what is only cited.

        Args:
            within: only this section, chapter or rule, given by its number, and its parts.
            kind: ``"rule"``, ``"section"``, ``"entry"``, ``"paragraph"``, ``"ruling"``, or ``"all"`` of them.
            edition: the edition to look at, see `Rules`.

        Raises `UnknownNameError` for an unknown kind or number.

        >>> lanterns.rules(within="320.3")
        (RuleNode('320.3', 'cr-2031-07-01'), RuleNode('320.3a', 'cr-2031-07-01'))
        """
        from ...queries.finding.things import resolve

        if kind not in (known := (*node_kinds(), "all")):
            raise UnknownNameError("kind", kind, known)
        found = resolve(self.session, [within], edition) if within is not None else None
        nodes = nodes_in(self.session, found.scope if found else self.session.scope(edition))
        inside = set(found.things[0].iris) if found else {it.iri for it in nodes}
        for node in nodes:  # in document order, so that a whole comes before its parts
            if node.whole in inside:
                inside.add(node.iri)
        return tuple(it for it in nodes if it.document and it.iri in inside and kind in {it.kind, "all"})

    def terms(self, *, kind: str | None = None, edition: str | None = None) -> tuple[TermNode, ...]:
        """Return the terms, sorted by name.

        Args:
            kind: only terms of this kind, such as ``"keyword ability"``; see the question `terms_of_kind`.
            edition: the edition to look at, see `Rules`.

        >>> [term.name for term in rules.terms()][:3]
        ['Artifacts', 'Aura', 'Basic Land Type']
        """
        from ...queries.answering.running import answer_to
        from ...queries.catalogue.questions import question

        scope = self.session.scope(edition)
        held = {term for _, term in self.session.pairs(scope, RG.defines)}
        held.update(term for term, _ in self.session.pairs(scope, RG.definedBy))
        called = sorted((name, it) for it, name in self.session.pairs(scope, SKOS.prefLabel) if it in held)
        if kind is not None:
            of_kind = answer_to(self.session, question("terms_of_kind"), [kind], edition)
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

        found = resolve(self.session, [number], edition)
        thing = found.things[0]
        if thing.kind == "term":
            raise UsageError(f"{number!r} is a term, not a number", way_out=f"Use term({number!r}).")
        return nodes_in(self.session, found.scope, thing.iris[:1])[0]

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

        found = resolve(self.session, [name], edition)
        thing = found.things[0]
        if thing.kind != "term":
            raise UsageError(f"{name!r} is a number, not a term", way_out=f"Use rule({name!r}).")
        return TermNode(self.session, found.scope, thing.name, thing.iris)
