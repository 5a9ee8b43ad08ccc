// How a number is shown: decimal digits, rounded half up. The twin of render/numbers.py.

import { isZero, negative, over, power10, times } from "./exact.js";

const LEAST_DIGITS = 3;
const WHOLE_UP_TO = 100000n;
const MOST_DECIMALS = 6;

// The exponent of the first digit: 1536 has 3.
function adjusted(above, below) {
  const guess = above.toString().length - below.toString().length;
  const least = guess < 0 ? above * power10(-guess) >= below : above >= below * power10(guess);
  return least ? guess : guess - 1;
}

// The whole number nearest to size × 10^places.
function nearest([above, below], places) {
  const [top, bottom] =
    places < 0 ? [above, below * power10(-places)] : [above * power10(places), below];
  return (2n * top + bottom) / (2n * bottom);
}

const scaled = (digits, places) =>
  places < 0 ? [digits * power10(-places), 1n] : [digits, power10(places)];

function decimal(size, places) {
  const digits = nearest(size, places);
  let text = digits.toString();
  if (places > 0) {
    text = text.padStart(places + 1, "0");
    text = `${text.slice(0, -places)}.${text.slice(-places)}`;
  }
  return { text, value: scaled(digits, places) };
}

function scientific(size, exponent, count) {
  let places = count - 1 - exponent;
  let digits = nearest(size, places);
  if (digits.toString().length > count) {
    // 9.995 was rounded to 10.00
    exponent += 1;
    places -= 1;
    digits = nearest(size, places);
  }
  const written = digits.toString();
  const mantissa = count > 1 ? `${written[0]}.${written.slice(1)}` : written;
  return { text: `${mantissa}E${exponent}`, value: scaled(digits, places) };
}

const large = ([above, below]) => above >= WHOLE_UP_TO * below;

// The decimals that write a number in full, or the most that are asked for.
function needed([above, below], most) {
  for (let places = 0; places < most; places += 1) {
    if ((above * power10(places)) % below === 0n) return places;
  }
  return most;
}

function positive(size, digits, decimals, more) {
  const [above, below] = size;
  const isWhole = above % below === 0n;
  const exponent = adjusted(above, below);
  if (decimals === null) {
    const count = digits + more;
    const places = count - 1 - exponent;
    if (large(size) || places > MOST_DECIMALS + more) return scientific(size, exponent, count);
    if (isWhole) return decimal(size, 0);
    const found = decimal(size, Math.max(0, places));
    return large(found.value) ? scientific(size, exponent, count) : found;
  }
  if (isWhole && decimals === 0) return decimal(size, 0);
  let places = Math.max(decimals, LEAST_DIGITS - 1 - exponent) + more;
  if (places > MOST_DECIMALS + more) return scientific(size, exponent, LEAST_DIGITS + more);
  if (decimals === 0) places = needed(size, places);
  return decimal(size, places);
}

// A fraction in base units as { text, value }: what is shown, and what the digits say.
export function shown(value, show, more = 0) {
  const [factor, part, digits, decimals] = show;
  if (isZero(value)) return { text: "0", value };
  const scale = [BigInt(factor), BigInt(part)];
  const [above, below] = over(value, scale);
  const size = above < 0n ? [-above, below] : [above, below];
  const found = positive(size, digits, decimals, more);
  const [top, bottom] = times(found.value, scale);
  if (!negative(value)) return { text: found.text, value: [top, bottom] };
  return { text: top === 0n ? found.text : `−${found.text}`, value: [-top, bottom] };
}

// A number that is shown, with the words after it.
export function amount({ text: digits }, show) {
  const [, , , , many, one = many] = show;
  const unit = digits === "1" ? one : many;
  return { digits, text: unit ? `${digits} ${unit}` : digits };
}
