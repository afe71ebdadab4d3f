// Where the reader looks from: views that hold things, the way to them, nearer and farther.

const still = matchMedia("(prefers-reduced-motion: reduce)");
const MOST_NEAR = 1.3; // the scale beyond which a view does not go by itself
const [FARTHEST, NEAREST] = [0.05, 4];

/** How much of the stage lies under the slider of time, in pixels. */
const covered = () => document.getElementById("time")?.offsetHeight ?? 0;

function viewAround(ids) {
  const places = ids.map((id) => nodes[id]);
  if (!places.length) return { position: { x: 0, y: 0 }, scale: 1 };
  const [xs, ys] = [places.map((place) => place.x), places.map((place) => place.y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const across = Math.max(stage.clientWidth * 0.86 - 40, 80) / Math.max(right - left, 1);
  const down = Math.max((stage.clientHeight - covered()) * 0.94 - 60, 80) / Math.max(bottom - top, 1);
  const scale = Math.min(across, down, MOST_NEAR);
  return { position: { x: (left + right) / 2, y: (top + bottom) / 2 + covered() / 2 / scale }, scale };
}

function move(view, animate = true) {
  const animation = animate && !still.matches ? { duration: 380, easingFunction: "easeInOutCubic" } : false;
  network.moveTo({ ...view, animation });
  if (!animation) settle(); // vis-network tells of the end of a movement, not of a jump
}

function shownIds() {
  return nodes.filter(isShown).map((node) => node.id);
}

function fit(animate = true) {
  move(viewAround(shownIds()), animate);
}

function zoom(factor) {
  const scale = Math.min(NEAREST, Math.max(FARTHEST, network.getScale() * factor));
  move({ position: network.getViewPosition(), scale });
}

function isInView(id) {
  const { x, y } = network.canvasToDOM(nodes[id]);
  return x > 30 && y > 30 && x < stage.clientWidth - 30 && y < stage.clientHeight - 30;
}
