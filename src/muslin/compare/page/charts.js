// Which plots there are, and what each of them found.

let traceAt = Math.min(1, data.traces.length - 1);  // the trace that "Inside one step" shows

const frameText = (frame) => `Frame ${frame}`;
const frameHead = (frame) => `Frame ${frame} (${digits(frame * data.frame_time)} s)`;
const frameAxis = {label: 'frame', text: String, head: frameHead, exact: true, whole: true};

/** A number of every frame of every solver that is shown, as lines. */
function frameLines(get, {withReference = true, onlyMeasured = false} = {}) {
  return shown().filter((solver) => withReference || solver !== data.reference).map((solver) => ({
    name: solver.name, label: solver.label,
    points: solver.frames.frame.map((frame, k) => [frame, get(solver.frames, k)])
      .filter(([frame]) => !onlyMeasured || isMeasured(frame)),
  }));
}

/** The spans of frames in which the reference cloth touches something. */
function contactBands() {
  const {frame, contacts} = data.reference.frames, bands = [];
  frame.forEach((f, k) => {
    if (contacts[k] === 0) return;
    const last = bands[bands.length - 1];
    if (last && last[1] === f - 0.5) last[1] = f + 0.5;
    else bands.push([f - 0.5, f + 0.5]);
  });
  return bands;
}

/** The solvers that have a number, the largest first. */
function ranked(get, solvers = shown(data.solvers.filter((s) => !s.refused))) {
  return solvers.filter((s) => !s.diverged).map((solver) => ({solver, value: get(solver)})).filter(({value}) => isNumber(value))
    .sort((a, b) => b.value - a.value);
}
const lastOf = (solver, key) => {
  const {frame} = solver.frames, k = frame.length - 1;
  return k >= 0 && frame[k] === lastFrame && !solver.diverged ? solver.frames[key][k] : null;
};
const lastFrame = data.reference.frames.frame[data.reference.frames.frame.length - 1] ?? 0;

// What rounding alone makes: less on an axis would be noise.
const lengthRounding = () => 2 ** -52 * stage.farthest;
const energyRounding = () => 1e-12 * data.weight * stage.radius;
const gapRounding = () => Math.max(1e-12, ...data.traces.map((trace) => trace.gap_rounding));
const residualRounding = () => data.traces[traceAt].residual;
const leastFraction = 0.002;  // span of an axis of fractions: its labels tell a tenth of a percent

const totalEnergy = (frames, k) =>
  isNumber(frames.kinetic_energy[k]) ? frames.kinetic_energy[k] + frames.elastic_energy[k] + frames.potential_energy[k] : null;

function worstAndBest(rows, sayWorst, sayBest) {
  if (rows.length === 0) return '';
  const worst = rows[0], best = rows[rows.length - 1];
  return sayWorst(worst.solver.label, worst.value) + (rows.length > 1 ? sayBest(best.solver.label, best.value) : '') + '.';
}

const timePlots = (showFrame) => [
  {
    title: 'Distance from the reference cloth', wide: true, height: 360, group: 'frame', onPick: showFrame,
    x: frameAxis,
    y: {label: 'root mean square over vertices', log: true, text: lengthText, limits: [1e-9, 1e4], floor: lengthRounding},
    lines: () => frameLines((frames, k) => frames.error_rms[k], {withReference: false}),
    bands: contactBands, bandText: 'in contact',
    finding: () => worstAndBest(ranked((s) => lastOf(s, 'error_rms')),
      (name, value) => `After ${countText(lastFrame, 'frame')} ${name} is ${lengthText(value)} away`,
      (name, value) => `; ${name} ${lengthText(value)}`),
  },
  {
    title: 'Gravity that the solver loses', group: 'frame', onPick: showFrame,
    x: frameAxis,
    y: {label: 'fraction of the cloth’s weight', text: percentText, limits: [-1, 1], include: 0, floor: leastFraction},
    lines: () => frameLines((frames, k) => frames.lost_gravity[k], {onlyMeasured: true}),
    guides: [], bands: contactBands, bandText: 'in contact',
    nothing: 'The cloth has no weight.',
    finding: () => {
      const first = ranked((s) => s.frames.lost_gravity[0])[0];
      const later = ranked((s) => median(s.frames.lost_gravity.map((v) => (isNumber(v) ? Math.abs(v) : null))))[0];
      const says = [];
      if (first?.value >= 0.005) says.push(`In the first frame ${first.solver.label} loses ${percentText(first.value)}`);
      if (later?.value >= 0.005) says.push(`${says.length ? 'in' : 'In'} a median frame ${later.solver.label} is off by ${percentText(later.value)}`);
      return says.length ? says.join('; ') + '.' : later ? 'All solvers carry the whole weight.' : '';
    },
  },
  {
    title: 'Energy gap of each frame’s last step', group: 'frame', onPick: showFrame,
    x: frameAxis,
    y: {label: 'energy gap: fraction still to go', log: true, text: gapText, limits: [1e-12, 1e6], floor: gapRounding},
    lines: () => frameLines((frames, k) => frames.energy_gap[k], {withReference: false, onlyMeasured: true}),
    guides: [{y: 1, text: 'as if nothing pulled or pushed'}], bands: contactBands, bandText: 'in contact',
    nothing: 'The cloth has nothing to minimise.',
    finding: () => worstAndBest(ranked((s) => median(s.frames.energy_gap)),
      (name, value) => `In a median frame ${name} leaves ${wayText(value)}`,
      (name, value) => `; ${name} ${wayText(value)}`),
  },
  {
    title: 'Strain', group: 'frame', onPick: showFrame,
    x: frameAxis,
    y: {label: '99 % of the edges are stretched less', text: percentText, include: 0, floor: leastFraction},
    lines: () => frameLines((frames, k) => frames.strain_p99[k]),
    finding: () => {
      const peak = (s) => (s.diverged ? null : Math.max(...s.frames.strain_p99.filter(isNumber)));
      const rows = ranked(peak), reference = peak(data.reference);
      if (!isNumber(reference)) return '';
      return `The reference cloth stretches by up to ${percentText(reference)}` +
        (rows.length ? `; under ${rows[0].solver.label} by ${percentText(rows[0].value)}.` : '.');
    },
  },
  {
    title: 'Energy of the cloth', group: 'frame', onPick: showFrame,
    x: frameAxis,
    y: {label: 'motion, elasticity and height, since the start of the reference', text: energyText, floor: energyRounding},
    lines: () => {
      const start = totalEnergy(data.reference.frames, 0) ?? 0;
      return frameLines((frames, k) => {
        const energy = totalEnergy(frames, k);
        return energy === null ? null : energy - start;
      });
    },
    finding: () => {
      const lost = (s) => (lastOf(s, 'ms') === null ? null
        : totalEnergy(s.frames, s.frames.frame.length - 1) - totalEnergy(data.reference.frames, 0));
      const own = lost(data.reference);
      const rows = ranked((s) => (lost(s) === null ? null : lost(s) - own));
      if (!isNumber(own) || rows.length === 0) return '';
      const [most, least] = [rows[0], rows[rows.length - 1]];
      const say = ({solver, value}) => `${solver.label} ends ${energyText(Math.abs(value))} ${value < 0 ? 'below' : 'above'} it`;
      return `The reference ends at ${energyText(own)}; ` +
        say(Math.abs(most.value) > Math.abs(least.value) ? most : least) + '.';
    },
  },
];

// --- inside one step -------------------------------------------------------------------------------

function traceLines(x, y) {
  return shown(data.solvers.filter((s) => !s.refused)).filter((s) => s.traces[traceAt]).map((solver) => {
    const trace = solver.traces[traceAt];
    return {name: solver.name, label: solver.label, holds: true,
      points: trace.iteration.map((_, k) => [trace[x][k], trace[y][k]]).filter(([value]) => x !== 'ms' || value > 0)};
  });
}
const lastTrace = (solver, key) => {
  const trace = solver.traces[traceAt];
  return trace && trace.status !== 'diverged' ? trace[key][trace[key].length - 1] : null;
};
const iterationAxis = {label: 'iteration', text: String, head: (v) => `After ${countText(v, 'iteration')}`, exact: true, whole: true};

/** A round length that is worth reaching: a tenth of where a solver in the middle starts from. */
function goal() {
  const starts = data.solvers.map((s) => s.traces[traceAt]?.error_rms[0]);
  const start = median(starts);
  return start > 1e3 * lengthRounding() ? 10 ** Math.floor(Math.log10(start / 5)) : null;
}
function timeTo(solver, length) {
  const trace = solver.traces[traceAt];
  if (!trace) return null;
  // From when on it stays within: Chebyshev comes near, overshoots and comes back.
  const isNear = (k) => isNumber(trace.error_rms[k]) && trace.error_rms[k] <= length;
  let k = trace.ms.length;
  while (k > 1 && isNear(k - 1)) --k;
  return trace.ms[k] ?? null;
}

const stepPlots = [
  {
    title: 'Energy gap, iteration after iteration',
    x: iterationAxis, y: {label: 'energy gap: fraction still to go', log: true, text: gapText, limits: [1e-12, 1e9], floor: gapRounding},
    lines: () => traceLines('iteration', 'energy_gap'),
    guides: [{y: 1, text: 'as if nothing pulled or pushed'}],
    nothing: 'Nothing to minimise, or the reference in contact did not converge.',
    finding: () => {
      const rows = ranked((s) => lastTrace(s, 'energy_gap'));
      return worstAndBest(rows,
        (name, value) => `${name} ends its step with ${wayText(value)} to go`,
        (name, value) => {
          const {iterations} = rows[rows.length - 1].solver.traces[traceAt];
          return `; ${name} with ${wayText(value)}` + (iterations ? ` after ${countText(iterations, 'iteration')}` : '');
        });
    },
  },
  {
    title: 'Residual, iteration after iteration',
    x: iterationAxis, y: {label: 'unbalanced force at a vertex, root mean square', log: true, text: forceText, limits: [1e-12, 1e12], floor: residualRounding},
    lines: () => traceLines('iteration', 'residual'),
    nothing: 'Nothing to minimise, or the reference in contact did not converge.',
    finding: () => {
      const weight = data.weight / data.vertices;
      const rows = ranked((s) => lastTrace(s, 'residual'));
      if (rows.length === 0 || !(weight > 0)) return '';
      return `A vertex weighs ${forceText(weight)}; ${rows[0].solver.label} leaves ${forceText(rows[0].value)} unbalanced` +
        (rows.length > 1 ? `, ${rows[rows.length - 1].solver.label} ${forceText(rows[rows.length - 1].value)}.` : '.');
    },
  },
  {
    title: 'What a millisecond buys', wide: true, isReached: true, height: 340,
    x: {label: 'time spent on the step (of a step’s time, each iteration counts the same)', log: true, text: msText,
      head: (v) => `Within ${msText(v)}`},
    y: {label: 'distance from the reference step, root mean square', log: true, text: lengthText, limits: [1e-13, 1e4],
      floor: lengthRounding},
    lines: () => traceLines('ms', 'error_rms'),
    finding: () => {
      const length = goal();
      if (!length) return '';
      const rows = ranked((s) => timeTo(s, length)).reverse();
      const never = shown(data.solvers.filter((s) => !s.refused && s.traces[traceAt])).filter((s) => timeTo(s, length) === null);
      const reached = rows.length ? `To come within ${lengthText(length)} and stay there: ` +
        rows.slice(0, 3).map(({solver, value}) => `${solver.label} ${msText(value)}`).join(', ') : `None comes within ${lengthText(length)}`;
      return reached + (rows.length && never.length ? `; ${listText(never.map((s) => s.label))} not at all.` : '.');
    },
  },
];
