// What a link says, packed into the fragment of the address: nothing of it goes to a server. Links come from anybody: what they
// say has a schema with limits, and nothing else of them reaches the page.
const prefix = '#m1.';

/** What a link may have at most. */
export const limits = { letters: 2_000_000, bytes: 8_000_000, text: 4_000_000, overrides: 1000, override: 20_000, lanes: 4, curves: 8, frame: 100_000, hands: 200_000, hashes: 64 };

// Pieces so small that a piece, which grows a thousandfold at most, inflates to a megabyte at most before it is counted
const piece = 1024;

/** Bytes through a stream; throws where more than `most` come out. */
async function through(bytes, stream, most) {
  let at = 0;
  const source = new ReadableStream({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.subarray(at, (at += piece)));
      else controller.close();
    },
  });
  const parts = [], reader = source.pipeThrough(stream).getReader();
  let length = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.length;
    if (length > most) {
      await reader.cancel().catch(() => {});
      throw new RangeError('too long');
    }
    parts.push(read.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** JSON → fragment. */
export async function packed(content) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(content)), new CompressionStream('deflate-raw'), limits.letters);
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return prefix + letters.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Fragment → what it says, by the schema; null where the fragment is none of ours. Throws a sentence where it is damaged or refused. */
export async function unpacked(fragment) {
  if (!fragment.startsWith(prefix)) return null;
  let content;
  try {
    if (fragment.length > limits.letters) throw new RangeError('too long');
    const letters = atob(fragment.slice(prefix.length).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    content = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw'), limits.bytes)));
  } catch (error) {
    if (error.message === 'too long') throw new Error(`This link is refused: it holds more than ${limits.bytes / 1e6} MB.`);
    throw new Error('This link is damaged: it was cut off or changed on its way.');
  }
  return checked(content);
}

// --- the schema -------------------------------------------------------------------------------------------------

/** Whether this is the name of a scene: words of a path, and no way up. */
export const isSceneName = (name) => typeof name === 'string' && name.length <= 100 && /^[a-z0-9_]+(\/[a-z0-9_]+)*$/.test(name);

const isText = (most) => (value) => typeof value === 'string' && value.length <= most;
const isWhole = (most) => (value) => Number.isInteger(value) && value >= 0 && value <= most;
const isBoolean = (value) => typeof value === 'boolean';
const isList = (most, each) => (value) => Array.isArray(value) && value.length <= most && value.every(each);
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isPlace = (value) => Array.isArray(value) && value.length === 3 && value.every(Number.isFinite);
const isIndex = isWhole(2 ** 31 - 1);
const isWord = (value) => typeof value === 'string' && /^[a-z0-9_]{0,40}$/.test(value);
const isHash = (value) => typeof value === 'string' && /^[0-9a-f]{16}( [0-9a-f]{16}){0,3}$/.test(value);
const isOverride = (value) => isText(limits.override)(value) && /^[\w/]+=/.test(value) && !value.includes('\n');

/** What hands did, and with which arguments (Hands). */
const arguments_ = {
  hold: ([vertex, place]) => isIndex(vertex) && (place === undefined || isPlace(place)),
  letGo: ([vertex]) => isIndex(vertex),
  pull: ([vertex, place]) => isIndex(vertex) && isPlace(place),
  release: () => true,
  carry: ([collider, offset]) => isIndex(collider) && isPlace(offset),
};
const isHand = (value) => Array.isArray(value) && value.length <= 3 && typeof value[0] === 'string' && Object.hasOwn(arguments_, value[0]) && arguments_[value[0]](value.slice(1));

function areHands(value) {
  if (!isObject(value)) return false;
  let count = 0;
  for (const [frame, hands] of Object.entries(value)) {
    if (!/^\d{1,6}$/.test(frame) || !isList(limits.hands, isHand)(hands)) return false;
    count += hands.length;
  }
  return count <= limits.hands;
}

const schema = {
  scene: [isSceneName, 'the name of a scene'],
  text: [(value) => value === null || isText(limits.text)(value), `null or at most ${limits.text} letters`],
  overrides: [isList(limits.overrides, isOverride), `at most ${limits.overrides} lines path=value`],
  lanes: [(value) => isList(limits.lanes, isWord)(value) && value.length > 0, `1 to ${limits.lanes} names of solvers`],
  exact: [isBoolean, 'true or false'],
  own: [isBoolean, 'true or false'],
  field: [isWord, 'the name of a field'],
  curves: [isList(limits.curves, isWord), `at most ${limits.curves} names of figures`],
  camera: [(value) => isList(6, Number.isFinite)(value) && value.length === 6, 'six numbers'],
  frame: [isWhole(limits.frame), `a whole number from 0 to ${limits.frame}`],
  hands: [areHands, `at most ${limits.hands} hands by frame`],
  hashes: [isList(limits.hashes, isHash), `at most ${limits.hashes} hashes`],
  version: [(value) => typeof value === 'string' && /^[\w.+-]{1,40}$/.test(value), 'a version'],
};
const needed = ['scene', 'lanes'];

/** What of a link's content the schema knows, tested. Throws a sentence that names the first part which is not as it should be. */
export function checked(content) {
  const refuse = (words) => new Error(`This link is refused: ${words}.`);
  if (!isObject(content)) throw refuse('it holds no state of this page');
  for (const name of needed) if (!Object.hasOwn(content, name)) throw refuse(`it has no ${name}`);
  for (const name of Object.keys(content)) if (!Object.hasOwn(schema, name)) throw refuse(`nothing here is called ${JSON.stringify(name.slice(0, 40))}`);
  for (const [name, value] of Object.entries(content)) if (!schema[name][0](value)) throw refuse(`${name} must be ${schema[name][1]}`);
  return content;
}

/** The frame at which two lists of hashes part, from 1 on; 0 if they never do. */
export function partingFrame(hashes, expected) {
  const at = expected.findIndex((hash, i) => hash !== hashes[i]);
  return at < 0 && expected.length !== hashes.length ? expected.length + 1 : at + 1;
}
