// The runs, their axes, and the lines that plots draw of them.

const data = JSON.parse(document.getElementById('data').textContent);
const runs = data.table.line.map((_, k) => Object.fromEntries(Object.entries(data.table).map(([name, column]) => [name, column[k]])));

const valueText = (value) => (isNumber(value) ? digits(value) : typeof value === 'string' ? value : JSON.stringify(value));
const keyOf = (value) => JSON.stringify(value);
const nameOf = (value) => (value === null ? 'all' : typeof value === 'string' ? value : keyOf(value));

/** An axis of the plan with its values, each once, in the plan's order. */
const axes = data.axes.map((axis) => {
  const values = [...new Map(data.table[axis.name].map((value) => [keyOf(value), value])).values()];
  const isNumeric = values.every(isNumber);
  if (isNumeric) values.sort((a, b) => a - b);
  const short = axis.name.split(/[/.]/).slice(-2).filter((step) => !/^\d*$/.test(step)).join(' ');
  return {...axis, values, isNumeric, label: short || axis.name, isVaried: values.length > 1};
});
const varied = axes.filter((axis) => axis.isVaried);

// Values that belong together are points of one cloud, as nothing says which of them to join.
const isCloud = data.side_by_side || varied.some((axis) => axis.drawn);
const mostLines = 8;

/** What is looked at: the axis along which, the one that makes lines, and a value of each other, or all of them. */
const view = {
  x: varied[0] ?? null,
  lines: isCloud ? null : varied[1] ?? null,
  chosen: new Map(),  // axis → key of a value; without one: the mean of all

  others() { return isCloud ? [] : varied.filter((axis) => axis !== this.x && axis !== this.lines); },
  takes(run) { return this.others().every((axis) => !this.chosen.has(axis) || keyOf(run[axis.name]) === this.chosen.get(axis)); },

  /** Makes an axis that of x; the one that was there before takes its place. */
  turn(axis) {
    if (this.lines === axis) this.lines = this.x;
    this.x = axis;
  },
};

/** The values that lines stand for, evenly thinned where they are many. */
function lineValues() {
  const values = view.lines?.values ?? [null], every = (values.length - 1) / (mostLines - 1);
  return values.length <= mostLines ? values : Array.from({length: mostLines}, (_, k) => values[Math.round(k * every)]);
}

const placeOf = (value) => (view.x.isNumeric ? value : view.x.values.findIndex((v) => keyOf(v) === keyOf(value)));

/** Of every x the mean of all runs that are taken there, with how many they are. */
function meansOf(rows, figure) {
  const sums = new Map();
  for (const run of rows) {
    if (!isNumber(run[figure])) continue;
    const x = placeOf(run[view.x.name]), sum = sums.get(x) ?? {total: 0, count: 0};
    sums.set(x, {total: sum.total + run[figure], count: sum.count + 1});
  }
  return [...sums].map(([x, {total, count}]) => [x, total / count]).sort((a, b) => a[0] - b[0]);
}

function linesOf(figure) {
  const rows = runs.filter((run) => run.outcome === 'finished' && view.takes(run));
  if (isCloud) {
    const points = rows.filter((run) => isNumber(run[figure])).map((run) => [placeOf(run[view.x.name]), run[figure]]);
    return [{name: 'runs', label: '', points: points.sort((a, b) => a[0] - b[0])}];
  }
  return lineValues().map((value) => ({
    name: nameOf(value), label: value === null ? '' : valueText(value),
    points: meansOf(value === null ? rows : rows.filter((run) => keyOf(run[view.lines.name]) === keyOf(value)), figure),
  }));
}

// --- what plots ask (page/plot.js) -----------------------------------------------------------------

const series = {kind: 'line', page: data.title, none: ''};
const shown = () => runs;
const byName = () => ({diverged: false});
const focus = {isFaded: () => false};
const dashes = {};
/** From blue to orange in the order of the values, of one lightness: nearby values have nearby colours. */
function colour(name) {
  const values = lineValues(), place = values.findIndex((value) => nameOf(value) === name);
  return place < 0 ? 'var(--accent)' : `hsl(${215 + (165 * place) / Math.max(1, values.length - 1)} 70% 46%)`;
}
