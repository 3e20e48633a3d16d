// usage: node hashes.mjs SCENE FRAMES [METHOD | PATH=VALUE …]     prints the hash of the start and of every frame, one a line, as
// scripts/compare_bits wants it.
import path from 'node:path';
import { load, open } from './program.mjs';

const [file, frames, ...more] = process.argv.slice(2);
const overrides = more.filter((word) => word.includes('=')), method = more.find((word) => !word.includes('=')) ?? '';
const muslin = await load();
const run = muslin.createFromText(await open(muslin, file), { name: path.basename(file), method, overrides });
console.log(run.stateHash());
for (let frame = 0; frame < Number(frames) && run.step() === 1; ++frame) console.log(run.stateHash());
