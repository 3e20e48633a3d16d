// The page put together.

const failed = data.solvers.filter((s) => s.refused || s.diverged);

function writeHeader() {
  document.getElementById('facts').textContent = [
    countText(data.vertices, 'vertex'), countText(data.triangles, 'triangle'),
    countText(data.frames, 'frame'),
    data.substeps === 1 ? `one step of ${secondsText(data.step)} a frame` : `${data.substeps} steps of ${secondsText(data.step)} a frame`,
    data.forced_iterations ? `at most ${countText(data.forced_iterations, 'iteration')} a step` : null,
  ].filter(Boolean).join(' · ');
  const notices = document.getElementById('notices');
  const notice = (text) => notices.append(make('p', {class: 'notice'}, text));
  if (data.outcome === 'interrupted') notice(`Interrupted: only the first ${countText(lastFrame, 'frame')} of ${data.frames} are here.`);
  if (data.reference.failure) notice(`The reference ${data.reference.failure}: the comparison ends there.`);
  if (data.unconverged_reference_steps > 0)
    notice(`${data.unconverged_reference_steps} of ${countText(data.reference_steps, 'reference step')} did not converge: ` +
      'the reference itself is only approximate there.');
  for (const solver of failed)
    notice(solver.refused ? `${solver.label} cannot run this scene: ${solver.failure}.` : `${solver.label} ${solver.failure}.`);
}

function dashSample(name) {
  return draw('svg', {viewBox: '0 0 34 10', 'aria-hidden': 'true'},
    draw('line', {x1: 0, x2: 34, y1: 5, y2: 5, 'stroke-width': 3, style: `stroke:${colour(name)}`,
      ...(dashes[name] ? {'stroke-dasharray': dashes[name]} : {})}));
}

function makeLegend() {
  const legend = document.getElementById('legend');
  for (const solver of runners)
    legend.append(make('button', {type: 'button', 'aria-pressed': 'true', title: solver.summary, onclick: (event) => {
      hidden.has(solver.name) ? hidden.delete(solver.name) : hidden.add(solver.name);
      event.currentTarget.setAttribute('aria-pressed', String(!hidden.has(solver.name)));
      showAll();
    }}, dashSample(solver.name), solver.label));
}

function showAll() {
  for (const picture of Picture.all) picture.figure.hidden = hidden.has(picture.solver.name);
  Picture.renderAll();
  Plot.renderAll();
  table.fill();
}

// --- pictures --------------------------------------------------------------------------------------

function makePlayer() {
  const player = document.getElementById('player'), last = clouds.frames.length - 1;
  const slider = make('input', {type: 'range', min: 0, max: last, step: 1, 'aria-label': 'Frame'});
  const output = make('output');
  const show = (index) => {
    stage.frame = index;
    slider.value = index;
    output.textContent = `Frame ${clouds.frames[index]}, ${(clouds.frames[index] * data.frame_time).toFixed(2)} s`;
    Picture.renderAll();
  };
  let timer = null;
  const play = make('button', {type: 'button', onclick: () => {
    if (timer) { clearInterval(timer); timer = null; focus.write(); }
    else {
      if (stage.frame === last) show(0);
      const pace = Math.max(33, 1000 * data.frame_time * (clouds.frames[1] - clouds.frames[0] || 1));
      timer = setInterval(() => {
        if (stage.frame < last) show(stage.frame + 1);
        if (stage.frame === last) { clearInterval(timer); timer = null; play.textContent = 'Play'; }
      }, pace);
    }
    play.textContent = timer ? 'Pause' : 'Play';
  }}, 'Play');
  slider.oninput = () => show(Number(slider.value));
  slider.onchange = () => focus.write();
  const key = make('span', {class: 'ramp', hidden: ''});
  const colours = makeChoice('Colour', [['cloth', 'Cloth'], ['error', 'Distance']], stage.colouring, (value) => {
    stage.colouring = value;
    key.hidden = value !== 'error';
    Picture.renderAll();
  });
  const stops = ramp.map((c, k) => `rgb(${c.join(',')}) ${(100 * k) / (ramp.length - 1)}%`).join(',');
  key.append(lengthText(10 ** (stage.decade - 3)), make('i', {style: `background:linear-gradient(90deg,${stops})`}), lengthText(10 ** stage.decade));
  player.append(...(last > 0 ? [play, slider] : []), output, colours, key);
  const hosts = document.getElementById('pictures');
  for (const solver of runners) new Picture(hosts, solver);
  show(nearestPicture(linked().frame ?? Math.max(data.traces[traceAt]?.frame ?? 0, clouds.frames[Math.min(1, last)])));
  return (frame) => show(nearestPicture(frame));
}

function followLink() {
  const {frame, solver} = linked();
  if (frame !== null) showFrame(frame);
  focus.solver = solver;
  showAll();
  if (solver) Picture.all.find((picture) => picture.solver.name === solver).figure.scrollIntoView({block: 'nearest'});
}

function nearestPicture(frame) {
  return clouds.frames.reduce((best, f, k) => (Math.abs(f - frame) < Math.abs(clouds.frames[best] - frame) ? k : best), 0);
}

function writeClothLede() {
  const left = [];
  if (clouds.left_out_vertices) left.push(`${countText(clouds.vertices, 'vertex')} of ${data.vertices.toLocaleString('en')}`);
  if (clouds.left_out_frames) left.push(`${clouds.frames.length} of ${data.frames + 1} frames`);
  document.getElementById('cloths-lede').textContent =
    'The same cloth, the same steps. The dotted line is where the border of the cloth should be.' +
    (left.length ? ` To keep this file small, the pictures show ${listText(left)}; the numbers are of all.` : '');
  document.getElementById('cloths-lede').append(make('span', {class: 'on-screen'}, ' Drag a cloth to turn all of them; press its name and the others step back. The address ' +
    'of this page then names the frame and the solver.'));
}

// --- plots -----------------------------------------------------------------------------------------

function makePlots(showFrame) {
  document.getElementById('time-lede').textContent =
    'Every solver goes its own way from the start. Gravity, energy gap and strain look at each solver’s own cloth; the distance is to the ' +
    'cloth of the reference at the same time.' + (data.reference_every > 1 ? ` Gravity and energy gap are taken every ${data.reference_every} frames.` : '');
  document.getElementById('time-lede').append(make('span', {class: 'on-screen'}, ' Press on a plot to see that frame above.'));
  for (const spec of timePlots(showFrame)) new Plot(document.getElementById('time-plots'), spec);
  const traces = document.getElementById('traces');
  if (data.traces.length) {
    traces.append('First step of', makeChoice('Frame', data.traces.map((t, k) => [k, frameText(t.frame)]), traceAt, (k) => {
      traceAt = k;
      describeTrace();
      Plot.renderAll();
    }), make('span', {id: 'trace-words'}));
    for (const spec of stepPlots) new Plot(document.getElementById('step-plots'), spec);
  }
  describeTrace();
  for (const sweep of data.sweeps) if (sweep.dt.length) makeSweep(sweep);
  Plot.renderAll();
}

function describeTrace() {
  const lede = document.getElementById('step-lede'), trace = data.traces[traceAt];
  lede.textContent = 'Here all solvers begin at the same place, the reference’s cloth, and take one step. The reference shows where it should end.';
  if (!trace) return;
  const start = trace.contacts > 0 ? ' The cloth is in contact: its forces count as they are at the reference.' : '';
  document.getElementById('trace-words').textContent = (trace.converged ? 'The reference is converged' : 'The reference is NOT converged') +
    `: residual ${forceText(trace.residual)}, from ${forceText(trace.residual_start)}.` + start;
}

// --- table -----------------------------------------------------------------------------------------

const medianOf = (key) => (s) => median(s.frames[key]);
const mostOf = (key) => (s) => (s.frames[key].some(isNumber) ? Math.max(...s.frames[key].filter(isNumber)) : null);
const columns = [
  {head: 'Solver', get: (s) => s.label, text: String},
  {head: 'Gravity lost', sub: 'frame 1', get: (s) => s.frames.lost_gravity[0], text: percentText},
  {head: 'Energy gap', sub: 'median', get: medianOf('energy_gap'), text: gapCell},
  {head: 'Residual', sub: 'median', get: medianOf('residual'), text: forceText},
  {head: 'Distance', sub: 'last frame', get: (s) => lastOf(s, 'error_rms'), text: lengthText},
  {head: 'Farthest vertex', sub: 'last frame', get: (s) => lastOf(s, 'error_max'), text: lengthText},
  {head: 'Strain', sub: 'largest p99', get: mostOf('strain_p99'), text: percentText},
  {head: 'Iterations', sub: 'a frame, median', get: medianOf('iterations'), text: (v) => (isNumber(v) ? digits(v) : '–')},
  {head: 'Time', sub: 'a frame, median', get: medianOf('ms'), text: msText},
  {head: 'Remarks', get: remark, text: String, isWords: true},
];

function remark(solver) {
  const missed = solver.frames.status.filter((s) => s === 'not_converged').length;
  return [solver.refused ? 'refused: ' + solver.failure : solver.failure,
    missed ? `stopped before its tolerance in ${countText(missed, 'frame')}` : '', solver.limits].filter(Boolean).join('; ');
}

const table = new SortedTable(document.getElementById('table'), columns, everyone, (solver) =>
  ({class: hidden.has(solver.name) ? 'off' : undefined, style: `--c:${colour(solver.name)}`}));

// --- method ----------------------------------------------------------------------------------------

function writeMethod() {
  const {iterations} = data.reference.frames;
  const say = (text) => document.getElementById('made').append(make('p', {}, text));
  say(`Every solver takes the same steps: ${data.substeps} a frame, each ${secondsText(data.step)} long` +
    (data.velocity_loss ? `, each with a loss of ${percentText(data.velocity_loss)} of the velocity.` : '.') +
    ' Everything else is as the scene sets it.' + (data.forced_iterations ? ` All were allowed ${countText(data.forced_iterations, 'iteration')} a step.` : ''));
  for (const note of data.notes) say(note[0].toUpperCase() + note.slice(1) + '.');
  say('An implicit step ends at the minimum of F(x) = Σ m|x − y|²/2h² + E(x): y is where inertia, gravity and wind alone would take the cloth, ' +
    'E its elastic energy, damping included. The energy gap is (F(x) − F*)/(F(y) − F*), with F* at the reference. PBD does not look for that minimum; ' +
    'it is measured all the same.');
  say(`The reference minimises F as far as rounding allows` + (iterations.length ? ` (${digits(median(iterations))} iterations in a median frame).` : '.') +
    ` ${data.reference_steps - data.unconverged_reference_steps} of its ${countText(data.reference_steps, 'step')} converged. Slack cloth can have more than one ` +
    'minimum; a gap below zero would mean that a solver found a lower one.');
  say('In contact, F has its energy and friction, too, each as the solver means it: colliders at vertices, with the friction of what presses at the end of the step; or, ' +
    'where a solver lets nothing through, pairs of triangles, with friction of the forces at the step’s beginning. Held against each other are then not those energies, which are infinite ' +
    'where cloth passes through something, but what is left when contact’s forces stay as they are at the reference: F̂(x) = ‖x − y‖²_M/2h² + E(x) + f*·(x − x*). Its minimum is the same. ' +
    'Cloth that families keep from cloth only after their step is not in their F: what that costs is in their gap.');
  say('Times are wall times on the machine that made this page, with ' + countText(data.threads, 'thread') + ': a frame’s as it ran, a traced step’s as the median of several runs without watching. ' +
    'They are the only numbers here that another machine would not repeat.');
  for (const warning of data.warnings) say(`The scene warns: ${warning}`);
}

writeHeader();
makeLegend();
writeClothLede();
const showFrame = makePlayer();
makePlots((frame) => { showFrame(frame); focus.write(); });
writeMethod();
if (linked().solver) followLink();
window.addEventListener('hashchange', followLink);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => Picture.renderAll());
for (const [event, isPaper] of [['beforeprint', true], ['afterprint', false]])
  window.addEventListener(event, () => {
    Plot.forPaper = isPaper;
    Plot.renderAll();
    for (const picture of Picture.all) picture.render();
  });
