// usage: node one_file.mjs LAB FILE     the laboratory in one file: its code and, packed, all files of the folder LAB (scripts/site)
// that it fetches. It needs no server: browsers open it as file: (docs/lab.md).
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { build } from 'vite';
import { withPolicy } from './policy.mjs';

const [lab, file] = process.argv.slice(2);

const { output } = await build({
  root: path.dirname(fileURLToPath(import.meta.url)),
  logLevel: 'warn',
  worker: { format: 'iife' },
  build: { write: false, cssCodeSplit: false, rollupOptions: { output: { inlineDynamicImports: true } } },
});
const one = (matches) => output.find(({ fileName }) => matches.test(fileName));
const textOf = ({ code, source }) => code ?? source.toString();

// Workers of a page that is a file load no modules: muslin.mjs becomes a function before worker.js. Its wasm comes from the page.
const core = (await readFile(path.join(lab, 'muslin.mjs'), 'utf8')).replaceAll('import.meta.url', "'file:///'").replace('export default Module', 'return Module');
const files = { 'worker.js': `self.createMuslin = (() => {${core}})();\n${textOf(one(/worker-.*\.js$/))}` };
for (const name of (await readdir(lab, { recursive: true })).sort())
  if (/^(muslin\.wasm|scenes\/.*\.\w+|pictures\/.*\.jpg)$/.test(name)) files[name] = await readFile(path.join(lab, name));
const packed = Object.entries(files).map(([name, content]) => [name, deflateRawSync(content, { level: 9 }).toString('base64')]);

// What ends a script ends it within a string, too
const inScript = (code) => code.replaceAll('</script', '<\\/script');
const page = textOf(one(/index\.html$/))
  .replace(/<script type="module"[^>]*src=[^>]*><\/script>/, '')
  .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${textOf(one(/\.css$/))}</style>`)
  .replace('</body>', () => `<script type="application/json" id="files">${JSON.stringify(Object.fromEntries(packed))}</script>
<script type="module">${inScript(textOf(output.find(({ isEntry }) => isEntry)))}</script></body>`);
await writeFile(file, withPolicy(page, { oneFile: true }));
console.log(`${path.basename(file)}: ${(page.length / 1e6).toFixed(1)} MB`);
