// The page put together.

/** Five digits, as values that hardly differ must be told apart; its unit stands beside it. */
function preciseText(value) {
  if (!isNumber(value)) return '–';
  const size = Math.abs(value), text = value === 0 || (size >= 1e-4 && size < 1e6) ? String(Number(value.toPrecision(5))) : value.toExponential(3);
  return text.replace(/e\+?(-?\d+)/, (_, exponent) => '·10' + superscript(exponent)).replace('-', '−');
}
const numeric = data.figures.filter((figure) => figure.number);
const sentence = (text) => text[0].toUpperCase() + text.slice(1);

function writeHeader() {
  const {done, failed, running, left} = data.status, versions = [...new Set(data.table.muslin)];
  document.getElementById('facts').textContent = [
    countText(data.runs, 'run'), `${done} done`, failed ? `${failed} failed` : null, running ? `${running} running` : null,
    left ? `${left} left` : null, ...axes.map((axis) => `${axis.label}: ${countText(axis.values.length, 'value')}`),
    versions.length ? `Muslin ${listText(versions)}` : null].filter(Boolean).join(' · ');
  const notices = document.getElementById('notices');
  const notice = (text) => notices.append(make('p', {class: 'notice'}, text));
  if (data.set.length) notice(`In all runs: ${data.set.join(', ')}.`);
  if (versions.length > 1) notice('The runs come from several versions of Muslin; the table says which.');
  const most = 5;
  for (const {line, outcome, reason} of data.troubles.slice(0, most)) notice(`Run ${line}: ${outcome}${reason ? ': ' + reason : ''}.`);
  if (data.troubles.length > most) notice(`… and ${data.troubles.length - most} more: see the table.`);
}

// --- axes ------------------------------------------------------------------------------------------

function fillBar() {
  const choices = [], redraw = () => { fillBar(); Plot.renderAll(); fillMatrix(); writeLede(); };
  const choose = (label, options, current, take) => choices.push(make('span', {}, label + ' ', makeChoice(label, options, current, (value) => {
    take(value);
    redraw();
  })));
  if (varied.length > 1) choose('Along', varied.map((axis) => [axis, axis.label]), view.x, (axis) => view.turn(axis));
  if (!isCloud && varied.length > 2)
    choose('Lines', varied.filter((axis) => axis !== view.x).map((axis) => [axis, axis.label]), view.lines, (axis) => { view.lines = axis; });
  for (const axis of view.others()) {
    const select = make('select', {'aria-label': axis.label, onchange: () => {
      select.value === '' ? view.chosen.delete(axis) : view.chosen.set(axis, select.value);
      redraw();
    }}, make('option', {value: ''}, 'mean of all'), ...axis.values.map((value) => make('option', {value: keyOf(value)}, valueText(value))));
    select.value = view.chosen.get(axis) ?? '';
    choices.push(make('label', {}, axis.label + ' ', select));
  }
  if (view.lines) choices.push(make('span', {class: 'legend'}, `${view.lines.label}:`,
    ...lineValues().map((value) => make('span', {style: `--c:${colour(nameOf(value))}`}, valueText(value)))));
  document.getElementById('axes').replaceChildren(...choices);
}

function writeLede() {
  const means = view.others().filter((axis) => !view.chosen.has(axis)), says = [];
  if (!view.x) says.push('Nothing changes from run to run.');
  else if (isCloud) says.push('A point is a run.');
  else if (view.lines) says.push(`A line is a value of ${view.lines.name}` + (view.lines.values.length > mostLines ? `, ${mostLines} of ${view.lines.values.length}.` : '.'));
  if (means.length) says.push(`A point is the mean over ${listText(means.map((axis) => axis.name))}.`);
  document.getElementById('figures-lede').textContent = says.join(' ');
}

// --- figures ---------------------------------------------------------------------------------------

const xAxis = {
  get label() { return view.x.name; },
  get log() { return view.x.isNumeric && view.x.values[0] > 0 && (view.x.ratios || view.x.values.at(-1) > 100 * view.x.values[0]); },
  get exact() { return !view.x.isNumeric; },
  get whole() { return !view.x.isNumeric; },
  get ticks() { return view.x.isNumeric ? undefined : view.x.values.map((_, k) => k); },
  text: (x) => (view.x.isNumeric ? digits(x) : valueText(view.x.values[x])),
  head: (x) => `${view.x.label} ${xAxis.text(x)}`,
};

/** Where the figure is least and largest, among all that is drawn. */
function extremes(figure, text) {
  const points = linesOf(figure.name).flatMap((line) => line.points.map(([x, y]) => ({x, y, of: line.label})));
  if (points.length < 2) return '';
  const at = ({x, of}) => `${view.x.label} ${xAxis.text(x)}` + (of && view.lines ? `, ${view.lines.label} ${of}` : '');
  const least = points.reduce((a, b) => (b.y < a.y ? b : a)), most = points.reduce((a, b) => (b.y > a.y ? b : a));
  if (least.y === most.y) return `${sentence(text(least.y))} everywhere.`;
  return `From ${text(least.y)} (${at(least)}) to ${text(most.y)} (${at(most)}).`;
}

function makePlots() {
  const host = document.getElementById('figures');
  if (!view.x || !numeric.length) {
    host.append(make('p', {}, view.x ? 'The plan keeps no numbers.' : ''));
    return;
  }
  for (const figure of numeric) {
    const text = (value) => preciseText(value) + (figure.unit ? '\u00a0' + figure.unit : '');
    new Plot(host, {
      title: figure.name.replaceAll('_', ' '), group: 'x', dots: true, bare: isCloud, x: xAxis,
      y: {label: figure.doc + (figure.unit ? ` [${figure.unit}]` : ''), text, tick: preciseText},
      lines: () => linesOf(figure.name), finding: () => extremes(figure, text),
      nothing: 'No run that finished has this figure.',
    });
  }
  Plot.renderAll();
}

// --- pictures --------------------------------------------------------------------------------------

const pictureOf = (run) => data.pictures.png[run.line];
const picture = (run, words) => make('img', {src: `data:image/png;base64,${pictureOf(run)}`, alt: words, title: words, loading: 'lazy'});
const runText = (run) => `Run ${run.line}: ` + axes.map((axis) => `${axis.label} ${valueText(run[axis.name])}`).join(', ');

/** Pictures stand as the plots do: x to the right, a row a line; else one after another. */
function fillMatrix() {
  const host = document.getElementById('matrix'), rows = runs.filter((run) => pictureOf(run) && view.takes(run));
  document.getElementById('pictures').hidden = data.pictures.of === 0;
  if (data.pictures.of === 0) return;
  const kept = Object.keys(data.pictures.png).length, says = [];
  if (kept < data.pictures.of) says.push(`To keep this file small, ${kept} of ${data.pictures.of} pictures are here.`);
  const isMatrix = !isCloud && view.x && view.x.values.length <= 12;
  if (!isMatrix) {
    host.style.gridTemplateColumns = 'repeat(auto-fill, minmax(10rem, 1fr))';
    host.replaceChildren(...rows.map((run) => make('div', {}, picture(run, runText(run)), make('p', {}, runText(run)))));
  } else {
    const hasMean = view.others().some((axis) => !view.chosen.has(axis));
    if (hasMean) says.push('Of runs in one place the first is shown.');
    const top = [make('p', {}, view.lines ? `${view.lines.label} ↓, ${view.x.label} →` : view.x.label), ...view.x.values.map((x) => make('p', {class: 'top'}, valueText(x)))];
    const cells = lineValues().flatMap((value) => [make('p', {}, value === null ? '' : valueText(value)), ...view.x.values.map((x) => {
      const run = rows.find((r) => keyOf(r[view.x.name]) === keyOf(x) && (value === null || keyOf(r[view.lines.name]) === keyOf(value)));
      return run ? picture(run, runText(run)) : make('p', {}, '–');
    })]);
    host.style.gridTemplateColumns = `minmax(4rem, auto) repeat(${view.x.values.length}, minmax(4rem, 1fr))`;
    host.replaceChildren(...top, ...cells);
  }
  document.getElementById('pictures-lede').textContent = says.join(' ');
}

// --- table -----------------------------------------------------------------------------------------

const cellText = (value) => (value === null ? '–' : isNumber(value) ? String(Number(value.toPrecision(6))).replace('-', '−') : valueText(value));

function makeTable() {
  const units = Object.fromEntries(data.figures.map((figure) => [figure.name, figure.unit]));
  units.run_ms = 'ms';
  const columns = Object.keys(data.table).map((name) => ({head: axes.find((axis) => axis.name === name)?.label ?? name.replaceAll('_', ' '),
    sub: units[name] ? `[${units[name]}]` : '', get: (run) => run[name], text: name === 'key' ? (key) => key.slice(0, 12) : cellText}));
  new SortedTable(document.getElementById('table'), columns, runs);
}

writeHeader();
fillBar();
writeLede();
makePlots();
fillMatrix();
makeTable();
for (const [event, isPaper] of [['beforeprint', true], ['afterprint', false]])
  window.addEventListener(event, () => {
    Plot.forPaper = isPaper;
    Plot.renderAll();
  });
