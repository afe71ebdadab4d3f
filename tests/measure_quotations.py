"""Measure how well sentences of the rules are checked next to a number, in layouts of people and of models.

`python tests/measure_quotations.py STORE [EDITION] [--unseen | --seen] [--cases]` draws sentences of an
edition and writes each in each layout: word for word with its number, with one word changed, and with the
number of another rule. Half of the layouts, chosen by their names, were not looked at when the rules of
nearness were written.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from random import Random

import rulesgraph
from rulesgraph.loaders.language.words import sentences
from rulesgraph.queries.verifying.rulebook import Rulebook
from rulesgraph.queries.verifying.verify import books, verify

SEED, DRAWN = 103, 40

LAYOUTS = (
    "> {q}\n>\n> — Rule {n}",
    "> {q}\n> — Rule {n}",
    "> {q}\n\n(rule {n})",
    "> {q}\n\nRule {n}",
    "> {q}\n\nThat is rule {n}.",
    "> **CR {n}**\n>\n> {q}",
    "### Rule {n}\n\n{q}",
    "### CR {n}\n\n> {q}",
    '"{q}" is what rule {n} says.',
    '"{q}", says rule {n}.',
    '"{q}" is the text of CR {n}.',
    '"{q}" comes from rule {n}.',
    '"{q}" appears in CR {n}.',
    "{q}[^1]\n\n[^1]: CR {n}",
    '"{q}"[^a]\n\nMore follows.\n\n[^a]: See CR {n}.',
    "[{n}] {q}",
    "**{n}** {q}",
    "{n}. {q}",
    "<cite>CR {n}</cite> <blockquote>{q}</blockquote>",
    "<blockquote>{q}</blockquote>\n<cite>CR {n}</cite>",
    "„{q}“ (CR {n})",
    "''{q}'' (CR {n})",
    "„{q}“ steht in Regel CR {n}.",
    "«{q}» — CR {n}",
    "Rule {n}:\n\n> {q}",
    "As rule {n} has it:\n\n> {q}\n\nSo nothing else happens.",
    "「{q}」(CR {n})",
    'We find "{q}" in CR {n}.',
    'CR {n} contains the sentence "{q}"',
    'Look up rule {n}, where "{q}" is written.',
    'The relevant text is "{q}"; you can find it in rule {n}.',
    '**Quote:** "{q}"\n**Source:** CR {n}',
    'Source: CR {n}\nText: "{q}"',
    "| Rule | Text |\n|---|---|\n| {n} | {q} |",
    "| {q} | CR {n} |",
    '- "{q}"\n  - CR {n}',
    "1. **CR {n}**\n   > {q}",
    '1. "{q}" [CR {n}]',
    "> {q} [1]\n\n[1]: CR {n}",
    "“{q}”\n\nCR {n}",
    "“{q}”\n\n— CR {n}",
    "CR {n}\n\n“{q}”",
    "__Rule {n}__\n> {q}",
    "> “{q}”\n>\n> *CR {n}*",
    "> Rule {n}\n>\n> {q}",
    "> [!NOTE]\n> **Rule {n}**\n> {q}",
    "See rule {n}.\n\n> {q}",
    "```\n{n} {q}\n```",
    "The answer is in CR {n}. It is worded like this: “{q}”",
    "‹{q}› (rule {n})",
    "»{q}« (rule {n})",
    "‚{q}‘ (CR {n})",
    '{{"rule": "{n}", "quote": "{q}"}}',
    '{{"quote": "{q}", "rule": "{n}"}}',
    '{{"rule": "CR {n}", "text": "{q}"}}',
    '{{\n  "answer": "Yes.",\n  "citations": [\n    {{\n      "rule": "{n}",\n'
    '      "quote": "{q}"\n    }}\n  ]\n}}',
    '[{{"number": "{n}", "statement": "{q}"}}]',
    '{{"{n}": "{q}"}}',
    '{{"CR {n}": "{q}"}}',
    'rule: {n}\nquote: "{q}"',
    '- rule: "{n}"\n  quote: "{q}"',
    '<rule number="{n}">{q}</rule>',
    "{q} (CR {n})",
    "{q} [CR {n}]",
    "{q} — CR {n}",
    "Rule {n} says: {q}",
    "Rule {n}: {q}",
    "CR {n} — {q}",
    "According to rule {n}, {low}",
    "{q}\n\n(CR {n})",
    '"{q}" That is rule {n}.',
    '"{q}" You will find this at CR {n}.',
    'Per CR {n} the game tells us "{q}"',
)
"""The layouts: `q` is the sentence, `low` it without a capital, `n` the number."""

SWAPS = dict(
    pair
    for one, two in (
        *(("may", "must"), ("before", "after"), ("owner", "controller"), ("owner's", "controller's")),
        *(("can't", "can"), ("each", "any"), ("all", "one"), ("first", "last"), ("target", "source")),
        *(("creature", "artifact"), ("player", "opponent"), ("card", "token"), ("spell", "permanent")),
        *(("hand", "library"), ("one", "two"), ("begins", "ends"), ("beginning", "end"), ("and", "or")),
    )
    for pair in ((one, two), (two, one))
)


def is_unseen(layout: str) -> bool:
    """Return whether a layout is of the half that was not looked at."""
    return sha256(layout.encode()).digest()[0] % 2 == 1


def changed(words: str, random: Random) -> str:
    """Return a sentence with one word or figure changed, ``""`` if there is none to change."""
    places = [it for it in re.finditer(r"[\w']+", words) if it[0] in SWAPS]
    if not places:
        return ""
    it = random.choice(places)
    return words[: it.start()] + SWAPS[it[0]] + words[it.end() :]


def drawn(book: Rulebook) -> Iterator[tuple[str, str, str, str]]:
    """Yield sentences, each with its number, changed, and with the number of a rule that lacks it."""
    random = Random(SEED)
    numbers = [it for it in book.items if "." in it and it[0].isdigit() and len(book.items[it].texts) >= 1]
    count = 0
    while count < DRAWN:
        number, other = random.sample(numbers, 2)
        text = book.items[number].texts[0]
        start, end = random.choice(sentences(text))
        words = text[start:end].strip()
        wrong = changed(words, random)
        is_plain = not re.search(r"\d{3}|[\"“”{{]", words) and 8 <= len(words.split()) <= 45
        if is_plain and wrong and other not in book.family(number):
            count += 1
            yield words, number, wrong, other


def written(layout: str, words: str, number: str) -> str:
    """Return a sentence with a number in a layout."""
    return layout.format(q=words, low=words[0].lower() + words[1:], n=number)


def main() -> None:
    """Print the figures of each layout, and of each half."""
    names = [it for it in sys.argv[1:] if not it.startswith("-")]
    session = rulesgraph.open(names[0]).session
    edition = names[1] if len(names) > 1 else None
    book = books(session, edition)[0]
    cases = [*drawn(book)]
    sums: dict[bool, Counter[str]] = {False: Counter(), True: Counter()}
    for layout in LAYOUTS:
        half = is_unseen(layout)
        if ("--unseen" in sys.argv and not half) or ("--seen" in sys.argv and half):
            continue
        told: Counter[str] = Counter()
        for (words, number, wrong, other), (more, following, _, _) in zip(
            cases, [*cases[1:], cases[0]], strict=True
        ):
            both = f"{written(layout, words, number)}\n\n{written(layout, more, following)}"
            for kind, text in (
                ("alarm", written(layout, words, number)),
                ("misquote", written(layout, wrong, number)),
                ("other", written(layout, words, other)),
                ("alarm of two", both),
                ("wrong of two", f"{written(layout, wrong, number)}\n\n{written(layout, more, following)}"),
            ):
                found = verify(session, text, edition=edition)
                told[kind] += bool(found.rows)
                told[f"{kind} silent"] += not found.rows and not (found.checked or {})["not_checked"]
                if "--cases" in sys.argv and "alarm" in kind and found.rows:
                    print(layout, kind, found.rows, sep="\t")
        sums[half] += told
        shown = layout.replace("\n", "⏎")
        if "--halves" not in sys.argv:
            print("unseen" if half else "seen", *(told[it] for it in KINDS), shown, sep="\t")
    for half, total in sums.items():
        count = len([it for it in LAYOUTS if is_unseen(it) == half]) * len(cases)
        print("unseen" if half else "seen", f"of {count}", *(f"{it} {total[it]}" for it in KINDS), sep="\t")


KINDS = (
    *("misquote", "misquote silent", "other", "other silent"),
    *("wrong of two", "wrong of two silent", "alarm", "alarm of two", "alarm silent"),
)

if __name__ == "__main__":
    main()
