/**
 * The editor, CodeMirror 6. It stands in a shadow root, where its styles are constructed style sheets: the page's policy allows no
 * style elements.
 */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic as Lint, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers, tooltips } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { flowHighlighting } from "./flow.ts";

export interface Mark {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

export interface EditorOptions {
  readonly parent: HTMLElement;
  readonly label: string;
  readonly onChange: (text: string) => void;
}

const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", color: "var(--text)", backgroundColor: "var(--ground)" },
  "&.cm-focused": { outline: "none" },
  // Over the line numbers as well, which would cover an outline.
  "&.cm-focused::after": {
    content: '""',
    position: "absolute",
    inset: "0",
    border: "2px solid var(--accent)",
    zIndex: "300",
    pointerEvents: "none",
  },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "20px", overflow: "auto" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--text)" },
  ".cm-line": { padding: "0 8px" },
  ".cm-gutters": { backgroundColor: "var(--ground)", color: "var(--quiet)", border: "0", minWidth: "40px" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--accent) 25%, transparent)",
  },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { background: "color-mix(in srgb, var(--accent) 20%, transparent)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline 2px var(--badreply)",
    textUnderlineOffset: "4px",
    textDecorationSkipInk: "none",
  },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--text)", border: "1px solid var(--edge)", borderRadius: "4px" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--badreply)" },
  ".cm-diagnostic": { fontFamily: "var(--sans)", whiteSpace: "pre-wrap", maxWidth: "480px" },
});

const script = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: "var(--accent)" },
  { tag: [tags.string, tags.number, tags.bool, tags.regexp, tags.special(tags.string)], color: "var(--ok)" },
  { tag: [tags.comment, tags.docComment], color: "var(--quiet)", fontStyle: "italic" },
  { tag: [tags.typeName, tags.className], color: "var(--unknown)" },
]);

/** Typing over a selection: left to itself, the browser keeps the colour of what was there as an inline style, which the policy forbids. */
const replaceSelected = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType } = event;
    if (inputType !== "insertText" || data === null || view.composing || view.state.selection.main.empty) return false;
    event.preventDefault();
    view.dispatch(view.state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
    return true;
  },
});

export class Editor {
  private readonly view: EditorView;
  private readonly options: EditorOptions;
  /** Each document keeps its own undo history while another one is shown. */
  private readonly states = new Map<string, EditorState>();
  private name = "";

  constructor(options: EditorOptions) {
    this.options = options;
    const root = options.parent.attachShadow({ mode: "open" });
    const holder = document.createElement("div");
    holder.style.height = "100%";
    root.append(holder);
    this.view = new EditorView({ parent: holder, root });
  }

  show(name: string, text: string): void {
    if (this.name !== "") this.states.set(this.name, this.view.state);
    this.name = name;
    const kept = this.states.get(name);
    this.view.setState(kept !== undefined && kept.doc.toString() === text ? kept : this.stateOf(name, text));
  }

  mark(marks: readonly Mark[]): void {
    const { state } = this.view;
    const { length } = state.doc;
    const list: Lint[] = marks.map(({ from, to, message }) => ({
      from: Math.min(from, length),
      to: Math.min(Math.max(to, from), length),
      severity: "error",
      message,
    }));
    this.view.dispatch(setDiagnostics(state, list));
  }

  focus(range?: { readonly from: number; readonly to: number }): void {
    this.view.focus();
    if (range === undefined) return;
    const { length } = this.view.state.doc;
    const selection = { anchor: Math.min(range.from, length), head: Math.min(range.to, length) };
    this.view.dispatch({ selection, scrollIntoView: true });
  }

  private stateOf(name: string, text: string): EditorState {
    const language: Extension = name.endsWith(".flow") ? flowHighlighting : [javascript({ typescript: true }), syntaxHighlighting(script)];
    return EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        bracketMatching(),
        indentUnit.of(name.endsWith(".flow") ? "    " : "  "),
        // Tab moves on, as everywhere on the page: nobody is caught in the editor.
        keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
        language,
        theme,
        EditorView.lineWrapping,
        // What is past the editor's edge is not seen.
        tooltips({ tooltipSpace: (view) => view.dom.getBoundingClientRect() }),
        EditorView.contentAttributes.of({ "aria-label": `${this.options.label} ${name}`, spellcheck: "false", tabindex: "0" }),
        replaceSelected,
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.options.onChange(update.state.doc.toString());
        }),
      ],
    });
  }
}
