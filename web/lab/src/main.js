// The page: what is shown, and what buttons, keys and links do with it.
import { Curves } from './curves.js';
import { Hands } from './hands.js';
import { addressOf, fetched } from './files.js';
import { diagram, legend } from './diagram.js';
import { gradient } from './heat.js';
import { Lane } from './lane.js';
import { lessons } from './lessons.js';
import { isSceneName, packed, partingFrame, unpacked } from './link.js';
import { Panel } from './panel.js';
import { smaller, workPrecision } from './precision.js';
import { download, Film, objOf } from './save.js';
import { captionHeight, Stage } from './stage.js';
import { filesOf } from '../../core/muslin.js';
import './style.css';

const $ = (id) => document.getElementById(id);
const mostLanes = 4;
const mostLetters = 2000; // of a message; scenes may write longer ones
const msBeforeStop = 1000; // after which what still goes on can be stopped
const lostGravityWorthABanner = 0.01;

/** All that a link tells. lanes: names of methods, '' is the scene's own solver. */
const state = { scene: 'sphere_drape', text: null, overrides: [], lanes: [''], exact: false, field: '', curves: ['strain_p99', 'kinetic_energy', 'ms'], own: false };

let program, index, lanes = [], opened = [], text = '', files = {}, variant = [], playing = false, busy = Promise.resolve(), gif = null, film = null, hashes = [], edited = false, loop = 0;
const stage = new Stage($('canvas'));
const hands = new Hands(stage, { onPick: () => !playing && toast('Press Play (Space): hands act while time passes.') });
const dark = matchMedia('(prefers-color-scheme: dark)');
let curves, panel, editor;

// --- words on the page --------------------------------------------------------------------------------------

function toast(words, seconds = 6) {
  $('toast').textContent = words.length > mostLetters ? `${words.slice(0, mostLetters)} …` : words;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => ($('toast').textContent = ''), 1000 * seconds);
}

const methodOf = (name) => program.methods.find((method) => method.name === name);
const labelOf = (name) => methodOf(name)?.label ?? 'The scene’s solver';
const plain = { light: '#35588f', dark: '#8fb1ea', dash: '' };

function number(x, digits = 3) {
  if (!Number.isFinite(x)) return '–';
  if (Math.abs(x) < 1e-9) return '0';
  return Math.abs(x) >= 1e4 || (x !== 0 && Math.abs(x) < 1e-3) ? x.toExponential(1) : String(+x.toPrecision(digits));
}

/** The weight that a step left unbalanced, in words: where it stops early, cloth falls as if it weighed less, or more. */
function balanceOf(lost) {
  if (Math.abs(lost) < 5e-5) return 'falls at its full weight';
  return `falls as if ${number(100 * Math.abs(lost), 2)} % ${lost > 0 ? 'lighter' : 'heavier'}`;
}

/** What stands in a lane's corner; less where lanes are narrow. */
function captionOf(name, report, narrow) {
  const lost = Number.isFinite(report.exact_lost_gravity) ? report.exact_lost_gravity : report.lost_gravity;
  const lines = [narrow ? `${number(report.ms)} ms` : `${number(report.ms)} ms a frame, ${report.iterations} iterations`];
  if (Number.isFinite(report.exact_max)) lines.push(`${number(1000 * report.exact_max)} mm from the exact step`);
  if (Number.isFinite(report.time_error)) lines.push(`${number(1000 * report.time_error, 2)} mm error of time`);
  if (Number.isFinite(lost)) lines.push(balanceOf(lost));
  if (!narrow) lines.push(`strain ${number(100 * report.strain_p99)} %`);
  return { title: labelOf(name), lines, lost };
}

function caption(frames) {
  const areas = stage.areas();
  $('lanes').replaceChildren(
    ...frames.map(({ report }, i) => {
      const { title, lines, lost } = captionOf(state.lanes[i], report, areas[i].height < 320), box = document.createElement('div');
      box.className = 'lane';
      Object.assign(box.style, { left: `${areas[i].x}px`, top: `${areas[i].y}px`, width: `${areas[i].width}px`, height: `${areas[i].height}px` });
      const swatch = (methodOf(state.lanes[i])?.stroke ?? plain)[dark.matches ? 'dark' : 'light'];
      box.innerHTML = `<div class="caption"><b></b>${lines.map(() => '<span></span>').join(' ')}</div>`;
      box.querySelector('b').textContent = title;
      box.querySelector('b').style.borderColor = swatch;
      box.querySelector('.caption').style.height = `${captionHeight(areas[i])}px`;
      box.querySelectorAll('span').forEach((span, k) => (span.textContent = lines[k]));
      if (report.status === 2) box.append(banner('This run blew up: the step is too long for this method.'));
      else if (lost > lostGravityWorthABanner) box.append(banner(`Losing ${number(100 * lost, 2)} % of gravity`));
      return box;
    }),
  );
  if (state.field) $('lanes').append(scaleOfHeat());
}

function banner(words) {
  const box = document.createElement('div');
  box.className = 'banner';
  box.textContent = words;
  return box;
}

function scaleOfHeat() {
  const { unit, doc } = program.fields.find(({ name }) => name === state.field), box = document.createElement('div');
  box.className = 'heat';
  box.title = doc;
  box.innerHTML = '<span></span><i></i><small><span>0</span><span></span></small>';
  box.children[0].textContent = state.field + (unit ? ` [${unit}]` : '');
  box.querySelector('i').style.background = gradient();
  box.querySelector('small').lastChild.textContent = number(stage.most);
  return box;
}

// --- scenes and lanes -----------------------------------------------------------------------------------------

const entry = () => index.find(({ name }) => name === state.scene);

async function readScene() {
  const of = isSceneName(state.scene) ? entry() : null;
  if (!of && state.text === null) throw new Error(`There is no scene named ${state.scene.slice(0, 100)}.`);
  text = state.text ?? (await (await fetched(`scenes/${of.file}`)).text());
  files = {};
  const folder = of ? of.file.slice(0, of.file.lastIndexOf('/') + 1) : '';
  const shipped = new Set(index.flatMap((each) => each.files)); // a text may name anything: no other file is asked for
  for (const name of filesOf(text)) {
    if (!shipped.has(folder + name)) continue;
    const answer = await fetched(`scenes/${folder}${name}`);
    if (answer.ok) files[folder + name] = new Uint8Array(await answer.arrayBuffer());
  }
  // What is written here in place of the file may have another section "viewer", or none
  await fill(1);
  variant = state.text === null ? of.variant : await lanes[0].call('variant', { text, name: of?.file ?? 'scene.json' });
}

function optionsOf(method) {
  return {
    name: entry()?.file ?? 'scene.json',
    method,
    overrides: [...variant, ...state.overrides],
    comparison: !state.own && (state.lanes.length > 1 || state.exact),
    exact: state.exact,
  };
}

/** One thing after another: what arrives while a frame is made waits for it. */
function inTurn(work) {
  const done = busy.then(async () => {
    const timer = setTimeout(() => ($('stop').hidden = false), msBeforeStop);
    try {
      const answer = await work(); // without what the work before it answered
      if (!lanes.length && opened.length) throw new Error('Stopped.'); // as it ended
      return answer;
    } catch (error) {
      if (!lanes.length && opened.length) await begin(stage.view); // it was stopped
      throw error;
    } finally {
      clearTimeout(timer);
      $('stop').hidden = true;
    }
  });
  busy = done.catch((error) => toast(error.message, 15));
  return done;
}

/** Ends what takes long, with the workers in which it goes on; the page is then at the beginning of its scene. */
function stop() {
  if ($('stop').hidden) return; // it ended by itself
  playing = false;
  for (const lane of lanes) lane.end();
  lanes = [];
}

/** Becomes another state in turn; where that is refused, the page stays with its scene, from its beginning, and says why. */
function become(next, camera) {
  playing = false;
  return inTurn(async () => {
    const before = structuredClone(state);
    Object.assign(state, structuredClone(typeof next === 'function' ? next() : next));
    const field = program.fields.find(({ name }) => name === state.field);
    if (!field || (field.needs_exact && !state.exact)) state.field = '';
    try {
      await begin(camera);
    } catch (error) {
      Object.assign(state, before);
      if (opened.length) await begin(stage.view);
      throw error;
    }
  });
}

/** Has workers for so many lanes. */
async function fill(count) {
  while (lanes.length < count) lanes.push(await Lane.begun());
}

/** Begins the state's scene in the state's lanes. */
async function begin(camera) {
  await readScene();
  while (lanes.length > state.lanes.length) lanes.pop().end();
  await fill(state.lanes.length);
  opened = await Promise.all(lanes.map((lane, i) => lane.call('open', { text, files, options: optionsOf(state.lanes[i]) })));
  forget();
  stage.begin(opened, dark.matches, camera);
  curves ??= new Curves($('curves'));
  curves.chosen = state.curves;
  curves.begin(state.lanes.map((name) => ({ label: labelOf(name), stroke: methodOf(name)?.stroke ?? plain })), dark.matches);
  panel.show(opened[0].scene, opened[0].inert, opened.map(({ scene }) => scene.solver.family));
  chooser();
  $('title').textContent = (opened[0].scene.name ?? state.scene).slice(0, 200);
  document.title = `${$('title').textContent} – Muslin`;
  $('poster').hidden = true;
  performance.mark('cloth');
  await look();
}

/** Nothing has been done to the run yet. */
function forget() {
  hands.forget();
  hashes = [];
  edited = false;
}

/** Shows the lanes as they are. */
async function look() {
  const frames = await Promise.all(lanes.map((lane) => lane.call('look', state.field)));
  show(frames);
}

function show(frames) {
  stage.update(frames);
  hands.held = Array.from(frames[0].held);
  caption(frames);
  document.body.dataset.frame = frames[0].report.frame;
  document.body.dataset.hashes = frames.map(({ hash }) => hash).join(' ');
}

async function frame() {
  const made = hands.take(hashes.length);
  const frames = await Promise.all(lanes.map((lane) => lane.call('frame', { hands: made, field: state.field })));
  if (!frames.some((each) => each.made)) {
    playing = false;
    return;
  }
  hashes.push(frames.map(({ hash }) => hash));
  show(frames);
  curves.add(frames.map(({ report }) => report));
  gif?.add();
}

async function play() {
  playing = !playing;
  $('play').textContent = playing ? 'Pause' : 'Play';
  const due = () => 1000 * opened[0].scene.frame_time, mine = ++loop;
  while (playing && mine === loop) {
    const start = performance.now();
    await inTurn(frame).catch(() => (playing = false));
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, start + due() - performance.now())));
    const factor = due() / (performance.now() - start);
    $('pace').textContent = factor > 0.95 ? 'real time' : `${number(1 / factor, 2)} times slower than real time`;
  }
  if (mine === loop) $('play').textContent = 'Play';
}

async function reset() {
  const frames = await Promise.all(lanes.map((lane) => lane.call('reset', state.field)));
  forget();
  curves.begin(curves.lanes, dark.matches);
  show(frames);
}

/** Another value in every lane, under the cloth as it is; in none where one refuses. */
async function change(path, value) {
  const before = state.overrides;
  const edit = async () => {
    for (let i = 0; i < lanes.length; ++i)
      Object.assign(opened[i], await lanes[i].call('edit', { text, options: optionsOf(state.lanes[i]) }));
  };
  state.overrides = [...before.filter((other) => !other.startsWith(`${path}=`)), `${path}=${JSON.stringify(value)}`];
  try {
    await edit();
    edited = +document.body.dataset.frame > 0;
    toast(`${path.replaceAll('/', ' › ')} is now ${JSON.stringify(value)}`);
  } catch (error) {
    state.overrides = before;
    await edit();
    toast(error.message, 15);
  }
  panel.show(opened[0].scene, opened[0].inert, opened.map(({ scene }) => scene.solver.family));
  chooser();
}

/** The head of the panel: lanes, exact step, colours. */
function chooser() {
  let box = $('chooser');
  if (!box) {
    box = document.createElement('div');
    box.id = 'chooser';
    $('lesson').after(box);
  }
  box.replaceChildren();
  const choice = (label, options, value, chosen) => {
    const row = document.createElement('label'), select = document.createElement('select');
    select.append(...options.map(([name, words]) => new Option(words, name, false, name === value)));
    select.onchange = () => chosen(select.value);
    if (label) row.append(label);
    else select.setAttribute('aria-label', options[0][1]);
    row.append(select);
    box.append(row);
    return select;
  };
  const all = [['', 'the scene’s solver'], ...program.methods.map(({ name, label }) => [name, label])];
  state.lanes.forEach((name, i) => {
    const options = state.lanes.length > 1 ? [...all, ['-', 'take this lane away']] : all;
    choice(`Lane ${i + 1}`, options, name, (value) => {
      const others = value === '-' ? [] : [value];
      become(() => ({ lanes: state.lanes.toSpliced(i, 1, ...others) }), stage.view);
    }).title = methodOf(name)?.summary ?? 'the solver that the scene names';
  });
  if (state.lanes.length < mostLanes) {
    choice('', [['', 'another solver beside…'], ...all.slice(1)], '', (value) => {
      become(() => ({ lanes: [...state.lanes, value].map((name) => name || opened[0].scene.solver.family) }), stage.view);
    }).id = 'beside';
  }
  const row = document.createElement('label'), tick = document.createElement('input');
  tick.type = 'checkbox';
  tick.id = 'exact';
  tick.checked = state.exact;
  tick.onchange = () => become({ exact: tick.checked }, stage.view);
  row.append('Exact step beside', tick);
  row.title = 'The minimum of the same step from the same state: it tells how far every lane is from it, and costs that step.';
  box.append(row);
  const fields = program.fields.filter(({ needs_exact }) => state.exact || !needs_exact);
  choice('Colours', [['', 'cloth'], ...fields.map(({ name }) => [name, name])], state.field, (value) => {
    state.field = value;
    inTurn(look);
  }).id = 'field';
  const judge = document.createElement('button');
  judge.textContent = 'Judge what passes through';
  judge.id = 'judge';
  judge.onclick = () => inTurn(async () => {
    const verdicts = await Promise.all(lanes.map((lane) => lane.call('judge')));
    toast(verdicts.map((v, i) => `${labelOf(state.lanes[i])}: ${v.clean ? 'nothing meets' : `${v.intersecting.length} pairs of triangles meet, ${v.inside.length} vertices in bodies`}`).join('. '), 15);
  });
  box.append(judge);
  const costs = document.createElement('button');
  costs.textContent = 'What precision costs';
  costs.id = 'costs';
  costs.title = 'The work–precision diagram: every family with 1 to 16 steps a frame, on a small form of this scene.';
  costs.onclick = showPrecision;
  box.append(costs);
}

// --- work and precision ---------------------------------------------------------------------------------------

/** The diagram of this scene in a worker of its own; closing ends it. */
async function showPrecision() {
  playing = false;
  const box = $('precision'), { scene } = opened[0], place = { files, name: entry()?.file ?? 'scene.json' };
  box.innerHTML = '<div class="bar"><h2>What precision costs</h2><span class="grow"></span><button class="save" disabled>Save (JSON)</button><button class="close">Close</button></div><p></p><div class="diagram"></div>';
  box.hidden = false;
  box.querySelector('p').textContent = 'A point is a run with so many equal steps a frame. Left is cheap, low is precise. The error is the distance to a run with many more steps; in the shaded floor, that run itself is not sure. A hollow point has frames that did not converge.';
  const worker = await Lane.begun(), save = box.querySelector('.save');
  let closed = false;
  box.querySelector('.close').onclick = () => {
    closed = true;
    worker.end();
    box.hidden = true;
    $('costs').focus();
  };
  box.querySelector('.close').focus();
  const strokeOf = (name) => {
    const stroke = methodOf(name)?.stroke ?? plain;
    return { colour: dark.matches ? stroke.dark : stroke.light, dash: stroke.dash };
  };
  const shown = (result) => closed || box.querySelector('.diagram').replaceChildren(diagram(result, strokeOf), legend(result, strokeOf));
  const follow = (changed, frames, ms) => worker.call('follow', { ...place, text: JSON.stringify(changed), frames, ms });
  box.dataset.state = 'runs';
  try {
    const result = await workPrecision(smaller(scene), follow, { methods: program.methods, onPoint: shown, stopped: () => closed });
    save.disabled = false;
    save.onclick = () => download(JSON.stringify(result, null, 1), 'work_precision.json', 'application/json');
    box.dataset.state = 'done';
  } catch (error) {
    if (!closed) box.querySelector('p').textContent = error.message;
    box.dataset.state = 'failed';
  }
  if (!closed) worker.end();
}

// --- gallery, lessons, text, links ------------------------------------------------------------------------------

const openState = (next, camera) => become({ text: null, overrides: [], lanes: [''], exact: false, field: '', own: false, ...next }, camera);

/** Scenes to look at, the most beautiful first; then what courses and measurements are about; then the others by name. */
const first = ['walk', 'sphere_drape', 'tablecloth', 'circle_skirt', 'curtain', 'flag', 'sewn_skirt', 'swing', 'hang', 'mosegaard'];
function inOrder(cards) {
  const rank = ({ name }) => (first.indexOf(name) + 1 || first.length + 1);
  return cards.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}

function gallery() {
  const box = $('gallery'), headings = [['', 'Scenes'], ['torture/', 'Scenes that break contact elsewhere'], ['validation/', 'Against closed forms']];
  for (const [folder, heading] of headings) {
    const cards = inOrder(index.filter(({ name }) => (folder ? name.startsWith(folder) : !name.includes('/'))));
    if (!cards.length) continue;
    const title = document.createElement('h2'), list = document.createElement('div');
    title.textContent = heading;
    list.className = 'cards';
    list.append(...cards.map(({ name, title: words, vertices }) => {
      const card = document.createElement('button');
      card.dataset.scene = name;
      card.innerHTML = '<img alt="" loading="lazy"><b></b><span></span>';
      card.querySelector('img').onerror = (event) => event.target.remove();
      addressOf(`pictures/${name.replaceAll('/', '_')}.jpg`).then((address) => (card.querySelector('img').src = address));
      card.querySelector('b').textContent = name;
      card.querySelector('span').textContent = `${words ?? ''} (${vertices} vertices as written)`;
      card.onclick = () => {
        toggle('gallery', false);
        openState({ scene: name });
      };
      return card;
    }));
    box.append(title, list);
  }
}

function toggle(id, shown = $(id).hidden) {
  $(id).hidden = !shown;
  if (id !== 'gallery') return;
  $('menu').setAttribute('aria-expanded', String(shown));
  (shown ? $('gallery').querySelector('button') : $('menu')).focus();
}

async function lesson(number) {
  const box = $('lesson'), { title, text: words, state: next } = lessons[number];
  box.hidden = false;
  box.innerHTML = `<small>Lesson ${number + 1} of ${lessons.length}</small><h2>${title}</h2><p>${words}</p><div class="bar"><button class="back">Back</button><button class="next">Next</button><span class="grow"></span><button class="close">Close</button></div>`;
  box.querySelector('.back').disabled = number === 0;
  box.querySelector('.next').disabled = number === lessons.length - 1;
  box.querySelector('.back').onclick = () => lesson(number - 1);
  box.querySelector('.next').onclick = () => lesson(number + 1);
  box.querySelector('.close').onclick = () => (box.hidden = true);
  history.replaceState(null, '', `#lesson=${number + 1}`);
  await openState(next);
}

async function showEditor() {
  const { Editor } = await import('./editor.js'); // large, and most visitors never open it
  editor ??= new Editor($('editor'), {
    schema: program.schema,
    dark: dark.matches,
    check: (written) => lanes[0].call('check', { text: written, files, options: { ...optionsOf(''), overrides: state.overrides } }),
    apply: (written) => openState({ ...state, text: written }).then(() => toast('Runs from its beginning.')).catch((error) => toast(error.message, 15)),
  });
  editor.text = text;
  $('editor').hidden = false;
  editor.view.focus();
}

async function share() {
  if (edited) throw new Error('Values were changed while time passed, and a link begins at frame 0: Reset, play again, and then take the link.');
  const done = { frame: hashes.length, hands: hands.done, hashes: thinned(hashes).map((each) => each.join(' ')) };
  history.replaceState(null, '', await packed({ ...state, camera: stage.view, ...done, version: program.version }));
  const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
  toast(`The address now leads to this frame, with these solvers and hands.${copied ? ' It was copied.' : ''}`);
}

/** Every how many frames a link has a hash, so that it stays short. */
const thinning = (frames) => Math.max(1, Math.ceil(frames / 32));
function thinned(all) {
  const every = thinning(all.length);
  return all.filter((_, i) => (i + 1) % every === 0 || i === all.length - 1);
}

async function openLink(content) {
  const { camera, frame: at = 0, hands: done = {}, hashes: expected = [], version, ...next } = content;
  await openState(next, camera);
  if (!at) return;
  toast(`Runs to frame ${at} …`, 600);
  await inTurn(async () => {
    const runs = await Promise.all(lanes.map((lane) => lane.call('replay', { frames: at, hands: done })));
    hands.restore(done);
    hashes = Array.from({ length: at }, (_, i) => runs.map((run) => run.hashes[i] ?? run.hash)); // who diverged stays
    const parts = partingFrame(thinned(hashes).map((each) => each.join(' ')), expected);
    await look();
    document.body.dataset.link = !expected.length ? 'unknown' : parts ? 'other' : 'same';
    if (!expected.length) toast(`Frame ${at}. The link has no hashes, so nobody knows whether these are its bits.`, 20);
    else if (!parts) toast(`Same bits: frame ${at} has the hash that the link says.`, 20);
    else toast(`Other bits: the run parts from the link's by frame ${Math.min(parts * thinning(at), at)}. The link is of version ${version}, this page is ${program.version}.`, 60);
  });
}

// --- beginning ----------------------------------------------------------------------------------------------------

function buttons() {
  $('play').onclick = play;
  $('step').onclick = () => inTurn(frame);
  $('reset').onclick = () => inTurn(reset);
  $('stop').onclick = stop;
  $('menu').onclick = () => toggle('gallery');
  $('lessons').onclick = () => lesson(0);
  $('edit').onclick = showEditor;
  $('share').onclick = () => inTurn(share);
  $('record').onclick = async () => {
    if (!film) {
      film = new Film($('canvas'));
      $('record').textContent = 'Stop film';
      return;
    }
    const made = await film.stop();
    film = null;
    $('record').textContent = 'Film';
    download(made, `${state.scene.replaceAll('/', '_')}.webm`);
  };
  $('save').onchange = async () => {
    const what = $('save').value, name = `${state.scene.replaceAll('/', '_')}_${document.body.dataset.frame}`;
    $('save').value = '';
    const { cloth, bodies } = stage.lanes[0], { position } = cloth.geometry.attributes;
    if (what === 'png') $('canvas').toBlob((blob) => download(blob, `${name}.png`));
    if (what === 'obj') download(objOf(position.array, opened[0].triangles), `${name}.obj`, 'text/plain');
    if (what === 'glb') download(await (await import('./glb.js')).glbOf({ cloth, bodies }), `${name}.glb`, 'model/gltf-binary');
    if (what === 'gif' && !gif) {
      gif = new (await import('./gif.js')).Gif($('canvas'), 1000 * opened[0].scene.frame_time);
      toast('Play what the GIF shall show; choose GIF again to end it.', 10);
    } else if (what === 'gif') {
      download(gif.end(), `${name}.gif`);
      gif = null;
    }
  };
  const keys = { ' ': 'play', n: 'step', r: 'reset', g: 'menu', e: 'edit', l: 'share' };
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !$('precision').hidden) $('precision').querySelector('.close').click();
    if (event.key === 'Escape') for (const box of ['gallery', 'lesson', 'editor']) if (!$(box).hidden) toggle(box, false);
    if (event.target.closest('input, select, textarea, .cm-editor') || event.ctrlKey || event.metaKey || event.repeat) return;
    const id = keys[event.key.toLowerCase()];
    if (id && !(event.key === ' ' && event.target.closest('button'))) {
      event.preventDefault();
      $(id).click();
    } else if (event.key === 'f') {
      stage.frame();
    } else if (event.target === $('canvas') && stage.turn(event.key)) {
      event.preventDefault();
    }
  });
  new ResizeObserver(() => {
    stage.resize();
    curves?.resize();
    if (lanes.length && document.body.dataset.frame) inTurn(look);
  }).observe($('stage'));
  dark.onchange = () => {
    stage.theme(dark.matches);
    curves?.theme(dark.matches);
  };
  addEventListener('hashchange', () => location.reload()); // a link pasted into this page
}

async function main() {
  document.body.classList.toggle('embed', new URLSearchParams(location.search).has('embed'));
  buttons();
  const [first, list] = await Promise.all([Lane.begun(), fetched('scenes/index.json').then((answer) => answer.json())]);
  lanes.push(first);
  program = first.program;
  index = list;
  panel = new Panel($('panel'), program.schema, (path, value) => inTurn(() => change(path, value)));
  gallery();
  const link = await unpacked(location.hash), wanted = /^#lesson=(\d)$/.exec(location.hash);
  if (link) await openLink(link);
  else if (wanted && lessons[wanted[1] - 1]) await lesson(wanted[1] - 1);
  else await openState({ scene: new URLSearchParams(location.search).get('scene') ?? state.scene });
  document.body.dataset.ready = 'yes';
  $('pace').textContent = '';
  if (!link) play();
}

main().catch((error) => {
  toast(error.message, 600);
  $('pace').textContent = '';
  document.body.dataset.ready = 'failed';
});
