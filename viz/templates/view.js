// The position of the view: how to show some things, move there, and zoom.

const still = matchMedia("(prefers-reduced-motion: reduce)");
const MOST_NEAR = 1.3; // the scale beyond which a view does not go by itself
const [FARTHEST, NEAREST] = [0.05, 4];

const small = matchMedia("(max-width: 860px)");

/** Boxes that cover parts of the stage, in its pixels. */
function boxesUpon() {
  const { left, top, width, height } = stage.getBoundingClientRect();
  return ["time", "sheet", "tools"].flatMap((id) => {
    const it = document.getElementById(id)?.getBoundingClientRect();
    const box = it && [it.left - left, it.top - top, it.right - left, it.bottom - top];
    return box && it.width && box[0] < width && box[2] > 0 && box[1] < height && box[3] > 0 ? [{ id, box }] : [];
  });
}

/** How much of the stage the time slider and the text sheet cover: at its foot, and on its right. */
function covered() {
  const { clientWidth: wide, clientHeight: high } = stage;
  const hidden = { right: 0, foot: 0 };
  for (const { id, box } of boxesUpon()) {
    if (id === "tools") continue;
    const [right, foot] = [wide - box[0], high - box[1]];
    // For something in a corner, cut off the side where less is lost.
    if (foot / high < right / wide) hidden.foot = Math.max(hidden.foot, foot);
    else hidden.right = Math.max(hidden.right, right);
  }
  return hidden;
}

const viewAround = (ids) => viewOf(ids.map((id) => nodes[id]));

/** The view that shows some places. */
function viewOf(places) {
  if (!places.length) return { position: { x: 0, y: 0 }, scale: 1 };
  const [xs, ys] = [places.map((place) => place.x), places.map((place) => place.y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const hidden = covered();
  const across = Math.max((stage.clientWidth - hidden.right) * filled() - 40, 80) / Math.max(right - left, 1);
  const down = Math.max((stage.clientHeight - hidden.foot) * 0.94 - 60, 80) / Math.max(bottom - top, 1);
  return { position: { x: (left + right) / 2, y: (top + bottom) / 2 }, scale: Math.min(across, down, MOST_NEAR) };
}

/** The middle of the visible picture. */
function middleOfView() {
  const [{ x, y }, { right, foot }, scale] = [network.getViewPosition(), covered(), network.getScale()];
  return { x: x - right / 2 / scale, y: y - foot / 2 / scale };
}

/** Centre the visible picture on a place. */
function move({ position: { x, y }, scale }, animate = true) {
  const animation = animate && !still.matches ? { duration: 380, easingFunction: "easeInOutCubic" } : false;
  const { right, foot } = covered();
  network.moveTo({ position: { x: x + right / 2 / scale, y: y + foot / 2 / scale }, scale, animation });
  if (!animation) settle(); // vis-network reports the end of a movement, not of a jump
}

function shownIds() {
  return nodes.filter(isShown).map((node) => node.id);
}

function fit(animate = true) {
  move(viewOf([...shownIds().map((id) => nodes[id]), ...outermost()]), animate);
}

function zoom(factor) {
  const scale = Math.min(NEAREST, Math.max(FARTHEST, network.getScale() * factor));
  move({ position: middleOfView(), scale });
}

function isInView(id) {
  const { x, y } = network.canvasToDOM(nodes[id]);
  const { right, foot } = covered();
  return x > 30 && y > 30 && x < stage.clientWidth - right - 30 && y < stage.clientHeight - foot - 30;
}
