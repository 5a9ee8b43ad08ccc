// Exact fractions: [numerator, denominator] of BigInts, the denominator above zero.

const powers = [1n];

export function power10(exponent) {
  while (powers.length <= exponent) powers.push(powers.at(-1) * 10n);
  return powers[exponent];
}

const whole = (count) => [BigInt(count), 1n];

// The shortest decimal number that stands for a float.
export function exact(value) {
  if (Number.isSafeInteger(value)) return [BigInt(value), 1n];
  const [mantissa, exponent] = value.toExponential().split("e");
  const [before, after = ""] = mantissa.split(".");
  const shift = Number(exponent) - after.length;
  const digits = BigInt(before + after);
  return shift < 0 ? [digits, power10(-shift)] : [digits * power10(shift), 1n];
}

export const negative = ([above]) => above < 0n;
export const isZero = ([above]) => above === 0n;

export function compare([a, b], [c, d]) {
  const difference = b === d ? a - c : a * d - c * b;
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}

export const times = ([a, b], [c, d]) => [a * c, b * d];

// Division by zero gives null, as every operation on null does.
export function over([a, b], [c, d]) {
  if (c === 0n) return null;
  return c < 0n ? [-a * d, -b * c] : [a * d, b * c];
}

const minus = ([a, b]) => [-a, b];
const plus = ([a, b], [c, d]) => (b === d ? [a + c, b] : [a * d + c * b, b * d]);

function floor([above, below]) {
  const down = above / below;
  return [above < 0n && down * below !== above ? down - 1n : down, 1n];
}

function raised(base, [count, one]) {
  if (one !== 1n) throw new RangeError("a power needs a whole exponent to be exact");
  const [above, below] = base;
  if (count >= 0n) return [above ** count, below ** count];
  return over([below ** -count, 1n], [above ** -count, 1n]);
}

// The nearest float: 64 bits of the quotient and a trace of the rest round as the whole does.
export function toNumber([above, below]) {
  const size = above < 0n ? -above : above;
  const shift = BigInt(66 - size.toString(2).length + below.toString(2).length);
  const [top, bottom] = shift > 0n ? [size << shift, below] : [size, below << -shift];
  const quotient = top / bottom;
  const rest = quotient * bottom === top ? 0n : 1n;
  const nearest = Number((quotient << 1n) | rest) * 2 ** -Number(shift + 1n);
  return above < 0n ? -nearest : nearest;
}

const inFloats = (work) => (term) => exact(work(toNumber(term)));

const FUNCTIONS = {
  max: (...terms) => terms.reduce((most, each) => (compare(each, most) > 0 ? each : most)),
  min: (...terms) => terms.reduce((least, each) => (compare(each, least) < 0 ? each : least)),
  floor,
  ceil: (term) => minus(floor(minus(term))),
  sqrt: inFloats(Math.sqrt),
  exp: inFloats(Math.exp),
  log2: inFloats(Math.log2),
  "+": plus,
  "-": (left, right) => (right ? plus(left, minus(right)) : minus(left)),
  "*": times,
  "/": over,
  "^": raised,
};

const COMPARISONS = {
  "<": (sign) => sign < 0,
  "<=": (sign) => sign <= 0,
  ">": (sign) => sign > 0,
  ">=": (sign) => sign >= 0,
  "==": (sign) => sign === 0,
};

// Work a tree out from its operands: a fraction, whether a relation holds, or null where it
// divides by zero.
export function worked(tree, operands) {
  if (typeof tree === "number") return operands[tree];
  const [sign, ...parts] = tree;
  if (typeof sign === "number") return whole(sign);
  if (sign === "?") {
    const holds = worked(parts[0], operands);
    return holds === null ? null : worked(holds ? parts[1] : parts[2], operands);
  }
  const terms = parts.map((each) => worked(each, operands));
  if (terms.includes(null)) return null;
  const relation = COMPARISONS[sign];
  return relation ? relation(compare(terms[0], terms[1])) : FUNCTIONS[sign](...terms);
}
