"""The local names of the vocabulary as Python attributes; any other name is an error.

`RG.dependsOn` is the IRI of `rg:dependsOn` as a plain string, `GAME.Zone` that of `game:Zone`.
`vocabulary.ttl` and `game.ttl` describe the same names; a test compares the three.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum

from .iris import CODE, VOCABULARY
from .iris import GAME as GAME_NAMESPACE

CLASSES = (
    "Edition Document Section Rule Entry Paragraph Note Ruling Example Reference Attribution Authority "
    "Problem Finding Match Change Renaming TextUnit Dependable Term Fact Provision Wording Tenure Status "
    "Sense "
    # common superclasses, and classes that domains and ranges name
    "Locatable EditionBound EditionPart DocumentPart Citable Worded MentioningText Loadable CardData "
    # cards
    "CardSet Card CardFace CardRuling PrintedKeyword "
    # solved cases
    "CaseSet SolvedCase"
).split()

GAME_CLASSES = (
    # abilities
    "Ability ActivatedAbility LoyaltyAbility TriggeredAbility DelayedTriggeredAbility "
    "ReflexiveTriggeredAbility StateTrigger ChapterAbility StaticAbility EvasionAbility "
    "CharacteristicDefiningAbility SpellAbility ManaAbility KeywordAbility LinkedAbility AbilityWord "
    # actions and effects
    "GameAction KeywordAction SpecialAction TurnBasedAction StateBasedAction Listing Procedure Effect "
    "OneShotEffect ContinuousEffect ControlChangingEffect TextChangingEffect TypeChangingEffect "
    "ReplacementEffect SelfReplacementEffect PreventionEffect Layer Sublayer "
    # the turn and the zones
    "TurnPart Phase Step Zone HiddenZone PublicZone "
    # objects and their characteristics
    "GameObject CardKind CardPart Characteristic Color ManaType CardType PermanentType Supertype Subtype "
    "ArtifactType CreatureType EnchantmentType LandType BasicLandType PlaneswalkerType SpellType "
    "PlanarType BattleType PermanentStatus Designation Counter KeywordCounter "
    # costs and symbols
    "Cost ManaCost ActivationCost AdditionalCost AlternativeCost Symbol ManaSymbol "
    # players and ways to play
    "PlayerRole Variant MultiplayerVariant CasualVariant Option MultiplayerOption Format"
).split()
"""The kinds of things in the game, described in `game.ttl`."""

PROPERTIES = (
    # documents
    "inEdition text firstLine lastLine loaded level documentKind checksum printedNumber asFound "
    "textLeftOut carriesWords written "
    "defines status attribution authority asOf "
    # references
    "hasReference to surface start end quotedTitle cites "
    # problems
    "problemCode severity message concerns quote "
    # concepts and reliance
    "seeAlso redirectsTo definedBy represents hasKind namesKind mentions dependsOn usesTerm "
    "reliesByCitation reliesByNote reliesByDefinition reliesOn within "
    # alignment of undated text
    "hasMatch matches about confidence matchedBy agreesWith dateAgreesWith dateDisagreesWith "
    # editions and history
    "sameRule rulesInForce unchangedFrom renumberedFrom referencesChangedFrom rewordedFrom "
    "movedAndRewordedFrom splitFrom mergedFrom addedIn removedIn hasChange changedFrom changeKind "
    "oldName newName betweenEditions earlierEdition laterEdition support provision wording expressionOf "
    "foldedAs "
    "hasTenure hadNumber firstEdition lastEdition "
    "renamedTo next precedes "
    # facts
    "pattern factSubject factProperty factObject factValue hasItem listOf currentAs ordinal "
    "formerKind alsoCalled formerlyCalled standsFor gaveWayTo template parameter meaning "
    # cards
    "nameKey plainNameKey partKey oracleId layout typeLine manaCost hasType hasKeyword keyword "
    "printedParameter citesNumber answer cardCount rulingCount referenceCount treatedIn"
).split()

INDIVIDUALS = ("Obsolete", "Informal")


class Namespace:
    """The names of a vocabulary as attributes, each its whole IRI; any other name raises."""

    def __init__(self, namespace: str, names: Iterable[str]) -> None:
        self.namespace = namespace
        self.__dict__.update((name, namespace + name) for name in names)

    def __getattr__(self, name: str) -> str:
        raise AttributeError(f"the vocabulary has no {name!r}")

    def __dir__(self) -> list[str]:
        return sorted(self.__dict__.keys() - {"namespace"})


RG = Namespace(VOCABULARY, (*CLASSES, *PROPERTIES, *INDIVIDUALS))
GAME = Namespace(GAME_NAMESPACE, GAME_CLASSES)

PREFIXES = {
    "rg": VOCABULARY,
    "game": GAME_NAMESPACE,
    "code": CODE,
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "iso-thes": "http://purl.org/iso25964/skos-thes#",
    "dcterms": "http://purl.org/dc/terms/",
    "prov": "http://www.w3.org/ns/prov#",
    "void": "http://rdfs.org/ns/void#",
    "dcat": "http://www.w3.org/ns/dcat#",
    "sh": "http://www.w3.org/ns/shacl#",
    "eli": "http://data.europa.eu/eli/ontology#",
}
"""The prefixes that every query may use without declaring them."""


_ON_DEMAND = (
    "Fact Sense alsoCalled cites currentAs dependsOn factObject factProperty factSubject factValue "
    "formerKind formerlyCalled gaveWayTo hasItem hasKind inEdition level listOf meaning namesKind next "
    "ordinal parameter pattern quote reliesByCitation reliesByDefinition reliesOn represents standsFor "
    "template to treatedIn usesTerm"
)
_OF_WORDINGS = "Reference end hasReference mentions quotedTitle start surface text"
_OLDER = "for the newest edition; of older editions of the comprehensive rules"
_SEEN = f"{_OLDER} at the addresses of things, and for queries about one (sparql --edition, /sparql?edition=)"
IN_OLDER_EDITIONS = {
    **dict.fromkeys(_ON_DEMAND.split(), _SEEN),
    **dict.fromkeys(
        _OF_WORDINGS.split(), f"{_OLDER} mostly on the wordings of rules, one step of rg:wording away"
    ),
}
"""Where to find what a store does not keep with the places of older editions, by name in `rg:`."""


def usual_prefixes(base: str) -> dict[str, str]:
    """Return the prefixes that a query may use undeclared; `term:`, `ed:`, `doc:` are data under a base."""
    own = {"term": f"{base}term/", "ed": f"{base}edition/", "doc": f"{base}document/"}
    return {**PREFIXES, **own}


def prefixed(iri: str, prefixes: Mapping[str, str] = PREFIXES) -> str:
    """Return an IRI with its prefix, as a query may write it; unchanged if it has none.

    >>> prefixed("http://purl.org/dc/terms/title"), prefixed("https://example.org/term/life")
    ('dcterms:title', 'https://example.org/term/life')
    """
    for prefix, namespace in prefixes.items():
        if iri.startswith(namespace) and _LOCAL.fullmatch(iri, len(namespace)):
            return f"{prefix}:{iri[len(namespace) :]}"
    return iri


_LOCAL = re.compile(r"\w[\w-]*(?:\.[\w-]+)*")

SKOS = Namespace(PREFIXES["skos"], ("notation", "prefLabel", "altLabel", "hiddenLabel"))
DCTERMS = Namespace(PREFIXES["dcterms"], ("title", "isPartOf", "issued", "source"))
"""The names of SKOS and Dublin Core that we read."""

TYPE, RDFS_LABEL = PREFIXES["rdf"] + "type", PREFIXES["rdfs"] + "label"


def last_name(iri: str) -> str:
    """Return the part after the last ``#`` or ``/`` of an IRI: the name of a term in its vocabulary.

    >>> last_name("http://purl.org/dc/terms/title")
    'title'
    """
    return iri[max(iri.rfind("#"), iri.rfind("/")) + 1 :]


class DocumentKind(StrEnum):
    """The kinds of document, as detected from their content."""

    RULINGS = "rulings page"
    PROSE = "glossary prose"
    WEB_COPY = "web copy"
    COMPREHENSIVE = "comprehensive rules"
    NUMBERED = "numbered rules"
