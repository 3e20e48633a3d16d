// Draws a work–precision diagram: error over time, both logarithmic, a line a family.
const width = 720, height = 440, left = 74, right = 16, top = 14, bottom = 44; // [px] of the drawing
const space = 'http://www.w3.org/2000/svg';

function draw(name, attributes, words) {
  const node = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (words !== undefined) node.textContent = words;
  return node;
}

/** 1, 2 and 5 times powers of ten between two numbers; powers alone where these are enough. */
function ticks(low, high) {
  const all = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); ++power)
    for (const factor of [1, 2, 5]) all.push(+(factor * 10 ** power).toPrecision(1));
  const inside = all.filter((x) => x >= low * (1 - 1e-9) && x <= high * (1 + 1e-9)), powers = inside.filter((x) => Number.isInteger(+Math.log10(x).toFixed(9)));
  return powers.length >= 3 ? powers : inside;
}

/** "20 nm", "3 µm", "0.5 mm", "2 cm": lengths in metres as people say them. */
export function lengthText(metres) {
  const [unit, size] = [['m', 1], ['cm', 1e-2], ['mm', 1e-4], ['µm', 1e-7], ['nm', 0]].find(([, least]) => metres >= least);
  return `${+(metres / { m: 1, cm: 1e-2, mm: 1e-3, µm: 1e-6, nm: 1e-9 }[unit]).toPrecision(2)} ${unit}`;
}
const timeText = (ms) => (ms >= 1000 ? `${+(ms / 1000).toPrecision(2)} s` : `${+ms.toPrecision(2)} ms`);

/** An SVG element of what is known of a result (workPrecision); `strokeOf` gives {colour, dash} of a family. */
export function diagram(result, strokeOf) {
  const svg = draw('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `Error over time a frame: ${result.scene_name}` });
  const points = result.lines.flatMap((line) => line.points.filter((p) => p.mean_error > 0));
  const doubt = result.reference.doubt.length ? mean(result.reference.doubt) : 0;
  if (!points.length) {
    svg.append(draw('text', { x: width / 2, y: height / 2, 'text-anchor': 'middle' }, result.reference.failure ? `The reference ${result.reference.failure}.` : 'The reference runs …'));
    return svg;
  }
  const range = (values, room) => [Math.min(...values) / room, Math.max(...values) * room];
  const [fast, slow] = range(points.map((p) => p.mean_ms), 1.4), [good, bad] = range(points.map((p) => p.mean_error), 1.6);
  const x = (ms) => left + ((width - left - right) * Math.log(ms / fast)) / Math.log(slow / fast);
  const y = (error) => height - bottom - ((height - top - bottom) * Math.log(error / good)) / Math.log(bad / good);

  // 1. What the reference may be off by, and the axes
  if (doubt > good) svg.append(draw('rect', { class: 'band', x: left, y: y(doubt), width: width - left - right, height: height - bottom - y(doubt) }));
  for (const ms of ticks(fast, slow)) {
    svg.append(draw('line', { class: 'grid', x1: x(ms), x2: x(ms), y1: top, y2: height - bottom }));
    svg.append(draw('text', { x: x(ms), y: height - bottom + 16, 'text-anchor': 'middle' }, timeText(ms)));
  }
  for (const error of ticks(good, bad)) {
    svg.append(draw('line', { class: 'grid', x1: left, x2: width - right, y1: y(error), y2: y(error) }));
    svg.append(draw('text', { x: left - 7, y: y(error) + 4, 'text-anchor': 'end' }, lengthText(error)));
  }
  svg.append(draw('text', { x: (left + width - right) / 2, y: height - 6, 'text-anchor': 'middle' }, 'time of a frame'));
  const middle = (top + height - bottom) / 2;
  svg.append(draw('text', { x: 14, y: middle, 'text-anchor': 'middle', transform: `rotate(-90 14 ${middle})` }, 'mean error of positions'));

  // 2. Lines, their runs, and the steps of the first and last
  for (const line of result.lines) {
    const { colour, dash } = strokeOf(line.method), runs = line.points.filter((p) => p.mean_error > 0);
    if (!runs.length) continue;
    svg.append(draw('polyline', { class: 'line', points: runs.map((p) => `${x(p.mean_ms)},${y(p.mean_error)}`).join(' '), stroke: colour, 'stroke-dasharray': dash }));
    for (const run of runs) {
      const dot = draw('circle', { cx: x(run.mean_ms), cy: y(run.mean_error), r: 4, stroke: colour, fill: run.unsolved_frames ? 'var(--card)' : colour });
      const unsolved = run.unsolved_frames ? `, ${run.unsolved_frames} frames not converged` : '';
      dot.append(draw('title', {}, `${line.label}, ${run.steps} steps: ${timeText(run.mean_ms)} a frame, ${lengthText(run.mean_error)}${unsolved}`));
      svg.append(dot);
    }
    for (const [run, dy] of runs.length > 1 ? [[runs[0], -8], [runs.at(-1), 16]] : [[runs[0], -8]])
      svg.append(draw('text', { class: 'steps', x: x(run.mean_ms), y: y(run.mean_error) + dy, 'text-anchor': 'middle', fill: colour }, run.steps));
  }
  return svg;
}

const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;

/** A list of the families with their strokes, and of what each could not run. */
export function legend(result, strokeOf) {
  const list = document.createElement('ul');
  for (const line of result.lines) {
    const item = document.createElement('li'), { colour, dash } = strokeOf(line.method), swatch = draw('svg', { viewBox: '0 0 30 10', width: 30, height: 10, 'aria-hidden': 'true' });
    swatch.append(draw('line', { x1: 0, x2: 30, y1: 5, y2: 5, stroke: colour, 'stroke-width': 2.5, 'stroke-dasharray': dash }));
    const ended = line.points.filter((p) => p.remark);
    const why = line.refusal ? line.refusal.split('\n')[0] : ended.length ? `${ended.length} of ${line.points.length} runs ended early: ${ended[0].steps} steps ${ended[0].remark}` : '';
    item.append(swatch, ` ${line.label}`);
    if (why) item.append(Object.assign(document.createElement('small'), { textContent: ` ${why}` }));
    list.append(item);
  }
  return list;
}
