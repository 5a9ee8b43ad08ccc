// The facts, and how a configuration fills the givens with them. The twin of configure/.

export class Catalogue {
  constructor({ facts, filled, counted, counts, defaults }) {
    Object.assign(this, { facts, filled, counted, counts, defaults });
  }

  // All choices, with the formats that follow the precision filled in.
  resolved(choices) {
    const { precision } = choices;
    return {
      ...choices,
      kv_precision: choices.kv_precision ?? precision,
      arithmetic: choices.arithmetic ?? this.facts.precision[precision].computes_in,
    };
  }

  rates(accelerator) {
    return Object.keys(this.facts.accelerator[accelerator].amounts)
      .filter((field) => field.startsWith("compute."))
      .map((field) => field.replace("compute.", ""));
  }

  // The datum behind a given: undefined where it is a choice, or left to be counted.
  datum(given, resolved) {
    if (!(given in this.filled)) return undefined;
    const [choice, kind, field] = this.filled[given];
    if (choice === "arithmetic") {
      const { amounts } = this.facts.accelerator[resolved.accelerator];
      return amounts[`${field}.${resolved.arithmetic}`];
    }
    const id = kind === "assumption" ? "serving" : resolved[choice];
    return this.facts[kind][id].amounts[field];
  }

  // The value of every given by id, in base units, or null where the accelerator lacks the type.
  givens(resolved) {
    const found = {};
    for (const given of Object.keys(this.filled)) {
      const datum = this.datum(given, resolved);
      if (datum) found[given] = datum.value;
      else if (given in this.counted) found[given] = this.facts.model[resolved.model].counted;
      else return null;
    }
    for (const [name, { given }] of Object.entries(this.counts)) found[given] = resolved[name];
    return found;
  }
}
