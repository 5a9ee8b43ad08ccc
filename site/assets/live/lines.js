// Worked lines: a tree with its numbers, and the fewest digits that give its result.
// The twin of render/operands.py, render/workings.py and language/notation/plain.py.

import { compare, worked } from "./exact.js";
import { amount, shown } from "./numbers.js";

export const MOST_MORE = 17;

// How strongly a piece of text holds together, as in language/notation/writing.py.
const [OPEN, LOOSE, SUM, PRODUCT, POWER, ATOM] = [0, 1, 2, 3, 4, 5];
const STRENGTH = { "+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "^": POWER };
const SIGNS = { "+": " + ", "-": " − ", "*": " × ", "/": " ÷ ", "^": "^" };
const RELATIONS = { "<": " < ", "<=": " ≤ ", ">": " > ", ">=": " ≥ ", "==": " = " };

// A place for an operand in a text that is being written.
const place = (number) => `\ue000${number}\ue001`;
const PLACE = /\ue000(\d+)\ue001/;

const bracketed = (text) => `(${text})`;
const inside = ([text, strength]) => (strength === OPEN ? bracketed(text) : text);
const operand = ([text, strength], strongerThan) =>
  strength <= Math.max(LOOSE, strongerThan) ? bracketed(text) : text;

// Write a tree: its text, with places for the operands, and how strongly it holds together.
function written(tree, strengths) {
  if (typeof tree === "number") return [place(tree), strengths[tree]];
  const [sign, ...parts] = tree;
  if (typeof sign === "number") return [String(sign), ATOM];
  const terms = parts.map((each) => written(each, strengths));
  if (sign === "?") {
    const [condition, then, otherwise] = terms;
    return [`${inside(then)} if ${condition[0]}, otherwise ${inside(otherwise)}`, OPEN];
  }
  if (sign in RELATIONS) return [terms.map(inside).join(RELATIONS[sign]), OPEN];
  if (!(sign in SIGNS)) return [`${sign}(${terms.map(inside).join(", ")})`, ATOM];
  if (terms.length === 1) return [`−${operand(terms[0], POWER)}`, LOOSE];
  const mine = STRENGTH[sign];
  const before = operand(terms[0], sign === "^" ? mine : mine - 1);
  return [`${before}${SIGNS[sign]}${operand(terms[1], mine)}`, mine];
}

function strengthOf({ text, unit }) {
  if (text.startsWith("−")) return LOOSE;
  return text.includes("E") || unit ? POWER : ATOM;
}

const isChoice = (tree) => Array.isArray(tree) && tree[0] === "?";
const hasChoice = (tree) => Array.isArray(tree) && (isChoice(tree) || tree.some(hasChoice));

// The condition of each choice that is made, and whether it holds.
function decided(tree, values, found = []) {
  if (!Array.isArray(tree)) return found;
  if (!isChoice(tree)) {
    for (const part of tree.slice(1)) decided(part, values, found);
    return found;
  }
  const holds = worked(tree[1], values);
  found.push([tree[1], holds]);
  decided(tree[1], values, found);
  return decided(holds ? tree[2] : tree[3], values, found);
}

const sameDecisions = (some, others) =>
  some.length === others.length && some.every(([, holds], index) => holds === others[index][1]);

const valueOf = (digits) => digits.map((each) => each.value);

class Operands {
  constructor(tree, operands, shows, values) {
    this.tree = tree;
    this.shows = operands.map(([, show]) => shows[show]);
    this.units = operands.map(([, , unit = ""]) => unit);
    this.values = values;
    this.known = operands.map(() => []);
    this.choices = hasChoice(tree) ? decided(tree, values) : null;
  }

  one(index, more) {
    const known = this.known[index];
    known[more] ??= {
      ...shown(this.values[index], this.shows[index], more),
      unit: this.units[index],
    };
    return known[more];
  }

  digits(more) {
    return more.map((each, index) => this.one(index, each));
  }

  allDigits() {
    return this.values.map((value, index) => {
      for (let more = 0; more < MOST_MORE; more += 1) {
        const digits = this.one(index, more);
        if (compare(digits.value, value) === 0) return digits;
      }
      return this.one(index, MOST_MORE);
    });
  }

  fewest(right) {
    const gives = (more) => {
      const values = valueOf(this.digits(more));
      const result = worked(this.tree, values);
      if (result === null || !right(result)) return false;
      return this.choices === null || sameDecisions(decided(this.tree, values), this.choices);
    };
    for (let extra = 0; extra <= MOST_MORE; extra += 1) {
      const more = this.values.map(() => extra);
      if (!gives(more)) continue;
      for (let index = 0; index < more.length; index += 1) {
        const most = more[index];
        for (let fewer = 0; fewer < most; fewer += 1) {
          more[index] = fewer;
          if (gives(more)) break;
          more[index] = most;
        }
      }
      return this.digits(more);
    }
    return null;
  }
}

const figure = ({ text, unit }) => (unit ? `${text} ${unit}` : text);

// Cut a text at its places: texts and operands take turns, a text first and last.
function cut(text, digits) {
  return text
    .split(PLACE)
    .map((part, index) => (index % 2 ? { number: figure(digits[Number(part)]) } : part));
}

const plain = (parts) => parts.map((part) => part.number ?? part).join("");

// A relation with the numbers of both sides, with the digits that it takes to see what is so.
function sides(tree, operands, values, shows) {
  const search = new Operands(tree, operands, shows, values);
  const truth = worked(tree, values);
  const digits = search.fewest((holds) => holds === truth) ?? search.allDigits();
  const parts = cut(written(tree, digits.map(strengthOf))[0], digits);
  return { parts, text: plain(parts) };
}

// The worked line of a formula (or of a step): { parts, text, result, also }.
function equation(tree, operands, show, also, value, values, shows) {
  const search = new Operands(tree, operands, shows, values);
  let more = 0;
  let result = shown(value, show, more);
  let second = also && shown(value, also);
  while (also && shown(result.value, also).text !== second.text) {
    more += 1;
    result = shown(value, show, more);
  }
  let digits = search.fewest((found) => shown(found, show, more).text === result.text);
  if (digits === null) {
    // Even all digits of the operands give another last digit: print what they give.
    digits = search.allDigits();
    result = shown(worked(tree, valueOf(digits)), show, more);
    second = also && shown(result.value, also);
  }
  const strengths = digits.map(strengthOf);
  const found = { result: amount(result, show), also: also && amount(second, also) };
  const trivial = typeof tree === "number" || typeof tree[0] === "number";
  let left = "";
  if (!trivial) {
    const [text] = written(tree, strengths);
    left = `${isChoice(tree) ? bracketed(text) : text} = `;
  }
  const because = decided(tree, valueOf(digits))
    .map(([relation, holds]) => {
      const text = plain(cut(written(relation, strengths)[0], digits));
      return `${text} ${holds ? "holds" : "does not hold"}`;
    })
    .join("; ");
  found.parts = [
    ...cut(left, digits),
    { number: found.result.text, strong: true },
    ...(also ? [" ≈ ", { number: found.also.text, strong: true }] : []),
    ...(because ? [` (${because})`] : []),
  ];
  found.text = plain(found.parts);
  return found;
}

// Work out one line of the book. `valueOf` gives exact values by id; null where there is none.
export function line([tree, operands, show, also], shows, valueOf, own) {
  const values = operands.map(([id]) => valueOf(id));
  if (values.includes(null)) return null;
  if (tree[0] in RELATIONS) return sides(tree, operands, values, shows);
  const value = own ?? worked(tree, values);
  if (value === null) return null;
  const second = also === undefined ? null : shows[also];
  return equation(tree, operands, shows[show], second, value, values, shows);
}
