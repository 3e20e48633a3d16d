// The refuse corpus and thousands of files made of it by changes at random, as WebAssembly: whatever comes is refused in words or taken,
// nothing traps, and memory stays below a limit. MUSLIN_WEB_FILES, MUSLIN_WEB_SEED: how many files made at random, and which.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { filesOf, load, MuslinError, noProgram, root } from './program.mjs';
import { random } from './random.mjs';

const count = Number(process.env.MUSLIN_WEB_FILES ?? 4000);
const seed = Number(process.env.MUSLIN_WEB_SEED ?? 1);
const mostBytes = 512e6; // that the program may ever hold
const refuse = path.join(root, 'tests/refuse');

/** [path, exit code, words] of the corpus' lists; what native's test makes itself is left out. */
const cases = ['meshes', 'scenes']
  .flatMap((list) => readFileSync(path.join(refuse, `${list}.tsv`), 'utf8').split('\n'))
  .map((line) => line.split('\t'))
  .filter(([file, code]) => code && !file.startsWith('#') && !file.startsWith('generated:') && statSync(path.join(refuse, file), { throwIfNoEntry: false })?.isFile());

const isMesh = (file) => !file.endsWith('.json');
const sceneOf = (mesh) => JSON.stringify({ cloths: [{ mesh: { file: mesh } }] });

/** What the program says of a file: '' where it takes it. Anything but an error in words is thrown on. */
function answerTo(muslin, file, bytes) {
  let text = isMesh(file) ? sceneOf(path.basename(file)) : new TextDecoder().decode(bytes);
  try {
    muslin.dropFiles();
    if (isMesh(file)) muslin.putFile(path.basename(file), bytes);
    else
      for (const name of filesOf(text)) {
        const beside = path.join(refuse, path.dirname(file), name);
        if (!beside.includes('\0') && statSync(beside, { throwIfNoEntry: false })?.isFile()) muslin.putFile(name, readFileSync(beside));
      }
    muslin.createFromText(text, { name: path.basename(isMesh(file) ? 'scene.json' : file) }).free();
    return '';
  } catch (error) {
    if (!(error instanceof MuslinError) || !['invalid', 'file', 'misuse', 'memory'].includes(error.kind)) throw error;
    assert.ok(error.message.length > 0 && error.message.length < 1e6, `${file}: ${error.message.length} letters`);
    return error.message;
  }
}

test(`${cases.length} files of the refuse corpus are answered as natively`, { skip: noProgram }, async () => {
  const muslin = await load();
  for (const [file, code] of cases) {
    const words = answerTo(muslin, file, readFileSync(path.join(refuse, file)));
    if (code !== '0') assert.notEqual(words, '', `${file} is taken`); // `muslin check` takes some that no run does
    assert.ok(muslin.memory < mostBytes, `${file}: ${muslin.memory} bytes`);
  }
});

test(`${count} files made at random neither trap nor take memory`, { skip: noProgram }, async () => {
  const muslin = await load(), next = random(seed);
  const below = (n) => Math.floor(next() * n);
  const kept = (process.env.MUSLIN_WEB_MORE ?? '').split(':').filter(Boolean); // folders of more meshes
  const sources = [...cases.map(([file]) => [file, readFileSync(path.join(refuse, file))]),
    ...['scenes', 'scenes/meshes', ...kept].flatMap((folder) => readdirSync(path.join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(obj|ply|glb|gltf|usda|json)$/.test(entry.name)).map((entry) => [entry.name, readFileSync(path.join(root, folder, entry.name))]))]
    .filter(([, bytes]) => bytes.length > 0 && bytes.length < 20_000);
  const words = ['4294967295', '-1', '1e308', '0', '2147483647', '[', '{', '"', '\0', '\xff\xff\xff\xff', '\0\0\0\x80', '9007199254740993'].map((word) => Buffer.from(word, 'latin1'));
  let refused = 0;
  for (let k = 0; k < count; ++k) {
    const [file, source] = sources[below(sources.length)];
    let bytes = source;
    for (let changes = below(4); changes >= 0; --changes) {
      const at = below(bytes.length + 1), end = Math.min(bytes.length, at + below(9)), what = below(4);
      const middle = what === 0 ? words[below(words.length)] : what === 1 ? Buffer.from([below(256)]) : what === 2 ? bytes.subarray(below(bytes.length), below(bytes.length + 1)) : Buffer.alloc(0);
      bytes = Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(end)]);
    }
    refused += answerTo(muslin, file, bytes) !== '';
    assert.ok(muslin.memory < mostBytes, `${file}, number ${k}: ${muslin.memory} bytes`);
  }
  assert.ok(refused > count / 10, `${refused} of ${count} were refused`);
});
