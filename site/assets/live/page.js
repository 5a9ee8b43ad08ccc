// Writes a sheet into the article: numbers, lines, branches and notes that have changed.

import { originOf, workedText } from "./sheet.js";

const words = (text) => text.split(" ");

// A number or a text, in its element. What says nothing here is hidden by a branch.
function phrase(element) {
  const said = words(element.dataset.says);
  return (sheet) => {
    const text = sheet.says(said);
    if (text !== null && element.textContent !== text) element.textContent = text;
  };
}

const between = (line) => line?.parts.map((part) => part.number === undefined && part);

// Whether two lines differ in their numbers only.
function alike(one, other) {
  const [some, others] = [between(one), between(other)];
  return some?.length === others.length && some.every((text, place) => text === others[place]);
}

// A worked line: its numbers are elements that stay, the text between them is written anew. An
// element that is moved loses the focus and its open note, so that nothing moves without need.
function worked(element) {
  const name = words(element.dataset.line).slice(1).join(" ");
  const numbers = [...element.querySelectorAll(".d-number")];
  let before = null;
  return (sheet) => {
    const line = sheet.line(name);
    if (line === null || line === before) return;
    const written = before === null && element.textContent === line.text;
    const same = alike(before, line);
    before = line;
    if (written) return;
    const figures = line.parts.filter((part) => part.number !== undefined);
    if (same && figures.length === numbers.length) {
      figures.forEach(({ number }, place) => {
        if (numbers[place].textContent !== number) numbers[place].textContent = number;
      });
      return;
    }
    let next = 0;
    const nodes = line.parts.map((part) => {
      if (typeof part === "string") return part;
      const node = numbers[next] ?? "";
      next += 1;
      if (node) node.textContent = part.number;
      if (!part.strong) return node || part.number;
      const strong = node?.parentElement?.closest("strong") ?? document.createElement("strong");
      strong.replaceChildren(node || part.number);
      return strong;
    });
    element.replaceChildren(...nodes);
  };
}

function link(element) {
  const said = words(element.dataset.href);
  return (sheet) => {
    const place = sheet.says(said);
    if (place !== null) element.href = place;
  };
}

function branch(element) {
  const question = JSON.parse(element.dataset.if);
  return (sheet) => {
    const hidden = !sheet.holds(question);
    if (element.hidden === hidden) return;
    element.hidden = hidden;
    element.toggleAttribute("data-search-exclude", hidden);
  };
}

function note(element) {
  const id = element.dataset.worked;
  return (sheet) => {
    const text = workedText(sheet, id);
    if (element.textContent !== text) element.textContent = text;
  };
}

function origin(element) {
  const id = element.dataset.origin;
  let before = null;
  return (sheet) => {
    const html = originOf(sheet, id);
    if (html === null || html === before) return;
    before = html;
    if (element.innerHTML === html) return;
    element.innerHTML = html; // the catalogue's own: every text in it was escaped when it was made
  };
}

const WRITERS = {
  "[data-if]": branch,
  "[data-line]": worked,
  "[data-says]": phrase,
  "[data-href]": link,
  "[data-worked]": note,
  "[data-origin]": origin,
};

// Find all that depends on the configuration, and give a function that writes a sheet into it.
export function writerOf(root) {
  const writers = Object.entries(WRITERS).flatMap(([selector, writer]) =>
    [...root.querySelectorAll(selector)].map(writer),
  );
  return (sheet) => writers.forEach((write) => write(sheet));
}
