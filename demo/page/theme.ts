/** Light or dark: the system's choice until somebody makes their own, which is remembered. */
import { recall, remember } from "./memory.ts";

type Theme = "light" | "dark";

/** `index.html` reads the same key before anything is drawn. */
const KEY = "theme";

export function setUpTheme(toggle: HTMLElement): void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const stored = recall(KEY);
  let chosen: Theme | undefined = stored === "light" || stored === "dark" ? stored : undefined;
  const show = (): void => {
    const theme = chosen ?? (system.matches ? "dark" : "light");
    if (chosen === undefined) delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = chosen;
    toggle.setAttribute("aria-pressed", String(theme === "dark"));
  };
  toggle.addEventListener("click", () => {
    const dark = toggle.getAttribute("aria-pressed") === "true";
    chosen = dark ? "light" : "dark";
    remember(KEY, chosen);
    show();
  });
  system.addEventListener("change", show);
  show();
}
