// Ten thousand random messages to the C face: wrong handles, sizes, orders and texts among right ones. Whatever comes back is a
// number; nothing traps, and memory stays what it was. MUSLIN_WEB_MESSAGES, MUSLIN_WEB_SEED: how many, and which.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, MuslinError, noProgram, open, scenePath } from './program.mjs';
import { random } from './random.mjs';

const count = Number(process.env.MUSLIN_WEB_MESSAGES ?? 10_000);
const seed = Number(process.env.MUSLIN_WEB_SEED ?? 1);

test(`${count} random messages neither trap nor leak`, { skip: noProgram }, async () => {
  const muslin = await load();
  const next = random(seed);
  const below = (n) => Math.floor(next() * n);
  const one = (list) => list[below(list.length)];
  const often = (right, wrong) => (next() < 0.8 ? right() : wrong());

  const texts = [];
  for (const name of ['hang', 'sphere_drape', 'swing', 'cs184_sphere', 'games103_implicit'])
    texts.push(await open(muslin, scenePath(name)));
  const cut = (text) => text.slice(0, below(text.length)) + text.slice(below(text.length));
  const scratched = (text) => {
    const at = below(text.length);
    return text.slice(0, at) + one(['-', '}', '9', '"', 'null', '1e400', '\u0001', '[', '\\']) + text.slice(at + 1);
  };
  const names = ['scene.json', 'a/b.json', '', '../x.json', 'ü.json', '/etc/passwd'];
  const handles = [];
  const handle = () => often(() => (handles.length ? one(handles) : 0), () => one([0, -1, 1e9, NaN, below(100)]));
  const vertex = () => often(() => below(25), () => one([-1, 1e6, 2147483647, -2147483648, NaN]));
  const place = () => often(() => [next() - 0.5, next(), next() - 0.5], () => [NaN, Infinity, -1e300]);
  const bytes = () => Uint8Array.from({ length: below(300) }, () => below(256));
  const small = () => ['cloths/0/grid/points=[5, 5]', ...often(() => [], () => [one(['=', 'x', 'a=b', 'solver/family=nope', 'frames=-1',
    'cloths/0/grid/size=[0, 1]', 'self_collision/enabled=true', 'gravity=[0, -1e30, 0]'])])];
  const method = () => often(() => one(['', 'xpbd', 'newton', 'baraff_witkin', 'quasi_newton', 'reference', 'explicit']), () => 'none');
  const scene = () => [often(() => one(texts), () => one([cut, scratched, scratched])(one(texts))), one(names), method(), small().join('\n'),
    often(() => below(2), () => 7)];

  let saved = new Uint8Array(0), refused = 0, made = 0;
  const keep = (array) => (saved = array);
  const messages = {
    create: () => {
      if (handles.length >= 4) muslin.call('destroy', handles.splice(below(handles.length), 1)[0]);
      handles.push(muslin.call('create', ...scene()));
    },
    destroy: () => {
      const which = handle();
      muslin.call('destroy', which);
      handles.splice(handles.indexOf(which), 1);
    },
    edit: () => muslin.call('edit', handle(), ...scene()),
    step: () => (made += muslin.call('step', handle(), often(() => below(3), () => -1), often(() => 20, () => one([-1, NaN])))),
    exact: () => muslin.call('exact', handle(), often(() => below(2), () => 9)),
    field: () => muslin.array(Float32Array, 'field', handle(), often(() => below(7), () => one([-1, 99]))),
    collider_vertices: () => muslin.array(Float32Array, 'collider_vertices', handle(), below(3) - 1, often(() => 12, () => one([0, -1, 1e9]))),
    collider_triangles: () => muslin.array(Int32Array, 'collider_triangles', handle(), below(3) - 1, 12),
    hold: () => muslin.call('hold', handle(), vertex()),
    hold_at: () => muslin.call('hold_at', handle(), vertex(), ...place()),
    let_go: () => muslin.call('let_go', handle(), vertex()),
    pull: () => muslin.call('pull', handle(), vertex(), ...place()),
    carry: () => muslin.call('carry', handle(), below(3) - 1, ...place()),
    push: () => muslin.call('push', handle(), new Float64Array(often(() => 75, () => below(80))).fill(next() - 0.5)),
    save: () => keep(muslin.array(Uint8Array, 'save', handle())),
    load: () => muslin.call('load', handle(), often(() => saved, bytes)),
    put_file: () => muslin.call('put_file', one(['a.obj', 'b/c.ply', '../d.obj', '', '/absolute/x', 'scene.json/x']), bytes()),
    list: () => muslin.text('list', below(9) - 1),
    variant: () => muslin.text('variant', one([cut, scratched])(one(texts)), 'scene.json'),
  };
  for (const name of ['scene', 'check', 'hash', 'cloths', 'colliders', 'judge']) messages[name] = () => muslin.text(name, handle());
  for (const name of ['reset', 'release']) messages[name] = () => muslin.call(name, handle());
  for (const name of ['report', 'positions', 'velocities', 'poses']) messages[name] = () => muslin.array(Float64Array, name, handle());
  for (const name of ['float_positions', 'normals', 'uv']) messages[name] = () => muslin.array(Float32Array, name, handle());
  for (const name of ['sizes', 'triangles', 'held']) messages[name] = () => muslin.array(Int32Array, name, handle());

  // Runs come more often than they go, so that messages meet some.
  const kinds = [...Object.keys(messages), ...Array(6).fill('create'), ...Array(6).fill('step')];
  let settled = 0;
  for (let i = 0; i < count; ++i) {
    if (i === Math.floor(count / 2)) settled = muslin.memory;
    const name = one(kinds);
    try {
      messages[name]();
    } catch (error) {
      if (!(error instanceof MuslinError) || error.kind === 'internal') throw new Error(`message ${i}, ${name}: ${error.stack}`);
      ++refused;
    }
  }
  assert.ok(refused > count / 20 && refused < count, `${refused} of ${count} were refused`);
  assert.ok(made > 0, 'no frame was made');
  assert.equal(muslin.memory, settled, 'memory grew in the second half');
});
