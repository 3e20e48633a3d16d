// usage: node lab_scenes.mjs [SECONDS [SCENE…]]     frames per second of simulation of every scene in the form that the laboratory
// runs it in: processor time of up to 60 frames, or of those that are made within SECONDS (10) of it.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { openScene } from '../scene_files.mjs';
import { filesOf, load, web } from '../tests/program.mjs';
import { warmFrames } from './warm.mjs';

const [seconds = 10, ...names] = process.argv.slice(2);
const index = JSON.parse(await readFile(path.join(web, 'scenes/index.json'), 'utf8'));

console.log('| scene | vertices | frames | ms | slowest ms | frames/s |\n|---|---:|---:|---:|---:|---:|');
for (const { name, file, variant } of index) {
  if (names.length && !names.includes(name)) continue;
  const muslin = await load();
  const text = await openScene(muslin, filesOf, path.join(web, 'scenes', file));
  const run = muslin.createFromText(text, { name: path.basename(file), overrides: variant });
  const { total, slowest, frames } = warmFrames(run, 60, 1000 * seconds);
  const mean = total / frames;
  console.log(`| ${name} | ${run.sizes().vertices} | ${frames} | ${mean.toFixed(1)} | ${slowest.toFixed(0)} | ${(1000 / mean).toFixed(0)} |`);
}
