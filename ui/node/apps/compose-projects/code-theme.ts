import { EditorView } from "@codemirror/view";

const tooltip = {
  background: "var(--s3)",
  color: "var(--text)",
  border: "1px solid var(--line)",
  borderRadius: "var(--r6)",
  boxShadow: "var(--shadow)",
};

/** The editor in the page's own colours, which know dark and light themselves. */
export const theme = EditorView.theme({
  "&": {
    color: "var(--text)",
    background: "var(--s1)",
    fontSize: "13px",
    minHeight: "calc(var(--rows) * 1.6em)",
    maxHeight: "70vh",
  },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overflow: "auto" },
  ".cm-content": { caretColor: "var(--text)", padding: "8px 0", minHeight: "calc(var(--rows) * 1.6em)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": {
    background: "var(--s2)",
    color: "var(--text3)",
    border: "none",
    borderRight: "1px solid var(--hair)",
  },
  ".cm-gutter": { minHeight: "calc(var(--rows) * 1.6em)" },
  ".cm-activeLine": { background: "none" },
  "&.cm-focused .cm-activeLine": { background: "var(--hover)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--acc-ring) 38%, transparent)",
  },
  // The page's own colour of chosen letters is for another ground.
  ".cm-line::selection, .cm-line ::selection": { color: "var(--text)" },
  ".cm-tooltip": tooltip,
  ".cm-diagnostic": {
    font: "400 var(--t13) var(--sans)",
    padding: "6px 10px",
    whiteSpace: "pre-wrap",
    maxWidth: "44ch",
  },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--crit-fill)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--crit)",
    textUnderlineOffset: "3px",
  },
  ".cm-lint-marker-error": {
    content: "none",
    background: "var(--crit-fill)",
    borderRadius: "50%",
    width: "8px",
    height: "8px",
  },
  ".cm-gutter-lint": { width: "14px" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "0 3px", display: "flex", alignItems: "center" },
  ".cm-panels": { background: "var(--s2)", color: "var(--text)", borderColor: "var(--line)" },
  ".cm-panel.cm-panel-lint ul [aria-selected]": { background: "var(--acc-soft)", color: "var(--text)" },
});
