// The picture as files: the current view, and all things and links for other programs.

function save(name, blob) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function savePicture() {
  stage.querySelector("canvas").toBlob((blob) => save("rules.png", blob));
}

/** All things and links of the current edition, as GraphML. */
function graphml() {
  const keys = [
    ["label", "node"],
    ["kind", "node"],
    ["x", "node"],
    ["y", "node"],
    ["links", "edge"],
  ].map(([name, of]) => `<key id="${name}" for="${of}" attr.name="${name}" attr.type="string"/>`);
  const things = nodes
    .filter((node) => !node.gone && !node.reserve)
    .map(({ iri, label, group, x, y }) => {
      const data = Object.entries({ label, kind: group, x, y });
      const said = data.map(([key, value]) => `<data key="${key}">${escaped(value)}</data>`).join("");
      return `<node id="${escaped(iri)}">${said}</node>`;
    });
  const held = ({ from, to }) => !nodes[from].reserve && !nodes[to].reserve;
  const links = edges.filter(held).map(
    ({ from, to, kinds }) =>
      `<edge source="${escaped(nodes[from].iri)}" target="${escaped(nodes[to].iri)}"><data key="links">${kinds.join(" ")}</data></edge>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...keys,
    '<graph edgedefault="directed">',
    ...things,
    ...links,
    "</graph></graphml>",
  ].join("\n");
}

function savings() {
  const button = (id, words, does) => el("button", { type: "button", id, class: "quiet", onclick: does }, words);
  return el(
    "section",
    { class: "help" },
    el("h3", {}, "Download"),
    button("save-png", "Picture (PNG)", savePicture),
    button("save-svg", "Picture (SVG)", () => save("rules.svg", new Blob([asSvg()], { type: "image/svg+xml" }))),
    button("save-graphml", "Graph (GraphML)", () => save("rules.graphml", new Blob([graphml()], { type: "application/xml" }))),
  );
}
