// Numbers as words, and elements made by hand: nothing that a file says is ever read as HTML.

const data = JSON.parse(document.getElementById('data').textContent);
const clouds = JSON.parse(document.getElementById('clouds').textContent);

/** An element with attributes, properties ("onclick") and children (elements or text). */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element[name] = value;
    else if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** The same for SVG. */
function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);

/** Three significant digits, without a tail of zeros that means nothing. */
function digits(value) {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 9999.5 || size < 0.0009995) return power(value);
  return String(Number(value.toPrecision(size >= 1 && size < 10 ? 2 : 3)));
}

const superscript = (whole) => String(whole).replace(/./g, (c) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[c] ?? '⁻');

/** 2·10⁻⁹ */
function power(value) {
  let exponent = Math.floor(Math.log10(Math.abs(value)));
  let front = (value / 10 ** exponent).toFixed(0);
  if (Math.abs(front) === 10) [front, exponent] = [value < 0 ? '-1' : '1', exponent + 1];
  const tens = '10' + superscript(exponent);
  return front === '1' ? tens : front === '-1' ? '−' + tens : front.replace('-', '−') + '·' + tens;
}

const units = [[1, 'm'], [1e-2, 'cm'], [1e-3, 'mm'], [1e-6, 'µm'], [1e-9, 'nm']];

function lengthText(metres) {
  if (!isNumber(metres)) return '–';
  const size = Math.abs(metres);
  if (size < 1e-12) return '0';
  if (size >= 1000) return digits(metres) + ' m';
  const [unit, name] = units.find(([u]) => size >= 0.9995 * u) ?? units[units.length - 1];
  return digits(metres / unit) + ' ' + name;
}

function shareText(share) {
  if (!isNumber(share)) return '–';
  const percent = 100 * share, size = Math.abs(percent);
  const text = size >= 9.95 ? percent.toFixed(0) : size >= 0.05 ? percent.toFixed(1) : size < 1e-9 ? '0' : digits(percent);
  return (text === '-0' ? '0' : text.replace('-', '−')) + ' %';
}

const gapText = (gap) => (!isNumber(gap) ? '–' : Math.abs(gap) < 1e-13 ? '0' : digits(gap).replace('-', '−'));
const forceText = (newtons) => (isNumber(newtons) ? digits(newtons) + ' N' : '–');
const energyText = (joules) => (isNumber(joules) ? digits(joules).replace('-', '−') + ' J' : '–');
const msText = (ms) => (!isNumber(ms) ? '–' : ms >= 9999.5 ? digits(ms / 1000) + ' s' : digits(ms) + ' ms');
const countText = (count, noun) => count.toLocaleString('en') + ' ' + noun + (count === 1 ? '' : 's');
const secondsText = (seconds) => (seconds < 1 ? digits(1000 * seconds) + ' ms' : digits(seconds) + ' s');

/** "a", "a and b", "a, b and c" */
function listText(words) {
  return words.length < 2 ? words.join('') : words.slice(0, -1).join(', ') + ' and ' + words[words.length - 1];
}

function median(values) {
  const sorted = values.filter(isNumber).sort((a, b) => a - b);
  return sorted.length ? sorted[Math.floor(sorted.length / 2)] : null;
}

// --- solvers ---------------------------------------------------------------------------------------

/** Solid for the reference, Newton and plain descent; the others differ in their dashes too. */
const dashes = {
  chebyshev: '8 3', pbd: '2 3', xpbd: '10 3 2 3', block_descent: '5 3', projective: '12 4',
  baraff_witkin: '9 3 2 3 2 3', explicit: '3 4', position: '6 2 2 2', implicit: '4 2',
};
const everyone = [data.reference, ...data.solvers];
const runners = everyone.filter((solver) => !solver.refused);
const hidden = new Set();
const shown = (solvers = runners) => solvers.filter((solver) => !hidden.has(solver.name));
const colour = (name) => `var(--s-${/^[a-z_]+$/.test(name) ? name : 'reference'})`;
const byName = (name) => everyone.find((solver) => solver.name === name);

/** Whether the frame's last step was held against a reference step of this solver. */
const isMeasured = (frame) => frame === data.frames || (frame - 1) % data.reference_every === 0;
