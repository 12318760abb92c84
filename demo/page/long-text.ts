/** Canonical text that may be long: cut to a few lines of height until somebody wants all of it. */
import { button, type Child, el } from "./dom.ts";

const LONG = 240;

export function longText(text: string, className = "text"): Child {
  const shown = el("code", { class: className }, text);
  if (text.length <= LONG) return shown;
  const more = `Show all ${text.length} characters`;
  shown.classList.add("folded");
  const toggle = button(
    { class: "link", "aria-expanded": "false" },
    () => {
      const folds = shown.classList.toggle("folded");
      toggle.setAttribute("aria-expanded", String(!folds));
      toggle.textContent = folds ? more : "Show less";
    },
    more,
  );
  return [shown, toggle];
}
