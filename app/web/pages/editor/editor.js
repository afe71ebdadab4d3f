"use strict";
// The editor of the SPARQL page: colours, completion of prefixes, classes and properties, and errors where they occur.
// The plain field behind it keeps the query, so that the form is sent as before.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, ensureSyntaxTree, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { linter, lintKeymap } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { styleTags, tags } from "@lezer/highlight";
import { SparqlLanguage } from "codemirror-lang-sparql";

const KEYWORDS = (
  "SELECT CONSTRUCT DESCRIBE ASK WHERE PREFIX BASE DISTINCT REDUCED FROM NAMED GRAPH OPTIONAL UNION MINUS FILTER " +
  "BIND VALUES EXISTS NOT IN AS GROUP BY HAVING ORDER ASC DESC LIMIT OFFSET UNDEF COUNT SUM MIN MAX AVG SAMPLE " +
  "GROUP_CONCAT STR LANG LANGMATCHES DATATYPE BOUND IRI BNODE CONCAT STRLEN UCASE LCASE CONTAINS STRSTARTS STRENDS " +
  "STRBEFORE STRAFTER REPLACE REGEX SUBSTR IF COALESCE isIRI isLiteral isBlank YEAR MONTH DAY"
).split(" ");

// The language does not distinguish kinds of prefixed names.
const language = SparqlLanguage.configure({ props: [styleTags({ "Pname_ln Pname_ns": tags.namespace, A_predicate: tags.keyword })] });

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.definitionKeyword, tags.modifier], color: "var(--code-word)", fontWeight: "600" },
  { tag: [tags.variableName, tags.special(tags.variableName)], color: "var(--code-variable)" },
  { tag: [tags.string, tags.literal], color: "var(--code-string)" },
  { tag: [tags.number, tags.integer, tags.float, tags.bool], color: "var(--code-number)" },
  { tag: [tags.namespace, tags.propertyName, tags.typeName, tags.className, tags.url, tags.labelName], color: "var(--code-name)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--quiet)", fontStyle: "italic" },
]);

const look = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--paper)", fontSize: "inherit" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "1.5", maxHeight: "60vh" },
  ".cm-content, .cm-gutter": { minHeight: "14em" },
  ".cm-content": { caretColor: "var(--ink)", padding: ".5rem 0" },
  ".cm-gutters": { backgroundColor: "var(--wash)", color: "var(--quiet)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--mark) 35%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--link) 30%, transparent)",
  },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--mark)", color: "inherit" },
  ".cm-tooltip": { backgroundColor: "var(--card)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--wash)", color: "var(--ink)" },
  ".cm-completionDetail": { color: "var(--quiet)" },
  ".cm-completionInfo": { maxWidth: "24rem", fontFamily: "var(--sans)" },
  ".cm-lintRange-error": { backgroundImage: "none", borderBottom: "2px solid var(--gone-ink)", backgroundColor: "var(--gone)" },
});

/** What can be typed: names of the vocabulary after their prefixes, prefixes, keywords, the query's variables. */
function suggesting(words) {
  const names = words.terms.map(([label, type, info]) => ({ label, type, detail: type, info: info || undefined }));
  const prefixes = Object.entries(words.prefixes).map(([name, iri]) => ({ label: `${name}:`, type: "namespace", detail: iri, boost: 1 }));
  const keywords = KEYWORDS.map((label) => ({ label, type: "keyword", boost: -1 }));
  return (context) => {
    const variable = context.matchBefore(/[?$]\w*/);
    if (variable) {
      const known = new Set(context.state.doc.toString().match(/[?$]\w+/g));
      known.delete(variable.text);
      return { from: variable.from, options: [...known].map((label) => ({ label, type: "variable" })), validFor: /^[?$]\w*$/ };
    }
    const word = context.matchBefore(/[A-Za-z][\w-]*(:[\w-]*)?/);
    if (!word && !context.explicit) return null;
    return { from: word ? word.from : context.pos, options: [...prefixes, ...names, ...keywords], validFor: /^[\w-]*:?[\w-]*$/ };
  };
}

/** Mark the place from which on the query cannot be parsed, and nothing after it. */
function marking(notice) {
  const asked = document.querySelector("form.query textarea").defaultValue.replace(/\r\n/g, "\n");
  return (view) => {
    const { state } = view;
    const told = notice && state.doc.toString() === asked;
    let from = -1;
    ensureSyntaxTree(state, state.doc.length, 200)?.iterate({ enter: (node) => { if (from < 0 && node.type.isError) from = node.from; } });
    if (from < 0 && told && notice.dataset.line) {
      const line = state.doc.line(Math.min(Number(notice.dataset.line), state.doc.lines));
      from = Math.min(line.from + Number(notice.dataset.column) - 1, line.to);
    }
    if (from < 0 || !state.doc.length) return [];
    const word = /^\s*\S*/.exec(state.sliceDoc(from))[0];
    const to = Math.min(from + Math.max(word.length, 1), state.doc.length);
    const message = told ? notice.firstChild.textContent : "The query cannot be read from here on.";
    return [{ from: Math.min(from, to - 1), to, severity: "error", message }];
  };
}

function edited(form, field, words) {
  // Inside a shadow tree, its styles are sheets made by script, which the page's policy allows.
  const host = document.createElement("div");
  host.className = "editor";
  field.before(host);
  const root = host.attachShadow({ mode: "open" });
  const run = () => { form.requestSubmit(); return true; };
  const view = new EditorView({
    doc: field.value,
    parent: root,
    root,
    extensions: [
      lineNumbers(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      highlightActiveLine(),
      bracketMatching(),
      closeBrackets(),
      language,
      syntaxHighlighting(colours),
      linter(marking(document.querySelector(".notice[data-line]")), { delay: 600 }),
      autocompletion({ override: [suggesting(words)], icons: false }),
      EditorView.lineWrapping,
      EditorState.tabSize.of(2),
      look,
      // Tab is left to the browser, which moves to the next field.
      keymap.of([{ key: "Mod-Enter", run }, ...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...defaultKeymap, ...historyKeymap]),
      EditorView.contentAttributes.of({ "aria-label": "Query", "aria-keyshortcuts": "Control+Enter", autocapitalize: "off", spellcheck: "false" }),
      EditorView.updateListener.of((update) => { if (update.docChanged) field.value = update.state.doc.toString(); }),
    ],
  });
  field.hidden = true;
  form.querySelector("label[for=query]").addEventListener("click", (event) => { event.preventDefault(); view.focus(); });
  form.querySelector(".keys").hidden = false;
}

const form = document.querySelector("form.query");
if (form) {
  fetch(`${document.body.dataset.root}vocabulary.json`)
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status)))
    .catch(() => ({ prefixes: {}, terms: [] }))
    .then((words) => edited(form, form.querySelector("textarea"), words));
}
