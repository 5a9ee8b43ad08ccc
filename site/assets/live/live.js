// The live article: what the selector chooses is in the address, and what is in the address is
// what the page shows. Other pages have no selector, and nothing to do here.

import { program } from "./book.js";
import { Catalogue } from "./catalogue.js";
import { read, write } from "./choices.js";
import { Results } from "./measured.js";
import { writerOf } from "./page.js";
import { Selector } from "./selector.js";
import { Sheet } from "./sheet.js";

let article = null;
let facts = null;

const fetched = async (name) => (await fetch(new URL(name, import.meta.url))).json();

// The facts and the measured results, which are read once.
function known() {
  facts ??= Promise.all([fetched("catalogue.json"), fetched("measured.json")]).then(
    ([parts, measured]) => ({ catalogue: new Catalogue(parts), results: new Results(measured) }),
  );
  return facts;
}

class Article {
  constructor(form, root, known) {
    this.known = known;
    this.catalogue = known.catalogue;
    this.path = location.pathname;
    this.root = root;
    this.write = writerOf(root);
    this.stop = new AbortController();
    this.selector = new Selector(form, this.catalogue, (choices, view) => this.choose(choices, view));
    root.addEventListener(
      "derivations:chart",
      ({ detail }) => this.keep({ chart: detail.axis, relative: detail.relative ? "on" : "off" }),
      { signal: this.stop.signal },
    );
    root.querySelectorAll(".d-near").forEach((each, place) => this.offer(each, place));
    this.restore();
    form.removeAttribute("inert");
    this.draw();
  }

  // Bring the charts to life, which nobody has to wait for.
  async draw() {
    const { mountCharts } = await import("./charts.js");
    if (this.stop.signal.aborted) return;
    this.charts = mountCharts(this.root, {
      evaluate: (choices) => valuesOf(this.known, choices),
      measured: this.known.results.runs(),
      names: { ...this.catalogue.facts.model, ...this.catalogue.facts.accelerator },
    });
    this.redraw();
  }

  redraw() {
    this.charts?.update(this.sheet.choices, {
      chunked: this.view.chunked === "on",
      axis: this.view.chart,
      relative: this.view.relative === "on",
    });
  }

  // Show what the address says.
  restore() {
    const { choices, view, problems } = read(location.search, this.catalogue);
    this.view = view;
    this.show(choices);
    this.selector.say(problems);
  }

  choose(choices, view) {
    this.view = { ...this.view, ...view };
    this.show(choices);
    this.selector.say([]);
    this.keep({});
  }

  // Let one of the nearest configurations that were measured be chosen where it is named.
  offer(element, place) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...element.childNodes);
    element.append(button);
    const { signal } = this.stop;
    const chosen = () => ({ ...this.sheet.asked, ...Object.fromEntries(this.sheet.nearest[place]) });
    button.addEventListener("click", () => this.choose(chosen(), {}), { signal });
  }

  // Put what is chosen into the address.
  keep(view) {
    this.view = { ...this.view, ...view };
    const query = write(this.sheet.asked, this.view, this.catalogue);
    if (query !== location.search) {
      history.pushState(history.state, "", `${location.pathname}${query}${location.hash}`);
    }
  }

  show(choices) {
    this.sheet = new Sheet(this.known, choices, { view: this.view });
    this.write(this.sheet);
    this.selector.show(choices, this.view);
    this.redraw();
    const detail = { sheet: this.sheet, view: this.view, choices: this.sheet.choices };
    this.root.dispatchEvent(new CustomEvent("derivations:shown", { bubbles: true, detail }));
  }

  destroy() {
    this.stop.abort();
    this.charts?.destroy();
    this.selector.destroy();
  }
}

// All values of resolved choices, without what was measured; null where they cannot be.
function valuesOf({ catalogue, results }, choices) {
  const givens = catalogue.givens(choices);
  return givens && program({ ...givens, ...results.givens() });
}

async function mount() {
  article?.destroy();
  article = null;
  const form = document.querySelector("form.d-selector");
  if (!form) return;
  form.inert = true;
  const found = await known();
  const root = document.querySelector("[data-md-component=container]") ?? document.body;
  try {
    if (form.isConnected) article = new Article(form, root, found);
  } finally {
    document.documentElement.classList.remove("d-waiting");
  }
  // The theme scrolls its menu to the current page, and the selector out of sight.
  const boxes = [form.closest(".md-sidebar__scrollwrap"), form.closest(".md-nav__list")];
  setTimeout(() => boxes.forEach((box) => box?.scrollTo(0, 0)));
}

addEventListener("popstate", () => {
  if (article && article.path === location.pathname) article.restore();
});

if (window.document$) window.document$.subscribe(mount);
else mount();
