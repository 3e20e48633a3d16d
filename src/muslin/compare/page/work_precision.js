// Error over work: lines of runs, each a point with so many steps a frame.

const data = JSON.parse(document.getElementById('data').textContent);
const dashes = JSON.parse(document.getElementById('dashes').textContent);
const series = {kind: 'solver', page: data.scene_name + ' work', none: 'No solver is shown.'};
const runners = data.lines.filter((line) => !line.refusal);
const hidden = new Set();
const shown = () => runners.filter((line) => !hidden.has(line.name));
const colour = (name) => `var(--s-${name})`;
const byName = (name) => data.lines.find((line) => line.name === name);
const focus = {isFaded: () => false};
const {reference} = data;
const integrators = [...new Set(data.lines.map((line) => line.integrator).filter(Boolean))];

// --- what is looked at -----------------------------------------------------------------------------

const measures = {
  mean: {button: 'Mean up to', words: (frame) => `mean of the frames 1 to ${frame}`, of: (values) => values.reduce((a, b) => a + b, 0) / values.length},
  largest: {button: 'Largest up to', words: (frame) => `largest of the frames 1 to ${frame}`, of: (values) => Math.max(...values)},
  last: {button: 'At', words: (frame) => `at frame ${frame}`, of: (values) => values[values.length - 1]},
};
const look = {measure: 'mean', frame: data.frames};
const until = (values, measure = look.measure, frame = look.frame) =>
  (values.length < frame ? null : measures[measure].of(values.slice(0, frame)));
const msOf = (point) => measures.mean.of(point.ms.slice(0, look.frame));
const errorOf = (point) => until(point.error);
const doubt = () => until(reference.doubt) ?? 0;
const stepsText = (point) => countText(point.steps, 'step') + ' a frame' + (point.own ? ', the scene’s own' : '');

/** Points on the line in the order of their steps; the scene's own beside it, unless its steps are among them. */
function linesOver(x) {
  return shown().map((line) => {
    const known = new Set(line.points.filter((p) => !p.own || line.points.indexOf(p) < line.points.length - 1)), points = [], extras = [];
    for (const point of line.points) {
      const at = [x(point), errorOf(point), point];
      (known.has(point) && at[1] !== null ? points : extras).push(at);
    }
    return {name: line.name, label: line.label, integrator: line.integrator, points, extras};
  });
}

// --- plots of runs ---------------------------------------------------------------------------------

/** A plot whose points are read one by one. spec.floor: what lies below is unsure; spec.orders: slopes to compare with. */
class RunPlot extends Plot {
  render() {
    this.unit.textContent = this.spec.y.label;
    super.render();
  }

  renderAxes() {
    const floor = this.spec.floor?.() ?? 0, {left, right, bottom} = this.box;
    if (floor > this.y.domain[0])
      this.svg.append(draw('rect', {class: 'band', x: left, y: this.y(floor), width: right - left, height: Math.max(0, bottom - this.y(floor))}));
    super.renderAxes();
    this.renderKey();
  }

  // What the marks mean, of those that are there, in the words of a saved picture, too.
  renderKey() {
    const all = this.lines.flatMap((line) => [...line.points, ...line.extras]).map((p) => p[2]);
    const keys = [['hollow', 'with frames that did not converge', all.some((p) => p.unsolved_frames > 0)], ['own', 'the scene’s own steps', all.some((p) => p.own)],
      ['cross', 'ended early', this.spec.floor && all.some((p) => errorOf(p) === null)]];
    let x = this.box.left;
    for (const [kind, text] of keys.filter((key) => key[2])) {
      const y = this.height - 9;
      this.mark(x + 5, y, kind, 'var(--soft)');
      this.svg.append(draw('text', {x: x + 15, y: y + 4}, text));
      x += 34 + 6.4 * text.length;
    }
  }

  layOut(x, y) {
    this.height += 22;
    this.svg.setAttribute('viewBox', `0 0 ${this.width} ${this.height}`);
    super.layOut(x, y);
    this.box.bottom -= 20;
    this.y = makeScale(this.spec.y, y, [this.box.bottom, this.box.top]);
  }

  renderSlope() {
    const {left, right, top, bottom} = this.box, [x0] = this.x.domain, y0 = this.y.domain[1];
    for (const order of this.spec.orders ?? []) {
      const at = (x) => [this.x(x), this.y(y0 * (x / x0) ** -order)];
      const [endX, endY] = at(this.x.domain[1]);
      const part = Math.min(1, (bottom - top) / (endY - top)), x = left + part * (endX - left), y = top + part * (endY - top);
      this.svg.append(draw('line', {class: 'guide', x1: left, y1: top, x2: x, y2: y}),
        draw('text', {class: 'guide-text', x: x - 6, y: Math.min(bottom - 6, y - 4), 'text-anchor': 'end'}, `order ${order}`));
    }
  }

  mark(x, y, kind, ink) {
    const style = `--c:${ink}`, shapes = {
      circle: () => draw('circle', {class: 'dot', cx: x, cy: y, r: 3.6, style}),
      square: () => draw('rect', {class: 'dot', x: x - 3.3, y: y - 3.3, width: 6.6, height: 6.6, style}),
      triangle: () => draw('path', {class: 'dot', d: `M${x} ${y - 4.4}l4.4 7.6h-8.8z`, style}),
      own: () => draw('path', {class: 'ring', d: `M${x} ${y - 7}l7 7l-7 7l-7-7z`, style}),
      hollow: () => draw('circle', {class: 'hollow', cx: x, cy: y, r: 1.7, style}),
      cross: () => draw('path', {class: 'ring', d: `M${x - 4} ${y - 4}l8 8M${x + 4} ${y - 4}l-8 8`, style}),
    };
    if (kind === 'hollow' && ink === 'var(--soft)') this.svg.append(shapes.circle());
    this.svg.append(shapes[kind]());
  }

  placeOf(at) {
    return isNumber(at[1]) ? this.place(at) : [this.x(at[0]), this.box.top + 4];
  }

  renderDots(line) {
    const shape = ['circle', 'square', 'triangle'][Math.max(0, integrators.indexOf(line.integrator)) % 3], ink = colour(line.name);
    for (const at of [...line.points, ...line.extras]) {
      const [x, y] = this.placeOf(at), run = at[2];
      if (!isNumber(at[1])) { if (this.spec.floor) this.mark(x, y, 'cross', ink); continue; }
      this.mark(x, y, shape, ink);
      if (run.unsolved_frames > 0) this.mark(x, y, 'hollow', ink);
      if (run.own) this.mark(x, y, 'own', ink);
    }
  }

  renderNames() {
    this.numbers = [];
    if (this.spec.numbered)
      for (const line of this.lines.filter(({points}) => points.length > 1)) {
        this.number(line, line.points[0], -7, 3, 'end');
        this.number(line, line.points[line.points.length - 1], 0, 14, 'middle');
      }
    super.renderNames();
  }

  // The steps of a run beside its point, unless another number is there.
  number({name}, at, dx, dy, anchor) {
    const [left, top] = this.place(at), x = left + dx, y = top + dy;
    if (this.numbers.some((other) => Math.abs(other.x - x) < 18 && Math.abs(other.y - y) < 10)) return;
    this.numbers.push({x, y});
    this.svg.append(draw('text', {class: 'steps', x, y, 'text-anchor': anchor, style: `--c:${colour(name)}`}, String(at[2].steps)));
  }

  isFree(label) {
    const width = 7.4 * label.line.label.length + 20;
    return super.isFree(label) && !this.numbers.some(({x, y}) => x > label.x + 2 && x < label.x + width && Math.abs(y - 4 - label.place) < 13);
  }

  listen() {
    this.stops = this.lines.flatMap((line) => [...line.points, ...line.extras].map((at) => ({line, at})));
    this.marks = draw('g');
    this.svg.append(this.marks);
    const nearest = (event) => {
      const bounds = this.svg.getBoundingClientRect(), scale = this.width / bounds.width;
      const distance = ({at}) => {
        const [x, y] = this.placeOf(at);
        return Math.hypot(x - (event.clientX - bounds.left) * scale, y - (event.clientY - bounds.top) * scale);
      };
      return this.stops.reduce((best, stop) => (distance(stop) < distance(best) ? stop : best), this.stops[0]);
    };
    this.svg.onpointermove = this.svg.onpointerdown = (event) => this.read(nearest(event));
    this.svg.onpointerleave = () => this.leave();
  }

  read(stop) {
    if (!stop) return;
    this.value = stop;
    const {line, at} = stop, [x, y] = this.placeOf(at), run = at[2], style = `--c:${colour(line.name)}`;
    this.marks.replaceChildren(draw('circle', {class: 'ring', cx: x, cy: y, r: 8, style}));
    const row = (what, value) => make('tr', {style}, make('td', {}, what), make('td', {}, value));
    this.tip.replaceChildren(make('b', {style}, make('i'), `${line.label}, ${stepsText(run)}`), make('table', {},
      row('time a frame', msText(msOf(run))),
      ...(isNumber(errorOf(run)) ? Object.entries(measures).map(([key, {words}]) => row('error, ' + words(look.frame), lengthText(until(run.error, key)))) : []),
      ...remarksOf(run).map((text) => make('tr', {}, make('td', {colspan: 2}, text)))));
    this.tip.hidden = false;
    const toRight = x < this.width * 0.55;
    this.tip.style.left = toRight ? `${x + 14}px` : 'auto';
    this.tip.style.right = toRight ? 'auto' : `${this.width - x + 14}px`;
    this.tip.style.top = `${this.canvas.offsetTop + Math.max(8, y - 60)}px`;
  }
}

const remarksOf = (run) => [run.unsolved_frames ? `${countText(run.unsolved_frames, 'frame')} did not converge` : '', run.remark].filter(Boolean);

/** A round length that some reach and the reference is sure of. */
function goal() {
  const errors = runners.flatMap((line) => line.points.map(errorOf)).filter((e) => isNumber(e) && e > 2 * doubt());
  if (!errors.length) return null;
  const middle = median(errors), unit = 10 ** Math.floor(Math.log10(middle));
  return unit * [5, 2, 1].find((s) => s * unit <= middle * 1.0001);
}

function findingText() {
  const length = goal();
  if (!length) return '';
  const rows = shown().map((line) => ({line, points: line.points.filter((p) => isNumber(errorOf(p)) && errorOf(p) <= length)}))
    .filter(({points}) => points.length)
    .map(({line, points}) => ({line, best: points.reduce((a, b) => (msOf(b) < msOf(a) ? b : a))}))
    .sort((a, b) => msOf(a.best) - msOf(b.best));
  const never = shown().filter((line) => !rows.some((row) => row.line === line));
  if (!rows.length) return `None comes within ${lengthText(length)} (${measures[look.measure].words(look.frame)}).`;
  return `To come within ${lengthText(length)} (${measures[look.measure].words(look.frame)}) takes ` +
    listText(rows.slice(0, 3).map(({line, best}) => `${line.label} ${msText(msOf(best))} a frame`)) +
    (never.length ? `; ${listText(never.map((line) => line.label))} ${never.length > 1 ? 'do' : 'does'} not.` : '.');
}

const leastError = () => Math.min(...shown().flatMap((line) => line.points.map(errorOf)).filter((e) => e > 0));
const floorGuide = () => (doubt() > 0 ? [{y: doubt(), text: `the reference itself: ${lengthText(doubt())}`}] : []);
const errorAxis = {
  get label() { return `error, ${measures[look.measure].words(look.frame)}: root mean square over vertices`; }, log: true, text: lengthText, limits: [1e-12, 1e3],
  get floor() { return doubt() / 2; },
  get include() { return doubt() > leastError() / 30 ? doubt() : undefined; },
};
const mostSteps = Math.max(...runners.flatMap((line) => line.points.map((p) => p.steps)));
const powersOfTwo = Array.from({length: Math.floor(Math.log2(mostSteps)) + 1}, (_, k) => 2 ** k);
const stepAxis = {label: 'steps a frame', log: true, text: String, ticks: powersOfTwo.filter((_, k, all) => all.length < 9 || k % 2 === 0)};
const plots = [
  ['diagram', {
    title: 'Error over work', wide: true, height: 540, dots: true, numbered: true, floor: doubt,
    x: {label: 'processor time of a frame, one thread', log: true, text: msText}, y: errorAxis,
    get guides() { return floorGuide(); },
    lines: () => linesOver(msOf), nothing: 'No run came so far.',
  }],
  ['over-steps', {
    title: 'What smaller steps gain', height: 330, dots: true, floor: doubt, orders: [1, 2], x: stepAxis, y: errorAxis,
    get guides() { return floorGuide(); },
    lines: () => linesOver((p) => p.steps), nothing: 'No run came so far.',
  }],
  ['over-steps', {
    title: 'What smaller steps cost', height: 330, dots: true, x: stepAxis,
    y: {label: 'processor time of a frame, one thread', log: true, text: msText},
    lines: () => linesOver((p) => p.steps).map((line) => ({...line,
      points: line.points.map(([x, , p]) => [x, msOf(p), p]), extras: line.extras.filter((at) => at[1] !== null).map(([x, , p]) => [x, msOf(p), p])})),
    nothing: 'No run came so far.',
  }],
];

// --- table -----------------------------------------------------------------------------------------

const rows = runners.flatMap((line) => line.points.map((point, k) => ({line, point, before: line.points[k - 1]})));
const order = ({point, before}) => {
  const [a, b] = [before, point].map((p) => p && errorOf(p));
  return a > 0 && b > 0 && point.steps > before.steps ? Math.log2(a / b) / Math.log2(point.steps / before.steps) : null;
};
const columns = [
  {head: 'Solver', get: (r) => r.line.label, text: String},
  {head: 'Steps', sub: 'a frame', get: (r) => r.point.steps, text: String},
  {head: 'Time', sub: 'a frame', get: (r) => (errorOf(r.point) === null ? null : msOf(r.point)), text: msText},
  ...data.looked_at.map((frame) => ({head: 'Error', sub: `at frame ${frame}`, get: (r) => until(r.point.error, 'last', frame), text: lengthText})),
  {head: 'Error', sub: 'mean', get: (r) => until(r.point.error, 'mean'), text: lengthText},
  {head: 'Error', sub: 'largest', get: (r) => until(r.point.error, 'largest'), text: lengthText},
  {head: 'Order', sub: 'from the row above', get: order, text: (v) => (isNumber(v) ? v.toFixed(1).replace('-', '−') : '–')},
  {head: 'Remarks', get: (r) => [r.point.own ? 'the scene’s own steps' : '', ...remarksOf(r.point)].filter(Boolean).join('; '), text: String, isWords: true},
];
const table = new SortedTable(document.getElementById('table'), columns, rows, ({line}) =>
  ({class: hidden.has(line.name) ? 'off' : undefined, style: `--c:${colour(line.name)}`}));

// --- the page --------------------------------------------------------------------------------------

function showAll() {
  Plot.renderAll();
  table.fill();
  document.getElementById('below').textContent = findingText();
}

function writeHeader() {
  document.getElementById('facts').textContent = [countText(data.vertices, 'vertex'), countText(data.triangles, 'triangle'),
    `${countText(data.frames, 'frame')} of ${secondsText(data.frame_time)}`,
    reference.travelled.length ? `in them the cloth travels ${lengthText(reference.travelled[reference.travelled.length - 1])}` : null,
    reference.doubt.length ? `the reference is sure to ${lengthText(doubt())}` : null].filter(Boolean).join(' · ');
  const notice = (text) => document.getElementById('notices').append(make('p', {class: 'notice'}, text));
  if (data.outcome === 'interrupted') notice('Interrupted: runs are missing.');
  if (reference.failure) notice(`The reference ${reference.failure}: there is nothing to hold runs against.`);
  if (reference.unsolved_frames) notice(`In ${countText(reference.unsolved_frames, 'frame')} of the reference a step stopped before its tolerance.`);
  for (const line of data.lines) {
    if (line.refusal) notice(`${line.label} cannot run this scene: ${line.refusal}.`);
    else if (line.points.length && line.points.every((p) => p.remark)) notice(`${line.label} ended early with any number of steps: ${line.points[0].remark}.`);
  }
}

function makeLegend() {
  for (const line of runners)
    document.getElementById('legend').append(make('button', {type: 'button', 'aria-pressed': 'true', onclick: (event) => {
      hidden.has(line.name) ? hidden.delete(line.name) : hidden.add(line.name);
      event.currentTarget.setAttribute('aria-pressed', String(!hidden.has(line.name)));
      showAll();
    }}, draw('svg', {viewBox: '0 0 34 10', 'aria-hidden': 'true'}, draw('line', {x1: 0, x2: 34, y1: 5, y2: 5, 'stroke-width': 3,
      style: `stroke:${colour(line.name)}`, ...(dashes[line.name] ? {'stroke-dasharray': dashes[line.name]} : {})})), line.label));
}

function makeControls() {
  const choose = (key) => (value) => { look[key] = value; showAll(); };
  document.getElementById('measure').append('Error', makeChoice('Measure', Object.entries(measures).map(([key, {button}]) => [key, button]), look.measure, choose('measure')),
    'frame', makeChoice('Frame', data.looked_at.map((f) => [f, String(f)]), look.frame, choose('frame')));
}

function writeMethod() {
  const say = (text) => document.getElementById('made').append(make('p', {}, text));
  say('Every run takes equal steps, so many a frame, with the solver’s other settings as the scene has them and the same loss of velocity a second; steps are not adaptive. ' +
    'A diamond marks the steps that the scene itself has for the solver. Explicit steps begin with as many as they need to stay stable.');
  say(`The reference is ${reference.method} (${reference.integrator}) with ${reference.steps} steps a frame, each solved to rounding as far as it converges. ` +
    `With ${reference.check_steps} it comes elsewhere by what the floor shows.`);
  say('Time is the processor’s, of one thread, averaged over the frames from the first on, set-up of the solver included.');
  say('Where cloth meets something, families do not mean quite the same by contact; the reference has its own. Where cloth buckles, motions part that were alike: look at earlier frames.');
  for (const words of new Set(data.lines.filter((line) => line.limits).map((line) => `${line.limits[0].toUpperCase()}${line.limits.slice(1)}.`))) say(words);
}

writeHeader();
makeLegend();
makeControls();
for (const [host, spec] of plots) new RunPlot(document.getElementById(host), spec);
showAll();
writeMethod();
