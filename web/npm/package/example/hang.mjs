// usage: node hang.mjs [FRAMES] [METHOD]    lets a sheet of cotton hang, and prints the hash of the start and of every frame
import { readFile } from 'node:fs/promises';
import { Muslin } from 'muslin';

const [frames = '10', method = ''] = process.argv.slice(2);
const text = await readFile(new URL('../scenes/hang.json', import.meta.url), 'utf8');
const muslin = await Muslin.load();
const run = muslin.createFromText(text, { name: 'hang.json', method });
console.log(run.stateHash());
await run.play(Number(frames), { onFrame: () => console.log(run.stateHash()) });
run.free();
