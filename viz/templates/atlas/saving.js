// The map as files: the picture that is seen, and all things and links for other programs.

function save(name, blob) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function savePicture() {
  stage.querySelector("canvas").toBlob((blob) => save("rules.png", blob));
}

const escaped = (text) =>
  String(text)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** All things and links of the edition that is shown, as GraphML. */
function graphml() {
  const keys = [
    ["label", "node"],
    ["kind", "node"],
    ["x", "node"],
    ["y", "node"],
    ["links", "edge"],
  ].map(([name, of]) => `<key id="${name}" for="${of}" attr.name="${name}" attr.type="string"/>`);
  const things = nodes
    .filter((node) => !node.gone)
    .map(({ iri, label, group, x, y }) => {
      const data = Object.entries({ label, kind: group, x, y });
      const said = data.map(([key, value]) => `<data key="${key}">${escaped(value)}</data>`).join("");
      return `<node id="${escaped(iri)}">${said}</node>`;
    });
  const links = edges.map(
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
    {},
    el("h3", {}, "Take it along"),
    button("save-png", "Picture (PNG)", savePicture),
    button("save-graphml", "Graph (GraphML)", () => save("rules.graphml", new Blob([graphml()], { type: "application/xml" }))),
  );
}
