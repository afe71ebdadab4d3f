"""Write facts as triples: an `rg:Fact` with its evidence, and the plain statement beside it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import singledispatchmethod
from itertools import pairwise

from ...ontology import child, slug
from ..graph.quads import C, P, TripleSet, english, integer, node, text
from ..language.names import plural, singular
from ..linking.edition import EditionView, Unit
from .context import (
    Context,
    Division,
    Fact,
    KindOf,
    Listing,
    OtherWords,
    Position,
    Statement,
    Steps,
    Template,
)
from .kinds import Kind, game_kinds


class FactWriter:
    """Collects the triples of facts, in `triples`; a value that is ``""``, None or False writes none."""

    def __init__(self, view: EditionView, context: Context) -> None:
        self.triples = TripleSet()
        self._say = self.triples.say
        self._iris, self._edition = view.iris, view.edition
        self._bound_to = node(view.iris.edition(view.edition))
        self._context = context
        self._classes: dict[str, list[set[str]]] = defaultdict(list)
        self._places: dict[str, int] = defaultdict(int)
        self._lists: dict[str, int] = defaultdict(int)
        self._whole: dict[str, str] = {}
        self._listed: dict[str, set[str]] = defaultdict(set)
        self._divided: dict[tuple[str, str], tuple[str, ...]] = {}
        self._defined_in: dict[str, set[str]] = defaultdict(set)
        self._labelled: set[str] = set()

    def count_senses(self, facts: Iterable[Fact]) -> None:
        """Note which terms are defined in several paragraphs of their entry."""
        for fact in facts:
            if isinstance(fact.statement, KindOf) and fact.statement.is_sense:
                self._defined_in[fact.statement.term].add(fact.unit.iri)

    def write_fact(self, fact: Fact) -> None:
        """Write a fact and what it states; if its kind is not named by any term, it states nothing."""
        said = fact.statement
        if (
            isinstance(said, KindOf)
            and not said.is_former
            and self._names_kind(said)
            and not self._above(said)
        ):
            return
        self._places[fact.unit.iri] += 1
        me = node(child(fact.unit.iri, "fact", self._places[fact.unit.iri]))
        pattern = "inferred" if self._is_inferred(said) else fact.pattern
        self._say(me, type=C["Fact"], inEdition=self._bound_to, pattern=text(pattern))
        self._say(me, quote=text(fact.quote), wasDerivedFrom=node(fact.unit.iri))
        if isinstance(said, Division):
            said = self._as_first_named(said)
        self._state(said, me)
        if isinstance(said, KindOf) and (forms := self._forms_named(said)):
            self.write_fact(replace(fact, statement=KindOf(said.term, forms)))
        if isinstance(said, Division):
            listed = Listing(plural(game_kinds().label(said.cls)), said.cls, said.parts)
            self.write_fact(replace(fact, statement=listed))

    def name_kinds(self, names: Mapping[str, Iterable[str]]) -> None:
        """Link terms (slug → names) to the class of the game that they name."""
        for term, forms in names.items():
            cls = next(filter(None, map(game_kinds().of, forms)), "")
            self._say(self._term(term), namesKind=cls and C[cls])

    def _told(self, fact: str, subject: str, prop: str, values: Sequence[str]) -> None:
        """Write the plain triples of a statement, and those of its fact."""
        self._say(fact, factSubject=subject, factProperty=prop)
        for value in dict.fromkeys(values):
            self.triples.add(subject, prop, value)
            self._say(fact, **{"factValue" if value[0] == '"' else "factObject": value})

    def _term(self, name: str) -> str:
        return node(self._iris.term(name))

    def _thing(self, name: str, cls: str, taken: Iterable[str] = ()) -> str:
        """Return the node of the thing called `name`, described, and linked to its term if there is one."""
        term = self._context.item(name)
        me = self._sense(term or slug(name), cls, taken)
        self._describe(me, name, cls)
        if term:
            self._say(self._term(term), represents=me, hasKind=cls and C[cls])
        return me

    def _sense(self, name: str, cls: str, taken: Iterable[str] = (), is_sense: bool = False) -> str:
        """Return the node for the slug `name` as a `cls`, but none of the `taken` ones.

        Kinds that a thing can have at the same time share a node. Kinds that exclude each other, the
        abilities of a term that represents several, and the numbered senses of an entry (`is_sense`) each get
        their own.
        """
        classes = self._classes[name]
        nodes = [node(self._iris.sense(self._edition, name, place + 1)) for place in range(len(classes) + 1)]
        free = [n for n in range(len(classes)) if nodes[n] not in taken]
        found = [n for n in free if cls in classes[n]]
        if not found and not is_sense:
            found = [n for n in free if not cls or all(game_kinds().agree(cls, it) for it in classes[n])]
        place = found[0] if found else len(classes)
        if place == len(classes):
            classes.append(set())
        if cls:
            classes[place].add(cls)
        return nodes[place]

    def _describe(self, me: str, name: str, cls: str) -> None:
        self._say(me, type=C[cls or "Sense"])
        if me not in self._labelled:
            self._labelled.add(me)
            self._say(me, inEdition=self._bound_to, label=english(name))

    def _ordered(self, members: Sequence[str]) -> None:
        """Link the members of an ordered list in order, unless one occurs twice: that would be a circle."""
        if len(set(members)) == len(members):
            for one, following in pairwise(members):
                self._say(one, next=following)

    def _list(self, name: str, cls: str) -> str:
        key = slug(name)
        self._lists[key] += 1
        me = node(self._iris.ordered(self._edition, key, self._lists[key]))
        self._describe(me, name, cls)
        return me

    # -- statements -------------------------------------------------------------------------------

    @singledispatchmethod
    def _state(self, statement: Statement, fact: str) -> None:
        raise TypeError(statement)

    @_state.register
    def _(self, said: KindOf, fact: str) -> None:
        term = self._term(said.term)
        if said.is_former:
            self._told(fact, term, P["formerKind"], [C[kind.cls] for kind in said.kinds])
            return
        if self._names_kind(said):
            self._told(fact, term, P["broader"], [self._term(name) for name in self._above(said)])
            return
        kinds = [kind for kind in said.kinds if kind.cls]
        several = said.is_sense and len(self._defined_in[said.term]) > 1
        taken: list[str] = []
        for kind in said.kinds:
            if kind.cls:
                me = self._sense(said.term, kind.cls, taken, several)
                self._describe(me, self._context.names(said.term)[0], kind.cls)
                self._say(term, represents=me)
                taken.append(me)
            if self._classes_named(kind.term):
                self._instance(said.term, kind.term)
        if kinds:
            self._told(fact, term, P["hasKind"], [C[kind.cls] for kind in kinds])
        else:
            self._told(fact, term, P["broader"], [self._term(kind.term) for kind in said.kinds])

    def _names_kind(self, said: KindOf) -> bool:
        """Return whether the term is the name of its own supposed kind: *Hidden Zone* is not a zone."""
        own = self._classes_named(said.term)
        return any(kind.cls and game_kinds().is_kind_of(cls, kind.cls) for cls in own for kind in said.kinds)

    def _is_inferred(self, said: Statement) -> bool:
        """Return whether the kind comes from a heading or the vocabulary, because the sentence says less."""
        if not isinstance(said, KindOf) or said.is_former:
            return False
        if not self._names_kind(said):
            return not all(kind.is_said for kind in said.kinds)
        labels = (self._context.term(game_kinds().label(kind.cls)) for kind in said.kinds if kind.cls)
        return not {*labels, *(kind.term for kind in said.kinds)}.issuperset(self._above(said))

    def _classes_named(self, term: str) -> list[str]:
        return [cls for cls in map(game_kinds().of, self._context.names(term)) if cls]

    def _above(self, said: KindOf) -> list[str]:
        """Return the terms that name the supposed kinds of a term, the narrowest that the vocabulary has.

        An entry may say less than is true: *an ability that …*, of triggered abilities.
        """
        own, kinds = self._classes_named(said.term), game_kinds()
        found = []
        for kind in said.kinds:
            between = {
                it for cls in own for it in kinds.above[cls] if kind.cls and kinds.is_kind_of(it, kind.cls)
            }
            narrowest = sorted(between.difference(own), key=lambda it: (-len(kinds.above[it]), it))
            named = (self._context.term(kinds.label(it)) for it in narrowest)
            found.append(next(filter(None, named), kind.term))
        return [name for name in found if name and name != said.term]

    def _forms_named(self, said: KindOf) -> tuple[Kind, ...]:
        """Return the terms of which a thing with a class is also a form: *Tall Lamp* is a lamp and an action.

        Each is stated separately from the class.
        """
        if said.is_former or self._names_kind(said) or not any(it.cls for it in said.kinds):
            return ()
        forms = (it.term for it in said.kinds if it.term not in ("", said.term))
        return tuple(Kind("", it) for it in dict.fromkeys(forms) if not self._classes_named(it))

    def _instance(self, term: str, above: str) -> None:
        """Write that a term names a member of what another term names.

        This differs from being a kind of it, as in ISO 25964. Color is one of the characteristics and white
        one of the colors, but white is not a characteristic: only being a kind of something is transitive.
        """
        if above and above != term:
            self._say(self._term(term), broaderInstantial=self._term(above))

    @_state.register
    def _(self, said: Listing, fact: str) -> None:
        me = self._list_of(said)
        self._say(me, currentAs=said.current_as and text(said.current_as))
        rules = [node(unit.iri) for unit in said.rules]
        members: list[str] = []
        if said.items:
            for place in range(said.count):
                members.append(self._member(said, place, members))
        else:
            members = [self._stated(said, rule) for rule in said.rules] if said.cls else rules
        for member, rule in zip(members, rules, strict=False):
            self._say(member, wasDerivedFrom=member != rule and rule)
        if said.is_ordered and self._listed[me].isdisjoint(members):
            self._ordered(members)
            self._ordered(rules)
        self._listed[me].update(members)
        self._told(fact, me, P["hasItem"], members)

    def _list_of(self, said: Listing) -> str:
        """Return the list of the things of a class or a term.

        An edition has one, however often it lists them; only names without a class or a term have several.
        """
        key = said.cls or self._context.term(said.name)
        if key in self._whole:
            return self._whole[key]
        me = self._list(plural(said.name) if said.cls else said.name, "Listing")
        if key:
            self._whole[key] = me
        self._say(me, listOf=said.cls and C[said.cls])
        return me

    def _member(self, said: Listing, place: int, taken: Iterable[str]) -> str:
        """Return the item at a place of a list of names; equal names are still two things."""
        item, kind = said.items[place], self._context.term(said.name)
        if said.is_ordered:
            number = f"{singular(said.name)} {place + 1}"
            thing = self._sense(slug(number), said.cls)
            self._describe(thing, f"{number}: {item}", said.cls)
            return thing
        if (term := self._context.item(item)) and kind:
            self._instance(term, kind)
        return self._thing(item, said.cls, taken)

    def _stated(self, said: Listing, rule: Unit) -> str:
        """Return what a rule of a list states: a thing of its class, named after the rule's number."""
        name = f"{singular(said.name)} {rule.label}"
        thing = self._sense(slug(name), said.cls)
        self._describe(thing, name, said.cls)
        self._say(thing, notation=text(rule.label))
        return thing

    def _as_first_named(self, said: Division) -> Division:
        """Return a division with the names that its parts had at its first occurrence.

        It is the same one if most parts are in the same places: *the first main phase* is *the precombat*.
        """
        first = self._divided.setdefault((slug(said.whole), said.cls), said.parts)
        shared = sum(slug(one) == slug(other) for one, other in zip(first, said.parts, strict=False))
        is_same = len(first) == len(said.parts) and 2 * shared > len(first)
        return replace(said, parts=first) if is_same else said

    @_state.register
    def _(self, said: Division, fact: str) -> None:
        whole = self._thing(said.whole, _class_of(said.whole))
        parts = [self._thing(part, said.cls) for part in said.parts]
        for place, part in enumerate(parts, start=1):
            self._say(part, within=whole, ordinal=integer(place))
        self._ordered(parts)
        self._told(fact, whole, P["hasItem"], parts)

    @_state.register
    def _(self, said: Position, fact: str) -> None:
        part = self._thing(self._context.names(said.part)[0], said.cls)
        self._say(part, ordinal=said.ordinal > 0 and integer(said.ordinal))
        self._told(fact, part, P["within"], [self._thing(said.whole, _class_of(said.whole))])

    @_state.register
    def _(self, said: Steps, fact: str) -> None:
        me = self._list(said.name, "Procedure")
        members = [node(unit.iri) for unit in said.rules]
        for place, item in enumerate(said.items, start=1):
            step = node(child(me[1:-1], "step", place))
            self._describe(step, item, "")
            members.append(step)
        self._ordered(members)
        self._told(fact, me, P["hasItem"], members)

    @_state.register
    def _(self, said: OtherWords, fact: str) -> None:
        self._told(fact, self._term(said.term), P[said.relation], [text(said.words)])
        self._say(self._term(said.term), isReplacedBy=said.new and self._term(said.new))

    @_state.register
    def _(self, said: Template, fact: str) -> None:
        self._told(fact, self._term(said.term), P["template"], [text(said.wording)])
        meaning = said.meaning and text(said.meaning)
        self._say(fact, parameter=map(text, said.parameters), meaning=meaning)


def _class_of(name: str) -> str:
    """Return the class named by the last word of a name: a *combat phase* is a phase."""
    return game_kinds().of(name.rpartition(" ")[2])
