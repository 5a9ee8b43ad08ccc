// The worksheet of one configuration: every value, every worked line, every phrase.

import { constants, lines, premises, program, quantities, shows } from "./book.js";
import { compare, exact } from "./exact.js";
import { line, MOST_MORE } from "./lines.js";
import { amount, shown } from "./numbers.js";

// A line is worked out again only where a number in it has changed.
const remembered = new Map();

function lineOf(name, sheet) {
  const [, operands] = lines[name];
  const numbers = operands.map(([id]) => sheet.values[id]);
  numbers.push(sheet.values[name]);
  const before = remembered.get(name);
  if (before && numbers.every((each, index) => Object.is(each, before.numbers[index]))) {
    return before.found;
  }
  const own = quantities[name] === undefined ? undefined : exact(sheet.values[name]);
  const found = line(lines[name], shows, (id) => sheet.exact(id), own);
  remembered.set(name, { numbers, found });
  return found;
}

export class Sheet {
  // *asked* are choices that can be: see `obstacle`. The *view* is what is chosen beside them:
  // { chunked: "on" }. The *result* is the measured one to hold the limits against, the best one
  // of the configuration where nothing else is said.
  constructor({ catalogue, results }, asked, { view = {}, result } = {}) {
    Object.assign(this, { catalogue, measured: results, asked, view });
    this.choices = catalogue.resolved(asked);
    this.found = results.of(this.choices);
    this.result = result ?? this.found[0];
    const givens = { ...catalogue.givens(this.choices), ...results.givens(this.result) };
    this.values = Object.assign(program(givens), givens, constants);
    this.others = new Map();
  }

  // The worksheet against one of the measured results, or null.
  against(place) {
    const result = this.found[place];
    if (!result) return null;
    if (result === this.result) return this;
    if (!this.others.has(place)) {
      const { catalogue, measured: results, asked, view } = this;
      this.others.set(place, new Sheet({ catalogue, results }, asked, { view, result }));
    }
    return this.others.get(place);
  }

  get nearest() {
    this.near ??= this.found.length ? [] : this.measured.nearest(this.asked, this.choices);
    return this.near;
  }

  hasValue(id) {
    return !Number.isNaN(this.values[id]);
  }

  exact(id) {
    const value = this.values[id];
    return Number.isNaN(value) ? null : exact(value);
  }

  // A worked line, by the id of a formula or a condition, or a derivation's id and a place.
  // Null where it has no value.
  line(name) {
    return this.hasValue(name) ? lineOf(name, this) : null;
  }

  amount(id) {
    if (id in lines) return this.line(id)?.result ?? null;
    if (id in constants) return { digits: String(constants[id]), text: String(constants[id]) };
    const value = this.exact(id);
    if (value === null) return null;
    const show = shows[quantities[id]];
    return amount(shown(value, show), show);
  }

  fact(kind) {
    return this.catalogue.facts[kind][this.choices[kind]];
  }

  // What a phrase says here: a text, or null where it says nothing.
  says([kind, ...about]) {
    return PHRASES[kind](this, ...about);
  }

  holds([kind, ...about]) {
    return QUESTIONS[kind](this, ...about);
  }
}

const rate = (sheet) =>
  sheet.catalogue.datum("machine.compute_per_accelerator", sheet.choices);

function apart(sheet, id, other) {
  const [value, border] = [sheet.exact(id), sheet.exact(other)];
  if (value === null || border === null) return null;
  const side = compare(value, border);
  let digits;
  for (let more = 0; more <= MOST_MORE; more += 1) {
    digits = shown(value, shows[quantities[id]], more);
    if (compare(digits.value, border) === side) break;
  }
  return digits.text;
}

function reason(sheet, id) {
  const broken = premises[id]?.find(([name]) => name === null || !sheet.values[name]);
  return broken ? `has no value here, because ${broken[1]}` : null;
}

const PHRASES = {
  figure: (sheet, id) => sheet.amount(id)?.text ?? null,
  digits: (sheet, id) => sheet.amount(id)?.digits ?? null,
  also: (sheet, id) => sheet.line(id)?.also.text ?? null,
  apart,
  reason: (sheet, id) => (sheet.hasValue(id) ? null : reason(sheet, id)),
  datum: (sheet, id) => sheet.catalogue.datum(id, sheet.choices)?.datum ?? null,
  quoted: (sheet, id) => sheet.catalogue.datum(id, sheet.choices)?.quoted ?? null,
  chip: (sheet) => sheet.fact("accelerator").name,
  network: (sheet) => sheet.fact("model").name,
  weights_format: (sheet) => sheet.fact("precision").name,
  kv_format: (sheet) => sheet.catalogue.facts.precision[sheet.choices.kv_precision].name,
  arithmetic: (sheet) => sheet.choices.arithmetic.toUpperCase(),
  engine: (sheet) => sheet.result?.engine ?? null,
  benchmark: (sheet) => sheet.result?.benchmark.benchmark ?? null,
  attribution: (sheet) => sheet.result?.benchmark.attribution ?? null,
  statistic: (sheet) => sheet.result?.benchmark.statistic ?? null,
  read: (sheet) => sheet.result?.benchmark.read ?? null,
  result: (sheet, place, ...phrase) => sheet.against(place)?.says(phrase) ?? null,
  near(sheet, place) {
    const changes = sheet.nearest[place];
    if (!changes) return null;
    return changes.map(([name, value]) => `--${name.replaceAll("_", "-")} ${value}`).join(" ");
  },
  quoted_as: (sheet) => rate(sheet).quoted_as ?? null,
  derived: (sheet) => rate(sheet).derived ?? null,
};

const steps = (id) => Object.keys(lines).filter((name) => name.startsWith(`${id} `));

const QUESTIONS = {
  not: (sheet, question) => !sheet.holds(question),
  and: (sheet, one, other) => sheet.holds(one) && sheet.holds(other),
  holds: (sheet, id) => sheet.values[id],
  has_value: (sheet, id) =>
    id in lines ? sheet.hasValue(id) : steps(id).every((name) => sheet.line(name) !== null),
  states_its_parameters: (sheet) =>
    sheet.catalogue.datum("model.parameters", sheet.choices) !== undefined,
  result: (sheet, place, ...question) => sheet.against(place)?.holds(question) ?? false,
  has_result: (sheet, place) => sheet.found.length > place,
  has_near: (sheet, place) => sheet.nearest.length > place,
  chunked: (sheet) => sheet.view.chunked !== "off",
  quotes_another_rate: (sheet) => rate(sheet).quoted !== undefined,
};

const sheetFor = (sheet, place) => (place === undefined ? sheet : sheet.against(place));

// The worked line as the notes behind the numbers show it, or why there is none. A key is the id
// of a quantity, and after an @ which of the measured results it is held against.
export function workedText(whole, key) {
  const [id, place] = key.split("@");
  const sheet = sheetFor(whole, place);
  if (sheet === null) return whole.measured.fewer;
  return sheet.line(id)?.text ?? `${id} ${reason(sheet, id)}`;
}

// Where the value of a given comes from, as HTML that the build has written.
export function originOf(whole, key) {
  const [id, place] = key.split("@");
  const sheet = sheetFor(whole, place);
  if (sheet === null) return `<p>${whole.measured.fewer}</p>`;
  if (id in sheet.measured.lacking) return sheet.measured.origin(id, sheet.result);
  const datum = sheet.catalogue.datum(id, sheet.choices);
  if (datum) return datum.origin;
  if (!(id in sheet.catalogue.counted)) return null;
  const [formula, before, after] = sheet.catalogue.counted[id];
  return `<p>${before}${sheet.amount(formula).text}${after}</p>`;
}
