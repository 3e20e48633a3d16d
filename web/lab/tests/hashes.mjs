// usage: node hashes.mjs SCENE FRAMES [PATH=VALUE …]     prints the hash of the start and of every frame, one a line, that a headless
// Chromium computes with build/web, as scripts/compare_bits wants it.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { filesOf } from '../../core/muslin.js';
import { opened, root, served } from './page.mjs';

const [file, frames, ...overrides] = process.argv.slice(2);
const text = await readFile(file, 'utf8');
const read = (name) => readFile(path.join(path.dirname(file), name), 'base64');
const files = Object.fromEntries(await Promise.all(filesOf(text).map(async (name) => [name, await read(name)])));

const server = await served(path.join(root, 'build/web')), browser = await opened();
const page = await browser.newPage();
await page.goto(`${server.url}scenes/index.json`); // any page of that place
const scene = { text, files, overrides, name: path.basename(file), frames: Number(frames) };
const hashes = await page.evaluate(async ({ text, files, overrides, name, frames }) => {
  const { Muslin } = await import('/muslin.js');
  const muslin = await Muslin.load();
  for (const [mesh, bytes] of Object.entries(files)) muslin.putFile(mesh, await (await fetch(`data:;base64,${bytes}`)).arrayBuffer());
  const run = muslin.createFromText(text, { name, overrides }), found = [run.stateHash()];
  for (let frame = 0; frame < frames && run.step() === 1; ++frame) found.push(run.stateHash());
  return found;
}, scene);
console.log(hashes.join('\n'));
await browser.close();
server.close();
