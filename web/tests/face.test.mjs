// The C face from JavaScript: what calls do, errors in native's words, saved states, memory.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { load, MuslinError, noNative, noProgram, open, runNative, scenePath, web } from './program.mjs';

const small = { overrides: { 'cloths/0/grid/points': [9, 9] } };

test('a run makes frames, and tells of them', { skip: noProgram }, async () => {
  const muslin = await load();
  const run = muslin.createFromText(await open(muslin, scenePath('sphere_drape')), { name: 'sphere_drape.json', ...small });
  const { vertices, triangles, colliders, frame } = run.sizes();
  assert.deepEqual([vertices, triangles, frame], [81, 128, 0]);
  const before = run.positions();
  assert.equal(run.step(3), 3);
  const report = run.reportByName();
  assert.equal(report.frame, 3);
  assert.equal(report.status, 0);
  const hash = (BigInt(report.hash_high) << 32n) | BigInt(report.hash_low);
  assert.equal(hash.toString(16).padStart(16, '0'), run.stateHash());
  assert.notDeepEqual(run.positions(), before);
  assert.deepEqual(run.positions(), new Float32Array(run.positions(Float64Array)));
  assert.equal(run.triangles().length, 3 * triangles);
  assert.equal(run.normals().length, 3 * vertices);
  assert.equal(run.uv().length, 2 * vertices);
  assert.ok(run.field('strain').every(Number.isFinite));
  assert.ok(run.field('distance').every(Number.isNaN), 'there is no exact step');
  assert.equal(run.poses().length, 12 * colliders);
  const { vertices: corners, triangles: faces } = run.colliderMesh(0);
  assert.ok(faces.length > 0 && Math.max(...faces) < corners.length / 3);
  assert.equal(run.judge().clean, true);
  assert.equal(run.cloths()[0].grid[0], 9);
  run.free();
  assert.throws(() => run.step(), { kind: 'misuse' });
});

test('the exact step of a run by sdirk2 is none, unless comparison gives it steps of Euler', { skip: noProgram }, async () => {
  const muslin = await load();
  const text = JSON.stringify({ cloths: [{ grid: { points: [5, 5], size: [1, 1] }, fabric: 'cotton', pins: [{ grid: [[0, 0], [-1, 0]] }] }],
    solver: { family: 'newton', newton: { integrator: 'sdirk2', substeps: 2 } } });
  const distance = (comparison) => {
    const run = muslin.createFromText(text, { name: 'scene.json', comparison, exact: true, ...(comparison ? { method: 'newton' } : {}) });
    run.step(2);
    const report = run.reportByName();
    run.free();
    return report;
  };
  const alone = distance(false), compared = distance(true);
  assert.ok(Number.isNaN(alone.exact_max) && alone.time_error > 0, 'its error of time is told instead');
  assert.ok(compared.exact_max < 1e-6, `${compared.exact_max}`);
});

test('plain descent loses gravity beside the exact step, the exact step does not', { skip: noProgram }, async () => {
  const muslin = await load();
  const text = await open(muslin, scenePath('games103_implicit'));
  const lane = (method) => {
    const run = muslin.createFromText(text, { name: 'scene.json', method, comparison: true, exact: true });
    run.step(1);
    const report = run.reportByName();
    const shares = run.field('energy').reduce((sum, share) => sum + share, 0);
    run.free();
    return { ...report, shares };
  };
  const descent = lane('chebyshev'), exact = lane('reference');
  assert.ok(descent.exact_lost_gravity > 0.01 && descent.exact_gap > 0, 'descent is not exact');
  assert.ok(Math.abs(exact.exact_gap) < 1e-6 && exact.exact_rms < 1e-9, 'the reference is');
  assert.ok(Math.abs(descent.shares / descent.exact_gap - 1) < 0.5, 'shares sum up to about the gap');
});

test('the trace of a step ends nearer than it began, and changes nothing', { skip: noProgram }, async () => {
  const muslin = await load();
  const run = muslin.createFromText(await open(muslin, scenePath('hang')), { name: 'hang.json', method: 'newton', ...small });
  const before = run.stateHash(), rows = run.trace();
  assert.ok(rows.at(-1).distance < rows[0].distance);
  assert.equal(run.stateHash(), before);
});

test('hands act, and a saved state goes on to the same bits', { skip: noProgram }, async () => {
  const muslin = await load();
  const text = await open(muslin, scenePath('hang'));
  const run = muslin.createFromText(text, { name: 'hang.json', ...small });
  run.hold(40, [0, 0.1, 0]);
  run.pull(80, [0.5, 0, 0.5]);
  run.step(2);
  assert.ok(run.held().includes(40));
  const [x, y, z] = run.positions(Float64Array).subarray(120, 123);
  assert.ok(Math.hypot(x, y - 0.1, z) < 1e-12, 'what is held is where it was taken');
  const saved = run.save();
  run.step(3);
  const other = (await load()).createFromText(text, { name: 'hang.json', ...small });
  other.load(saved);
  other.step(3);
  assert.equal(other.stateHash(), run.stateHash());
  assert.throws(() => other.load(saved.subarray(0, 50)), MuslinError);
});

test('an edit goes on from where the cloth is', { skip: noProgram }, async () => {
  const muslin = await load();
  const text = await open(muslin, scenePath('hang'));
  const run = muslin.createFromText(text, { name: 'hang.json', ...small });
  run.step(2);
  const before = run.positions();
  run.edit(text, { name: 'hang.json', method: 'xpbd', ...small });
  assert.deepEqual(run.positions(), before);
  assert.throws(() => run.edit(text, { name: 'hang.json', overrides: ['cloths/0/grid/points=[5, 5]'] }), { kind: 'invalid' });
  assert.equal(run.step(1), 1);
});

test('a frame that takes too long has not been', { skip: noProgram }, async () => {
  const muslin = await load();
  const run = muslin.createFromText(await open(muslin, scenePath('hang')), { name: 'hang.json', method: 'newton' });
  assert.equal(run.step(1, 0.001), 0);
  const other = muslin.createFromText(await open(muslin, scenePath('hang')), { name: 'hang.json', method: 'newton' });
  run.step(1), other.step(1);
  assert.equal(run.stateHash(), other.stateHash());
});

test('lists are there, and name what calls take', { skip: noProgram }, async () => {
  const muslin = await load();
  assert.match(muslin.version, /^\d+\.\d+\.\d+$/);
  assert.ok(muslin.methods.some(({ name, stroke }) => name === 'xpbd' && stroke.light.startsWith('#')));
  assert.ok(muslin.fabrics.every(({ values }) => values.density > 0));
  assert.equal(muslin.schema.type, 'object');
  const run = muslin.createFromText(await open(muslin, scenePath('hang')), { name: 'hang.json', ...small });
  assert.equal(run.report().length, muslin.reportEntries.length);
  for (const { name } of muslin.fields) assert.equal(run.field(name).length, 81);
  assert.ok(Array.isArray(run.check().warnings));
});

// Words and places are those of `muslin check`, but for the folder.
const wrong = {
  'a value out of its range': ['hang', (text) => text.replace('{', '{"damping": -1,')],
  'an unknown field': ['hang', (text) => text.replace('{', '{"gravitty": [0, -9.81, 0],')],
  'no JSON': ['hang', () => '{"cloths" [{"grid": {}}]}'],
  'an unknown fabric': ['hang', () => '{"cloths": [{"grid": {}, "fabric": {"preset": "silkk"}}]}'],
  'a mesh that is not there': ['hang', () => '{"cloths": [{"mesh": {"file": "no.obj"}}]}'],
  'a pin beside the cloth': ['hang', () => '{"cloths": [{"grid": {"points": [3, 3]}, "pins": [{"vertices": [99]}]}]}'],
  'nothing': ['hang', () => ''],
};
for (const [what, [scene, spoil]] of Object.entries(wrong)) {
  test(`an error in native's words: ${what}`, { skip: noNative }, async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'muslin_web_'));
    const text = spoil(await readFile(scenePath(scene), 'utf8'));
    await writeFile(`${folder}/scene.json`, text);
    const { errors } = runNative(['check', 'scene.json'], { cwd: folder });
    await rm(folder, { recursive: true });
    const { message, errors: places, check } = (await load()).check(text, { name: 'scene.json' });
    assert.equal(check, null);
    assert.ok(message.length > 0 && errors.includes(message), `Node: ${message}\nnative: ${errors}`);
    for (const { line, column } of places) assert.ok(line >= 1 && column >= 1);
  });
}

test('memory does not grow by making and freeing runs', { skip: noProgram }, async () => {
  const muslin = await load();
  const text = await open(muslin, scenePath('sphere_drape'));
  const once = () => {
    const run = muslin.createFromText(text, { name: 'scene.json', ...small, exact: true });
    run.step(1);
    run.judge();
    run.save();
    run.free();
    muslin.check('{"cloths": 1}');
  };
  for (let i = 0; i < 10; ++i) once();
  const before = muslin.memory, used = muslin.memoryUsed;
  assert.ok(used > 0 && used < before);
  for (let i = 0; i < 200; ++i) once();
  assert.equal(muslin.memory, before);
  assert.ok(muslin.memoryUsed <= used, `${muslin.memoryUsed - used} bytes more are in use`);
  assert.equal(muslin.runs, 0);
});

test('the program has at most 700 kB by brotli', { skip: noProgram }, async () => {
  const bytes = brotliCompressSync(await readFile(path.join(web, 'muslin.wasm'))).length;
  assert.ok(bytes <= 700_000, `${bytes} bytes: see muslin_compile_small (cmake/web.cmake)`);
});
