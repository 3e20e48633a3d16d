// Links that mean harm, in a browser: each is answered within seconds, what takes long can be stopped, and nothing but the page's
// own files is asked for. MUSLIN_LINKS=all: every link of hostile.mjs, not only the quick ones; MUSLIN_LINKS_FILE: more, one a line.
import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { filesOf } from '../../core/muslin.js';
import { checked, packed, unpacked } from '../src/link.js';
import { hostileLinks } from './hostile.mjs';
import { folder, opened } from './page.mjs';

const msToAnswer = 10_000;
const below = '/a/b/lab/'; // so that there is something above the page to ask for
const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.json': 'application/json', '.wasm': 'application/wasm', '.jpg': 'image/jpeg' };

let server, browser, home, asked = [];
before(async () => {
  server = http.createServer(async (request, response) => {
    const name = request.url.split('?')[0], file = path.join(folder, name === below ? 'index.html' : name.slice(below.length));
    const isBelow = name.startsWith(below) && !name.includes('..'), own = isBelow && (await stat(file).catch(() => null))?.isFile();
    if (!own) {
      // The picture of a scene that there is not, or that was built without pictures, lies beside the page, too
      if (!isBelow || !/^pictures\/\w+\.jpg$/.test(name.slice(below.length))) asked.push(`${request.method} ${request.url}`);
      return response.writeHead(404).end();
    }
    response.writeHead(200, { 'Content-Type': types[path.extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  home = `http://127.0.0.1:${server.address().port}${below}`;
  browser = await opened();
});
after(async () => {
  await browser?.close();
  server?.close();
});

test('files of a text are found in one pass', () => {
  assert.deepEqual(filesOf('{"file": "a.obj", /* "file": "b" */ "rest_mesh" : "c\\u0041", "viewer": ["cloths/0/mesh/file=d.obj"]} // "file": "e"'), ['a.obj', 'cA', 'd.obj']);
  const seconds = (text) => {
    const start = performance.now();
    filesOf(text);
    return performance.now() - start;
  };
  for (const part of ['/*', '"\\"', '"file":', '"file" ', '\\'])
    assert.ok(seconds(part.repeat(1_000_000)) < 20 * Math.max(seconds(part.repeat(100_000)), 5), `${part}: ten times the text takes ten times as long`);
});

test('a link keeps what it says, and has limits', async () => {
  const state = { scene: 'torture/fold', text: null, overrides: ['cloths/0/grid/points=[9, 9]'], lanes: ['', 'newton'], exact: true, field: '', curves: ['ms'], own: false, camera: [1, 2, 3, 0, 0, 0],
    frame: 3, hands: { 1: [['pull', 4, [0, 1, 0]], ['release']], 2: [['carry', 0, [0, 0, 0.5]]] }, hashes: ['0123456789abcdef fedcba9876543210'], version: '0.1.0' };
  assert.deepEqual(await unpacked(await packed(state)), state);
  for (const other of [{ frame: 100_001 }, { lanes: [] }, { scene: '../x' }, { hands: { 1: [['free']] } }, { hashes: ['x'] }, { exact: 1 }, { own_files: [] }, { overrides: ['a=1\nb=2'] }])
    assert.throws(() => checked({ ...state, ...other }), new RegExp(`refused.*${Object.keys(other)[0]}`), JSON.stringify(other));
});

/** Opens an address; how the page answered, and after how many ms. */
async function answerOf(page, address) {
  const start = performance.now();
  const left = () => Math.max(1, msToAnswer - (performance.now() - start));
  await page.goto(home + address, { timeout: msToAnswer, waitUntil: 'commit' });
  const long = () => document.getElementById('stop')?.hidden === false;
  const answered = () => ['yes', 'failed'].includes(document.body?.dataset.ready) || document.getElementById('stop')?.hidden === false;
  await page.waitForFunction(answered, null, { timeout: left() });
  const ms = performance.now() - start;
  await page.waitForTimeout(1500); // what plays by itself may take long, too
  if (!(await page.evaluate(long))) return { ms, answer: await page.evaluate(() => (document.body.dataset.ready === 'yes' ? 'opened' : 'refused')) };
  const pressed = performance.now();
  const stopped = await page.evaluate(() => {
    const button = document.getElementById('stop'), shown = !button.hidden;
    button.click();
    return shown;
  });
  if (!stopped) return { ms, answer: 'opened' }; // it came to its end meanwhile
  await page.waitForFunction(() => document.getElementById('toast').textContent.includes('Stopped'), null, { timeout: msToAnswer });
  return { ms: Math.max(ms, performance.now() - pressed), answer: 'stopped' };
}

test('hostile links are answered, and ask for nothing', async (context) => {
  const all = await hostileLinks({ file: process.env.MUSLIN_LINKS_FILE });
  const links = process.env.MUSLIN_LINKS === 'all' ? all : all.filter(([, , quick]) => quick);
  const failures = [], counts = { refused: 0, opened: 0, stopped: 0 };
  let slowest = 0;
  for (const [what, address] of links) {
    const visit = await browser.newContext({ viewport: { width: 500, height: 400 } }), page = await visit.newPage();
    visit.on('request', (request) => !/^(blob|data):/.test(request.url()) && !request.url().startsWith(home) && asked.push(request.url()));
    page.on('dialog', (dialog) => failures.push(`${what}: a dialog`) && dialog.dismiss());
    asked = [];
    try {
      const { ms, answer } = await answerOf(page, address);
      ++counts[answer];
      slowest = Math.max(slowest, ms);
      const words = (await page.textContent('#toast')).slice(0, 90).replaceAll('\n', ' ');
      context.diagnostic(`${what} (${address.length} letters): ${answer}, ${Math.round(ms)} ms; ${words}`);
    } catch (error) {
      failures.push(`${what}: no answer: ${error.message.split('\n')[0]}`);
    }
    if (asked.length) failures.push(`${what}: asked for ${asked.join(', ')}`);
    await visit.close();
  }
  context.diagnostic(`${links.length} links: ${JSON.stringify(counts)}, the slowest after ${Math.round(slowest)} ms`);
  assert.deepEqual(failures, []);
  assert.ok(counts.opened + counts.refused + counts.stopped === links.length);
});
