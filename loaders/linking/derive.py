"""Derive the links of an edition, each with its evidence: the triples of `edition/{id}/derived`.

Nothing is guessed: every `dependsOn` is based on a reference in the text or on a rule's title, every
`mentions` on the name of the term in the text.

The body of a term is its entry, and the rule that defines it with parts and examples. A titled rule below a
chapter is only in the body of its own term: *Trample* is not part of *Keyword Abilities*.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import chain

from ...ontology import Iris, code, slug
from ..graph.emit import entry_iri, rule_parent
from ..graph.quads import C, TripleSet, boolean, day, english, integer, node, text
from ..language.numbers import level, parent, wholes
from ..records import Problem, Target, TargetKind
from .edition import EditionView
from .mentions import MentionFinder, verbs_used


class Deriver:
    """Computes the links of one edition; `triples` is complete after `derive`.

    `defects` are those of the edition as a whole; `mentions` is the result of `mentions_in`, if known.
    """

    def __init__(
        self,
        view: EditionView,
        defects: Sequence[Problem],
        mentions: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        self.view = view
        self.defects = defects
        self._found = mentions
        self.iris: Iris = view.iris
        self.edition = view.edition
        self.triples = TripleSet()
        self._say = self.triples.say
        self._in_edition = node(self.iris.edition(self.edition))

    def described(self) -> TripleSet:
        """Return what is kept of an edition whose links are derived on demand.

        That is its name, the rules that define its terms, and its problems.
        """
        self._describe_edition()
        self._defined_by()
        self._problems()
        for document in self.view.documents:
            count = sum(len(unit.references) for unit in document.units)
            self._say(node(self.iris.document(document.document)), referenceCount=integer(count))
        return self.triples

    def derive(self) -> TripleSet:
        """Return all links of the edition."""
        self._describe_edition()
        self._cited_only()
        self._authorities()
        self._definitions()
        self._reliance()
        self._mentions()
        self._problems()
        return self.triples

    # -- the edition and what is cited but not loaded -------------------------------------------

    def _describe_edition(self) -> None:
        issued = self.view.documents[0].issued
        self._say(self._in_edition, type=C["Edition"], identifier=text(self.edition), issued=day(issued))
        self._say(self._in_edition, title=text(edition_title(self.edition, issued)))

    def _cited_only(self) -> None:
        """Write the nodes of rules, sections and entries that are cited, or are parents of such."""
        view = self.view
        missing = set(view.cited_rules)
        for number in (*view.cited_rules, *view.loaded_rules):
            missing.update(above for above in wholes(number)[1:] if above not in view.loaded_rules)
        sections = set(view.cited_sections)
        loaded_sections = {section.number for d in view.documents for section in d.sections}
        sections |= {
            parent(n) for n in (*missing, *view.loaded_rules) if level(n) == "chapter"
        } - loaded_sections
        for number in missing:
            it = node(self.iris.rule(self.edition, number))
            self._stub(it, "Rule", number)
            above = node(rule_parent(self.iris, self.edition, number))
            self._say(it, level=text(level(number)), isPartOf=above)
        for number in sections:
            self._stub(node(self.iris.section(self.edition, number)), "Section", number)
        for number in view.cited_entries:
            it = node(self.iris.entry(self.edition, number))
            self._stub(it, "Entry", number)
            term = view.entry_term(number)
            self._say(it, defines=term and node(self.iris.term(term)))

    def _stub(self, it: str, cls: str, number: str) -> None:
        self._say(it, type=C[cls], inEdition=self._in_edition, loaded=boolean(False), notation=text(number))
        self._say(it, title=number in self.view.titles and text(self.view.titles[number]))

    def _authorities(self) -> None:
        for document in self.view.documents:
            for entry in document.entries:
                examples = [example for p in entry.paragraphs for example in p.examples]
                for attributed in (*entry.paragraphs, *entry.rulings, *examples):
                    for attribution in attributed.attributions:
                        me = node(self.iris.authority(slug(attribution.authority)))
                        self._say(me, type=C["Authority"], label=text(attribution.authority))

    # -- links ----------------------------------------------------------------------------------

    def _relies(self, subject: str, kind: str, target: str) -> None:
        """Write one reliance link of `kind` (``Citation``, ``Note``, ``Definition``)."""
        if subject != target:
            self._say(subject, **{"dependsOn": target, f"reliesBy{kind}": target})

    def _defined_by(self) -> None:
        """Write `definedBy`: rules whose title is the term's name, or which the entry names as its rule."""
        defining = {term: list(rules) for term, rules in self.view.defining.items()}
        for term, rules in self.view.pointed.items():
            defining[term] = [*defining.get(term, ()), *rules]
        self.defined_by = defining
        for term, rules in defining.items():
            self._say(node(self.iris.term(term)), definedBy=map(node, rules))

    def _definitions(self) -> None:
        self._defined_by()
        for term, rules in self.defined_by.items():
            for rule in rules:
                self._relies(node(self.iris.term(term)), "Definition", node(rule))
        self._treated()
        self._said_of_terms()

    def _treated(self) -> None:
        """Write `treatedIn`: where no rule defines a term, the rules that its own entry refers to.

        An entry that only names another term refers to the rules of that term.
        """
        cited: dict[str, dict[str, None]] = {}
        named: dict[str, dict[str, None]] = {}
        for unit in self.view.units:
            if unit.term and not unit.rule and not unit.part:
                for target in unit.targets:
                    if target.kind is TargetKind.RULE:
                        cited.setdefault(unit.term, {})[self.iris.rule(self.edition, target.key)] = None
                    elif target.kind is TargetKind.TERM:
                        named.setdefault(unit.term, {})[self.view.term_of(target.key)] = None
        for term in sorted({*cited, *named} - self.defined_by.keys()):
            others = [self.defined_by.get(it) or [*cited.get(it, {})] for it in named.get(term, {})]
            rules = cited.get(term) or chain.from_iterable(others)
            self._say(node(self.iris.term(term)), treatedIn=map(node, rules))

    def _said_of_terms(self) -> None:
        """Write the definitions of each term: its entries, else the rules titled with its name."""
        said: dict[str, list[list[str]]] = {}
        for entry in self.view.entries:
            if entry.names:
                words = [it.text for it in entry.paragraphs if it.text != entry.heading]
                said.setdefault(slug(entry.names[0]), []).append(words)
        titled = {it: rules for it, rules in self.view.defining.items() if it not in said}
        wanted = {rule for rules in titled.values() for rule in rules}
        texts: dict[str, list[str]] = {rule: [] for rule in wanted}
        for unit in self.view.units:
            number = "" if unit.part or not unit.rule else self.iris.parse(unit.rule).key
            if unit.rule in wanted and unit.text != self.view.titles.get(number):
                texts[unit.rule].append(unit.text)
            elif number and level(number) == "subrule":
                above = self.iris.rule(self.edition, parent(number))
                if above in wanted:
                    texts[above].append(unit.text)
        for term, rules in titled.items():
            said[term] = [texts[rule] for rule in rules]
        for term, definitions in said.items():
            whole = ("\n".join(words) for words in definitions if words)
            self._say(node(self.iris.term(term)), definition=map(english, whole))

    def _reliance(self) -> None:
        for unit in self.view.units:
            for to in filter(None, (_reliable(self.view, target) for target in unit.targets)):
                if unit.term:
                    kind = "Note" if unit.is_note else "Citation"
                    self._relies(node(self.iris.term(unit.term)), kind, node(to))
                if unit.rule:
                    self._relies(node(unit.rule), "Citation", node(to))

        for source, to in steps(self.view, self.defined_by):
            self._say(node(source), reliesOn=node(to))

    def _mentions(self) -> None:
        found = mentions_in(self.view) if self._found is None else self._found
        for unit in self.view.units:
            named = [node(self.iris.term(term)) for term in found.get(unit.iri, ())]
            self._say(node(unit.iri), mentions=named)
            self._say(node(self.iris.term(unit.term)), usesTerm=unit.term and named)

    # -- problems -------------------------------------------------------------------------------

    def _problems(self) -> None:
        """Write the problems that loaders reported (with the document), and those of the whole edition."""
        reported = [(d.document, p) for d in self.view.documents for p in d.problems]
        known = {(p.code, p.subject) for _, p in reported}
        holders = self.view.holders()
        seen = [(holders.get(p.subject, ""), p) for p in self.defects if (p.code, p.subject) not in known]
        places = {unit.label: unit.iri for unit in reversed(self.view.units) if not unit.is_note}
        places |= {
            name: entry_iri(self.iris, self.edition, entry)
            for entry in self.view.entries
            for name in (entry.number, entry.heading)
            if name
        }
        places |= {
            it.number: self.iris.section(self.edition, it.number)
            for document in self.view.documents
            for it in document.sections
        }
        found = sorted(
            [*reported, *seen], key=lambda item: (item[0], item[1].first_line, item[1].code, item[1].message)
        )
        for place, (document, problem) in enumerate(found, start=1):
            me = node(self.iris.problem(self.edition, place))
            add_problem(self.triples, me, problem)
            self._say(me, source=document and node(self.iris.document(document)))
            self._say(me, concerns=problem.subject in places and node(places[problem.subject]))


def _reliable(view: EditionView, target: Target) -> str:
    """Return the rule or term of a target; sections may be cited, but not relied on."""
    if target.kind is TargetKind.RULE:
        return view.iris.rule(view.edition, target.key)
    term = view.term_of(target.key) if target.kind is TargetKind.TERM else ""
    if target.kind is TargetKind.ENTRY:
        term = view.entry_term(target.key)
    return view.iris.term(term) if term else ""


def mentions_in(view: EditionView) -> dict[str, frozenset[str]]:
    """Map the IRIs of text units to the slugs of the terms that they mention, if any."""
    finder = MentionFinder(view.names, verbs_used(unit.text for unit in view.units))
    found = {}
    for unit in view.units:
        skip = [(reference.start, reference.end) for reference in unit.references]
        terms = {mention.slug for mention in finder.find(unit.text, skip, unit.term)} - {unit.term}
        if terms:
            found[unit.iri] = frozenset(terms)
    return found


def add_problem(triples: TripleSet, me: str, problem: Problem) -> None:
    """Write the node of one problem."""
    first, last = problem.first_line, problem.last_line
    triples.say(me, type=C["Problem"], problemCode=node(code(problem.code)), message=text(problem.message))
    triples.say(me, severity=node(code(problem.severity.value)), quote=problem.quote and text(problem.quote))
    triples.say(me, firstLine=first > 0 and integer(first), lastLine=0 < first != last and integer(last))


def edition_title(edition: str, issued: date | None) -> str:
    """Return a readable title: ``Comprehensive Rules, 1 February 2008``."""
    kind, _, rest = edition.partition("-")
    names = {
        "cr": "Comprehensive Rules",
        "rulings": "Rulings",
        "starter": "Starter rules",
        "fragment": "Fragment",
    }
    head = names.get(kind, edition)
    if issued:
        return f"{head}, {issued.day} {issued:%B %Y}"
    return f"{head} {rest}".strip()


def steps(view: EditionView, defined_by: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, str]]:
    """Yield (source, target), as IRIs, for each citation that leads out of the body of its source.

    A source is a term, or a rule for its own words. A target is a term, or a rule that does not belong to a
    term's body. `defined_by` maps terms to the IRIs of the rules that define them.
    """
    bodies = _Bodies(view, defined_by)
    for unit in view.units:
        number = view.iris.parse(unit.rule).name if unit.rule else ""
        terms = {*filter(None, [unit.term]), *bodies.holding(number)}
        for target in unit.targets:
            cited = wholes(target.key) if target.kind is TargetKind.RULE else ()
            sources = [view.iris.term(it) for it in terms if bodies.rules[it].isdisjoint(cited)]
            sources += [unit.rule] if number and number not in cited else []
            reached = bodies.stand_for(target)
            yield from ((source, to) for source in sources for to in reached if to != source)


class _Bodies:
    """The rules of each term (`rules`, by their numbers), and the terms of each rule."""

    def __init__(self, view: EditionView, defined_by: Mapping[str, Iterable[str]]) -> None:
        self._view = view
        self.rules: dict[str, set[str]] = defaultdict(set)
        self._terms: dict[str, list[str]] = defaultdict(list)
        for term, rules in defined_by.items():
            for number in (view.iris.parse(rule).name for rule in rules):
                self.rules[term].add(number)
                self._terms[number].append(term)
        self._titled = {it for it in self._terms if level(it) == "rule" and it in view.titles}
        for entry in view.entries:
            if entry.is_rule and entry.names:
                self._terms[entry.number].append(slug(entry.names[0]))

    def holding(self, rule: str) -> Iterator[str]:
        """Yield the terms whose body includes a rule."""
        for number in wholes(rule) if rule else ():
            yield from self._terms.get(number, ())
            if number in self._titled:
                return

    def stand_for(self, target: Target) -> Sequence[str]:
        """Return the terms of a target; for a rule, those of all rules that it is part of."""
        numbers = wholes(target.key) if target.kind is TargetKind.RULE else ()
        terms = [self._view.iris.term(it) for number in numbers for it in self._terms.get(number, ())]
        return terms or [*filter(None, [_reliable(self._view, target)])]
