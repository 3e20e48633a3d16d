// usage: node frames.mjs [ROUNDS]     processor time a frame, the native program on one thread against the core in Node
//
// Each round runs both one after the other; the least of all rounds counts. What a run of no frames takes (start, compilation,
// the scene) is taken off.
import { spawnSync } from 'node:child_process';
import { loadavg } from 'node:os';
import path from 'node:path';
import { native, noNative, root, scenePath } from '../tests/program.mjs';

const rounds = Number(process.argv[2] ?? 3);
const scenes = [['mosegaard', '', 200], ['hang', 'quasi_newton', 30], ['sphere_drape', '', 20], ['games103_implicit', '', 120],
  ['torture/fold', '', 15]];

/** User seconds of a command. */
function userSeconds(command) {
  const done = spawnSync('bash', ['-c', 'TIMEFORMAT=%U; time "$@" >/dev/null 2>/dev/null', 'bash', ...command], { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${command.join(' ')}: exit code ${done.status}`);
  return Number(done.stderr.trim());
}
const inNode = (file, method, frames) =>
  userSeconds([process.execPath, path.join(root, 'web/tests/hashes.mjs'), file, frames, ...(method ? [method] : [])]);
const inNative = (file, method, frames) =>
  userSeconds([native, 'run', file, '--quiet', '--threads', '1', '--frames', frames, ...(method ? ['--solver', method] : [])]);

if (noNative) throw new Error(noNative);
console.log(`load of the machine: ${loadavg()[0].toFixed(1)}; ${rounds} rounds`);
console.log('| scene | frames | native ms | Node ms | ratio |\n|---|---|---|---|---|');
for (const [scene, method, frames] of scenes) {
  const least = [Infinity, Infinity];
  for (let round = 0; round < rounds; ++round)
    [inNative, inNode].forEach((run, i) => {
      const seconds = run(scenePath(scene), method, String(frames)) - run(scenePath(scene), method, '0');
      least[i] = Math.min(least[i], (1000 * seconds) / frames);
    });
  const name = path.basename(scene) + (method ? `, ${method}` : '');
  console.log(`| ${name} | ${frames} | ${least[0].toFixed(1)} | ${least[1].toFixed(1)} | ${(least[1] / least[0]).toFixed(2)} |`);
}
