// Numbers open their note on hover and on tap where the browser does not do so by itself.
// Buttons work without this script; later mentions of a quantity are spans, and need it.

const interest = "interestForElement" in HTMLButtonElement.prototype;
let timer = 0;

const noteOf = ({ dataset }) => document.getElementById(dataset.note ?? `pop-${dataset.q}`);
const bySelf = (number) => interest && number.matches("button");

function soon(action) {
  clearTimeout(timer);
  timer = setTimeout(action, 150);
}

function open(number) {
  const note = noteOf(number);
  if (note && !note.matches(":popover-open")) note.showPopover({ source: number });
}

function close() {
  document.querySelector(".d-popover:popover-open")?.hidePopover();
}

document.addEventListener("pointerover", (event) => {
  if (event.pointerType === "touch") return;
  const number = event.target.closest(".d-number");
  if (number && !bySelf(number)) soon(() => open(number));
  else if (event.target.closest(".d-popover")) clearTimeout(timer);
});

document.addEventListener("pointerout", (event) => {
  if (event.pointerType === "touch") return;
  const left = event.target.closest(".d-number, .d-popover");
  if (left && !bySelf(left)) soon(close);
});

document.addEventListener("focusin", (event) => {
  const number = event.target.closest("button.d-number");
  if (number && !interest && number.matches(":focus-visible")) open(number);
});

document.addEventListener("click", (event) => {
  const number = event.target.closest("span.d-number");
  if (number) open(number);
});

// Tables of facts sort by a column: the header becomes a button, which turns the order around.

function sortable(table) {
  const body = table.tBodies[0];
  table.querySelectorAll("thead th").forEach((header, column) => {
    if (header.querySelector("button")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener("click", () => {
      const down = header.ariaSort === "ascending";
      table.querySelectorAll("thead th").forEach((each) => each.removeAttribute("aria-sort"));
      header.ariaSort = down ? "descending" : "ascending";
      const rows = [...body.rows].sort((a, b) => compare(a.cells[column], b.cells[column], down));
      body.append(...rows);
    });
  });
}

// Cells without a value come last, whatever the order.
function compare(a, b, down) {
  const [one, other] = [a, b].map((cell) => cell.dataset.sort ?? cell.textContent.trim());
  const [empty, alsoEmpty] = [one, other].map((text) => text === "–" || text === "");
  if (empty || alsoEmpty) return empty - alsoEmpty;
  const order = a.dataset.sort ? one - other : one.localeCompare(other);
  return down ? -order : order;
}

// A symbol lights up everywhere while the pointer or the focus is on one of its kind.

let lit = [];

function light(id) {
  lit.forEach((each) => each.classList.remove("d-lit"));
  lit = id ? [...document.querySelectorAll(`math [data-q="${CSS.escape(id)}"]`)] : [];
  lit.forEach((each) => each.classList.add("d-lit"));
}

const quantityAt = (event) => event.target.closest?.("[data-q]")?.dataset.q;

for (const kind of ["pointerover", "focusin", "click"]) {
  document.addEventListener(kind, (event) => light(quantityAt(event)));
}
document.addEventListener("keydown", (event) => event.key === "Escape" && light());

// Each formula can be copied as LaTeX, and linked to.

function tools(card) {
  const formula = card.querySelector(".d-formula[data-latex]");
  if (!formula || card.querySelector(".d-tools")) return;
  const copy = document.createElement("button");
  copy.type = "button";
  copy.textContent = "LaTeX";
  copy.ariaLabel = "Copy this formula as LaTeX";
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(formula.dataset.latex);
    copy.textContent = "copied";
    setTimeout(() => (copy.textContent = "LaTeX"), 1500);
  });
  const link = document.createElement("a");
  link.href = `#${card.id}`;
  link.textContent = "link";
  link.ariaLabel = "Link to this formula";
  const bar = document.createElement("div");
  bar.className = "d-tools";
  bar.append(copy, link);
  card.append(bar);
}

// What is wider than the page scrolls, by keyboard as well. The theme wraps tables when it is ready.
function reachable() {
  document.querySelectorAll(".md-typeset__scrollwrap, .d-wide").forEach((box) => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  });
}

const prepare = () => {
  requestAnimationFrame(() => requestAnimationFrame(reachable));
  document.querySelectorAll("table.d-sortable").forEach(sortable);
  document.querySelectorAll(".d-card[id], .d-statement[id]").forEach(tools);
};
if (window.document$) window.document$.subscribe(prepare);
else prepare();
