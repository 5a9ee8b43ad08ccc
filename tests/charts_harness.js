// Mounts the charts on the page that tests look at, with the givens that a test has worked out.
import { mountCharts } from "./assets/live/charts.js";
import { program } from "./program.js";
import { GIVENS, MEASURED, NAMES, CHOICES } from "./given.js";

const evaluate = (choices) => {
  const { accelerator, model, precision, kv_precision, arithmetic } = choices;
  const known = GIVENS[[accelerator, model, precision, kv_precision, arithmetic].join(" ")];
  if (!known) return null;
  return program({
    ...known,
    "machine.accelerators": choices.tensor_parallelism,
    "workload.input_length": choices.input_length,
    "workload.output_length": choices.output_length,
    "workload.concurrency": choices.concurrency,
  });
};

const said = [];
document.addEventListener("derivations:chart", (event) => said.push(event.detail));
const charts = mountCharts(document.body, { evaluate, measured: MEASURED, names: NAMES });
charts.update(CHOICES, { chunked: true });
Object.assign(window, { charts, said, CHOICES });
