import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, indentUnit, syntaxHighlighting, syntaxTree } from "@codemirror/language";
import { type Diagnostic, forceLinting, linter, lintGutter, lintKeymap } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { theme } from "./code-theme.ts";

/** What is wrong with a line. */
export interface LineProblem {
  /** From 1; 0 for the whole text. */
  line: number;
  column: number;
  text: string;
}

/** More marks than this help nobody. */
const MOST_MARKS = 50;

const colours = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: "var(--acc)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--ok)" },
  { tag: [tags.labelName, tags.typeName, tags.keyword, tags.meta], color: "var(--info)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--text3)" },
  { tag: [tags.punctuation, tags.separator, tags.bracket, tags.brace], color: "var(--text2)" },
]);

/** Where the text is no YAML, as far as it can be told while it is written. */
function findSlips(view: EditorView): Diagnostic[] {
  const found: Diagnostic[] = [];
  syntaxTree(view.state).iterate({
    enter({ type, from }) {
      if (!type.isError || found.length >= MOST_MARKS) return;
      const line = view.state.doc.lineAt(from);
      const message = "This line is no YAML. Look at its indentation, quotes and brackets.";
      if (found.at(-1)?.from !== line.from) found.push({ from: line.from, to: line.to, severity: "error", message });
    },
  });
  return found;
}

function mark(view: EditorView, { line, column, text }: LineProblem): Diagnostic {
  const at = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
  return { from: Math.min(at.from + Math.max(column - 1, 0), at.to), to: at.to, severity: "error", message: text };
}

interface Props {
  label: string;
  value: string;
  /** The text is YAML; others have no colours. */
  isYaml: boolean;
  /** So high at least, in lines. */
  rows: number;
  problems: readonly LineProblem[];
  describedBy: string | undefined;
  isWrong: boolean;
  onValue: (value: string) => void;
  /** Told how a place of the text is shown. */
  onPlaces: (go: (line: number, column: number) => void) => void;
}

/** A text with line numbers, colours, and marks at what is wrong with it. Tab indents; after Esc it leaves. */
export function CodeEditor(props: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  // The editor is made once, and asks for what is given now.
  const latest = useRef(props);
  latest.current = props;
  useLayoutEffect(() => {
    if (host.current === null) return;
    const made = new EditorView({
      parent: host.current,
      state: EditorState.create({ doc: props.value, extensions: extend(latest) }),
    });
    view.current = made;
    props.onPlaces((line, column) => {
      const { from, to } = mark(made, { line, column, text: "" });
      made.dispatch({
        selection: { anchor: from, head: to },
        effects: EditorView.scrollIntoView(from, { y: "center" }),
      });
      made.focus();
    });
    return () => made.destroy();
  }, []);
  useEffect(() => {
    const now = view.current;
    const wanted = props.value.replace(/\r\n?/g, "\n");
    if (now === null || now.state.doc.toString() === wanted) return;
    now.dispatch({ changes: { from: 0, to: now.state.doc.length, insert: wanted } });
  }, [props.value]);
  useEffect(() => {
    if (view.current !== null) forceLinting(view.current);
  }, [props.problems]);
  return <div ref={host} style={{ flex: 1, minWidth: 0, "--rows": props.rows }} />;
}

function extend(latest: { current: Props }): Extension {
  const { isYaml } = latest.current;
  const nonce = document.querySelector<HTMLElement>("script[nonce]")?.nonce ?? "";
  return [
    EditorView.cspNonce.of(nonce),
    theme,
    lineNumbers(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    indentUnit.of("  "),
    EditorState.tabSize.of(2),
    ...(isYaml ? [yaml(), syntaxHighlighting(colours)] : []),
    linter((view) => {
      const told = latest.current.problems.slice(0, MOST_MARKS).map((problem) => mark(view, problem));
      // What the server says of a line says more.
      const known = new Set(told.map(({ from }) => view.state.doc.lineAt(from).from));
      return [...told, ...(isYaml ? findSlips(view).filter(({ from }) => !known.has(from)) : [])];
    }),
    lintGutter(),
    keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap, indentWithTab]),
    EditorView.contentAttributes.of(() => {
      const { label, describedBy, isWrong } = latest.current;
      return {
        "aria-label": label,
        ...(describedBy === undefined ? {} : { "aria-describedby": describedBy }),
        ...(isWrong ? { "aria-invalid": "true" } : {}),
        // It can be focused anyway; who scrolls it by keyboard is told so.
        tabindex: "0",
        autocapitalize: "off",
        spellcheck: "false",
      };
    }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      const text = state.doc.toString();
      if (docChanged && text !== latest.current.value.replace(/\r\n?/g, "\n")) latest.current.onValue(text);
    }),
  ];
}
