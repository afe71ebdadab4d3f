"use strict";
// Suggestions for typed text: names, other names, players' words and numbers, allowing for typing errors.

const SHORT = 4; // letters

const plainly = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "");
const foldedName = (text) => plainly(text.toLowerCase()).replace(/[^\p{L}\p{N}.]+|\.(?!\d)/gu, " ").trim();

/** The number of typing errors between two words: letters missing, added, wrong, or swapped with the next. */
function slipsBetween(one, other) {
  let before = [], row = [...Array(other.length + 1).keys()];
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (same ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        next[j] = Math.min(next[j], before[j - 2] + 1);
    }
    [before, row] = [row, next];
  }
  return row.at(-1);
}

/** The known words with the fewest typing errors, if they are similar enough. */
function nearestWords(word, known, shortest) {
  if (word.length < shortest || !/^\p{L}+$/u.test(word)) return [];
  const slips = word.length >= 8 ? 2 : 1;
  const letters = [...word].sort().join("");
  let [least, found] = [slips, []];
  for (const it of known) {
    if (it[0] !== word[0] || it.length < shortest || Math.abs(it.length - word.length) > slips) continue;
    if (word.length < 5 && [...it].sort().join("") !== letters) continue;
    const far = slipsBetween(word, it);
    if (far < least) [least, found] = [far, [it]];
    else if (far === least) found.push(it);
  }
  return found;
}

/** A thing to suggest by its names, its own first; of those that fit equally well, the weightier one comes first. */
function suggestible(names, weight, more) {
  const folds = names.map((name) => ({ name, fold: foldedName(name), less: 0 }));
  // A rule's number and title are names too, but things with exactly that name come first.
  const [, number, title] = /^(G?\d[\d.]*[a-z]*) (.+)/.exec(names[0]) ?? [];
  if (number) folds.push({ name: names[0], fold: foldedName(number), less: 0 }, { name: names[0], fold: foldedName(title), less: 0.5 });
  return { folds, weight, ...more };
}

/** How well a name fits: 0 as a whole, 1 from its start, 2 from a word's start, 3 inside; otherwise not a number. */
function rankOf(fold, sought) {
  if (fold === sought) return 0;
  if (fold.startsWith(sought)) return 1;
  return fold.includes(` ${sought}`) ? 2 : fold.includes(sought) ? 3 : NaN;
}

function fitting(things, sought) {
  const found = [];
  things.forEach((thing, place) => {
    let best;
    for (const { name, fold, less } of thing.folds) {
      const rank = rankOf(fold, sought) + less;
      if (rank >= 0 && !(best?.rank <= rank)) best = { thing, name, rank, place };
    }
    if (best) found.push(best);
  });
  // A few letters within a word count only if no word begins with them.
  const isInside = ({ rank }) => rank >= 3 && sought.length < SHORT;
  const telling = found.every(isInside) ? found : found.filter((it) => !isInside(it));
  return telling.sort((a, b) => a.rank - b.rank || b.thing.weight - a.thing.weight || a.place - b.place);
}

/** The things that fit what was typed, each with the name that does, best first. */
function suggested(things, typed) {
  const sought = foldedName(typed).replace(/^rules? (?=g?\d)/, "");
  if (!sought) return [];
  const found = fitting(things, sought);
  if (found.length) return found;
  const known = new Set(things.flatMap(({ folds }) => folds.flatMap(({ fold }) => fold.split(" "))));
  const spelled = sought.split(" ").map((word) => (known.has(word) ? word : (nearestWords(word, known, 4)[0] ?? word))).join(" ");
  return spelled === sought ? [] : fitting(things, spelled);
}
