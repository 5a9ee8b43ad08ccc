// The selector: a form that shows a configuration, and says which one is chosen.

import { count, IDS, obstacle, OPTIONAL } from "./choices.js";

function sentence(problem) {
  const end = /[?.]$/.test(problem) ? "" : ".";
  return `${problem[0].toUpperCase()}${problem.slice(1)}${end}`;
}

export class Selector {
  // *changed* is called with the new choices and the view.
  constructor(form, catalogue, changed) {
    this.form = form;
    this.catalogue = catalogue;
    this.said = form.querySelector("[role=status]");
    this.lengths = form.querySelector("[data-lengths]");
    this.stop = new AbortController();
    const { signal } = this.stop;
    form.addEventListener("change", (event) => this.#change(event.target, changed), { signal });
    form.addEventListener("submit", (event) => event.preventDefault(), { signal });
    form.addEventListener(
      "reset",
      (event) => {
        event.preventDefault();
        changed({ ...catalogue.defaults }, { chunked: "on" });
      },
      { signal },
    );
  }

  destroy() {
    this.stop.abort();
  }

  field(name) {
    return this.form.elements[name];
  }

  #change(target, changed) {
    if (target === this.lengths && target.value) {
      const [input, output] = target.value.split(" ");
      this.field("input_length").value = input;
      this.field("output_length").value = output;
    } else if (target === this.lengths) {
      this.field("input_length").focus();
      return;
    }
    const choices = {};
    for (const name of IDS) choices[name] = this.field(name).value;
    for (const name of OPTIONAL) if (this.field(name).value) choices[name] = this.field(name).value;
    for (const name of Object.keys(this.catalogue.counts)) {
      const field = this.field(name);
      const { value, problem } = count(name, field.value, this.catalogue);
      field.toggleAttribute("aria-invalid", Boolean(problem));
      if (problem) {
        this.say([problem]);
        return;
      }
      choices[name] = value;
    }
    const why = obstacle(choices, this.catalogue);
    if (why) this.say([why]);
    else changed(choices, { chunked: this.field("chunked").checked ? "on" : "off" });
  }

  say(problems) {
    this.said.textContent = problems.map(sentence).join(" ");
  }

  // Show a configuration, and which others are possible from it.
  show(choices, view) {
    for (const name of [...IDS, ...Object.keys(this.catalogue.counts)]) {
      this.field(name).value = choices[name];
      this.field(name).removeAttribute("aria-invalid");
    }
    for (const name of OPTIONAL) this.field(name).value = choices[name] ?? "";
    this.field("chunked").checked = view.chunked === "on";
    const lengths = `${choices.input_length} ${choices.output_length}`;
    const listed = [...this.lengths.options].some((each) => each.value === lengths);
    this.lengths.value = listed ? lengths : "";
    for (const name of ["accelerator", "precision", "arithmetic"]) this.#limit(name, choices);
  }

  // Make what cannot be chosen impossible to choose, with the reason beside it.
  #limit(name, choices) {
    for (const option of this.field(name).options) {
      option.dataset.name ??= option.textContent;
      const others = { ...choices };
      if (option.value) others[name] = option.value;
      else delete others[name];
      const why = obstacle(others, this.catalogue);
      const { arithmetic } = this.catalogue.resolved(others);
      const lacks = `no ${arithmetic.toUpperCase()}`;
      const where = name === "accelerator" ? lacks : `${lacks} on this accelerator`;
      option.disabled = why !== null;
      option.textContent = why ? `${option.dataset.name} (${where})` : option.dataset.name;
      if (why) option.title = why;
      else option.removeAttribute("title");
    }
  }
}
