// Numbers and names for people.

const significant = (value, digits) => {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    return `${trimZeros(mantissa)}e${exponent.replace("+", "")}`;
  }
  return trimZeros(Number(value.toPrecision(digits)).toString());
};

/** "2.50" → "2.5", "2.0" → "2". */
export const trimZeros = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
const properMinus = (text) => text.replace(/-/g, "−");

/** 5 significant digits, a true minus sign, an exponent only when needed. */
export function formatValue(value, unit = "", digits = 5) {
  if (!Number.isFinite(value)) return "–";
  const text = properMinus(significant(value, digits));
  return unit ? `${text} ${unit}` : text;
}

/** For number fields: a plain minus sign, no exponent, no trailing zeros. */
export const formatField = (value) => trimZeros((Math.abs(value) < 5e-6 ? 0 : value).toFixed(5));

/** Seconds with as many decimals as the samples need. */
export const formatTime = (time, decimals) => properMinus(time.toFixed(decimals));

/** Decimals that tell neighbouring samples apart, between 2 and 6. */
export function timeDecimals(times) {
  const step = times.length > 1 ? (times[times.length - 1] - times[0]) / (times.length - 1) : 1;
  if (!(step > 0)) return 2;
  return Math.min(6, Math.max(2, Math.ceil(-Math.log10(step))));
}

/** Decimals that write a step such as 2.5 or 0.02 in full. */
function decimalsOf(step) {
  const whole = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const scaled = step * 10 ** whole;
  return Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled ? whole : whole + 1;
}

/** Labels of axis ticks: all with the same number of decimals, or all with an exponent. */
export function formatTicks(ticks) {
  const known = ticks.filter((tick) => tick !== null);
  const largest = Math.max(...known.map(Math.abs), 0);
  const step = known.length > 1 ? Math.abs(known[1] - known[0]) : largest;
  if (largest === 0) return ticks.map(() => "0");
  const power = Math.floor(Math.log10(largest));
  const decimals = decimalsOf(step);
  const show = (tick) => {
    if (tick === null) return "";
    if (Math.abs(tick) < step * 1e-6) return "0";
    if (power < -3 || power >= 6) {
      const digits = Math.max(0, power + decimals);
      return properMinus(trimZeros((tick / 10 ** power).toFixed(digits)) + `e${power}`);
    }
    return properMinus(tick.toFixed(decimals));
  };
  return ticks.map(show);
}
