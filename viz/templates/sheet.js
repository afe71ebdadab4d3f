// On a small screen, the text is a sheet over the picture, with a handle that says what is in it and opens it.

const handle = document.getElementById("fold");
const sheet = document.getElementById("sheet");
const SWIPED = 24; // pixels

const isFolded = () => document.querySelector("main").classList.contains("folded");

/** Fold or unfold the text, keeping the selection in view. */
function fold(yes) {
  document.querySelector("main").classList.toggle("folded", yes);
  handle.setAttribute("aria-expanded", String(!yes));
  tellPeek();
  if (!network) return;
  network.redraw();
  if (state.selected !== null && !isInView(state.selected)) bring(state.selected);
}

/** The text of the handle: the title of the sheet and its beginning or, if it is open, where the handle leads. */
function tellPeek() {
  const heading = panel.querySelector("h2, h3")?.textContent ?? "";
  const said = panel.querySelectorAll(":scope > .passage p, .changes li, h3 + p");
  const words = [...(said.length ? said : panel.querySelectorAll(".names"))].map(({ textContent }) => textContent).join(", ");
  const peek = document.getElementById("peek");
  if (isFolded()) fill(peek, el("b", {}, heading), words && el("span", {}, words));
  else fill(peek, "Back to the graph");
  document.documentElement.style.setProperty("--peek", `${handle.offsetHeight}px`);
}

function setUpSheet() {
  let from = null;
  handle.addEventListener("click", () => fold(!isFolded()));
  handle.addEventListener("touchstart", ({ touches: [at] }) => (from = at.clientY), { passive: true });
  handle.addEventListener(
    "touchmove",
    ({ touches: [at] }) => {
      if (from === null || Math.abs(at.clientY - from) < SWIPED) return;
      fold(at.clientY > from);
      from = null;
    },
    { passive: true },
  );
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault(); // the address is that of the view
    fold(false);
    panel.focus();
  });
  new MutationObserver(() => {
    sheet.scrollTop = 0;
    tellPeek();
  }).observe(panel, { childList: true });
  fold(small.matches);
}
