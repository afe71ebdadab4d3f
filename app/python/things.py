"""What stands in a store as objects: rules and terms, one by its name, or all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ontology.errors import UnknownNameError, UsageError
from ..operations import operation

if TYPE_CHECKING:
    from ...queries.session import Session
    from .nodes import RuleNode, TermNode


class Things:
    """The rules and terms that `Rules` gives, over the session that it holds."""

    session: Session

    def __contains__(self, name: object) -> bool:
        """Tell whether a number or a name stands for something in a loaded edition.

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
        """Return everything with a number, in the order of the documents.

        Args:
            within: only what is part of this section, chapter or rule, by its number, and that itself.
            kind: ``"rule"``, ``"section"``, ``"entry"``, ``"paragraph"``, ``"ruling"``, or ``"all"`` of them.
            edition: the edition to look at, see `Rules`.

        Raises `UnknownNameError` for an unknown kind, or a number that nothing has.

        >>> lanterns.rules(within="320.3")
        (RuleNode('320.3', 'cr-2031-07-01'), RuleNode('320.3a', 'cr-2031-07-01'))
        """
        from .nodes import all_rules

        return all_rules(self.session, within, kind, edition)

    def terms(self, *, kind: str | None = None, edition: str | None = None) -> tuple[TermNode, ...]:
        """Return the terms, in the order of their names.

        Args:
            kind: only those of a kind, such as ``"keyword ability"``; see the question `terms_of_kind`.
            edition: the edition to look at, see `Rules`.

        >>> [term.name for term in rules.terms()][:3]
        ['Artifacts', 'Aura', 'Basic Land Type']
        """
        from .nodes import all_terms

        return all_terms(self.session, kind, edition)

    @operation("tool")
    def rule(self, number: str, *, edition: str | None = None) -> RuleNode:
        """Return what has a number: a rule, section, entry, paragraph or ruling.

        Args:
            number: the number, as it is printed.
            edition: the edition to look at, see `Rules`.

        >>> rules.rule("G12.9").title
        'Legendary'
        """
        from .nodes import find_rule

        return find_rule(self.session, number, edition)

    @operation("tool")
    def term(self, name: str, *, edition: str | None = None) -> TermNode:
        """Return a term by any of its names, in any case, singular or plural.

        Args:
            name: one of its names.
            edition: the edition to look at, see `Rules`.

        >>> rules.term("state based effects").name
        'State-Based Effects'
        """
        from .nodes import find_term

        return find_term(self.session, name, edition)
