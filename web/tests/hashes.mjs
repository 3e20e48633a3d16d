// usage: node hashes.mjs SCENE FRAMES [METHOD]     prints the hash of the start and of every frame, one a line, as
// `scripts/compare_bits --also` wants it.
import path from 'node:path';
import { load, open } from './program.mjs';

const [file, frames, method = ''] = process.argv.slice(2);
const muslin = await load();
const run = muslin.createFromText(await open(muslin, file), { name: path.basename(file), method });
console.log(run.stateHash());
for (let frame = 0; frame < Number(frames) && run.step() === 1; ++frame) console.log(run.stateHash());
