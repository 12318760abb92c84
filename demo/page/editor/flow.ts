/** Highlighting of Flow, by the reader's own tokens: what it takes for a type is shown as one, however broken the file is. */
import { RangeSetBuilder, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { type HighlightKind, outlineFile } from "flow-host/declarations";

/** Longer files are shown without colours rather than slowly. */
const MOST = 100_000;

const MARKS = new Map<HighlightKind, Decoration>();

function markOf(kind: HighlightKind): Decoration {
  let mark = MARKS.get(kind);
  if (mark === undefined) {
    mark = Decoration.mark({ class: `flow-${kind}` });
    MARKS.set(kind, mark);
  }
  return mark;
}

function highlight(doc: Text): DecorationSet {
  if (doc.length > MOST) return Decoration.none;
  const builder = new RangeSetBuilder<Decoration>();
  for (const { kind, start, end } of outlineFile(doc.toString()).tokens) {
    if (kind !== "punctuation" && kind !== "text" && end > start) builder.add(start, end, markOf(kind));
  }
  return builder.finish();
}

const colours = EditorView.baseTheme({
  ".flow-keyword, .flow-annotation": { color: "var(--accent)" },
  ".flow-type, .flow-type-parameter": { color: "var(--unknown)" },
  ".flow-constructor": { color: "var(--failed)" },
  ".flow-string, .flow-number": { color: "var(--ok)" },
  ".flow-comment, .flow-doc": { color: "var(--quiet)", fontStyle: "italic" },
  ".flow-flow": { fontWeight: "600" },
});

export const flowHighlighting = [
  StateField.define<DecorationSet>({
    create: ({ doc }) => highlight(doc),
    update: (before, { docChanged, newDoc }) => (docChanged ? highlight(newDoc) : before),
    provide: (field) => EditorView.decorations.from(field),
  }),
  colours,
];
