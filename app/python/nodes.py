"""Rules and terms as objects that look up their attributes when asked."""

from __future__ import annotations

from functools import cached_property
from html import escape
from typing import TYPE_CHECKING

from ...ontology import DCTERMS, RG, VOCABULARY, Json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ...queries.session import Answer, Cells, Scope, Session


class _Node:
    """What rules and terms have in common."""

    def __init__(self, session: Session, scope: Scope, iri: str) -> None:
        self._session, self._scope, self.iri = session, scope, iri

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and other.iri == self.iri

    def __hash__(self) -> int:
        return hash(self.iri)

    def _ask(self, name: str, about: str) -> Answer:
        return answer_about(self._session, name, about, ",".join(self._scope.editions))


class RuleNode(_Node):
    """Something with a number in an edition: a rule, a section, an entry, a paragraph or a ruling.

    Attributes:
        number: as it is printed, ``"704.5a"``.
        kind: ``"rule"``, ``"section"``, ``"entry"``, ``"paragraph"`` or ``"ruling"``.
        title: its heading, or ``""``.
        text: its own text, without that of its parts; for an entry, its paragraphs, one per line.
        iri: its IRI.
        edition: the id of its edition.
        document: the id of the document that contains it, or ``""`` if it is only cited.
        lines: its first and last line there, from 1; None if it is only cited.
        whole: the IRI of what it is part of, or ``""``.

    >>> rule = rules.rule("G12.9a")
    >>> rule.kind, rule.document, rule.lines
    ('paragraph', 'starter-g12', (45, 46))
    >>> rule.parent
    RuleNode('G12.9', 'starter')
    """

    def __init__(self, session: Session, scope: Scope, row: Cells) -> None:
        """Take a row of ``sheets/numbered.rq``."""
        iri, cls, number, title, text, place, first, last, whole = row
        super().__init__(session, scope, str(iri))
        self.whole = str(whole or "")
        self._own = str(text or "")
        self.kind = str(cls).removeprefix(VOCABULARY).lower()
        self.number = str(number)
        self.title = str(title or "")
        self.document = session.iris.parse(str(place)).key if place else ""
        self.lines = (int(str(first)), int(str(last or first))) if first else None
        self.edition = session.iris.parse(self.iri).edition

    def __repr__(self) -> str:
        return f"RuleNode({self.number!r}, {self.edition!r})"

    @cached_property
    def text(self) -> str:
        """Its own text, without that of its parts; for an entry, its paragraphs, one per line.

        >>> rules.rule("G12.9a").text
        'A supertype for what there should be only one of.'
        """
        if self.kind == "entry":
            return _words(self._session, self._scope, [self.iri])
        return self._own

    @cached_property
    def now(self) -> str | None:
        """The number of a rule in the newest loaded edition of the comprehensive rules; ``""`` if it is gone.

        It is None for anything else.

        >>> rules.rule("G12.9").now, lanterns.rule("301.2", edition="cr-2031-02-01").now
        (None, '320.2')
        """
        from ...queries.history.summary import number_now

        return number_now(self._session, self.number, self.edition) if self.kind == "rule" else None

    @property
    def notes(self) -> tuple[str, ...]:
        """What it is called now, in words, if its edition is not the newest and it has another number there.

        >>> lanterns.rule("301.2", edition="cr-2031-02-01").notes
        ('301.2 of cr-2031-02-01, the last loaded edition with this number, is 320.2 in cr-2031-07-01.',)
        """
        from ...queries.finding.things import Thing
        from ...queries.history.summary import numbers_now

        return tuple(numbers_now(self._session, [Thing(self.kind, self.number, (self.iri,))]))

    @property
    def provision(self) -> str:
        """The permanent id of a rule through all its numbers and wordings; ``""`` if it has none.

        >>> rules.rule("420").provision  # only cited here
        ''
        """
        from ...queries.history.beyond import provisions_of

        return provisions_of(self._session, [self.iri]).get(self.iri, "")

    @cached_property
    def parent(self) -> RuleNode | None:
        """What it is part of, one level up: 704.5 for 704.5a, section 7 for 704, and None at the top.

        >>> rules.rule("420").parent
        RuleNode('4', 'starter')
        """
        found = nodes_in(self._session, self._scope, [self.whole]) if self.whole else []
        return found[0] if found else None

    @cached_property
    def children(self) -> tuple[RuleNode, ...]:
        """Its numbered parts, one level down, in document order.

        >>> [part.number for part in rules.rule("G12.9").children]
        ['G12.9a', 'G12.9b']
        """
        parts = self._session.pairs(self._scope, DCTERMS.isPartOf, to=[self.iri])
        return tuple(nodes_in(self._session, self._scope, [part for part, _ in parts])) if parts else ()

    @cached_property
    def examples(self) -> tuple[str, ...]:
        """The text of its own examples, without those of its parts.

        >>> lanterns.rule("101.1").examples
        ('Ada is older than Bo. Ada lights three lanterns, Bo lights three lanterns, and Ada begins.',)
        """
        rows = self._session.run("sheets", "examples", self._scope, {"it": [self.iri]})
        return tuple(str(row[0]) for row in rows)

    def record(self) -> dict[str, Json]:
        """Return what it says, and where, as one object of plain JSON values.

        >>> rules.rule("G12.9a").record()["text"]
        'A supertype for what there should be only one of.'
        """
        facts = ("number", "kind", "title", "text", "iri", "edition", "document")
        return {name: getattr(self, name) or None for name in facts} | {"lines": self.lines and [*self.lines]}

    @property
    def cites(self) -> Answer:
        """What it and its parts cite: columns cites, title, loaded, quote, document, line.

        >>> [(row["cites"], row["quote"]) for row in rules.rule("G12.9").cites]
        [('420.5', 'A state-based effect sees to it. See Rule 420.5.')]
        """
        return self._ask("cited_by", self.number)

    @property
    def cited_by(self) -> Answer:
        """What cites it or one of its parts: columns source, cites, quote, document, line.

        >>> [row["source"] for row in rules.rule("420.5").cited_by]
        ['Leaves Play', 'Legendary', 'Lethal Damage', 'Life']
        """
        return self._ask("citing", self.number)

    @property
    def history(self) -> Answer:
        """What happened to it: columns edition, number, change, confidence; see `Rules.history`.

        If its edition is not one of the comprehensive rules, the answer has a note and no rows.

        >>> for row in lanterns.rule("320.4").history:
        ...     print(*row.values())
        cr-2031-02-01 301.3  1.0
        cr-2031-07-01 320.4 renumbered 1.0
        """
        from ...queries.history.trace import history_of

        return history_of(self._session, self.number, self.edition)

    def _repr_html_(self) -> str:
        place = f"{self.document}:{self.lines[0]}" if self.lines else self.edition
        return _shown(" ".join(filter(None, (self.number, self.title))), self.text, place)


class TermNode(_Node):
    """A term: one name, shared by all editions, with what the chosen edition says about it.

    Attributes:
        name: its preferred name.
        iri: its IRI.
        edition: the ids of the chosen editions, as in answers.

    >>> rules.term("life")
    TermNode('Life')
    """

    def __init__(self, session: Session, scope: Scope, name: str, iris: tuple[str, ...]) -> None:
        super().__init__(session, scope, iris[0])
        self._iris = iris
        self.name = name
        self.edition = scope.label

    def __repr__(self) -> str:
        return f"TermNode({self.name!r})"

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Its preferred name, then the others: other names in its heading, plurals, spellings.

        >>> rules.term("State-Based Effects").names
        ('State-Based Effects', 'State-Based Effect')
        """
        from ...queries.finding.names import other_names

        return (self.name, *other_names(self._session, self.iri))

    @cached_property
    def definition(self) -> str:
        """The paragraphs of its entries, one per line; without one, the text of the rules that define it.

        ``""`` if neither is loaded.

        >>> rules.term("LIFO").definition
        'Four letters for the habit of the stack to serve the latest arrival first.'
        """
        entries = _words(self._session, self._scope, self._iris)
        return entries or "\n".join(str(row["text"]) for row in self._ask("definition", self.name))

    @cached_property
    def defined_by(self) -> tuple[RuleNode, ...]:
        """The rules that define it: those that have its name as their title, or that its entry names.

        >>> rules.term("State-Based Effects").defined_by
        (RuleNode('420', 'starter'),)
        """
        rules = sorted(self._session.pairs(self._scope, RG.definedBy, of=self._iris))
        return tuple(nodes_in(self._session, self._scope, [it for _, it in rules])) if rules else ()

    def record(self) -> dict[str, Json]:
        """Return its names and what it means as one object of plain JSON values.

        >>> rules.term("LIFO").record()["definition"]
        'Four letters for the habit of the stack to serve the latest arrival first.'
        """
        facts = {"name": self.name, "iri": self.iri, "names": [*self.names], "edition": self.edition}
        return {**facts, "definition": self.definition}

    @property
    def relies_on(self) -> Answer:
        """What it relies on, with the sentence that says so; see the question `relied_on_by_term`.

        >>> [(row["name"], row["kind"], row["link"]) for row in rules.term("Life").relies_on][:2]
        [('State-Based Effects', 'term', 'citation'), ('420.5', 'rule', 'citation')]
        """
        return self._ask("relied_on_by_term", self.name)

    @property
    def relied_on_by(self) -> Answer:
        """The terms that rely on it, with the sentence that says so; see the question `terms_relying_on`.

        >>> [(row["term"], row["link"]) for row in rules.term("Life").relied_on_by]
        [('Lose the Game', 'mention'), ('Loyalty', 'mention')]
        """
        return self._ask("terms_relying_on", self.name)

    @property
    def history(self) -> Answer:
        """What happened to its glossary entry, then to the rule that defines it; see `Rules.history`.

        If the chosen edition is not one of the comprehensive rules, the answer has a note and no rows.

        >>> [(row["number"], row["change"]) for row in lanterns.term("Flutter").history]
        [('Flutter', ''), ('Flutter', 'references'), ('301.3', ''), ('320.4', 'renumbered')]
        """
        from ...queries.history.trace import history_of

        return history_of(self._session, self.name, self._scope.edition)

    def _repr_html_(self) -> str:
        return _shown(self.name, self.definition, self.edition)


def answer_about(session: Session, name: str, about: str, edition: str | None) -> Answer:
    """Answer a question of the catalogue about one thing."""
    from ...queries.answering.running import answer_to
    from ...queries.catalogue.questions import question

    return answer_to(session, question(name), [about], edition)


def _shown(head: str, text: str, place: str) -> str:
    """Return a rule or a term as HTML for a notebook."""
    paragraphs = "".join(f"<p>{escape(line)}</p>" for line in text.splitlines())
    return f"<b>{escape(head)}</b>{paragraphs}<small>{escape(place)}</small>"


def node_kinds() -> tuple[str, ...]:
    """Return the kinds of nodes with a number."""
    from ...queries.finding.things import KINDS

    return tuple(map(str.lower, KINDS))


def nodes_in(session: Session, scope: Scope, iris: Iterable[str] | None = None) -> list[RuleNode]:
    """Return the nodes with a number in the graphs of a scope, some or all, in document order."""
    kinds = node_kinds()
    found: dict[str, RuleNode] = {}
    for row in session.run("sheets", "numbered", scope, {} if iris is None else {"it": iris}):
        node = RuleNode(session, scope, row)
        # A node of two kinds counts as the first of them.
        if node.iri not in found or kinds.index(found[node.iri].kind) > kinds.index(node.kind):
            found[node.iri] = node
    return list(found.values())


def _words(session: Session, scope: Scope, iris: Sequence[str]) -> str:
    """Return the paragraphs of entries, or of the entries that define terms, one a line; or ``""``."""
    return "\n".join(str(row[0]) for row in session.run("sheets", "words", scope, {"it": iris}))
