// What a link says, packed into the fragment of the address: nothing of it goes to a server.
const prefix = '#m1.';

const through = async (bytes, stream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/** JSON → fragment. */
export async function packed(content) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(content)), new CompressionStream('deflate-raw'));
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return prefix + letters.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Fragment → JSON; null where the fragment is none of ours. Throws a sentence where it is damaged. */
export async function unpacked(fragment) {
  if (!fragment.startsWith(prefix)) return null;
  try {
    const letters = atob(fragment.slice(prefix.length).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw'))));
  } catch {
    throw new Error('This link is damaged: it was cut off or changed on its way.');
  }
}

/** The frame at which two lists of hashes part, from 1 on; 0 if they never do. */
export function partingFrame(hashes, expected) {
  const at = expected.findIndex((hash, i) => hash !== hashes[i]);
  return at < 0 && expected.length !== hashes.length ? expected.length + 1 : at + 1;
}
