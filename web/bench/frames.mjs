// usage: node frames.mjs [ROUNDS [SCENE…]]     processor time a frame, the native program on one thread against the core in Node
//
// Each round runs both one after the other; the least of all rounds counts. Of the native program, what a run of no frames takes is taken
// off; in Node, frames count whose code is compiled.
import { spawnSync } from 'node:child_process';
import { loadavg } from 'node:os';
import path from 'node:path';
import { load, native, noNative, open, scenePath } from '../tests/program.mjs';
import { warmFrames } from './warm.mjs';

const [rounds = 3, ...names] = process.argv.slice(2);
const scenes = [['mosegaard', '', 200], ['hang', 'quasi_newton', 30], ['sphere_drape', '', 20], ['games103_implicit', '', 120],
  ['torture/fold', '', 15]];

/** User seconds of a command. */
function userSeconds(command) {
  const done = spawnSync('bash', ['-c', 'TIMEFORMAT=%U; time "$@" >/dev/null 2>/dev/null', 'bash', ...command], { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${command.join(' ')}: exit code ${done.status}`);
  return Number(done.stderr.trim());
}
async function inNode(file, method, frames) {
  const muslin = await load();
  const run = muslin.createFromText(await open(muslin, file), { name: path.basename(file), method });
  const { total, frames: made } = warmFrames(run, frames);
  if (made !== frames) throw new Error(`${file}: ${made} of ${frames} frames`);
  return total / frames;
}
const inNative = (file, method, frames) =>
  userSeconds([native, 'run', file, '--quiet', '--threads', '1', '--frames', frames, ...(method ? ['--solver', method] : [])]);

if (noNative) throw new Error(noNative);
console.log(`load of the machine: ${loadavg()[0].toFixed(1)}; ${rounds} rounds`);
console.log('| scene | frames | native ms | Node ms | ratio |\n|---|---:|---:|---:|---:|');
for (const [scene, method, frames] of scenes) {
  if (names.length && !names.includes(scene)) continue;
  const file = scenePath(scene);
  let least = Infinity, warm = Infinity;
  for (let round = 0; round < rounds; ++round) {
    least = Math.min(least, (1000 * (inNative(file, method, String(frames)) - inNative(file, method, '0'))) / frames);
    warm = Math.min(warm, await inNode(file, method, frames));
  }
  const name = path.basename(scene) + (method ? `, ${method}` : '');
  console.log(`| ${name} | ${frames} | ${least.toFixed(1)} | ${warm.toFixed(1)} | ${(warm / least).toFixed(2)} |`);
}
