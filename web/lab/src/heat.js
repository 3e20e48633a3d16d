// Colours for numbers on cloth: from dark violet to light yellow, even in lightness, the same as in the native pictures
// (OKLab, Ottosson 2020).
const steps = 256;

function linearOf(fraction) {
  const degree = Math.PI / 180;
  const lightness = 0.29 + 0.64 * fraction;
  const hue = (310 - 204 * fraction) * degree;
  const chroma = 0.135 + 0.035 * fraction - 0.052 * Math.sin(Math.PI * fraction);
  const a = chroma * Math.cos(hue), b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
  ].map((x) => Math.min(Math.max(x, 0), 1));
}

const table = Array.from({ length: steps }, (_, i) => linearOf(i / (steps - 1)));

/** Writes linear red, green, blue of every value into `colours`; values from 0 to `most`. */
export function paint(values, most, colours) {
  for (let v = 0; v < values.length; ++v) {
    const fraction = Number.isFinite(values[v]) ? Math.min(Math.max(values[v] / most, 0), 1) : 0;
    colours.set(table[Math.round(fraction * (steps - 1))], 3 * v);
  }
}

/** The scale as a CSS gradient. */
export function gradient() {
  const stops = Array.from({ length: 9 }, (_, i) => linearOf(i / 8));
  const css = (x) => Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
  return `linear-gradient(to right, ${stops.map((rgb) => `rgb(${rgb.map(css).join(' ')})`).join(', ')})`;
}

/** 1, 2 or 5 times a power of ten, above all but a hundredth of the values. */
export function roundTop(values) {
  const sorted = Float32Array.from(values.filter(Number.isFinite)).sort();
  const high = sorted.length ? sorted[Math.floor(0.99 * (sorted.length - 1))] : 0;
  if (!(high > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(high));
  return power * ([1, 2, 5].find((step) => high <= step * power * 1.000001) ?? 10);
}
