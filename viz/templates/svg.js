// The drawing as SVG: a paper takes the calls for a canvas and records them.

const probe = document.createElement("canvas").getContext("2d");
const outlines = new WeakMap(); // the outlines of paths that are drawn often, for a paper

/** A path for the canvas that a paper can also draw. */
function pathFrom(d) {
  const path = new Path2D(d);
  outlines.set(path, d);
  return path;
}

const escaped = (text) =>
  String(text)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "")
    .replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const rounded = (value) => Math.round(value * 100) / 100;

const PENS = {
  fillStyle: "#000000",
  strokeStyle: "#000000",
  globalAlpha: 1,
  lineWidth: 1,
  lineCap: "butt",
  lineJoin: "miter",
  font: "10px sans-serif",
  textAlign: "start",
  textBaseline: "alphabetic",
  letterSpacing: "0px",
  dashes: [],
  matrix: [1, 0, 0, 1, 0, 0],
};
const ANCHORS = { center: "middle", right: "end", end: "end" };

class Paper {
  written = [];
  kept = [];
  d = "";

  /** A paper as large as the canvas on the screen. */
  constructor({ clientWidth, clientHeight }) {
    Object.assign(this, PENS, { canvas: { width: clientWidth, height: clientHeight, clientWidth, clientHeight } });
  }

  save() {
    this.kept.push(Object.fromEntries(Object.keys(PENS).map((name) => [name, this[name]])));
  }

  restore() {
    Object.assign(this, this.kept.pop());
  }

  /** A paper has one pixel for each of the screen's, however many the canvas has. */
  setTransform() {
    this.matrix = [1, 0, 0, 1, 0, 0];
  }

  translate(x, y) {
    const [a, b, c, d, e, f] = this.matrix;
    this.matrix = [a, b, c, d, e + a * x + c * y, f + b * x + d * y];
  }

  scale(x, y) {
    const [a, b, c, d, e, f] = this.matrix;
    this.matrix = [a * x, b * x, c * y, d * y, e, f];
  }

  setLineDash(dashes) {
    this.dashes = dashes;
  }

  beginPath() {
    this.d = "";
  }

  add(letter, ...numbers) {
    this.d += letter + numbers.map(rounded).join(" ");
  }

  moveTo(...point) {
    this.add("M", ...point);
  }

  lineTo(...point) {
    this.add(this.d ? "L" : "M", ...point);
  }

  quadraticCurveTo(...points) {
    this.add("Q", ...points);
  }

  bezierCurveTo(...points) {
    this.add("C", ...points);
  }

  closePath() {
    if (this.d) this.d += "Z";
  }

  rect(x, y, wide, high) {
    this.add("M", x, y);
    this.d += `h${rounded(wide)}v${rounded(high)}h${rounded(-wide)}Z`;
  }

  arc(x, y, radius, from, to, turned = false) {
    const at = (angle) => [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    const angle = turned ? from - to : to - from;
    const sweep = turned ? 0 : 1;
    this.lineTo(...at(from));
    const ends = Math.abs(angle) < 2 * Math.PI - 1e-6 ? [to] : [from + Math.PI, from + 2 * Math.PI];
    for (const end of ends)
      this.add("A", radius, radius, 0, ends.length === 1 && Math.abs(angle) > Math.PI ? 1 : 0, sweep, ...at(end));
  }

  /** A colour and its opacity, in a form that every SVG reader knows. */
  paint(name, style) {
    probe.fillStyle = style;
    const [, r, g, b, alpha] = /^rgba\((\d+), (\d+), (\d+), ([\d.]+)\)$/.exec(probe.fillStyle) ?? [];
    const share = rounded(this.globalAlpha * Number(alpha ?? 1));
    return `${name}="${alpha ? `rgb(${r},${g},${b})` : probe.fillStyle}"${share < 1 ? ` ${name}-opacity="${share}"` : ""}`;
  }

  put(name, attributes, text) {
    const moved = `transform="matrix(${this.matrix.map((value) => Math.round(value * 1e4) / 1e4).join(" ")})"`;
    this.written.push(`<${name} ${moved} ${attributes}${text === undefined ? "/>" : `>${escaped(text)}</${name}>`}`);
  }

  get line() {
    const dashes = this.dashes.length ? ` stroke-dasharray="${this.dashes.map(rounded).join(" ")}"` : "";
    return `${this.paint("stroke", this.strokeStyle)} stroke-width="${rounded(this.lineWidth)}" stroke-linecap="${this.lineCap}" stroke-linejoin="${this.lineJoin}"${dashes}`;
  }

  fill(path) {
    const d = path ? outlines.get(path) : this.d;
    if (d) this.put("path", `d="${d}" ${this.paint("fill", this.fillStyle)}`);
  }

  stroke(path) {
    const d = path ? outlines.get(path) : this.d;
    if (d) this.put("path", `d="${d}" fill="none" ${this.line}`);
  }

  fillRect(x, y, wide, high) {
    const place = `x="${rounded(x)}" y="${rounded(y)}" width="${rounded(wide)}" height="${rounded(high)}"`;
    this.put("rect", `${place} ${this.paint("fill", this.fillStyle)}`);
  }

  clearRect() {}

  measureText(text) {
    probe.font = this.font;
    probe.letterSpacing = this.letterSpacing;
    return probe.measureText(text);
  }

  text(words, x, y, paint) {
    const style = `font:${this.font};letter-spacing:${this.letterSpacing}`;
    const base = this.textBaseline === "middle" ? ' dominant-baseline="central"' : "";
    this.put("text", `x="${rounded(x)}" y="${rounded(y)}" text-anchor="${ANCHORS[this.textAlign] ?? "start"}"${base} style="${escaped(style)}" ${paint}`, words);
  }

  fillText(words, x, y) {
    this.text(words, x, y, this.paint("fill", this.fillStyle));
  }

  strokeText(words, x, y) {
    this.text(words, x, y, `fill="none" ${this.line}`);
  }

  svg(title) {
    const { width, height } = this.canvas;
    return [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
      `<title>${escaped(title)}</title>`,
      `<rect width="100%" height="100%" fill="${colours.paper}"/>`,
      ...this.written,
      "</svg>",
    ].join("\n");
  }
}

/** The current view as SVG: the picture draws itself again, on paper. */
function asSvg() {
  const paper = new Paper(stage.querySelector("canvas"));
  network.canvas.getContext = () => paper;
  try {
    network.redraw();
  } finally {
    delete network.canvas.getContext;
  }
  network.redraw();
  return paper.svg(page.title);
}
