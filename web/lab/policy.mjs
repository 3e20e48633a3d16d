// What the page may load and run: its own files, and the scripts that were in it when it was built, named by their hashes.
import { createHash } from 'node:crypto';

const scripts = /<script(?![^>]*\bsrc=)(?![^>]*application\/json)[^>]*>([^]*?)<\/script>/g;

/** A page with its Content-Security-Policy; oneFile: all its files lie in the page itself. */
export function withPolicy(html, { oneFile = false } = {}) {
  const hashes = [...html.matchAll(scripts)].map(([, script]) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  const files = oneFile ? 'data: blob:' : "'self'";
  const policy = [
    "default-src 'none'",
    ["script-src 'wasm-unsafe-eval'", ...(oneFile ? [] : ["'self'"]), ...hashes].join(' '),
    `worker-src ${oneFile ? 'blob:' : "'self'"}`,
    `connect-src ${files}`,
    `img-src ${files} data: blob:`,
    `style-src ${oneFile ? '' : "'self' "}'unsafe-inline'`, // the editor and the panel write styles
    'font-src data:',
    'media-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}" />`;
  const without = html.replace(/\s*<meta http-equiv="Content-Security-Policy"[^>]*>/, '');
  return without.replace('<meta charset="utf-8" />', (charset) => `${charset}\n    ${meta}`);
}
