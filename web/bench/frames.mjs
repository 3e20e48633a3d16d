// usage: node frames.mjs [ROUNDS [SCENE…]]     processor time a frame, the native program on one thread against the core in Node
//
// Each round runs all one after the other; the least of all rounds counts. Of the native program, what a run of no frames takes is taken
// off; in Node, frames count whose code is compiled. SSE2 has vectors as wide as WebAssembly's.
import { spawnSync } from 'node:child_process';
import { loadavg } from 'node:os';
import path from 'node:path';
import { load, native, noNative, open, scenePath } from '../tests/program.mjs';
import { warmFrames } from './warm.mjs';

const [rounds = 3, ...names] = process.argv.slice(2);
const scenes = [['mosegaard', '', 200], ['hang', 'quasi_newton', 30], ['sphere_drape', '', 20], ['games103_implicit', '', 120],
  ['torture/fold', '', 15], ['hang', 'line_xpbd', 200], ['hang', 'position', 200]];

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
const inNative = (file, method, kernels, frames) => {
  const command = [native, 'run', file, '--quiet', '--threads', '1', '--kernels', kernels, ...(method ? ['--solver', method] : []), '--frames'];
  return (1000 * (userSeconds([...command, String(frames)]) - userSeconds([...command, '0']))) / frames;
};

if (noNative) throw new Error(noNative);
console.log(`load of the machine: ${loadavg()[0].toFixed(1)}; ${rounds} rounds`);
console.log('| scene | frames | native ms | by SSE2 | Node ms | times native | times SSE2 |\n|---|---:|---:|---:|---:|---:|---:|');
for (const [scene, method, frames] of scenes) {
  if (names.length && !names.includes(scene)) continue;
  const file = scenePath(scene);
  let widest = Infinity, sse2 = Infinity, warm = Infinity;
  for (let round = 0; round < rounds; ++round) {
    widest = Math.min(widest, inNative(file, method, 'avx512', frames));
    sse2 = Math.min(sse2, inNative(file, method, 'plain', frames));
    warm = Math.min(warm, await inNode(file, method, frames));
  }
  const name = path.basename(scene) + (method ? `, ${method}` : '');
  const numbers = [widest, sse2, warm].map((ms) => ms.toFixed(1)).concat([warm / widest, warm / sse2].map((ratio) => ratio.toFixed(2)));
  console.log(`| ${name} | ${frames} | ${numbers.join(' | ')} |`);
}
