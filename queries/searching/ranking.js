"use strict";
// The search of pages. It ranks like `search` in Python, over the same index, written as JSON (static_index.py).
// A test compares the results of both. Needs suggest.js.

const TOKEN = /\{[^{}\s]{1,5}\}|[+\-−–]?\d+\/[+\-−–]?\d+|[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*|∞/gu;
const CITED = /(?:\brules?\s+)?(?<![\d.])((?:G\d+|\d{3})\.\d+[a-z]{0,2})(?![\d.])|\brules?\s+(\d{1,3})\b/gi;
const WHEN = /^[^\p{L}\p{N}_]*(?:when|at what (?:time|point)|in (?:which|what) (?:step|phase))\b/iu;
const FIGURE = /(?<![\p{L}\p{N}_/+-])\d+(?![\p{L}\p{N}_/])/gu;
const SCALE = 1000; // the worth of a word is written in thousandths
const COPULAS = new Set("is are was were be been being of at".split(" "));

const wordsIn = (text) => text.toLowerCase().match(/[+\-−–]\d+\/[+\-−–]\d+|[\p{L}\p{N}]+/gu) ?? [];
const inFull = (text) => text.replace(/n['’]t\b/gi, " not");
const foldOf = (token) => plainly(token.toLowerCase().replace(/[−–]/g, "-")).replace(/['’]s?$/, "");
const pairsOf = (list) => list.slice(1).map((it, place) => [list[place], it]);
const sumOf = (numbers) => numbers.reduce((sum, it) => sum + it, 0);
const most = (amounts) => Math.max(0, ...amounts);

/** Numbers that are written as differences from the number before. */
function undone(steps) {
  let at = 0;
  return steps.map((step) => (at += step));
}

/** Amounts by passage, and their sum. */
class Totals {
  constructor() {
    this.totals = new Map();
    this.meant = new Set();
  }

  add(amounts, { meant = false } = {}) {
    for (const [it, amount] of amounts) {
      this.totals.set(it, (this.totals.get(it) ?? 0) + amount);
      if (meant) this.meant.add(it);
    }
  }

  best(count) {
    return [...this.totals].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, count).map(([it]) => it);
  }
}

/** Everything that the names of an edition can suggest; `names` is the smallest of its files. */
function suggestibles({ inside, passages, terms, names, others = [] }) {
  const things = terms.map(([slug, label]) => ({ names: [label], address: `term/${slug}.html` }));
  const numbered = new Map();
  for (const [place, kind, number, title] of passages)
    if (number && kind !== "example" && !numbered.has(number))
      numbered.set(number, { names: [title ? `${number} ${title}` : number], address: pageOf(inside + place) });
  for (const [name, meant] of Object.entries(names))
    for (const [kind, it] of meant) (kind === "t" ? things[it] : numbered.get(it))?.names.push(name);
  things.push(...numbered.values(), ...others.map(([name, address]) => ({ names: [name], address })));
  return things.map(({ names: [own, ...more], address }) => {
    const known = new Set([own, ...more.filter((name) => foldedName(name) !== foldedName(own))]);
    return suggestible([...known], -own.length, { label: own, address });
  });
}

/** The address of the page about a thing, which is that of its whole. */
function pageOf(key) {
  const [folder, edition, kind, name, ...parts] = key.split("/");
  return `${folder}/${edition}/${kind}/${name}.html${parts.length ? `#${parts.join("-")}` : ""}`;
}

/** The index of an edition, which ranks its passages. */
class SearchIndex {
  constructor(data) {
    Object.assign(this, data);
    this.small = new Set(data.small);
    this.english = new Set();
    let last = "";
    for (const it of data.english.split(" ")) this.english.add((last = last.slice(0, it.charCodeAt(0) - 48) + it.slice(1)));
    [this.stems, this.uses, this.having] = [new Map(), new Map(), new Map()];
    for (const [stem, words, places, amounts, others] of data.words) {
      for (const told of words.split(" ")) {
        const [word, uses] = told.split(":");
        this.stems.set(word, stem);
        if (uses) this.uses.set(word, Number(uses));
      }
      const at = undone(places);
      this.having.set(stem, { amounts: new Map(at.map((it, k) => [it, amounts[k] / SCALE])), others: undone(others) });
    }
    this.children = new Map();
    this.numbered = new Map();
    this.passages.forEach(({ number, parent, kind }, it) => {
      if (!this.children.has(parent)) this.children.set(parent, []);
      this.children.get(parent).push(it);
      if (kind !== "example" && number && !this.numbered.has(number)) this.numbered.set(number, it);
    });
    this.speaking = new Map();
    this.terms.forEach((term, place) => {
      for (const it of term.speaks) this.speaking.set(it, [...(this.speaking.get(it) ?? []), place]);
    });
    this.subjectOf = new Map();
    this.subjects.forEach(([, places], k) => undone(places).forEach((it) => this.subjectOf.set(it, k)));
    this.timed = new Set(undone(data.timed));
    this.variants = new Set(undone(data.variants));
    this.unmarked = new Set(data.unmarked);
    for (const phrase of data.phrases) if (!this.names.has(phrase)) this.names.set(phrase, []);
    this.nameWords = new Set([...this.names.keys()].flatMap((name) => name.split(" ")));
    this.closed = new Map([...this.names].map(([name, things]) => [name.replace(/[^a-z0-9]+/g, ""), things]));
    this.tree = new Map();
    for (const [name, things] of this.names) {
      let node = this.tree;
      for (const word of name.split(" ")) {
        if (!node.has(word)) node.set(word, new Map());
        node = node.get(word);
      }
      node.set("", things);
    }
  }

  /** The index from the two files of an edition; `texts` are a third. */
  static of(names, ranking, texts) {
    const passages = names.passages.map(([place, kind, number, title, parent, answers]) => ({ key: names.inside + place, kind, number, title, parent, answers: !!answers }));
    const terms = ranking.terms.map(([stems, body, speaks, rules], k) => ({ label: names.terms[k][1], stems, body, speaks: undone(speaks), rules }));
    const [known, bent] = [names.names, ranking.bent].map((it) => new Map(Object.entries(it)));
    return new SearchIndex({ ...ranking, passages, terms, names: known, bent, texts: texts.length ? texts : undefined, labels: new Map(names.terms) });
  }

  // -- names ------------------------------------------------------------------------------------------

  stem(word) {
    const known = [word, plainly(word), word.replace(/s$/, "")].find((it) => this.stems.has(it));
    return this.stems.get(known) ?? word;
  }

  stands(stem) {
    const found = this.having.get(stem);
    return !!found && found.amounts.size + found.others.length > 0;
  }

  /** What a text names: each with its place, the things meant, and whether it goes by another name. */
  recognise(text) {
    const found = [];
    for (const match of text.matchAll(CITED)) {
      const number = (match[1] ?? match[2]).toLowerCase().replace(/^g/, "G");
      if (this.numbered.has(number))
        found.push({ start: match.index, end: match.index + match[0].length, rules: [number], terms: [], isNumber: true });
    }
    const tokens = [...text.matchAll(TOKEN)].map((it) => {
      const [start, end] = [it.index, it.index + it[0].length];
      const taken = found.some((other) => start < other.end && other.start < end);
      return { start, end, fold: taken ? "" : this.spelled(foldOf(it[0])), written: foldOf(it[0]) };
    });
    const length = text.trim().replace(/^[ .?]+|[ .?]+$/g, "").length;
    for (let place = 0; place < tokens.length; ) {
      const match = tokens[place].fold && this.nameAt(tokens, place);
      if (!match) { place++; continue; }
      const [first, last] = [tokens[place], tokens[match.end - 1]];
      const misspelt = tokens.slice(place, match.end).some((it) => it.fold !== it.written);
      const used = text.slice(first.start, last.end).toLowerCase();
      const alone = last.end - first.start === length;
      if (match.things.length && (alone || !this.unmarked.has(used)))
        found.push({
          start: first.start,
          end: last.end,
          terms: match.things.filter(([kind]) => kind === "t").map(([, it, how]) => [it, misspelt || how > 0]),
          called: match.things.filter(([kind]) => kind === "t").map(([, it, how]) => [it, !misspelt && how === 2]),
          rules: match.things.filter(([kind]) => kind === "r").map(([, it]) => it),
          misspelt,
          isForm: match.isForm && !misspelt,
          used: text.slice(first.start, last.end),
        });
      place = match.end;
    }
    return found.sort((a, b) => a.start - b.start);
  }

  /** A word in the spelling of names; an unknown word becomes the nearest one that some name has. */
  spelled(word) {
    if (this.nameWords.has(word) || this.bent.has(word) || this.untouched.includes(word)) return word;
    if (this.english.has(word) || ["", "s", "es", "ed", "ing"].some((end) => this.stems.has(word + end))) return word;
    const near = nearestWords(word, this.nameWords, 5);
    return near.length === 1 ? near[0] : word;
  }

  nameAt(tokens, place) {
    let [end, found] = [place, []];
    const take = (to, things, bent) => {
      if (to > end) [end, found] = [to, []];
      // Exact names go before other forms, and before players' words.
      if (to === end) found.push(...things.map((thing) => ({ thing, rank: 2 * bent + (thing[2] === 2) })));
    };
    const walk = (node, at, bent) => {
      if (node.has("")) take(at, node.get(""), bent);
      const fold = tokens[at]?.fold;
      if (!fold) return;
      if (node.has(fold)) walk(node.get(fold), at + 1, bent);
      for (const form of this.bent.get(fold) ?? []) if (node.has(form)) walk(node.get(form), at + 1, bent + 1);
    };
    walk(this.tree, place, 0);
    let joined = "";
    for (let to = place + 1; to <= Math.min(place + 3, tokens.length) && tokens[to - 1].fold && !this.small.has(tokens[to - 1].fold); to++) {
      joined += tokens[to - 1].fold;
      const key = [joined, joined.replace(/s$/, ""), `${joined}s`].find((it) => it.length >= 6 && this.closed.has(it));
      if (key) take(to, this.closed.get(key), 1);
    }
    if (end === place) return undefined;
    const best = found.filter(({ rank }) => rank === Math.min(...found.map((it) => it.rank))).map((it) => it.thing);
    const isForm = best[0]?.[2] === 0 && found.every(({ rank }) => rank >= 2);
    return { end, isForm, things: [...new Set(best[0]?.[2] === 2 ? best : best.slice(0, 1))] };
  }

  // -- search words -----------------------------------------------------------------------------------

  /** A text without rule numbers, and with names for words spelled quite differently from them. */
  inNames(text, things) {
    const alike = (one, other) => one === other || (one.length >= 4 && one.slice(0, 4) === other.slice(0, 4));
    const closed = (words) => wordsIn(words).join("").replace(/s$/, "");
    const isOtherwise = (small, named) => {
      if ((this.bent.get(small) ?? []).includes(named)) return !alike(this.stem(small), this.stem(named));
      return closed(small) === closed(named) && wordsIn(small).length !== wordsIn(named).length;
    };
    return things.reduceRight((left, { start, end, isNumber, isForm, used, terms }) => {
      const name = isForm && terms.length ? this.terms[terms[0][0]].label : "";
      return isNumber || (name && isOtherwise(used.toLowerCase(), name.toLowerCase())) ? `${left.slice(0, start)} ${name} ${left.slice(end)}` : left;
    }, text);
  }

  /** The stems to search for, each with its weight, like `sought_in`. */
  sought(text, names, right) {
    const { weights, also, small } = this;
    const phrases = new RegExp(`\\b(?:${Object.keys(this.otherwise).join("|")})\\b`, "gi");
    const below = /(?<![\w/])[-−–] ?\d+(?= (?:life|power|toughness)\b)|(?<=\bis )[-−–]\d+\b(?!\/)/gi;
    const plain = inFull(text.slice(0, 4000).replace(below, "0")).replace(phrases, (it) => this.otherwise[it.toLowerCase()]);
    const written = wordsIn(plain);
    const words = [...new Set([...written, ...written.filter((it) => it in also).map((it) => also[it])])];
    const [implied, nameLength] = [new Map(), new Map()];
    for (const [term, otherwise] of [...names].sort((a, b) => a[1] - b[1])) {
      const parts = [...new Set(wordsIn(this.terms[term].label).filter((word) => !small.has(word)))];
      for (const word of parts) implied.set(word, otherwise ? 1 : weights.IMPLIED);
      for (const word of parts) nameLength.set(this.stem(word), parts.length);
    }
    const figures = new Set([...(plain.match(FIGURE) ?? []), ...(written.includes("zero") ? ["0"] : [])]);
    const beside = new Map();
    const telling = pairsOf(written.filter((it) => !COPULAS.has(it)).map((it) => (it === "zero" ? "0" : it)));
    const isBeside = (figure, word) => figures.has(figure) && /^\p{L}+$/u.test(word) && !small.has(word);
    for (const pair of telling)
      for (const [place, it] of pair.entries())
        if (isBeside(it, pair[1 - place])) beside.set(it, [...(beside.get(it) ?? []), pair.map((one) => this.stem(one)).join(" ")]);
    const found = new Map();
    for (const word of words) {
      const isSmall = small.has(word);
      let stem = this.stem(word);
      if (found.size >= 40 || (isSmall && (this.uses.get(word) ?? 0) > 0.2 * this.count)) continue;
      let near = "";
      if (!right.has(word) && /^\p{L}{6,}$/u.test(word) && !isSmall && !this.stands(stem)) near = this.nearest(word);
      if (near) stem = this.stem(near);
      const before = found.get(stem);
      if (before && (before.substantial || isSmall)) continue;
      const isSlight = isSmall || /^\d+$/.test(word) || !written.includes(word);
      const weight = isSlight ? weights.SMALL : (nameLength.get(stem) ?? 1) ** -weights.OF_NAME;
      found.set(stem, { stem, word: near || word, weight, substantial: !isSmall, said: true, instead: [], beside: beside.get(word) ?? [] });
    }
    for (const [word, weight] of implied) {
      const stem = this.stem(word);
      if (!(found.get(stem)?.weight >= weight))
        found.set(stem, { stem, word, weight, substantial: true, said: weight > weights.IMPLIED, instead: [], beside: [] });
    }
    const said = written.map((it) => this.stem(/^\d+$/.test(it) ? (also[it] ?? it) : it));
    const instead = new Map();
    said.forEach((_, place) => {
      for (const [phrase, others] of this.plain)
        if (phrase.every((it, k) => said[place + k] === it))
          for (const [stem, word] of others) instead.set(stem, [word, [...(instead.get(stem)?.[1] ?? []), ...phrase]]);
    });
    for (const [stem, [word, phrase]] of instead)
      if (!said.includes(stem) && !found.has(stem))
        found.set(stem, { stem, word, weight: weights.PLAIN, substantial: true, said: false, instead: phrase, beside: [] });
    for (const word of written) {
      const stem = this.opposites[word];
      if (stem && !found.get(stem)?.said)
        found.set(stem, { stem, word: `un${word}`, weight: weights.OPPOSITE, substantial: false, said: false, instead: [this.stem(word)], beside: [] });
    }
    return [...found.values()];
  }

  /** The word of the edition that an unknown one was meant to be, the most frequent first. */
  nearest(word) {
    if (this.english.has(word) || this.stems.has(word)) return "";
    const near = nearestWords(word, this.uses.keys(), 4);
    return near.sort((a, b) => this.uses.get(b) - this.uses.get(a) || (a < b ? -1 : 1))[0] ?? "";
  }

  // -- ranking ----------------------------------------------------------------------------------------

  rarity(having) {
    return Math.log(1 + this.count / (having + 1));
  }

  each(places, amount) {
    return new Map(places.filter((it) => this.passages[it].answers).map((it) => [it, amount]));
  }

  /** What a figure next to a word adds to the passages that have both. */
  matching(words) {
    const having = undone(this.figures[words] ?? []);
    return this.each(having, this.weights.BESIDE * this.rarity(having.length));
  }

  rank(sought, terms, rules, { timing, alone, players }) {
    const { weights } = this;
    const ranking = new Totals();
    const { totals } = ranking;
    const bodies = terms.map((it) => this.terms[it].body);
    const named = new Map();
    terms.forEach((term, k) => {
      const own = bodies[k].filter((it) => this.passages[it].answers && ["rule", "subrule"].includes(this.passages[it].kind));
      for (const stem of this.terms[term].stems) named.set(stem, [...(named.get(stem) ?? []), ...own]);
    });
    const [byStem, byWord] = [new Map(), new Map()];
    const ordered = [...sought].sort((a, b) => b.said - a.said || b.substantial - a.substantial);
    for (const term of ordered) {
      let amounts = new Map([...(this.having.get(term.stem)?.amounts ?? [])].map(([it, amount]) => [it, term.weight * amount]));
      byStem.set(term.stem, new Map(amounts));
      if (term.instead.length) {
        const others = term.instead.map((stem) => byStem.get(stem) ?? new Map());
        const beyond = [...amounts].map(([it, amount]) => [it, amount - most(others.map((own) => own.get(it) ?? 0))]);
        amounts = new Map(beyond.filter(([, amount]) => amount > 0));
      }
      if (!term.substantial) amounts = new Map([...amounts].filter(([it]) => totals.has(it)));
      const own = named.get(term.stem) ?? [];
      const highest = most(own.map((it) => amounts.get(it) ?? 0));
      if (highest) for (const it of own) amounts.set(it, highest);
      for (const [it, amount] of term.beside.flatMap((pair) => [...this.matching(pair)])) amounts.set(it, (amounts.get(it) ?? 0) + amount);
      byWord.set(term.word, amounts);
      ranking.add(amounts);
    }
    const first = new Map(totals);
    const counted = new Map();
    for (const it of ranking.best(weights.CITING)) {
      const cited = this.cites[it] ?? [];
      ranking.add(cited.map((other) => [other, (weights.CITED * first.get(it)) / 2 ** (counted.get(other) ?? 0)]));
      for (const other of cited) counted.set(other, (counted.get(other) ?? 0) + 1);
    }
    terms.forEach((term, k) => {
      const rarity = this.rarity(this.terms[term].speaks.length) * (players.has(term) ? weights.PLAIN : 1);
      ranking.add(this.each(this.terms[term].speaks, weights.SPEAKS * rarity));
      const amount = (weights.DEFINES * rarity) / Math.sqrt(terms.length);
      const defining = this.each(bodies[k], amount);
      for (const it of defining.keys()) if (this.isLater(it)) defining.set(it, amount * weights.LATER);
      ranking.add(defining, { meant: true });
    });
    const spoken = bodies.flatMap((body) => [...new Set(body.flatMap((it) => this.speaking.get(it) ?? []))]);
    const common = new Set(spoken.filter((term, k) => spoken.indexOf(term) !== k && !terms.includes(term)));
    for (const term of common) {
      const rarity = this.rarity(this.terms[term].speaks.length);
      const there = this.terms[term].speaks.filter((it) => bodies.some((body) => body.includes(it)));
      if (rarity >= weights.GROUND) ranking.add(this.each(there, weights.SHARED * rarity));
    }
    const numbers = alone ? [...rules, ...terms.flatMap((it) => this.terms[it].rules)] : rules;
    for (const number of new Set(numbers)) ranking.add(this.named(number, alone), { meant: true });
    const lifted = new Map();
    for (const [it, total] of totals) {
      const { parent } = this.passages[it];
      if (this.passages[parent]?.answers) lifted.set(parent, Math.max(weights.HEADS * total, lifted.get(parent) ?? 0));
    }
    ranking.add(lifted);
    ranking.add(this.whole(totals, ordered, byWord));
    ranking.add(this.aside(ranking, ordered));
    if (timing) ranking.add([...totals].filter(([it]) => this.timed.has(it)).map(([it, total]) => [it, weights.TIMED * total]));
    const seen = new Map();
    const behind = [];
    for (const it of ranking.best(weights.CROWDING)) {
      const { parent } = this.passages[it];
      if (!parent) continue;
      behind.push([it, (weights.SIBLING ** Math.max(0, (seen.get(parent) ?? 0) - weights.SIDE_BY_SIDE) - 1) * totals.get(it)]);
      seen.set(parent, (seen.get(parent) ?? 0) + 1);
    }
    ranking.add(behind);
    return { ranking, byWord };
  }

  isLater(it) {
    const { kind, number } = this.passages[it];
    return kind === "subrule" && number.at(-1) > "b";
  }

  named(number, alone) {
    const own = this.passages.flatMap((it, place) => (it.number === number && it.kind !== "example" ? [place] : []));
    const parts = own.flatMap((it) => (alone || this.passages[it].kind !== "chapter" ? (this.children.get(it) ?? []) : []));
    const found = [...new Set([...own, ...parts])].filter((it) => this.passages[it].answers);
    return found.map((it, k) => [it, this.weights.NAMED / (alone ? k + 1 : own.includes(it) ? 1 : 2)]);
  }

  /** What passages gain for the words of the question that they have, by rarity. */
  whole(totals, sought, byWord) {
    const instead = new Map();
    for (const it of sought) if (!it.substantial) for (const stem of it.instead) instead.set(stem, byWord.get(it.word));
    const having = sought.filter((it) => it.substantial && it.said).map((it) => new Set([...byWord.get(it.word).keys(), ...(instead.get(it.stem)?.keys() ?? [])]));
    if (!having.some((it) => it.size)) return [];
    const rarities = having.map((it) => this.rarity(it.size));
    const all = sumOf(rarities);
    const shares = new Map();
    having.forEach((own, k) => own.forEach((it) => shares.set(it, (shares.get(it) ?? 0) + rarities[k] / all)));
    return [...shares].map(([it, share]) => [it, this.weights.WHOLE * share * totals.get(it)]);
  }

  /** What passages lose whose rule is named after something that is not in the question. */
  aside({ totals, meant }, sought) {
    const asked = sought.filter((it) => it.said || it.substantial).map((it) => it.stem);
    const akin = (one, other) => one === other || (Math.min(one.length, other.length) >= 4 && (one.startsWith(other) || other.startsWith(one)));
    const off = this.subjects.map(([stems]) => !stems.some((one) => asked.some((other) => akin(one, other))));
    const special = sought.some((it) => it.said && it.substantial && this.isOfVariants(it.stem)) ? new Set() : this.variants;
    const lost = [...totals].filter(([it]) => !meant.has(it) && (special.has(it) || off[this.subjectOf.get(it)]));
    const share = (it) => (off[this.subjectOf.get(it)] ? this.weights.ASIDE : 0) + (special.has(it) ? this.weights.VARIANT : 0);
    return lost.map(([it, total]) => [it, -share(it) * total]);
  }

  /** Whether more than half of the passages with a word are rules of variants. */
  isOfVariants(stem) {
    const having = [...(this.having.get(stem)?.amounts.keys() ?? [])];
    return 2 * having.filter((it) => this.variants.has(it)).length > having.length;
  }

  // -- searching --------------------------------------------------------------------------------------

  /** The places of passages, best first: the closest, then others with all of the words. */
  search(typed, limit = 20) {
    const text = /^\s*(?:\d{1,3}|G\d+)\s*$/i.test(typed) && this.numbered.has(typed.trim().replace(/^g/, "G")) ? `rule ${typed.trim()}` : typed;
    const things = this.recognise(text);
    const terms = [...new Map(things.flatMap((it) => it.terms))];
    const rules = [...new Set(things.flatMap((it) => it.rules))];
    const standing = terms.length + rules.length;
    const [only] = things;
    const alone = standing === 1 && !wordsIn(`${text.slice(0, only.start)} ${text.slice(only.end)}`).length;
    const looked = this.inNames(text, things.filter((it) => it.isNumber));
    const right = new Set(things.filter((it) => !it.misspelt && it.used).flatMap((it) => wordsIn(it.used)));
    const sought = this.sought(this.inNames(text, things), terms, right);
    // By its first name.
    const called = new Map(things.flatMap((it) => it.called ?? []).reverse());
    const players = new Set([...called.keys()].filter((it) => called.get(it)));
    const { ranking, byWord } = this.rank(sought, terms.map(([it]) => it), rules, { timing: WHEN.test(text), alone, players });
    const wanted = sought.filter((it) => it.substantial && it.said);
    const isEnough = (it) => {
      const having = wanted.filter((term) => byWord.get(term.word).has(it)).length;
      return having > 0 && having >= Math.min(2, wanted.length);
    };
    let found = ranking.best(limit).filter((it) => ranking.totals.get(it) && (standing || isEnough(it)));
    // Of equal ones, the later first: what a rule says about a thing comes after its name.
    found.reverse().sort((a, b) => ranking.totals.get(b) - ranking.totals.get(a));
    const meant = (word) => this.stem(this.stands(this.stem(word)) ? word : this.nearest(word) || word);
    const all = [...new Set(wordsIn(inFull(looked)).map(meant))].map((stem) => this.having.get(stem));
    if (all.length && all.every((it) => it)) {
      const [one, ...others] = all.map((it) => new Set([...it.amounts.keys(), ...it.others]));
      found.push(...[...one].filter((it) => others.every((own) => own.has(it)) && !found.includes(it)));
    }
    if (this.texts) found = found.filter((it, k) => found.findIndex((other) => this.texts[other] === this.texts[it]) === k);
    return { found: found.slice(0, limit), stems: new Set(sought.filter((it) => it.substantial).map((it) => it.stem)) };
  }

  /** The name of a passage, and the address of the page about it. */
  about(it) {
    const { key, number, title } = this.passages[it];
    const slug = /\/entry\/([^/]+)/.exec(key)?.[1];
    if (this.labels.has(slug)) return { label: this.labels.get(slug), address: `term/${slug}.html` };
    return { label: number || title || slug || key, address: pageOf(key) };
  }
}
