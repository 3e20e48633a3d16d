// The files beside the page: scenes, pictures, the program. In the laboratory that is one file (one_file.mjs) they lie in the page
// itself, packed, since a page that was opened as file: may fetch nothing.
const packed = document.getElementById('files');
const own = packed ? JSON.parse(packed.textContent) : null;
/** Whether this page is the whole laboratory in one file. */
export const isOneFile = own !== null;
const base = new URL('./', document.baseURI).href;
const types = { wasm: 'application/wasm', mjs: 'text/javascript', js: 'text/javascript', json: 'application/json', jpg: 'image/jpeg' };

/** Whether a name stays beside the page: words of a path, and no way up. */
const isFileName = (name) => /^[\w.-]+(\/[\w.-]+)*$/.test(name) && !name.split('/').some((part) => /^\.+$/.test(part));

/** The answer for a file, as fetch() has it. */
export async function fetched(name) {
  if (!isFileName(name)) throw new Error(`The page has no file named ${name.slice(0, 100)}.`);
  if (!own) return fetch(base + name, { credentials: 'omit' });
  if (!Object.hasOwn(own, name)) return new Response(null, { status: 404, statusText: 'not in this page' });
  const { body } = await fetch(`data:;base64,${own[name]}`);
  const type = types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return new Response(body.pipeThrough(new DecompressionStream('deflate-raw')), { headers: { 'Content-Type': type } });
}

const blobs = new Map();

/** An address for a file, for what takes addresses alone. */
export async function addressOf(name) {
  if (!own) return base + name;
  if (!blobs.has(name)) blobs.set(name, fetched(name).then((answer) => answer.blob()).then(URL.createObjectURL));
  return blobs.get(name);
}
