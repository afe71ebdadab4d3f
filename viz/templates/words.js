// The words of things: in the page, or beside it and fetched when first read.

const words = { are: page.words ? "elsewhere" : "here", why: "" };

/** Fetch the words, once; a text that shows some is shown again when they have arrived, or failed to. */
function wantWords() {
  if (words.are !== "elsewhere") return;
  words.are = "coming";
  fetchWords().then(
    (all) => {
      takeIn(all);
      textsChanged();
      words.are = "here";
      showWords();
    },
    (error) => {
      words.are = "failed";
      words.why = error.message;
      say(words.why);
      showWords();
    },
  );
}

async function fetchWords() {
  let answer, told;
  try {
    answer = await fetch(page.words.at + location.search);
  } catch {
    throw new Error("The texts could not be loaded: the server does not answer.");
  }
  if (!answer.ok) throw new Error(`The texts could not be loaded: ${answer.status} ${answer.statusText}`.trim());
  try {
    told = await answer.json();
  } catch {
    throw new Error("The texts could not be loaded: the connection broke.");
  }
  if (told.of !== page.words.of) throw new Error("The rules were rebuilt after you opened this page. Reload it.");
  return told.words;
}

/** Give each thing its passages: its own, or, if editions share texts, from their table. */
function takeIn(all) {
  if (!page.times) return nodes.forEach((node, id) => (node.passages = all[id]));
  page.texts = all;
  wearWords(page.times[now]);
}

/** Show the selected thing again, with its words, at the place that was read. */
function showWords() {
  const [at, inside] = [panel.scrollTop, panel.contains(document.activeElement)];
  if (state.selected !== null) showThing(state.selected);
  else if (state.answer?.form === "chain" && state.answer !== page.answer) highlight(chainAnswer(...state.answer.about), { fly: false });
  panel.scrollTop = at;
  if (inside) panel.focus({ preventScroll: true });
  if (!list.hidden) showOptions();
}

/** The text in the panel instead of words that are missing, if any are. */
function wordsAwayBlock() {
  if (words.are === "here") return undefined;
  if (words.are !== "failed") return el("p", { class: "names", id: "away" }, "The texts are loading …");
  const again = () => {
    words.are = "elsewhere";
    wantWords();
    showWords();
  };
  return el(
    "p",
    { class: "names", id: "away" },
    `${words.why} `,
    el("button", { type: "button", class: "quiet", onclick: again }, "Try again"),
  );
}
