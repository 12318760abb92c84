/** What surrounds the views: the tabs that lead to them, the theme, and Share. */
import { copy } from "./clipboard.ts";
import { byId, el } from "./dom.ts";
import { dropRoute, readRoute, settleRoute, writeRoute } from "./route.ts";
import { setUpTheme } from "./theme.ts";

/** A view of the page. Its tab stands in the top bar as soon as it is listed. */
export interface View {
  /** As the address names it. */
  readonly id: string;
  readonly title: string;
  /** Made when first shown. */
  create(context: ViewContext): Promise<MountedView>;
}

export interface ViewContext {
  /** Puts the view's state into the address. */
  readonly setState: (parameters: URLSearchParams) => void;
}

export interface MountedView {
  readonly element: HTMLElement;
  /** Takes over the state of an address that was opened. */
  show(parameters: URLSearchParams): void;
  /** What of it no address can carry, in a sentence. */
  missingFromLink?(): string | undefined;
}

export async function startShell(views: readonly [View, ...View[]]): Promise<void> {
  const tabs = new Map(views.map(({ id, title }) => [id, el("a", { href: `#${id}` }, title)]));
  byId("views").replaceChildren(...[...tabs.values()].map((tab) => el("li", {}, tab)));
  setUpTheme(byId("theme"));
  const mounted = new Map<string, Promise<MountedView>>();
  let shown: MountedView | undefined;
  byId("share").addEventListener("click", () => {
    settleRoute();
    void copy(location.href, "The link to what is shown", shown?.missingFromLink?.());
  });
  // Back leads to what was left, and a reload to what was there.
  byId("views").addEventListener("click", settleRoute);
  addEventListener("pagehide", settleRoute);

  const open = async (): Promise<void> => {
    const { view: id, parameters } = readRoute();
    const view = views.find((each) => each.id === id) ?? views[0];
    for (const [name, tab] of tabs) {
      if (name === view.id) tab.setAttribute("aria-current", "page");
      else tab.removeAttribute("aria-current");
    }
    let made = mounted.get(view.id);
    if (made === undefined) {
      made = view.create({ setState: (state) => writeRoute({ view: view.id, parameters: state }) });
      mounted.set(view.id, made);
    }
    const opened = await made;
    if (!opened.element.isConnected) byId("main").replaceChildren(opened.element);
    shown = opened;
    opened.show(parameters);
  };
  addEventListener("hashchange", () => {
    dropRoute();
    void open();
  });
  await open();
}
