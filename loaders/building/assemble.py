"""Change a store: add or remove documents, and renew whatever depends on them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from difflib import get_close_matches
from functools import partial
from hashlib import blake2b
from itertools import chain
from pathlib import Path

from ...ontology import RG, DocumentKind, Iris, UnknownNameError
from ..cards.building import CardUpdate, described
from ..cases import CaseUpdate
from ..describing.describe import catalog_triples
from ..describing.inventory import contents_of, edition_graphs
from ..editions import EditionInfo, current_editions, editions_in, rules_in_force
from ..graph.emit import vocabulary_triples
from ..graph.quads import RDF_TYPE, C, TripleSet, moved_quads, node, write_quads
from ..history.graphs import HistoryGraphs
from ..history.lives import bundled_lives
from ..history.stored import Wordings, lines_of, stored_whole, with_types
from ..history.timeline import timeline
from ..linking.across import Dating, attributed_days, compare, same_rules
from ..linking.edition import EditionView
from ..linking.labels import known_provisions, renamed_terms, stored_names, terms_triples, words_of_players
from ..reading.numbered.form import is_of_tournaments
from ..store.protocol import Rewrite, statements
from ..workers import Progress, Workers
from .prepare import Digests, Prepared, derived_triples, words_of
from .report import Refused, Replaced


class Assembly:
    """One change of a store: documents are added or removed, and everything that depends on them is updated.

    Only what a change affects is computed again: the derived graph of its editions, those of rulings releases
    (which are checked against the rules) and of undated fragments, histories next to a new edition, the terms
    and `graph/current`.
    """

    def __init__(self, rewrite: Rewrite, iris: Iris, scratch: Path, workers: Workers, tell: Progress) -> None:
        self.rewrite = rewrite
        self.iris = iris
        self.scratch = scratch
        self.workers = workers
        self.tell = tell
        self.editions: dict[str, EditionInfo] = editions_in(rewrite, iris)
        self.cards = CardUpdate(rewrite, iris, scratch)
        self.cases = CaseUpdate(rewrite, iris, scratch)
        self._former = list(self.editions.values())
        self._prepared: dict[str, Prepared] = {}
        self._digests = Digests(iris, scratch, self._prepared, rewrite)
        self._gone: dict[str, list[str]] = {}
        self._changes: dict[str, tuple[list[bytes], list[bytes]]] = {}
        """Graphs that change in part, each with the lines that are removed and those that are added."""
        self.whole: dict[str, Path] = {}
        """The files of whole graphs, as plain queries see them, where the store keeps less."""
        self._touched: set[str] = set()
        self._rules_changed = False
        self._noted: dict[str, None] = {}
        self._renewed = set[str]()
        self.written: dict[str, Path] = {}
        """The files of the graphs that were renewed."""
        self.quads = 0
        """How many there are when everything is renewed."""

    # -- what changes ---------------------------------------------------------------------------

    def add(self, prepared: Sequence[Prepared]) -> None:
        """Add documents; one that is already loaded is replaced."""
        for it in prepared:
            info = self.editions.setdefault(it.edition, EditionInfo(it.edition, it.issued, it.kind))
            if it.document not in info.documents:
                info.documents.append(it.document)
            self._prepared[it.document] = it
            self._touched.add(it.edition)
            self._rules_changed |= info.is_rules
            if it.has_wordings and any(it.edition == former.edition for former in self._former):
                self._forget_wordings(info)
            self._note(self.iris.document(it.document), it.quads)

    def of_other_kinds(self, prepared: Iterable[Prepared]) -> dict[str, Refused]:
        """Return the documents whose edition has the id of one of another kind, loaded or before them."""
        found = {}
        kinds = {name: info.kind for name, info in self.editions.items()}
        for it in prepared:
            kind = kinds.setdefault(it.edition, it.kind)
            if kind is not it.kind:
                what = f"{it.summary.source}: its edition would be {it.edition}, which is one of {kind.value}"
                found[it.document] = Refused(
                    it.summary.source, f"{what}\n  Change the title or the date at the head of the text."
                )
        return found

    def other_words(self, prepared: Iterable[Prepared]) -> Iterator[Replaced]:
        """Yield the documents that replace a loaded one with a different text."""
        for it in prepared:
            graph = self.iris.document(it.document)
            stored = statements(self.rewrite, [graph], [RG.checksum])
            former = next((checksum for *_, checksum in stored), it.checksum)
            info = EditionInfo(it.edition, it.issued, it.kind)
            if former != it.checksum and words_of(self._digests.record(info, it.document)) != it.words:
                yield Replaced(it.document, it.summary.source, former)
            self._digests.records.pop(it.document, None)

    def remove(self, edition: str) -> None:
        """Remove an edition with all its graphs; raise `UnknownNameError` if it is not loaded."""
        self._check_loaded(edition)
        info = self.editions.pop(edition)
        self._rules_changed |= info.is_rules
        self._forget_wordings(info)
        self.rewrite.drop(edition_graphs(self.iris, info))

    def _forget_wordings(self, info: EditionInfo) -> None:
        """Note the wordings of an edition that will be removed: statements about them are computed again."""
        if info.is_rules:
            documents = map(self.iris.document, info.documents)
            self._gone |= lines_of(self.rewrite, self.iris, documents)

    def _check_loaded(self, edition: str) -> None:
        if edition not in self.editions:
            near = get_close_matches(edition, self.editions, n=3)
            raise UnknownNameError(
                "loaded edition", edition, near, "`rulesgraph editions` lists what is loaded."
            )

    def finish(self) -> None:
        """Update everything that depends on what changed."""
        self.editions = dict(sorted(self.editions.items(), key=lambda item: item[1].age_key))
        is_other = bool(self._touched) or len(self.editions) < len(self._former)
        if self.cards.sets and (is_other or self.cards.has_new):
            self.tell("linking cards", 0, 1)
            self.cards.link(self._digests.card_names(self.editions))
        graphs = HistoryGraphs(self.rewrite, self.iris, self._digests.file, self.workers)
        editions = list(self.editions.values())
        for edition, triples in graphs.renew(editions, self._touched, self._former, self.tell):
            self._stage(self.iris.history(edition), triples)
        self._renew_wordings()
        joined = self._joined()
        due = [e for e in editions if self._must_derive(e, joined)]
        if due:
            self._put()  # they are checked against what the others say
        for place, info in enumerate(due):
            self.tell("deriving links", place, len(due))
            self._stage(self.iris.derived(info.edition), self._derived(info, joined.get(info.edition)))
        self._put_inferred(dict.fromkeys(self._touched | {info.edition for info in due}, TripleSet()))
        if due:
            self._put()
        self._shared_graphs(joined)
        self._put()
        if self._gone and not any(it.is_rules for it in editions):
            self.rewrite.drop([self.iris.graph("wordings")])

    def infer(self, inferred: Mapping[str, TripleSet]) -> None:
        """Replace the statements inferred from the facts of editions.

        Raises `UnknownNameError` for an edition that is not loaded.
        """
        for edition in inferred:
            self._check_loaded(edition)
        self._put_inferred(inferred)
        self._merged_graphs(self._joined())
        self._put()

    def _put_inferred(self, inferred: Mapping[str, TripleSet]) -> None:
        for edition, triples in sorted(inferred.items()):
            self._stage(self.iris.inferred(edition), triples)

    def _renew_wordings(self) -> None:
        """Update `graph/wordings`, and what editions mention beyond their wordings."""
        fresh = {it.edition: it for it in self._prepared.values() if it.has_wordings}
        if not (fresh or self._gone):
            return
        readings = {edition: it.reading() for edition, it in fresh.items()}
        wordings = Wordings(self.rewrite, self.iris, self.editions, readings, self._gone, self.written)
        mentions = {edition: lines for edition, *lines in wordings.moved()}
        for edition, it in fresh.items():
            _, new = mentions.pop(edition, ((), ()))
            self._stage(self.iris.derived(edition), it.described() | TripleSet(new))
        for edition, lines in mentions.items():
            self._change(self.iris.derived(edition), *lines)
        self._change(self.iris.graph("wordings"), *wordings.change())

    # -- writing --------------------------------------------------------------------------------

    def _stage(self, graph: str, triples: TripleSet) -> None:
        write_quads(self._staged(graph), triples, graph)
        self._note(graph, self._staged(graph))

    def _note(self, graph: str, path: Path) -> None:
        """Note that a graph will be what a file says; `_put` writes it to the store."""
        self.written[graph] = path
        self._noted[graph] = None

    def _change(self, graph: str, *lines: Iterable[str]) -> None:
        """Note that some statements are removed from a graph and others added; `_put` does it."""
        end = f" <{graph}> .\n"
        gone, new = ([f"{line}{end}".encode() for line in them] for them in lines)
        self._changes[graph] = gone, new
        self._noted[graph] = None

    def _put(self) -> None:
        """Write the changes that were noted to the store."""
        for place, graph in enumerate(self._noted):
            self.tell("loading graphs", place, len(self._noted))
            if graph in self._changes:
                self.rewrite.change(graph, *self._changes[graph])
            elif self.rewrite.replace(graph, self.written[graph]):
                self._renewed.add(graph)
        if self._noted:
            self.tell("loading graphs", len(self._noted), len(self._noted))
        self._noted.clear()

    def _staged(self, graph: str) -> Path:
        return self.scratch / f"{blake2b(graph.encode(), digest_size=16).hexdigest()}.staged"

    def _merge(self, graphs: Iterable[str], into: str, more: TripleSet) -> None:
        """Stage some graphs merged into one, each statement once, with `more` statements."""
        moved = chain.from_iterable(self._moved(graph, into) for graph in graphs)
        added = (f"{line} <{into}> .\n".encode() for line in more.lines)
        lines = dict.fromkeys(chain(with_types(moved), added))
        with self._staged(into).open("wb") as file:
            file.writelines(lines)
        self._note(into, self._staged(into))

    def _moved(self, graph: str, into: str) -> Iterable[bytes]:
        """Return the statements of a graph as N-Quads lines of another graph."""
        if file := self.whole.get(graph, self.written.get(graph)):
            return moved_quads(file, graph, into)
        return (f"{line[:-2]} <{into}> .\n".encode() for line in self.rewrite.graph_lines(graph))

    # -- editions -------------------------------------------------------------------------------

    def _joined(self) -> dict[str, str]:
        """Map rulings releases and tournament rules to the editions of the rules then in force."""
        found = {}
        for info in self.editions.values():
            if info.issued and (info.kind is DocumentKind.RULINGS or is_of_tournaments(info.edition)):
                rules = rules_in_force(info, self._latest_change(info), self.editions.values())
                if rules:
                    found[info.edition] = rules.edition
        return found

    def _latest_change(self, info: EditionInfo) -> date | None:
        """Return the day of the latest rule change that a release dates, or that was known at its release."""
        if info.kind is DocumentKind.RULINGS:
            return max((day for d in self._digests.members(info) for day in attributed_days(d)), default=None)
        known = bundled_lives().in_force(info.issued) if info.issued else ""
        return date.fromisoformat(known.removeprefix("cr-")) if known else None

    def _must_derive(self, info: EditionInfo, joined: dict[str, str]) -> bool:
        if info.edition.startswith("fragment-"):
            return True
        if info.is_rules:
            return False
        if info.edition in self._touched or self._rules_changed:
            return True
        derived = self.iris.derived(info.edition)
        stored = statements(self.rewrite, [derived], [RG.rulesInForce])
        before = {self.iris.parse(rules).edition for *_, rules in stored}
        return before != ({joined[info.edition]} if info.edition in joined else set())

    def _derived(self, info: EditionInfo, rules: str | None) -> TripleSet:
        members = self._digests.members(info)
        about: dict[str, str] = {}
        extra = TripleSet()
        if info.edition.startswith("fragment-"):
            about, extra = compare(members, self.rewrite, self.iris, self.editions.values())
        if info.kind is DocumentKind.RULINGS:
            extra = Dating(self.rewrite, self.iris, self.editions.values()).facts(members)
        view = EditionView(members, self.iris, about)
        triples = derived_triples(view) | extra
        if rules:
            triples |= same_rules(view, rules, self.editions[rules].documents, self.rewrite, self.iris)
        return triples

    # -- graphs over all editions ---------------------------------------------------------------

    def _shared_graphs(self, joined: dict[str, str]) -> None:
        iris = self.iris
        rules = {it.edition: it for it in self._prepared.values() if self.editions[it.edition].is_rules}
        others = [info for info in self.editions.values() if info.edition not in rules]
        names = stored_names(self.rewrite, iris, others, self.written)
        names |= {edition: list(it.digest().names) for edition, it in rules.items()}
        histories = [iris.history(edition) for edition in self.editions]
        held = known_provisions(self.rewrite, iris, histories, self.written)
        current = current_editions([*self.editions.values()], joined)
        terms = terms_triples(names, self.editions, iris, current)
        terms |= words_of_players(terms, held, iris) | renamed_terms(self.rewrite, histories, self.written)
        self._stage(iris.graph("terms"), terms)
        self._stage(iris.graph("ontology"), vocabulary_triples())
        followed = [it for it in self.editions.values() if it.is_rules]
        known = partial(self._digests.words_of, self.editions)
        lives = timeline(self.rewrite, iris, followed, self.written, known)
        if lives is not None:
            self._stage(iris.graph("timeline"), lives)
        self._merged_graphs(joined)

    def _merged_graphs(self, joined: dict[str, str]) -> None:
        """Update what queries without GRAPH see, and the description of the store."""
        iris = self.iris
        current = current_editions(list(self.editions.values()), joined)
        self._put()
        self.tell("merging the newest edition", 0, 1)
        tenures = iris.graph("timeline")
        if tenures in self._renewed or not self._is_seen(current):
            for edition in current:
                if self.editions[edition].is_rules:
                    self._make_whole(self.editions[edition])
            lives = statements(self.rewrite, [tenures], (RG.hasTenure,), self.written)
            types = TripleSet(f"{node(it)} {RDF_TYPE} {C['Provision']}" for _, it, *_ in lives)
            self._merge(self._graphs_seen(current), iris.graph("current"), types)
        self._stage(iris.graph("catalog"), self._description(joined))
        self.tell("merging the newest edition", 1, 1)

    def _is_seen(self, editions: Collection[str]) -> bool:
        """Return whether `graph/current` shows exactly these editions, as they are now."""
        # It has all mentions in rules, whether the store keeps them with wordings or with places.
        kept = {self.iris.derived(it) for it in editions if self.editions[it].is_rules}
        if self._touched & {*editions} or self._renewed & ({*self._graphs_seen(editions)} - kept):
            return False
        documents = {self.iris.document(it) for name in editions for it in self.editions[name].documents}
        seen = statements(self.rewrite, [self.iris.graph("current")], (RG.checksum,), {})
        return documents == {document for _, document, *_ in seen}

    def _make_whole(self, info: EditionInfo) -> None:
        """Write all graphs of an edition of the comprehensive rules to files."""
        [document] = info.documents
        if document in self._prepared:
            found = self._prepared[document].whole(self.iris)
        else:
            found = stored_whole(self.rewrite, self.iris, info.edition, document)
        for graph in (self.iris.document(document), self.iris.derived(info.edition)):
            self.whole[graph] = self._staged(f"{graph} whole")
            write_quads(self.whole[graph], found[graph], graph)

    def _description(self, joined: dict[str, str]) -> TripleSet:
        editions = list(self.editions.values())
        current = current_editions(editions, joined)
        contents = contents_of(self.rewrite, self.iris, editions, current, self.written, self._changes)
        catalog = catalog_triples(self.iris, contents) | described(self.cards.sets, self.iris)
        self.quads = len(catalog) + sum(counts.triples for counts in contents.counts.values())
        return catalog

    def _graphs_seen(self, editions: Iterable[str]) -> list[str]:
        own = (graph for it in editions for graph in edition_graphs(self.iris, self.editions[it]))
        return [*own, self.iris.graph("terms"), self.iris.graph("ontology")]
