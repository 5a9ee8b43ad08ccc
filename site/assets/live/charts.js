// The charts of the article, drawn anew for whatever is chosen. Vega is loaded when a chart comes
// into view; until then, and without this script, the pictures in the page stay as they are.

const load = () => Promise.all([import("./vega.js"), import("./specifications.js")]);

const schemeNow = () =>
  document.body.getAttribute("data-md-color-scheme") === "slate" ? "dark" : "light";

/** Rounds half up, as the static tables do. */
function written(value, decimals) {
  const scale = 10 ** decimals;
  return (Math.floor(value * scale + 0.5) / scale).toFixed(decimals);
}

const compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0);

/** What both sides of a chart need to know: the choices, the runs, the names, the look. */
class Subject {
  constructor(look, { evaluate, measured, names }) {
    this.look = look;
    this.evaluate = evaluate;
    this.measured = measured;
    this.names = names;
    const every = [...new Set(measured.map((row) => row.accelerator))].sort(compare);
    this.place = new Map(every.map((each, place) => [each, place]));
    this.known = new Map();
  }

  choose(choices, chunked) {
    this.choices = choices;
    this.way = chunked ? "chunked" : "sequential";
    this.known.clear();
  }

  name(identity) {
    return this.names[identity]?.name ?? identity;
  }

  color(accelerator, scheme) {
    const palette = this.look.palette[scheme];
    const place = this.place.get(accelerator);
    return place === undefined ? this.look.inks[scheme].ink : palette[place % palette.length];
  }

  family(accelerator, kv_precision, arithmetic) {
    const key = `${accelerator} ${kv_precision} ${arithmetic}`;
    return { key, accelerator, kv_precision, arithmetic };
  }

  familyOf(row) {
    const arithmetic = this.look.computes_in[row.precision];
    return this.family(row.accelerator, row.kv_precision, arithmetic);
  }

  own() {
    const { accelerator, kv_precision, arithmetic } = this.choices;
    return this.family(accelerator, kv_precision, arithmetic);
  }

  /** The ceiling at one place, or NaN where there is none, or where it has to fit and does not. */
  limit(chart, family, choice, x, fits) {
    const key = `${family.key} ${choice} ${x}`;
    if (!this.known.has(key)) {
      const { accelerator, kv_precision, arithmetic } = family;
      const asked = { ...this.choices, accelerator, kv_precision, arithmetic, [choice]: x };
      this.known.set(key, this.evaluate(asked));
    }
    const values = this.known.get(key);
    if (!values || (fits && !values["memory.fits"])) return NaN;
    return values[this.look.lines[chart].ceiling[this.way]];
  }
}

const SAME = ["precision", "input_length", "output_length", "concurrency", "tensor_parallelism"];

/** The lines of a chart, as `derivations/charts/lines.py` gives them. */
function linesOf(subject, chart, axis, relative) {
  const { look, choices, measured } = subject;
  const { choice } = look.axes[axis];
  const grid = [...look.axes[axis].grid];
  while (2 * grid.at(-1) < choices[choice]) grid.push(2 * grid.at(-2), 2 * grid.at(-1));
  const rows = measured.filter(
    (row) =>
      row.models.includes(choices.model) &&
      SAME.every((each) => each === choice || row[each] === choices[each]),
  );
  const own = subject.own();
  const families = new Map();
  const byAccelerator = (one, other) =>
    compare(one.accelerator, other.accelerator) || compare(one.kv_precision, other.kv_precision);
  for (const row of [...rows].sort(byAccelerator)) {
    const family = subject.familyOf(row);
    if (!families.has(family.key)) families.set(family.key, family);
  }
  families.delete(own.key);
  const others = [...families.values()];
  const ordered = [
    ...others.filter((each) => each.accelerator !== own.accelerator),
    ...others.filter((each) => each.accelerator === own.accelerator),
    own,
  ];
  const places = new Set([...grid, choices[choice], ...rows.map((row) => row[choice])]);
  const xs = [...places].sort((one, other) => one - other);
  const selected = (family) => family.accelerator === choices.accelerator;
  const runs = [];
  for (const family of ordered) {
    const its = rows.filter((row) => subject.familyOf(row).key === family.key);
    for (const engine of [...new Set(its.map((row) => row.engine))].sort(compare)) {
      const points = its
        .filter((row) => row.engine === engine)
        .sort((one, other) => one[choice] - other[choice])
        .map((row) => {
          const value = chart === "throughput" ? row.output_rate : row.end_to_end;
          if (!relative) return [row[choice], value];
          const most = subject.limit(chart, family, choice, row[choice], false);
          const share = look.lines[chart].more_is_better ? value / most : most / value;
          return [row[choice], 100 * share];
        });
      const label = `${subject.name(family.accelerator)}, ${engine}`;
      runs.push({ label, kind: "measured", family, engine, selected: selected(family), points });
    }
  }
  const ceilings = relative
    ? [
        {
          label: "Theory",
          kind: "ceiling",
          family: subject.family("", "", ""),
          engine: "",
          selected: false,
          points: xs.map((x) => [x, 100]),
        },
      ]
    : ordered.map((family) => {
        const alone = ordered.filter((each) => each.accelerator === family.accelerator).length < 2;
        const format = alone ? "" : ` (KV ${family.kv_precision.toUpperCase()})`;
        return {
          label: `${subject.name(family.accelerator)}, theory${format}`,
          kind: "ceiling",
          family,
          engine: "",
          selected: family === own,
          points: xs.map((x) => [x, subject.limit(chart, family, choice, x, true)]),
        };
      });
  for (const line of [...ceilings, ...runs])
    line.points = line.points.filter(([, y]) => Number.isFinite(y));
  return [...ceilings, ...runs].filter((line) => line.points.length);
}

function styleOf(subject, line, scheme) {
  const { inks, vendors, filled } = subject.look;
  const { accelerator } = line.family;
  if (!accelerator) {
    const { quiet, back } = inks[scheme];
    return { color: quiet, shape: "circle", dash: [4, 3], inside: back, width: 1.5, size: 45 };
  }
  const told = vendors[subject.names[accelerator]?.vendor] ?? vendors[""];
  const color = subject.color(accelerator, scheme);
  return {
    color,
    shape: told.shape,
    dash: line.kind === "ceiling" ? told.dash : [],
    inside: line.engine === filled ? color : inks[scheme].back,
    width: line.selected ? 3.5 : 1.5,
    size: line.selected ? 90 : 45,
  };
}

const unitOf = (look, chart, relative) => (relative ? "%" : look.lines[chart].unit);
const decimalsOf = (look, chart, relative) => (relative ? 1 : look.lines[chart].decimals);

/** A chart in the page: its box, its controls, its table, and, when it was in view, its view. */
class Chart {
  constructor(figure, charts) {
    this.figure = figure;
    this.charts = charts;
    this.kind = figure.dataset.chart;
    this.box = figure.querySelector(".d-chart__box");
    this.controls = figure.querySelector(".d-chart__controls");
    this.table = figure.querySelector("table");
    this.before = this.table?.innerHTML;
    this.seen = new IntersectionObserver(
      (entries) => entries.some((each) => each.isIntersecting) && this.show(),
      { rootMargin: "150px" },
    );
    this.seen.observe(figure);
  }

  async show() {
    this.seen.disconnect();
    const [{ parse, View, expressionInterpreter }, { SPECIFICATIONS, LOOK }] = await load();
    if (this.gone) return;
    this.subject = this.charts.subjectFor(LOOK);
    this.room = document.createElement("div");
    this.room.className = "d-chart__live";
    this.room.setAttribute("role", "img");
    this.box.append(this.room);
    const specification = SPECIFICATIONS[this.kind === "roofline" ? "roofline" : "lines"];
    this.view = new View(parse(specification, null, { ast: true }), {
      expr: expressionInterpreter,
      renderer: "svg",
      hover: false,
    });
    this.view.tooltip((_, event, item, value) => this.point(event, value));
    this.view.initialize(this.room);
    this.addControls();
    this.sized = new ResizeObserver(() => this.draw());
    this.draw();
    this.figure.classList.add("d-chart--live");
    this.sized.observe(this.box);
  }

  draw() {
    const { subject, view } = this;
    if (!view || !subject.choices) return;
    const scheme = schemeNow();
    for (const [name, value] of Object.entries(subject.look.inks[scheme])) view.signal(name, value);
    if (this.kind === "roofline") this.drawRoofline(scheme);
    else this.drawLines(scheme);
    this.showControls();
  }

  fit(keyRows) {
    const { padding, key_row } = this.subject.look;
    const bottom = padding.bottom + keyRows * key_row;
    const width = Math.max(80, this.box.clientWidth - padding.left - padding.right);
    const height = Math.max(80, this.box.clientHeight - padding.top - bottom);
    this.view.width(width).height(height).padding({ ...padding, bottom });
  }

  drawLines(scheme) {
    const { subject, kind, view } = this;
    const { look, choices } = subject;
    const { axis, relative } = this.charts;
    const lines = linesOf(subject, kind, axis, relative);
    const decimals = decimalsOf(look, kind, relative);
    const unit = unitOf(look, kind, relative);
    const points = lines.flatMap((line, place) => {
      const style = styleOf(subject, line, scheme);
      return line.points.map(([x, y]) => ({
        ...style,
        line: `${place}`,
        label: line.label,
        kind: line.kind,
        x,
        y,
        tip: `${line.label}\n${look.axes[axis].says}: ${x}\n${written(y, decimals)} ${unit}`,
      }));
    });
    const measured = new Set(
      lines.filter((each) => each.kind === "measured").map((each) => each.family.key),
    );
    const entries = lines.filter(
      (each) => each.kind === "measured" || !measured.has(each.family.key),
    );
    const wide = this.box.clientWidth - look.padding.left - look.padding.right;
    const columns = Math.max(1, Math.floor(wide / look.key_column));
    const rows = Math.ceil(entries.length / columns);
    const key = entries.map((line, place) => ({
      ...styleOf(subject, line, scheme),
      label: line.label,
      kind: line.kind,
      px: (place % columns) * (wide / columns),
      row: Math.floor(place / columns),
      limit: wide / columns - look.key_words,
    }));
    this.fit(rows);
    const heading = relative ? look.relative[kind] : look.lines[kind].title;
    const { at, fixed, title, choice } = look.axes[axis];
    view
      .signal("heading", heading)
      .signal("subheading", look.how_to_read)
      .signal("x_title", at.replace("{}", choices[fixed]))
      .data("points", points)
      .data("key", key)
      .run();
    this.tabulate(title, lines, decimals);
    const own = lines.find((each) => each.family.key === subject.own().key);
    const here = own?.points.find(([x]) => x === choices[choice]);
    const theory =
      !relative && own?.kind === "ceiling" && here
        ? ` Theory at this configuration: ${written(here[1], decimals)} ${unit}.`
        : "";
    const runs = lines.filter((each) => each.kind === "measured").map((each) => each.label);
    const names = runs.length ? ` Measured: ${runs.join("; ")}.` : " No measured runs.";
    this.describe(`${heading}, against ${look.axes[axis].says}, for ${this.chosen()}.${theory}${names}`);
  }

  drawRoofline(scheme) {
    const { subject, view } = this;
    const { look, choices } = subject;
    const values = subject.evaluate(choices);
    if (!values) {
      view.data("roof", []).data("marks", []).run();
      this.fill(look.roofline.table, []);
      this.describe(`Roofline for ${this.chosen()}: there is no such configuration.`);
      return;
    }
    const number = (name) => values[name];
    const [compute, bandwidth] = ["machine.compute", "machine.bandwidth"].map(number);
    const ridge = number("roofline.balance");
    const phases = [
      { name: "decode", x: number("roofline.decode_intensity"), y: number("roofline.decode_rate") },
      {
        name: "prefill",
        x: number("roofline.prefill_intensity"),
        y: number("roofline.prefill_rate"),
      },
    ];
    const left = Math.min(1, ...phases.map((each) => each.x / 2));
    const right = Math.max(4 * ridge, ...phases.map((each) => 4 * each.x));
    const top = 4 * compute;
    const roof = [
      { x: left, y: left * bandwidth, top },
      { x: ridge, y: compute, top },
      { x: right, y: compute, top },
    ];
    const color = subject.color(choices.accelerator, scheme);
    const marks = [{ name: "ridge", x: ridge, y: compute }, ...phases].map((each) => ({
      ...each,
      ...look.places[each.name],
      color: each.name === "ridge" ? look.inks[scheme].ink : color,
      label: `${each.name}, ${written(each.x, 0)}`,
      tip:
        `${each.name}\n${written(each.x, 1)} FLOP per byte\n` +
        `${written(each.y / 1e12, 1)} TFLOP/s`,
    }));
    this.fit(0);
    const chip = subject.name(choices.accelerator);
    view
      .signal("heading", look.roofline.title)
      .signal("subheading", `${choices.tensor_parallelism} × ${chip}`)
      .data("roof", roof)
      .data("marks", marks)
      .run();
    this.fill(
      look.roofline.table,
      marks.map((each) => [each.name, written(each.x, 1), written(each.y / 1e12, 1)]),
    );
    const said = marks.map(
      (each) =>
        `${each.name} at ${written(each.x, 1)} FLOP per byte and ` +
        `${written(each.y / 1e12, 1)} TFLOP/s`,
    );
    this.describe(`Roofline for ${this.chosen()}: ${said.join("; ")}.`);
  }

  chosen() {
    const { choices } = this.subject;
    const name = (identity) => this.subject.name(identity);
    return (
      `${choices.tensor_parallelism} × ${name(choices.accelerator)}, ${name(choices.model)} in ` +
      `${choices.precision.toUpperCase()} with a KV cache in ${choices.kv_precision.toUpperCase()}, ` +
      `${choices.input_length} input and ${choices.output_length} output tokens, ` +
      `${choices.concurrency} concurrent users`
    );
  }

  describe(text) {
    this.room.setAttribute("aria-label", text);
  }

  tabulate(title, lines, decimals) {
    const found = lines.map((each) => new Map(each.points));
    const xs = [...new Set(found.flatMap((each) => [...each.keys()]))].sort((a, b) => a - b);
    const cell = (points, x) => (points.has(x) ? written(points.get(x), decimals) : "–");
    this.fill(
      [title, ...lines.map((each) => each.label)],
      xs.map((x) => [`${x}`, ...found.map((points) => cell(points, x))]),
    );
  }

  fill(header, rows) {
    if (!this.table) return;
    const row = (cells, tag) => {
      const made = document.createElement("tr");
      for (const text of cells) {
        const cell = document.createElement(tag);
        cell.textContent = text;
        made.append(cell);
      }
      return made;
    };
    const head = document.createElement("thead");
    const body = document.createElement("tbody");
    head.append(row(header, "th"));
    body.append(...rows.map((cells) => row(cells, "td")));
    this.table.replaceChildren(head, body);
  }

  point(event, value) {
    const tip = this.charts.tip;
    if (!value) {
      tip.hidden = true;
      return;
    }
    tip.textContent = value;
    tip.hidden = false;
    const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
    const top = Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8);
    tip.style.left = `${Math.max(4, left)}px`;
    tip.style.top = `${Math.max(4, top)}px`;
  }

  addControls() {
    const { charts, controls, kind } = this;
    const add = (tag, properties, ...inside) => {
      const made = Object.assign(document.createElement(tag), properties);
      made.append(...inside);
      return made;
    };
    if (kind !== "roofline") {
      const against = add("fieldset", {}, add("legend", { textContent: "Against" }));
      for (const [axis, { title }] of Object.entries(this.subject.look.axes)) {
        const radio = add("input", { type: "radio", name: `axis-${kind}`, value: axis });
        radio.addEventListener("change", () => charts.set({ axis }));
        against.append(add("label", {}, radio, ` ${title}`));
      }
      const share = add("input", { type: "checkbox", name: "relative" });
      share.addEventListener("change", () => charts.set({ relative: share.checked }));
      controls.append(against, add("label", {}, share, " Relative performance"));
    }
    const save = add("button", { type: "button", textContent: "Save as SVG" });
    save.addEventListener("click", () => this.save());
    controls.append(save);
  }

  showControls() {
    const { axis, relative } = this.charts;
    for (const each of this.controls.querySelectorAll("input"))
      each.checked = each.type === "radio" ? each.value === axis : relative;
  }

  async save() {
    this.view.background(this.subject.look.inks[schemeNow()].back);
    const text = await this.view.toSVG();
    this.view.background("transparent");
    const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = `${this.kind}-${this.subject.choices.accelerator}.svg`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  destroy() {
    this.gone = true;
    this.seen.disconnect();
    this.sized?.disconnect();
    this.view?.finalize();
    this.room?.remove();
    this.controls.replaceChildren();
    this.figure.classList.remove("d-chart--live");
    if (this.table) this.table.innerHTML = this.before;
  }
}

/**
 * Bring the charts below an element to life.
 *
 * `evaluate(choices)` gives values by id, in base units, or null; `measured` is a list of runs;
 * `names` gives `{name, vendor}` by id. Whenever a control is used, the element dispatches
 * `derivations:chart` with `{axis, relative}`; the same two may be given to start from.
 */
export function mountCharts(
  root,
  { evaluate, measured, names, axis = "users", relative = false },
) {
  const state = { choices: null, chunked: true };
  const charts = { axis, relative, subject: null };
  charts.subjectFor = (look) => {
    if (!charts.subject) {
      charts.subject = new Subject(look, { evaluate, measured, names });
      if (state.choices) charts.subject.choose(state.choices, state.chunked);
    }
    return charts.subject;
  };
  charts.set = (change) => {
    Object.assign(charts, change);
    every.forEach((each) => each.draw());
    const detail = { axis: charts.axis, relative: charts.relative };
    root.dispatchEvent(new CustomEvent("derivations:chart", { detail, bubbles: true }));
  };
  charts.tip = Object.assign(document.createElement("div"), {
    className: "d-chart__tip",
    hidden: true,
  });
  charts.tip.setAttribute("aria-hidden", "true");
  document.body.append(charts.tip);
  const every = [...root.querySelectorAll("[data-chart]")].map((each) => new Chart(each, charts));
  const painted = new MutationObserver(() => every.forEach((each) => each.draw()));
  painted.observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
  return {
    update(choices, { chunked = true, axis = charts.axis, relative = charts.relative } = {}) {
      Object.assign(state, { choices, chunked });
      Object.assign(charts, { axis, relative });
      charts.subject?.choose(choices, chunked);
      every.forEach((each) => each.draw());
    },
    destroy() {
      painted.disconnect();
      every.forEach((each) => each.destroy());
      charts.tip.remove();
    },
  };
}
