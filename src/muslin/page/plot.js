// One kind of plot: lines over a common axis, named at their ends, read by pointer or arrow keys.
// A page says who the lines are: `series`, `shown`, `byName`, `colour`, `dashes` and `focus`.

const niceSteps = [1, 2, 5, 10];

function linearTicks([low, high], count) {
  const rough = (high - low) / count, unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * niceSteps.find((s) => s * unit >= rough * 0.999);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) ticks.push(k * step);
  return ticks;
}

/** Decades, thinned to about `count`; 1, 2 and 5 where there are too few. */
function logTicks([low, high], count) {
  const from = Math.ceil(Math.log10(low) - 1e-9), to = Math.floor(Math.log10(high) + 1e-9);
  if (to - from < 2) {
    const ticks = [];
    for (let e = from - 1; e <= to + 1; ++e)
      for (const m of [1, 2, 5]) if (m * 10 ** e >= low * 0.999 && m * 10 ** e <= high * 1.001) ticks.push(m * 10 ** e);
    return ticks.length > count + 2 ? ticks.filter((_, k) => k % 2 === 0) : ticks;
  }
  const every = Math.ceil((to - from + 1) / count), ticks = [];
  for (let e = to; e >= from; e -= every) ticks.push(10 ** e);
  return ticks.reverse();
}

/** From values to pixels and back. */
function makeScale(axis, domain, range) {
  const bend = axis.log ? Math.log10 : (v) => v, unbend = axis.log ? (v) => 10 ** v : (v) => v;
  const [a, b] = domain.map(bend);
  const scale = (value) => range[0] + ((bend(value) - a) / (b - a || 1)) * (range[1] - range[0]);
  scale.invert = (pixel) => unbend(a + ((pixel - range[0]) / (range[1] - range[0])) * (b - a));
  scale.domain = domain;
  return scale;
}

/** The span of some values, within the limits of the axis and with air around it. */
function spanOf(values, axis) {
  const usable = values.filter((v) => isNumber(v) && (!axis.log || v > 0));
  if (usable.length === 0) return null;
  let low = Math.min(...usable), high = Math.max(...usable);
  const floor = typeof axis.floor === 'function' ? axis.floor() : axis.floor ?? 0;
  if (axis.include !== undefined) [low, high] = [Math.min(low, axis.include), Math.max(high, axis.include)];
  if (axis.limits) {
    low = Math.min(Math.max(low, axis.limits[0]), axis.limits[1]);
    high = Math.max(Math.min(high, axis.limits[1]), axis.limits[0]);
  }
  if (axis.log) [low, high] = [Math.max(low, floor), Math.max(high, floor)];
  else if (high - low < floor) high = low + floor;
  if (axis.exact) return low < high ? [low, high] : [low - 0.5, high + 0.5];
  if (axis.log) return low < high / 1.05 ? [low / 1.4, high * 1.4] : [low / 3, high * 3];
  const air = high > low ? 0.05 * (high - low) : Math.abs(high) * 0.1 || 1;
  return [low - air, high + air];
}

/** Moves labels apart, downwards and upwards, without changing their order. */
function spread(labels, gap, top, bottom) {
  labels.sort((a, b) => a.y - b.y);
  labels.forEach((label, k) => (label.place = Math.max(label.y, k ? labels[k - 1].place + gap : top)));
  for (let k = labels.length - 1; k >= 0; --k) {
    const most = k + 1 < labels.length ? labels[k + 1].place - gap : bottom;
    labels[k].place = Math.min(labels[k].place, most);
  }
}

/**
 * spec: title, finding() → sentence, lines() → [{name, label, points: [[x, y]], extras: more of them beside the line}], x and y: {label, log, text,
 * limits, include, exact, floor}, dots, bare (no lines between them), guides: [{y, text}], bands() → [[from, to]], bandText, group, onPick(x), height. The floor of
 * an axis, or what gives it, is what rounding alone makes: no smaller value, and no smaller span, is drawn.
 */
class Plot {
  static all = [];

  constructor(host, spec) {
    this.spec = spec;
    this.heading = make('h3', {}, spec.title);
    this.finding = make('p', {class: 'finding'});
    this.unit = make('p', {class: 'unit'}, spec.y.label);
    this.canvas = make('div');
    this.tip = make('div', {class: 'tip', hidden: '', 'aria-live': 'polite'});
    this.figure = make('figure', {class: 'plot' + (spec.wide ? ' wide' : ''), tabindex: 0},
      make('div', {class: 'title'}, this.heading, saveButtons(this)), this.finding, this.unit, this.canvas, this.tip);
    this.figure.setAttribute('aria-label', spec.title + '. Arrow keys read the values.');
    this.figure.onkeydown = (event) => this.onKey(event);
    this.figure.onblur = () => this.leave();
    host.append(this.figure);
    Plot.all.push(this);
    new ResizeObserver(() => {
      if (!Plot.forPaper && this.canvas.clientWidth && this.canvas.clientWidth !== this.width) this.render();
    }).observe(this.canvas);
  }

  static renderAll() { for (const plot of Plot.all) plot.render(); }

  static forPaper = false;  // plots have the widths of a printed page

  render() {
    const {spec} = this;
    this.finding.textContent = spec.finding ? spec.finding() : '';
    this.finding.hidden = !this.finding.textContent;
    this.width = Plot.forPaper ? (spec.wide ? 690 : 335) : this.canvas.clientWidth || 480;
    this.height = Plot.forPaper ? (spec.wide ? 235 : 180) : spec.height ?? (this.width < 420 ? 250 : 290);
    this.lines = spec.lines().filter((line) => line.points.some(([, y]) => isNumber(y)));
    this.svg = draw('svg', {viewBox: `0 0 ${this.width} ${this.height}`, 'aria-hidden': 'true'});
    this.canvas.replaceChildren(this.svg);
    this.leave();
    const pointsOf = (line) => [...line.points, ...(line.extras ?? [])];
    const x = spanOf(this.lines.flatMap((line) => pointsOf(line).map((p) => p[0])), spec.x);
    const tame = this.lines.filter((line) => !byName(line.name).diverged);  // the others leave the axis
    const y = spanOf((tame.length ? tame : this.lines).flatMap((line) => pointsOf(line).map((p) => p[1])), spec.y);
    if (!x || !y) return this.renderNothing();
    this.layOut(x, y);
    this.renderBands();
    this.renderAxes();
    this.renderLines();
    this.renderNames();
    this.listen();
  }

  renderNothing() {
    this.x = null;
    const reason = shown().length === 0 ? series.none : this.spec.nothing ?? 'Nothing to show here.';
    this.svg.append(draw('text', {class: 'empty', x: 0, y: 40}, reason));
  }

  layOut(x, y) {
    const longest = Math.max(0, ...this.lines.map((line) => line.label.length));
    this.box = {left: this.width < 420 ? 48 : 56, top: 8, bottom: this.height - 38,
      right: this.width - Math.min(0.3 * this.width, 7.2 * longest + 16)};
    this.x = makeScale(this.spec.x, x, [this.box.left, this.box.right]);
    this.y = makeScale(this.spec.y, y, [this.box.bottom, this.box.top]);
    this.id = 'clip' + Plot.all.indexOf(this);
    this.svg.append(draw('clipPath', {id: this.id}, draw('rect', {x: this.box.left - 1, y: this.box.top - 3,
      width: this.box.right - this.box.left + 4, height: this.box.bottom - this.box.top + 6})));
  }

  renderBands() {
    const {left, right, top, bottom} = this.box;
    let widest = null;
    for (const [from, to] of this.spec.bands ? this.spec.bands() : []) {
      const a = Math.max(left, this.x(from)), b = Math.min(right, this.x(to));
      if (b <= a) continue;
      this.svg.append(draw('rect', {class: 'band', x: a, y: top, width: b - a, height: bottom - top}));
      if (!widest || b - a > widest[1] - widest[0]) widest = [a, b];
    }
    if (!widest) return;
    const middle = Math.max(left + 30, Math.min(right - 30, (widest[0] + widest[1]) / 2));
    this.svg.append(draw('text', {class: 'guide-text', x: middle, y: bottom - 6, 'text-anchor': 'middle'}, this.spec.bandText));
  }

  renderAxes() {
    const {left, right, top, bottom} = this.box, {spec, svg} = this;
    const ticksOf = (axis, scale, count) => (axis.log ? logTicks : linearTicks)(scale.domain, count);
    for (const tick of ticksOf(spec.y, this.y, 5)) {
      const y = this.y(tick);
      svg.append(draw('line', {class: 'grid', x1: left, x2: right, y1: y, y2: y}),
        draw('text', {x: left - 7, y: y + 4, 'text-anchor': 'end'}, (spec.y.tick ?? spec.y.text)(tick)));
    }
    const ticks = spec.x.ticks ?? ticksOf(spec.x, this.x, Math.max(3, Math.floor((right - left) / 70)));
    for (const tick of ticks) {
      if (spec.x.whole && tick !== Math.round(tick)) continue;
      const x = this.x(tick);
      svg.append(draw('line', {class: 'axis', x1: x, x2: x, y1: bottom, y2: bottom + 4}),
        draw('text', {x, y: bottom + 17, 'text-anchor': 'middle'}, (spec.x.tick ?? spec.x.text)(tick)));
    }
    svg.append(draw('line', {class: 'axis', x1: left, x2: right, y1: bottom, y2: bottom}),
      draw('text', {x: right, y: bottom + 33, 'text-anchor': 'end'}, spec.x.label));
    this.renderSlope();
    this.guideBoxes = [];
    for (const {y, text} of spec.guides ?? []) {
      if (!(y >= this.y.domain[0] && y <= this.y.domain[1])) continue;
      svg.append(draw('line', {class: 'guide', x1: left, x2: right, y1: this.y(y), y2: this.y(y)}),
        draw('text', {class: 'guide-text', x: right - 4, y: this.y(y) - 5, 'text-anchor': 'end'}, text));
      this.guideBoxes.push({left: right - 4 - 6.3 * text.length, middle: this.y(y) - 9});
    }
  }

  // First order: y in proportion to x, through a point.
  renderSlope() {
    const anchor = this.spec.slope?.();
    if (!anchor) return;
    const [low, high] = this.x.domain, y = (x) => this.y((anchor[1] * x) / anchor[0]), end = this.box.right;
    this.svg.append(draw('line', {class: 'guide', x1: this.x(low), x2: this.x(high), y1: y(low), y2: y(high),
      'clip-path': `url(#${this.id})`}));
    this.svg.append(draw('text', {class: 'guide-text', x: end, y: Math.max(this.box.top + 10, y(high) - 6), 'text-anchor': 'end'},
      'half the step, half the error'));
  }

  // Where a value stands; what a logarithm cannot show, or what lies below the axis, stands on its floor.
  place([x, y]) {
    const [low] = this.y.domain;
    const onFloor = this.spec.y.log && !(y > low);
    return [this.x(x), this.y(onFloor ? low : y)];
  }

  renderLines() {
    for (const line of this.lines) {
      let path = '', pen = false;
      for (const point of line.points) {
        if (!isNumber(point[1])) { pen = false; continue; }
        const [x, y] = this.place(point);
        path += (pen ? 'L' : 'M') + x.toFixed(1) + ' ' + Math.max(-1e4, Math.min(1e4, y)).toFixed(1);
        pen = true;
      }
      const dash = dashes[line.name];
      if (!this.spec.bare) this.svg.append(draw('path', {class: 'line' + (focus.isFaded(line.name) ? ' faded' : ''), d: path, style: `--c:${colour(line.name)}`,
        'clip-path': `url(#${this.id})`, ...(dash ? {'stroke-dasharray': dash} : {})}));
      if (this.spec.dots) this.renderDots(line);
    }
  }

  renderDots(line) {
    for (const point of line.points) {
      if (!isNumber(point[1])) continue;
      const [x, y] = this.place(point);
      if (y < this.box.top - 3 || y > this.box.bottom + 3) continue;
      this.svg.append(draw('circle', {class: 'dot', cx: x, cy: y, r: 3, style: `--c:${colour(line.name)}`}));
    }
  }

  // Names stand where lines end: beside the box, or inside it where a line ends early and there is room.
  renderNames() {
    const {right, top, bottom} = this.box, beside = [];
    const endOf = (line) => line.points.filter((p) => isNumber(p[1])).pop();
    const latest = Math.max(...this.lines.map((line) => endOf(line)[0]));
    this.inside = [];
    for (const line of this.lines) {
      const end = endOf(line);
      const [x, y] = this.place(end), inside = Math.max(top, Math.min(bottom, y));
      this.svg.append(draw('circle', {class: 'dot', cx: x, cy: inside, r: 3.4, style: `--c:${colour(line.name)}`}));
      const label = {line, x, y: inside, beyond: Math.abs(y - inside) > 3 ? y - inside : 0};
      const isEarly = end[0] < latest && x < right - 7.4 * line.label.length - 24;
      if (!isEarly || !this.nameInside(label)) beside.push(label);
    }
    spread(beside, 14, top + 2, bottom);
    for (const label of beside) {
      const bend = right + 4;
      this.svg.append(draw('path', {class: 'leader', style: `--c:${colour(label.line.name)}`,
        d: `M${label.x + 4} ${label.y}L${bend} ${label.place}`}));
      this.name(label, bend + 3);
    }
  }

  // Names a line near its end, where there is room for it.
  nameInside(label) {
    for (const by of [0, -13, 13, -26, 26, -39, 39, -52, 52, 65]) {
      label.place = label.y + by;
      const isOutside = label.place < this.box.top || label.place > this.box.bottom;
      if (isOutside || !this.isFree(label)) continue;
      if (by !== 0)
        this.svg.append(draw('path', {class: 'leader', style: `--c:${colour(label.line.name)}`,
          d: `M${label.x + 3} ${label.y + Math.sign(by) * 2}L${label.x + 9} ${label.place}`}));
      this.name(label, label.x + (by ? 12 : 8));
      this.inside.push(label);
      return true;
    }
    return false;
  }

  // Whether no other line runs where a label inside the box would stand.
  isFree({line, x, place}) {
    const width = 7.4 * line.label.length + 14;
    const clash = (a, b) => a >= x + 3 && a <= x + width && Math.abs(b - place) < 10;
    if (this.inside.some((other) => Math.abs(other.place - place) < 14 && Math.abs(other.x - x) < width + 8)) return false;
    if (this.guideBoxes.some((box) => x + width > box.left && Math.abs(box.middle - place) < 13)) return false;
    return !this.lines.some((other) => other !== line && other.points.some((p, k, all) => {
      if (!isNumber(p[1])) return false;
      const [a, b] = this.place(p);
      if (clash(a, b)) return true;
      const next = all[k + 1];
      if (!next || !isNumber(next[1])) return false;
      const [c, d] = this.place(next);
      for (let t = 0.1; t < 1; t += 0.1) if (clash(a + t * (c - a), b + t * (d - b))) return true;
      return false;
    }));
  }

  name({line, place, beyond}, x) {
    const text = line.label + (beyond > 0 ? ' ↓' : beyond < 0 ? ' ↑' : '');
    this.svg.append(draw('text', {class: 'name', x, y: place + 4, style: `--c:${colour(line.name)}`}, text));
  }

  // --- reading values ------------------------------------------------------------------------------

  listen() {
    const values = new Set(this.lines.flatMap((line) => line.points.filter((p) => isNumber(p[1])).map((p) => p[0])));
    this.stops = [...values].filter((v) => v >= this.x.domain[0] && v <= this.x.domain[1]).sort((a, b) => a - b);
    this.cross = draw('line', {class: 'cross', y1: this.box.top, y2: this.box.bottom, visibility: 'hidden'});
    this.marks = draw('g');
    this.svg.append(this.cross, this.marks);
    const nearest = (event) => {
      const bounds = this.svg.getBoundingClientRect();
      const pixel = ((event.clientX - bounds.left) / bounds.width) * this.width;
      return this.stops.reduce((best, v) => (Math.abs(this.x(v) - pixel) < Math.abs(this.x(best) - pixel) ? v : best),
        this.stops[0]);
    };
    this.svg.onpointermove = (event) => this.read(nearest(event), true);
    this.svg.onpointerdown = (event) => this.read(nearest(event), true);
    this.svg.onpointerleave = () => this.leave();
    this.svg.onclick = (event) => this.spec.onPick?.(nearest(event));
  }

  onKey(event) {
    if (!this.x || !this.stops?.length) return;
    const at = this.stops.indexOf(this.value);
    const by = {ArrowRight: 1, ArrowLeft: -1, PageUp: 10, PageDown: -10}[event.key];
    if (event.key === 'Escape') return this.leave();
    if (event.key === 'Enter') return this.spec.onPick?.(this.value);
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? this.stops.length - 1
      : by ? (at < 0 ? 0 : Math.max(0, Math.min(this.stops.length - 1, at + by))) : null;
    if (to === null) return;
    event.preventDefault();
    this.read(this.stops[to], true);
  }

  /** A line's point at x: the nearest one that is there, or the last one where the line has ended. */
  static at(line, x, isReached) {
    const points = line.points.filter((p) => isNumber(p[1]));
    if (isReached) return points.filter((p) => p[0] <= x).pop() ?? null;
    const last = points[points.length - 1];
    if (last && x > last[0]) return line.holds ? last : null;
    const point = points.reduce((best, p) => (Math.abs(p[0] - x) < Math.abs(best[0] - x) ? p : best), points[0]);
    return point && (line.holds || point[0] === x || this.isBetween(points, x)) ? point : null;
  }

  static isBetween(points, x) { return points.length > 0 && x >= points[0][0] && x <= points[points.length - 1][0]; }

  read(value, isOwn) {
    if (!this.x || value === undefined) return;
    this.value = value;
    const x = this.x(value);
    if (x < this.box.left - 1 || x > this.box.right + 1) return;
    this.cross.setAttribute('x1', x);
    this.cross.setAttribute('x2', x);
    this.cross.setAttribute('visibility', 'visible');
    if (!isOwn) return;
    for (const other of Plot.all) if (other !== this && this.spec.group && other.spec.group === this.spec.group) other.read(value, false);
    const rows = this.lines.map((line) => ({line, point: Plot.at(line, value, this.spec.isReached)}))
      .filter(({point}) => point).sort((a, b) => b.point[1] - a.point[1]);
    this.marks.replaceChildren(...rows.map(({line, point}) => {
      const [cx, cy] = this.place(point);
      const inside = cy >= this.box.top - 3 && cy <= this.box.bottom + 3;
      return draw('circle', {class: 'dot', cx, cy, r: inside ? 4 : 0, style: `--c:${colour(line.name)}`});
    }));
    this.tip.replaceChildren(make('b', {}, (this.spec.x.head ?? ((v) => this.spec.x.text(v)))(value)),
      make('table', {}, ...rows.map(({line, point}) => make('tr', {style: `--c:${colour(line.name)}`},
        make('td', {}, make('i'), line.label), make('td', {}, this.spec.y.text(point[1]))))));
    this.tip.hidden = false;
    const toRight = x < this.width * 0.55;
    this.tip.style.left = toRight ? `${x + 14}px` : 'auto';
    this.tip.style.right = toRight ? 'auto' : `${this.width - x + 14}px`;
    this.tip.style.top = `${this.canvas.offsetTop + 8}px`;
  }

  leave() {
    this.tip.hidden = true;
    this.value = undefined;
    this.marks?.replaceChildren();
    this.cross?.setAttribute('visibility', 'hidden');
    for (const other of Plot.all)
      if (other !== this && this.spec.group && other.spec.group === this.spec.group) other.cross?.setAttribute('visibility', 'hidden');
  }
}
