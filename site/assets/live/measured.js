// The measured results: those of a configuration, and the nearest where there are none.

import { program } from "./book.js";
import { OPTIONAL } from "./choices.js";
import { exact, times, toNumber } from "./exact.js";

const COUNTS = ["tensor_parallelism", "input_length", "output_length", "concurrency"];
const MOST_NEAREST = 3;

function compare(one, other) {
  for (let place = 0; place < one.length; place += 1) {
    const [a, b] = [one[place], other[place]];
    const order = Array.isArray(a) ? compare(a, b) : a < b ? -1 : a > b ? 1 : 0;
    if (order) return order;
  }
  return one.length - other.length;
}

const RUN = ["accelerator", "precision", "kv_precision", ...COUNTS];
const CHANGED = [...RUN, "arithmetic", "model"];

// How far a configuration is: by the changes, those of hardware and model last, then the counts.
function distance(changes, resolved) {
  const counts = changes.filter(([name]) => COUNTS.includes(name));
  const steps = counts
    .map(([name, value]) => Math.abs(Math.log2(value / resolved[name])))
    .reduce((sum, each) => sum + each, 0);
  return [changes.length - counts.length, steps, changes.map(([, value]) => String(value))];
}

const keyOf = (run) => RUN.map((name) => run[name]).join(" ");

export class Results {
  constructor({ figures, factors, lacking, fewer, benchmarks, rows }) {
    Object.assign(this, { figures, lacking, fewer });
    this.nothing = Object.fromEntries(Object.keys(lacking).map((id) => [id, NaN]));
    const inBaseUnits = factors.map(([above, below]) =>
      above === below
        ? Number
        : (digits) => toNumber(times(exact(Number(digits)), [BigInt(above), BigInt(below)])),
    );
    this.rows = rows.map((row) => {
      const [benchmark, accelerator, engine, precision, kv_precision, ...rest] = row;
      const counts = Object.fromEntries(COUNTS.map((name, place) => [name, rest[place]]));
      const digits = rest.slice(COUNTS.length);
      const values = digits.map((each, place) => inBaseUnits[place](each));
      const ran = { accelerator, precision, kv_precision, ...counts };
      return { benchmark: benchmarks[benchmark], engine, ran, values, digits };
    });
    this.byRun = Map.groupBy(this.rows, ({ ran }) => keyOf(ran));
  }

  // The results of a configuration, the highest rate first.
  of(resolved) {
    const found = (this.byRun.get(keyOf(resolved)) ?? []).filter(
      ({ ran, benchmark }) =>
        ran.precision === resolved.arithmetic && benchmark.stands_for.includes(resolved.model),
    );
    return found.sort((a, b) => compare([-a.values[0], a.engine], [-b.values[0], b.engine]));
  }

  // The givens that a result fills, or that are lacking: NaN.
  givens(result) {
    if (!result) return this.nothing;
    const figures = this.figures.map((id, place) => [id, result.values[place]]);
    return { ...this.nothing, ...result.benchmark.values, ...Object.fromEntries(figures) };
  }

  // The runs as the charts read them.
  runs() {
    return this.rows.map(({ benchmark, engine, ran, values }) => {
      const figures = Object.fromEntries(this.figures.map((id, place) => [id, values[place]]));
      const { input_length, output_length } = ran;
      const lengths = {
        "workload.input_length": input_length,
        "workload.output_length": output_length,
      };
      return {
        ...ran,
        engine,
        models: benchmark.stands_for,
        end_to_end: figures["measured.end_to_end"],
        output_rate: program({ ...figures, ...lengths })["measured.output_rate"],
      };
    });
  }

  // Where the value of a given comes from, as HTML.
  origin(id, result) {
    if (!result) return this.lacking[id];
    const [before, after] = result.benchmark.origin[id];
    if (after === undefined) return before;
    return `${before}${result.digits[this.figures.indexOf(id)]}${after}`;
  }

  // What to change for the nearest configurations that were measured. *asked* are the choices
  // themselves, *resolved* those with all formats filled in.
  nearest(asked, resolved) {
    const follows = OPTIONAL.filter((name) => asked[name] === undefined);
    let fewest = Infinity;
    let found = [];
    for (const [{ ran, benchmark }] of this.byRun.values()) {
      const [first] = benchmark.stands_for;
      const model = benchmark.stands_for.includes(resolved.model) ? resolved.model : first;
      const theirs = { ...ran, arithmetic: ran.precision, model };
      const here = (name) => (follows.includes(name) ? ran.precision : resolved[name]);
      const changed = CHANGED.filter((name) => theirs[name] !== here(name));
      if (changed.length > fewest) continue;
      if (changed.length < fewest) found = [];
      fewest = changed.length;
      found.push(changed.map((name) => [name, theirs[name]]));
    }
    const ranked = found.map((changes) => ({ changes, distance: distance(changes, resolved) }));
    ranked.sort((a, b) => compare(a.distance, b.distance));
    return ranked.slice(0, fewest ? MOST_NEAREST : 0).map(({ changes }) => changes);
  }
}
