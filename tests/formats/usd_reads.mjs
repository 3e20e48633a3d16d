// TinyUSDZ on run.usda, held against the OBJ frame 0, which is the first time sample: node usd_reads.mjs RUN NODE_MODULES
import fs from 'fs';
import path from 'path';

// It is built for browsers.
globalThis.window = globalThis.self = globalThis;
globalThis.document = {currentScript: null};
globalThis.location = {href: 'file:///'};
process.type = 'renderer';

const [run, modules] = process.argv.slice(2).map((name) => path.resolve(name));
const create = (await import(path.join(modules, 'tinyusdz/tinyusdz.js'))).default;
const usd = await create({wasmBinary: fs.readFileSync(path.join(modules, 'tinyusdz/tinyusdz.wasm'))});
const loader = new usd.TinyUSDZLoaderNative();
if (!loader.loadFromBinary(new Uint8Array(fs.readFileSync(path.join(run, 'run.usda'))), 'run.usda'))
  throw new Error(`run.usda: ${loader.error()}`);

const expected = fs.readFileSync(path.join(run, 'frame_0000.obj'), 'utf8').split('\n')
  .filter((line) => line.startsWith('v ')).flatMap((line) => line.split(' ').slice(1, 4).map(Number));
const {points} = loader.getMesh(0);
if (points.length !== expected.length) throw new Error(`run.usda: ${points.length} coordinates, not ${expected.length}`);
const worst = Math.max(...expected.map((x, k) => Math.abs(x - points[k])));
if (!(worst <= 1e-6)) throw new Error(`run.usda: ${worst} m off`);
console.log(`TinyUSDZ: ${loader.numMeshes()} meshes, the cloth within ${worst} m`);
