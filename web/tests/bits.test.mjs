// The core in Node has the native program's bits: hashes of every frame, scene by scene and family by family.
// MUSLIN_WEB_FRAMES: frames a run (5); MUSLIN_WEB_MS: wall time after which Node's run ends (2000), and with it the comparison.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { load, noNative, open, runNative, scenePath, MuslinError } from './program.mjs';

const frames = Number(process.env.MUSLIN_WEB_FRAMES ?? 5);
const milliseconds = Number(process.env.MUSLIN_WEB_MS ?? 2000);
const scenes = ['hang', 'swing', 'flag', 'curtain', 'sphere_drape', 'tablecloth', 'mosegaard', 'games103_implicit', 'games103_pbd',
  'cs184_sphere', 'cs184_self_collision', 'sewn_skirt', 'torture/fold', 'torture/funnel', 'torture/reef_knot'];
const families = ['', 'explicit', 'position', 'implicit', 'newton', 'baraff_witkin', 'block_descent', 'projective', 'quasi_newton'];

/** Hashes of the start and every frame that Node made in time; or the message, where the scene is refused. */
async function inNode(muslin, file, method) {
  try {
    const run = muslin.createFromText(await open(muslin, file), { name: path.basename(file), method });
    const hashes = [run.stateHash()];
    const latest = performance.now() + milliseconds;
    while (hashes.length <= frames && performance.now() < latest && run.step(1, milliseconds) === 1) hashes.push(run.stateHash());
    run.free();
    return hashes;
  } catch (error) {
    if (!(error instanceof MuslinError)) throw error;
    return error.message;
  }
}

function inNative(file, method, count) {
  const args = ['run', file, '--frames', String(count), '--json', '--quiet', '--threads', '1'];
  if (method) args.push('--solver', method);
  const { lines, errors } = runNative(args);
  return lines.length > 0 ? lines.filter((line) => line.hash).map((line) => line.hash) : errors;
}

for (const scene of scenes) {
  test(`${scene} has the native bits by every family`, { skip: noNative }, async () => {
    const file = scenePath(scene);
    for (const method of families) {
      const muslin = await load();
      const found = await inNode(muslin, file, method);
      if (typeof found === 'string') {
        const expected = inNative(file, method, 1);
        assert.equal(typeof expected, 'string', `${method}: native runs it, Node says ${found}`);
        continue;
      }
      assert.deepEqual(found, inNative(file, method, found.length - 1), `${method || 'its own solver'}`);
    }
  });
}
