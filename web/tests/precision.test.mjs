// The laboratory's work–precision diagram beside the native program's, which has another reference and measures by other code.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { smaller, workPrecision } from '../lab/src/precision.js';
import { load, noNative, noProgram, runNativeText, scenePath } from './program.mjs';

const frames = 8, points = 9;

/** Runs a scene as the laboratory's worker does (worker.js). */
const follower = (muslin) => async (scene, count, ms) => {
  const run = muslin.createFromText(JSON.stringify(scene)), done = { positions: [], ms: [], substeps: run.sizes().substeps, unsolved: 0, diverged: false };
  for (let spent = 0; done.positions.length < count && spent < ms; ) {
    const start = performance.now();
    run.step(1);
    done.unsolved += run.reportByName().status;
    done.ms.push(performance.now() - start);
    spent += done.ms.at(-1);
    done.positions.push(run.positions(Float64Array));
  }
  run.free();
  return done;
};

test('errors are those of muslin compare --work-precision', { skip: noNative }, async () => {
  const muslin = await load(), text = await readFile(scenePath('hang'), 'utf8');
  const overrides = [`cloths/0/grid/points=[${points},${points}]`], begun = muslin.createFromText(text, { overrides });
  const scene = JSON.parse(begun.scene()), only = ['newton', 'baraff_witkin'];
  begun.free();
  const found = await workPrecision(scene, follower(muslin), { only });
  const native = JSON.parse(runNativeText(['compare', scenePath('hang'), '--work-precision', '--solvers', only.join(), '--steps', '1,2,4,8,16', '--frames', String(frames),
    '--set', overrides[0], '--json', '-q', '--force', '--out', 'build/precision_test']));
  for (const line of found.lines) {
    const theirs = native.lines.find(({ name }) => name === line.name);
    for (const point of line.points) {
      const { mean_error: error } = theirs.points.find(({ steps }) => steps === point.steps);
      const unsure = 3 * (Math.max(...found.reference.doubt) + Math.max(...native.reference.doubt)); // both references
      assert.ok(Math.abs(point.mean_error - error) <= 1e-3 * error + unsure, `${line.name}, ${point.steps} steps: ${point.mean_error} and ${error} m`);
      assert.ok(error > 5 * unsure, `${error} m says something beside ${unsure} m of doubt`);
    }
  }
});

test('a smaller scene has the same corners and sides held', { skip: noProgram }, () => {
  const scene = { cloths: [{ grid: { points: [41, 21] }, pins: [{ grid: [[0, 0], [40, 20], [-1, 0]], vertices: [40, 41 * 20] }] }, { grid: { points: [41, 41] }, springs: {} }] };
  const { cloths: [small, other] } = smaller(scene);
  assert.deepEqual(small.grid.points, [17, 17]);
  assert.deepEqual(small.pins[0].grid, [[0, 0], [16, 16], [16, 0]]);
  assert.deepEqual(small.pins[0].vertices, [16, 17 * 16]);
  assert.deepEqual(other.grid.points, [41, 41]); // springs in N/m are of one mesh
});
