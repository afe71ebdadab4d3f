// On paper, the picture is light and the first level of the list is open, whatever the screen shows.

let onPaper = false;

/** Switch to the look of paper or back, at once, because the browser does not wait. */
function turn(paper) {
  onPaper = paper;
  wearScheme();
  dress();
  network.redraw();
}

function setUpPress() {
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...panel.querySelectorAll(":scope > section > details:not([open])")];
    for (const it of opened) {
      it.open = true;
      it.dispatchEvent(new Event("toggle")); // the browser's own would come too late
    }
    turn(true);
  });
  addEventListener("afterprint", () => {
    for (const it of opened) it.open = false;
    turn(false);
  });
}
