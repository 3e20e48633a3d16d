// The same step, or the same seconds, with other settings: a plot over the first axis of a sweep, at one value of each other.

const sweepAxes = {
  iterations: {column: 'most_iterations', title: 'More iterations', label: 'iterations allowed', text: String, whole: true,
    head: (v) => countText(v, 'iteration') + ' allowed'},
  dt: {column: 'dt', title: 'Shorter steps', label: 'step', text: secondsText, head: (v) => `Steps of ${secondsText(v)}`},
  resolution: {column: 'resolution', title: 'Finer cloth', label: 'cells along a side, over the scene’s', text: String,
    head: (v) => `${digits(v)} times the cells along a side`},
};

const swept = (sweep) => sweepAxes[sweep.axes[0]];
const valuesOf = (sweep, axis) => [...new Set(sweep[sweepAxes[axis].column])].filter(isNumber).sort((a, b) => a - b);

/** Rows of a sweep as objects: of the trace that is shown, and of what is chosen for the other axes. */
function sweepRows(sweep) {
  const frame = sweep.has_paths ? 1 : data.traces[traceAt].frame;
  const isChosen = (row) => sweep.axes.slice(1).every((axis) => {
    const value = row[sweepAxes[axis].column];
    return value === null || value === sweep.chosen[axis];  // the reference has no number of iterations
  });
  return sweep.dt.map((_, k) => Object.fromEntries(Object.entries(sweep)
    .map(([key, column]) => [key, Array.isArray(column) && key !== 'axes' ? column[k] : column])))
    .filter((row) => row.frame === frame && isChosen(row));
}

function sweepLines(sweep, key, withReference) {
  const rows = sweepRows(sweep), {column} = swept(sweep);
  return shown().filter((s) => s !== data.reference || withReference).map((solver) => ({
    name: solver.name, label: solver.label,
    points: rows.filter((row) => row.solver === solver.name && row.status !== 'diverged' && isNumber(row[column]))
      .map((row) => [row[column], row[key]]).sort((a, b) => a[0] - b[0]),
  }));
}

/** Where half the step should leave half the error. */
function slopeOf(sweep) {
  const points = sweepLines(sweep, 'path_error_rms', true).find((l) => l.name === 'reference')?.points ?? [];
  return points.length > 1 && isNumber(points[points.length - 1][1]) ? points[points.length - 1] : null;
}

function pathPlot(sweep, x) {
  const finest = [`steps of ${secondsText(sweep.finest_step)}`];
  if (sweep.finest_resolution !== 1) finest.push(`${digits(sweep.finest_resolution)} times the cells`);
  const cause = {iterations: 'the steps and the cloth’s cells', dt: 'the length of the step', resolution: 'the size of the cells'}[sweep.axes[0]];
  return {
    title: `Distance from the true motion after ${secondsText(sweep.end_time)}`, wide: true, height: 340, dots: true, x,
    y: {label: `root mean square, from the reference in ${finest.join(' and ')}`, log: true, text: lengthText,
      limits: [1e-12, 1e4], floor: lengthRounding},
    lines: () => sweepLines(sweep, 'path_error_rms', true),
    slope: sweep.axes[0] === 'dt' ? () => slopeOf(sweep) : undefined,
    finding: () => `The reference solves every step exactly: what it misses is due to ${cause} alone. What others ` +
      'miss beyond that is due to the solver.',
  };
}

function sweepPlots(sweep) {
  const {label, text, head, whole} = swept(sweep), hasReference = sweep.has_paths && sweep.axes[0] !== 'iterations';
  const values = valuesOf(sweep, sweep.axes[0]), x = {label, text, head, whole, log: true};
  if (values.length <= 8) x.ticks = values;
  const inFirst = sweep.has_paths ? ' of the first step' : '';
  const gap = {
    title: 'Energy gap' + inFirst, dots: true, x,
    y: {label: 'energy gap: fraction still to go', log: true, text: gapText, limits: [1e-12, 1e9], floor: gapRounding},
    lines: () => sweepLines(sweep, 'energy_gap', false),
    guides: [{y: 1, text: 'as if nothing pulled or pushed'}],
    nothing: 'Nothing to minimise, or the reference in contact did not converge.',
  };
  const gravity = {
    title: sweep.has_paths ? 'Gravity lost in the first step' : 'Gravity lost', dots: true, x,
    y: {label: 'fraction of the cloth’s weight', text: percentText, limits: [-1, 1], include: 0, floor: leastFraction},
    lines: () => sweepLines(sweep, 'lost_gravity', hasReference),
    nothing: 'The cloth has no weight.',
  };
  const time = {
    title: 'Time of the whole motion', dots: true, x,
    y: {label: 'wall time', log: true, text: msText},
    lines: () => sweepLines(sweep, 'ms', hasReference),
  };
  const distance = {
    title: 'Distance from the reference step', wide: true, height: 320, dots: true, x,
    y: {label: 'root mean square over vertices', log: true, text: lengthText, limits: [1e-13, 1e4], floor: lengthRounding},
    lines: () => sweepLines(sweep, 'error_rms', false),
  };
  return sweep.has_paths ? [pathPlot(sweep, x), gravity, gap, time] : [gap, gravity, distance];
}

/** What a sweep is about, and buttons for the values of its other axes. */
function makeSweep(sweep) {
  const plots = make('div', {class: 'plots'}), others = sweep.axes.slice(1);
  sweep.chosen = Object.fromEntries(others.map((axis) => [axis, valuesOf(sweep, axis)[0]]));
  const choices = others.map((axis) => make('span', {}, sweepAxes[axis].label + ' ',
    makeChoice(sweepAxes[axis].label, valuesOf(sweep, axis).map((v) => [v, sweepAxes[axis].text(v)]), sweep.chosen[axis], (v) => {
      sweep.chosen[axis] = v;
      Plot.renderAll();
    })));
  const what = sweep.has_paths ? `The same ${secondsText(sweep.end_time)} of motion every time.`
    : 'The same step with more and fewer iterations allowed, from the frame chosen above.';
  document.getElementById('sweeps').append(make('section', {}, make('h2', {}, swept(sweep).title), make('p', {class: 'lede'}, what),
    choices.length ? make('div', {class: 'controls'}, 'At', ...choices) : null, plots));
  for (const spec of sweepPlots(sweep)) new Plot(plots, spec);
}
