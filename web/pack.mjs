// usage: node pack.mjs FOLDER     (scripts/web) puts beside muslin.mjs and muslin.wasm what pages need: muslin.js, and the
// shipped scenes with an index of them. Says how large the program is.
import { copyFile, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { openScene } from './scene_files.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const folder = process.argv[2];

// What a page wants to know of a scene before it opens it. Throws where the scene cannot run.
async function sceneEntry(muslin, filesOf, file) {
  const text = await openScene(muslin, filesOf, path.join(root, 'scenes', file));
  const run = muslin.createFromText(text, { name: path.basename(file) });
  const { vertices, triangles, frames } = run.sizes();
  const title = JSON.parse(run.scene()).name;
  run.free();
  const files = filesOf(text).map((mesh) => path.posix.join(path.dirname(file), mesh));
  return { name: file.replace(/\.json$/, ''), title, file, files, vertices, triangles, frames, variant: muslin.variant(text, file) };
}

const scenes = path.join(folder, 'scenes');
await mkdir(scenes, { recursive: true });
await cp(path.join(root, 'scenes'), scenes, { recursive: true });
await copyFile(path.join(root, 'web/core/muslin.js'), path.join(folder, 'muslin.js'));
const { Muslin, filesOf } = await import(pathToFileURL(path.resolve(folder, 'muslin.js')));
const muslin = await Muslin.load();
const index = [];
for (const file of (await readdir(path.join(root, 'scenes'), { recursive: true })).sort())
  if (file.endsWith('.json') && !file.startsWith('garments')) // where patterns lie, and no scenes
    index.push(await sceneEntry(muslin, filesOf, file));
await writeFile(path.join(scenes, 'index.json'), JSON.stringify(index, null, 1));
console.log(`${index.length} scenes`);

const wasm = await readFile(path.join(folder, 'muslin.wasm'));
const brotli = brotliCompressSync(wasm).length;
console.log(`muslin.wasm: ${wasm.length} bytes, ${gzipSync(wasm, { level: 9 }).length} by gzip, ${brotli} by brotli`);
