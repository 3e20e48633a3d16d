// Links that mean harm, for links.test.mjs: [what, address after the page's, whether it is one of the quick ones].
import { readFileSync } from 'node:fs';
import { deflateRawSync, createDeflateRaw } from 'node:zlib';

const lettersOf = (bytes) => '#m1.' + bytes.toString('base64url');
const raw = (text) => lettersOf(deflateRawSync(Buffer.from(text), { level: 9 }));
const good = { scene: 'games103_implicit', text: null, overrides: [], lanes: [''], exact: false, field: '', curves: ['ms'], own: false, frame: 0, hands: {}, hashes: [], version: '0.1.0' };
const link = (other) => raw(JSON.stringify({ ...good, ...other }));
const withText = (text, other) => link({ text, ...other });
const scene = (other) => JSON.stringify({ frames: 10, cloths: [{ grid: { points: [9, 9], size: [1, 1] } }], ...other });
const mesh = (file) => withText(scene({ cloths: [{ mesh: { file } }] }));

/** A fragment that inflates to so many bytes of one letter within a JSON string. */
async function bomb(before, letter, bytes) {
  const stream = createDeflateRaw({ level: 9 }), parts = [], block = Buffer.alloc(1e6, letter);
  stream.on('data', (part) => parts.push(part));
  const ended = new Promise((resolve) => stream.on('end', resolve));
  stream.write(before);
  for (let left = bytes; left > 0; left -= block.length) if (!stream.write(block)) await new Promise((resolve) => stream.once('drain', resolve));
  stream.end('"}');
  await ended;
  return lettersOf(Buffer.concat(parts));
}

/** The links of a file, one a line as 'words: #m1.…'. */
const kept = (file) => readFileSync(file, 'utf8').split('\n').filter((line) => line.includes(': #m1.')).map((line) => [line.slice(0, line.indexOf(': #')), line.slice(line.indexOf('#m1.'))]);

export async function hostileLinks({ file } = {}) {
  const many = (count, of) => Array.from({ length: count }, (_, i) => (typeof of === 'function' ? of(i) : of));
  const up = '../../api/secret';
  const links = [
    // what no page wrote
    ['empty', '#m1.'], ['no letters of ours', '#m1.<script>alert(1)</script>'], ['percent', '#m1.%00%ff%'], ['cut off', link({}).slice(0, 60)],
    ['changed on its way', link({}).replace(/.{4}$/, 'AAAA')], ['no JSON', raw('{"scene":')], ['a list', raw('[]')], ['null', raw('null')], ['a number', raw('1e999')],
    ['a string', raw('"x"')], ['100 000 brackets', raw('['.repeat(100_000) + ']'.repeat(100_000)), true], ['2 million letters of base64', '#m1.' + 'A'.repeat(1_990_000)],
    // bombs
    ['1.2 GB of text', await bomb('{"scene":"flag","text":"', 'a', 1.2e9), true], ['300 MB of zeros', await bomb('{"x":"', '\0', 3e8)], ['20 MB of brackets', await bomb('{"x":"', '[', 2e7)],
    ['9 MB of lanes', raw(JSON.stringify({ ...good, lanes: many(1e6, 'newton') }))],
    // texts that take long to look through
    ['3 MB of comments that open', withText('/*'.repeat(1_500_000)), true], ['300 kB of comments', withText('/* /'.repeat(75_000) + scene())],
    ['a million quotes', withText('"\\"'.repeat(1_000_000))], ['half a million names of files', withText('"file":'.repeat(500_000))], ['a name and 3 MB of space', withText('"file"' + ' '.repeat(3e6))],
    ['a million lines', withText('\n'.repeat(1e6) + scene())], ['a million slashes', withText('/'.repeat(1e6))], ['backslashes', withText('"' + '\\'.repeat(2e6))],
    ['3 MB of brackets', withText('['.repeat(3e6))], ['a number of a million digits', withText(scene({ frames: 0 }).replace('"frames":0', '"frames":' + '9'.repeat(1e6)))],
    // too many, too large
    ['10^5 curves', link({ curves: many(1e5, 'ms') }), true], ['10^5 lanes', link({ lanes: many(1e5, 'newton') })], ['no lanes', link({ lanes: [] })], ['10^5 changes', link({ overrides: many(1e5, 'seed=1') })],
    ['a change of 1 MB', link({ overrides: ['a=' + 'x'.repeat(1e6)] })], ['10^5 hashes', link({ frame: 3, hashes: many(1e5, '0'.repeat(16)) })], ['frame 10^12', link({ frame: 1e12 }), true],
    ['frame -1', link({ frame: -1 })], ['frame 1.5', link({ frame: 1.5 })], ['a frame in words', link({ frame: '9' })], ['no frame', link({ frame: null })],
    ['300 000 hands', link({ frame: 2, hands: { 1: many(300_000, ['release']) } })], ['hands of 10^5 frames', link({ frame: 2, hands: Object.fromEntries(many(1e5, (i) => [i, [['hold', 1e9]]])) })],
    ['a camera of two', link({ camera: [1, 2] })], ['a camera of words', link({ camera: many(6, 'x') })], ['a camera at infinity', raw(JSON.stringify({ ...good, camera: many(6, 7) }).replaceAll('7', '1e308'))],
    // other shapes
    ['a scene of numbers', link({ scene: 7 })], ['a scene of parts', link({ scene: { toString: 1 } })], ['lanes of parts', link({ lanes: { length: 2 } })], ['a lane of a number', link({ lanes: [1] })],
    ['yes', link({ exact: 'yes' })], ['a text of a list', link({ text: ['x'] })], ['a prototype', raw('{"__proto__":{"own":true},"scene":"flag","lanes":[""]}')], ['a constructor', link({ constructor: { prototype: {} } })],
    ['hands of a prototype', raw(JSON.stringify({ ...good, frame: 2 }).replace('"hands":{}', '"hands":{"__proto__":[["free"]]}'))], ['a hand that frees', link({ frame: 2, hands: { 1: [['free']] } }), true],
    ['a hand that constructs', link({ frame: 2, hands: { 1: [['constructor', 'x']] } })], ['a hand without a place', link({ frame: 2, hands: { 1: [['pull', 3]] } })], ['a hand on vertex 2^31 - 1', link({ frame: 2, hands: { 1: [['hold', 2 ** 31 - 1]] } })],
    ['an unknown solver', link({ lanes: ['solver_of_nobody'] })], ['an unknown field', link({ field: 'temperature' })], ['unknown curves', link({ curves: ['nothing', 'either'] })], ['markup for a version', link({ version: '<img src=x>' })],
    ['nothing but a scene', raw('{"scene":"flag"}')],
    // what would make the browser ask
    ...[up, '..\\..\\x', 'http://127.0.0.1:9/x', '//evil.example/x', '%2e%2e/%2e%2e/x', 'torture/../../../x', '/etc/passwd'].map((name, i) => [`scene ${name}`, link({ scene: name }), i === 0]),
    ...[`${up}.obj`, '..\\..\\x.obj', 'http://127.0.0.1:9/x.obj', '//evil.example/x.obj', '%2e%2e/x.obj', '.', 'index.json', 'data:,x'].map((name, i) => [`mesh ${name}`, mesh(name), i === 0]),
    ['10^5 meshes', withText(JSON.stringify({ cloths: many(1e5, (i) => ({ mesh: { file: `m${i}.obj` } })) }))], ['a rest mesh above', withText(scene({ cloths: [{ mesh: { file: 'a.obj', rest_mesh: up } }] }))],
    ['a changed mesh above', link({ overrides: [`cloths/0/mesh/file="${up}"`] })], ['a viewer that asks', withText(scene({ viewer: { overrides: [`cloths/0/mesh/file=${up}`] } }))],
    ...['..\\..\\x', '../../api', '//evil.example/x', 'a%00b', '<img src=//evil.example>', 'constructor'].map((name, i) => [`?scene=${name}`, `?scene=${encodeURIComponent(name)}`, i === 0]),
    // scenes that take for ever
    ['16 million vertices', withText(scene({ cloths: [{ grid: { points: [4000, 4000], size: [1, 1] } }] }))], ['10^18 vertices', withText(scene({ cloths: [{ grid: { points: [1e9, 1e9], size: [1, 1] } }] }))],
    ['10^5 steps a frame', withText(scene({ frame_time: 1, solver: { family: 'explicit', explicit: { substeps: 100_000 } }, cloths: [{ grid: { points: [150, 150], size: [1, 1] } }] })), true],
    ['frame 100 000 of four lanes', link({ scene: 'flag', frame: 1e5, lanes: many(4, 'newton') }), true],
    ['5000 bodies', withText(scene({ colliders: many(5000, (i) => ({ sphere: { center: [i, -9, 0], radius: 0.4 } })) }))],
    ['a title of markup', withText(scene({ name: '<img src=//evil.example/x onerror=alert(1)>' }))], ['a title of 3 MB', withText(scene({ name: 'x'.repeat(3e6) }))],
    ['an error of 3 MB', withText(scene({ ['y'.repeat(3e6)]: 1 }))],
  ];
  return [...links, ...(file ? kept(file) : [])];
}
