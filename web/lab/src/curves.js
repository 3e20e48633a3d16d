// Figures over frames, a line a lane.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

/** What can be drawn: a number of the report, in the unit that people say. */
const figures = [
  { key: 'exact_lost_gravity', other: 'lost_gravity', label: 'lost gravity [%]', scale: 100 },
  { key: 'exact_max', label: 'distance to the exact step [mm]', scale: 1000, log: true },
  { key: 'distance_left', label: 'distance left, estimated [mm]', scale: 1000, log: true },
  { key: 'time_error', label: 'error of time, estimated [mm]', scale: 1000, log: true },
  { key: 'steps', other: 'substeps', label: 'steps a frame', scale: 1 },
  { key: 'exact_gap', label: 'energy gap', scale: 1, log: true },
  { key: 'exact_residual', other: 'residual', label: 'residual [N]', scale: 1, log: true },
  { key: 'strain_p99', label: 'strain, 99th percentile [%]', scale: 100 },
  { key: 'kinetic_energy', label: 'kinetic energy [J]', scale: 1 },
  { key: 'ms', label: 'time of a frame [ms]', scale: 1, log: true },
  { key: 'iterations', label: 'iterations a frame', scale: 1 },
];

/** A number in at most seven characters, as an axis has room for: 0.002, 2e-7, 10000, 2e+5. */
export function tickText(x) {
  const short = +x.toPrecision(3), size = Math.abs(short);
  return size !== 0 && (size < 1e-3 || size >= 1e5) ? short.toExponential() : String(short);
}

/** The figure of a report; null where there is none. A logarithm has a floor, or zeros would stand nowhere. */
function valueOf(figure, report) {
  let value = report[figure.key];
  if ((!Number.isFinite(value) || (figure.key === 'steps' && value === 0)) && figure.other) value = report[figure.other];
  if (!Number.isFinite(value)) return null;
  return figure.log ? Math.max(value * figure.scale, 1e-9) : value * figure.scale;
}

export class Curves {
  #plots = [];

  constructor(root) {
    this.root = root;
  }

  /** Begins anew: lanes are [{label, stroke: {light, dark, dash}}]. */
  begin(lanes, dark) {
    this.lanes = lanes;
    this.reports = lanes.map(() => []);
    this.theme(dark);
  }

  /** Draws all again: other colours, or another figure. */
  theme(dark) {
    this.dark = dark;
    for (const { plot } of this.#plots) plot.destroy();
    this.root.replaceChildren();
    this.#plots = this.chosen.map((_, i) => this.#make(i));
    this.resize(); // a plot's room is known when all are there
  }

  add(reports) {
    reports.forEach((report, lane) => this.reports[lane].push(report));
    for (const { plot, figure } of this.#plots) plot.setData(this.#data(figure));
  }

  resize() {
    for (const { plot, box } of this.#plots) plot.setSize(this.#size(box));
  }

  #data(figure) {
    const frames = this.reports[0].map(({ frame }) => frame);
    return [frames, ...this.reports.map((reports) => reports.map((report) => valueOf(figure, report)))];
  }

  #size(box) {
    return { width: Math.max(box.clientWidth, 160), height: Math.max(box.clientHeight - 34, 90) };
  }

  #make(index) {
    const figure = figures.find(({ key }) => key === this.chosen[index]) ?? figures[0];
    const box = document.createElement('div');
    box.className = 'plot';
    const choice = document.createElement('select');
    choice.setAttribute('aria-label', `Figure of curve ${index + 1}`);
    choice.append(...figures.map(({ key, label }) => new Option(label, key, false, key === figure.key)));
    choice.onchange = () => {
      this.chosen[index] = choice.value;
      this.theme(this.dark);
    };
    box.append(choice);
    this.root.append(box);
    const ink = this.dark ? '#c9ccd4' : '#3a3f4a', grid = this.dark ? '#34373f' : '#e3e3e0';
    const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 }, font: '12px system-ui', size: 52 };
    // On a logarithm only powers of ten have a line and a name, and of many only every second, third, ...
    const power = (x) => +Math.log10(x).toFixed(6);
    const whole = (_, splits) => {
      if (!figure.log) return splits;
      const powers = splits.map(power).filter(Number.isInteger), every = Math.ceil(powers.length / 5);
      return splits.map((x) => (Number.isInteger(power(x)) && (power(x) - powers[0]) % every === 0 ? x : null));
    };
    const names = (_, splits) => splits.map((x) => (x === null ? '' : tickText(x)));
    const series = this.lanes.map(({ label, stroke }) => ({
      label,
      stroke: this.dark ? stroke.dark : stroke.light,
      dash: String(stroke.dash).split(/[ ,]+/).map(Number).filter((x) => x > 0),
      width: 2,
      points: { show: false },
    }));
    const plot = new uPlot(
      {
        ...this.#size(box),
        scales: { x: { time: false }, y: { distr: figure.log ? 3 : 1 } },
        axes: [{ ...axis, size: 32 }, { ...axis, filter: whole, grid: { ...axis.grid, filter: whole }, ticks: { ...axis.ticks, filter: whole }, values: names }],
        legend: { show: false },
        cursor: { y: false },
        series: [{ label: 'frame' }, ...series],
      },
      this.#data(figure),
      box,
    );
    return { plot, figure, box };
  }
}
