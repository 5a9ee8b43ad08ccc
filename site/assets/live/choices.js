// A configuration in the address of the page: ?accelerator=b200&concurrency=128.
// Everything in it is checked; what cannot be is left out, and said.

// The choices that are ids, and those that follow the precision where they are left out.
export const IDS = ["accelerator", "precision", "model"];
export const OPTIONAL = ["kv_precision", "arithmetic"];
export const VIEW = { chunked: ["on", "off"], chart: ["users", "tp"], relative: ["off", "on"] };

// How many signs have to be changed to make one word of the other.
function distance(one, other) {
  let row = [...other].map((_, index) => index + 1);
  [...one].forEach((sign, index) => {
    let left = index + 1;
    let above = index;
    row = row.map((up, place) => {
      const changed = above + (sign === other[place] ? 0 : 1);
      above = up;
      left = Math.min(left + 1, up + 1, changed);
      return left;
    });
  });
  return row.at(-1) ?? one.length;
}

export function near(word, known) {
  const close = known
    .map((each) => [distance(word.toLowerCase(), each), each])
    .filter(([far, each]) => far <= Math.max(2, each.length / 3))
    .sort(([a], [b]) => a - b)
    .slice(0, 2)
    .map(([, each]) => each);
  return close.length ? `; did you mean ${close.join(" or ")}?` : "";
}

// What to write in place of an id that there is not.
function instead(word, known) {
  if (near(word, known)) return near(word, known);
  return known.length > 12 ? "; choose one from the list" : `; there is ${known.join(", ")}`;
}

const told = (text) => `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`;

function identity(kind, text, { facts }) {
  const known = facts[kind];
  if (Object.hasOwn(known, text)) return { value: text };
  const alias = Object.keys(known).find((id) => known[id].aliases.includes(text));
  if (alias) return { value: alias };
  return { problem: `there is no ${kind} ${told(text)}${instead(text, Object.keys(known))}` };
}

export function count(name, text, { counts }) {
  const { least, most } = counts[name];
  const value = Number(text);
  if (/^\d{1,15}$/.test(text.trim()) && value >= least && value <= most) return { value };
  const title = name.replaceAll("_", " ");
  return { problem: `${title} is ${told(text)}; it should be a whole number from ${least} to ${most}` };
}

// Why an accelerator cannot compute in what a configuration asks for, or nothing.
export function obstacle(choices, catalogue) {
  const { accelerator, arithmetic } = catalogue.resolved(choices);
  const rates = catalogue.rates(accelerator);
  if (rates.includes(arithmetic)) return null;
  const { name } = catalogue.facts.accelerator[accelerator];
  const has = rates.map((each) => each.toUpperCase()).sort().join(", ");
  return `${name} has no ${arithmetic.toUpperCase()} arithmetic; it has ${has}`;
}

function types(catalogue) {
  const every = Object.keys(catalogue.facts.accelerator).flatMap((id) => catalogue.rates(id));
  return [...new Set(every)].sort();
}

function choice(name, text, catalogue) {
  if (name in catalogue.counts) return count(name, text, catalogue);
  if (IDS.includes(name)) return identity(name, text, catalogue);
  if (name === "kv_precision") return identity("precision", text, catalogue);
  const known = types(catalogue);
  if (known.includes(text)) return { value: text };
  return { problem: `there is no arithmetic ${told(text)}${instead(text, known)}` };
}

// Read a query: { choices, view, problems }.
export function read(query, catalogue) {
  const choices = { ...catalogue.defaults };
  const view = Object.fromEntries(Object.entries(VIEW).map(([name, [first]]) => [name, first]));
  const names = [...Object.keys(catalogue.counts), ...IDS, ...OPTIONAL];
  const problems = [];
  const given = new Map();
  for (const [name, text] of new URLSearchParams(query)) {
    const twice = given.has(name) && given.get(name) !== text;
    if (twice) problems.push(`${told(name)} is given twice; the last one counts`);
    given.set(name, text);
    if (names.includes(name)) {
      const { value, problem } = choice(name, text, catalogue);
      if (problem) problems.push(problem);
      else choices[name] = value;
    } else if (Object.hasOwn(VIEW, name)) {
      if (VIEW[name].includes(text)) view[name] = text;
      else problems.push(`${name} is ${told(text)}; it should be ${VIEW[name].join(" or ")}`);
    } else {
      const hint = near(name, [...names, ...Object.keys(VIEW)]);
      if (hint) problems.push(`there is no choice ${told(name)}${hint}`);
    }
  }
  const why = obstacle(choices, catalogue);
  if (why) {
    problems.push(why);
    for (const name of ["accelerator", "precision", ...OPTIONAL]) {
      if (name in catalogue.defaults) choices[name] = catalogue.defaults[name];
      else delete choices[name];
    }
  }
  return { choices, view, problems };
}

// Write a query, with what is as it is by default left out.
export function write(choices, view, catalogue) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(choices)) {
    const usual = OPTIONAL.includes(name) ? undefined : catalogue.defaults[name];
    if (value !== undefined && value !== usual) query.set(name, value);
  }
  for (const [name, value] of Object.entries(view)) {
    if (value !== VIEW[name][0]) query.set(name, value);
  }
  const text = query.toString();
  return text ? `?${text}` : "";
}
