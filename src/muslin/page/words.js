// Numbers as words, and elements made by hand: nothing that a file says is ever read as HTML.

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

/** Buttons of which one is pressed. */
function makeChoice(label, options, current, choose) {
  const group = make('span', {class: 'choice', role: 'group', 'aria-label': label});
  options.forEach(([value, text]) => group.append(make('button', {type: 'button', 'aria-pressed': String(value === current), onclick: (event) => {
    for (const button of group.children) button.setAttribute('aria-pressed', String(button === event.currentTarget));
    choose(value);
  }}, text)));
  return group;
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
  if (size >= 1000) return digits(metres) + '\u00a0m';
  const [unit, name] = units.find(([u]) => size >= 0.9995 * u) ?? units[units.length - 1];
  return digits(metres / unit) + '\u00a0' + name;
}

function percentText(fraction) {
  if (!isNumber(fraction)) return '–';
  const text = (100 * fraction).toFixed(Math.abs(fraction) >= 0.0995 ? 0 : 1);
  return (text === '-0.0' ? '0.0' : text.replace('-', '−')) + '\u00a0%';
}

const prefixes = [[1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n'], [1e-12, 'p']];

/** "4.5 kJ", "−20 mN" */
function siText(value, unit) {
  if (!isNumber(value)) return '–';
  const size = Math.abs(value);
  if (size < 1e-14) return '0\u00a0' + unit;
  const [scale, prefix] = prefixes.find(([s]) => size >= 0.9995 * s) ?? prefixes[prefixes.length - 1];
  return digits(value / scale).replace('-', '−') + '\u00a0' + prefix + unit;
}

const gapText = (gap) => (!isNumber(gap) ? '–' : Math.abs(gap) < 1e-13 ? '0' : digits(gap).replace('-', '−'));
/** A gap in a table: a fraction, or why it is none. */
const gapCell = (gap) => {
  if (!isNumber(gap)) return 'nothing to minimise';
  if (gap > 1) return `${gapText(gap)}: beyond the start`;
  return gap < -1e-6 ? `${gapText(gap)}: below the reference` : gapText(gap);
};
const forceText = (newtons) => siText(newtons, 'N');
const energyText = (joules) => siText(joules, 'J');

/** A gap in a sentence: "31 % of the way", "2·10⁻⁶ of the way", "21 times the way". */
function wayText(gap) {
  if (gap > 9.95) return digits(gap) + ' times the way';
  return (gap >= 5e-4 ? percentText(gap) : gap < 1e-13 ? 'none' : power(gap)) + ' of the way';
}
const msText = (ms) => (!isNumber(ms) ? '–' : ms >= 9999.5 ? digits(ms / 1000) + '\u00a0s' : digits(ms) + '\u00a0ms');
const countText = (count, noun) =>
  count.toLocaleString('en') + '\u00a0' + (count === 1 ? noun : noun.replace(/ex$/, 'ice') + 's');
const secondsText = (seconds) => (seconds < 1 ? digits(1000 * seconds) + '\u00a0ms' : digits(seconds) + '\u00a0s');

/** "a", "a and b", "a, b and c" */
function listText(words) {
  return words.length < 2 ? words.join('') : words.slice(0, -1).join(', ') + ' and ' + words[words.length - 1];
}

function median(values) {
  const sorted = values.filter(isNumber).sort((a, b) => a - b);
  return sorted.length ? sorted[Math.floor(sorted.length / 2)] : null;
}
