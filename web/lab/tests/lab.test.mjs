import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { begun, folder, frameOf, hashesOf, labPage, opened, paused, served, stepped, toastOf, waitForFrame } from './page.mjs';

let server, browser;
before(async () => {
  server = await served();
  browser = await opened();
});
after(async () => {
  await browser?.close();
  server?.close();
});
const lab = (where = '', options) => labPage(browser, server.url + where, options);
const small = '?scene=games103_implicit';

test('it loads, and plays by itself', async () => {
  const page = await lab();
  assert.equal(await page.evaluate(() => document.body.dataset.ready), 'yes');
  await waitForFrame(page, 3);
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test('the cloth is drawn, and moves', async () => {
  const page = await lab(small);
  await paused(page);
  const picture = () => page.evaluate(() => document.getElementById('canvas').toDataURL());
  const first = await picture();
  await stepped(page, 8);
  const second = await picture();
  assert.notEqual(second, first);
  const empty = await page.evaluate(() => {
    const { width, height } = document.getElementById('canvas');
    return Object.assign(document.createElement('canvas'), { width, height }).toDataURL().length;
  });
  assert.ok(second.length > 2 * empty, `a picture of one colour packs into ${empty}, this one into ${second.length}`);
  await page.context().close();
});

test('a hand that drags the cloth changes it', async () => {
  const page = await lab(small);
  await paused(page);
  await begun(page);
  await stepped(page, 6);
  const untouched = await hashesOf(page);
  await begun(page);
  await page.waitForTimeout(1000);
  // Somewhere in the picture there is cloth: try places until a thread is taken
  const box = await page.locator('#canvas').boundingBox();
  for (const [fx, fy] of [[0.5, 0.4], [0.45, 0.35], [0.55, 0.45], [0.5, 0.3], [0.4, 0.4], [0.6, 0.35], [0.5, 0.5]]) {
    await page.mouse.move(box.x + fx * box.width, box.y + fy * box.height);
    await page.mouse.down();
    await page.mouse.move(box.x + fx * box.width + 60, box.y + fy * box.height + 60, { steps: 4 });
    if ((await toastOf(page)).includes('hands act')) break;
    await page.mouse.up();
  }
  await stepped(page, 6);
  assert.notEqual(await hashesOf(page), untouched);
  await page.mouse.up();
  await page.context().close();
});

test('lesson 3: plain descent loses the gravity that the text says, the others do not', async () => {
  const page = await lab('#lesson=3');
  await waitForFrame(page, 3);
  await paused(page);
  await begun(page);
  await stepped(page, 1);
  const captions = await page.locator('.caption').allTextContents();
  assert.equal(captions.length, 3);
  const lost = captions.map((words) => (words.includes('falls at its full weight') ? 0 : +/as if ([\d.e-]+) % (?:lighter|heavier)/.exec(words)[1]));
  assert.ok(Math.abs(lost[0] - 41) < 1, `plain descent loses ${lost[0]} %`);
  assert.ok(lost[2] < 0.01, `Newton loses ${lost[2]} %`);
  assert.match(await page.locator('.banner').first().textContent(), /Losing 4\d % of gravity/);
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test('every lesson opens', async () => {
  for (const number of [1, 2, 3, 4, 5, 6]) {
    const page = await lab(`#lesson=${number}`);
    assert.equal(await page.evaluate(() => document.body.dataset.ready), 'yes', await toastOf(page));
    await page.context().close();
  }
});

test('another solver beside, colours, judge', async () => {
  const page = await lab(small);
  await paused(page);
  await page.selectOption('#beside select, select#beside', 'newton');
  await page.waitForFunction(() => document.querySelectorAll('.lane').length === 2);
  await stepped(page, 2);
  await page.selectOption('select#field', 'strain');
  await page.waitForSelector('.heat');
  await page.click('#judge');
  await page.waitForFunction(() => /nothing meets|pairs of triangles/.test(document.getElementById('toast').textContent));
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test('what precision costs: a line a family, and numbers to keep', async () => {
  const page = await lab(small);
  await paused(page);
  await page.click('#costs');
  await page.waitForSelector('#precision[data-state=done]');
  const lines = await page.locator('#precision polyline').count();
  assert.ok(lines >= 6, `${lines} lines`);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#precision .save')]);
  const { reference, lines: kept } = JSON.parse(await readFile(await download.path(), 'utf8'));
  assert.equal(reference.doubt.length, 8);
  assert.ok(kept.find(({ name }) => name === 'newton').points.every(({ mean_error: error }) => error > 0));
  await page.keyboard.press('Escape');
  assert.equal(await page.isHidden('#precision'), true);
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test('a mistake in the text is told at its line', async () => {
  const page = await lab(small);
  await paused(page);
  await page.click('#edit');
  await page.waitForSelector('.cm-content');
  await page.click('.cm-content');
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText('{\n  "cloths": [{"grid": {"points": [5, 5], "size": [1, 1]}, "fabric": "coton"}]\n}');
  await page.waitForFunction(() => document.querySelector('#editor output').textContent.length > 0);
  assert.match(await page.textContent('#editor output'), /:2:\d+: \/cloths\/0\/fabric.*cotton/s);
  await page.waitForSelector('.cm-lintRange-error, .cm-lintPoint-error');
  await page.context().close();
});

/** A page by a link, when it has said whether the bits are the same. */
async function followed(link) {
  const page = await labPage(browser, link);
  await page.waitForFunction(() => document.body.dataset.link);
  return page;
}

test('a link leads to the same bits, hands and all', async () => {
  const page = await lab(small);
  await paused(page);
  await page.click('#reset');
  await begun(page);
  await stepped(page, 3);
  const box = await page.locator('#canvas').boundingBox();
  for (const [fx, fy] of [[0.5, 0.4], [0.45, 0.35], [0.55, 0.45], [0.5, 0.3], [0.4, 0.4], [0.6, 0.35], [0.5, 0.5]]) {
    await page.mouse.move(box.x + fx * box.width, box.y + fy * box.height);
    await page.mouse.down();
    await page.mouse.move(box.x + fx * box.width + 50, box.y + fy * box.height + 50, { steps: 3 });
    if ((await toastOf(page)).includes('hands act')) break;
    await page.mouse.up();
  }
  await stepped(page, 4);
  await page.mouse.up();
  await stepped(page, 34); // more frames than a link has hashes
  const hashes = await hashesOf(page);
  await page.click('#share');
  await page.waitForFunction(() => location.hash.startsWith('#m1.'));
  const link = page.url();
  const other = await followed(link);
  assert.equal(await other.evaluate(() => document.body.dataset.link), 'same');
  assert.equal(await frameOf(other), 41);
  assert.equal(await hashesOf(other), hashes);
  await other.context().close();

  const { packed, unpacked } = await import('../src/link.js');
  const content = await unpacked(new URL(link).hash);
  assert.ok(Object.values(content.hands).flat().some(([name]) => name === 'pull'));
  const without = await followed(server.url + (await packed({ ...content, hands: {} })));
  assert.equal(await without.evaluate(() => document.body.dataset.link), 'other');
  await without.context().close();
  await page.context().close();
});

test('a method that refuses the scene leaves the page as it was', async () => {
  const page = await lab('?scene=cs184_self_collision');
  await paused(page);
  await page.selectOption('#chooser select', 'quasi_newton'); // it starts on the plane
  await page.waitForFunction(() => document.getElementById('toast').textContent.includes('keep apart'));
  await stepped(page, 1);
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test('a damaged link says so', async () => {
  const page = await lab('#m1.AAAA');
  assert.match(await toastOf(page), /damaged/);
  await page.context().close();
});

/** How many pictures a film has, by ffprobe. */
function picturesIn(film) {
  const { stdout, stderr } = spawnSync('ffprobe', ['-v', 'error', '-count_frames', '-select_streams', 'v', '-show_entries', 'stream=nb_read_frames', '-of', 'csv=p=0', film], { encoding: 'utf8' });
  assert.equal(stderr, '');
  return parseInt(stdout);
}

test('a film can be played, and files have what they should', async () => {
  const page = await lab(small);
  await page.click('#record');
  const start = await frameOf(page);
  await waitForFrame(page, start + 30);
  const [film] = await Promise.all([page.waitForEvent('download'), page.click('#record')]);
  assert.ok(picturesIn(await film.path()) >= 5);
  await paused(page);
  const saved = async (what) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.selectOption('#save', what)]);
    return readFile(await download.path());
  };
  const obj = (await saved('obj')).toString();
  assert.equal(obj.match(/^v /gm).length, 441);
  assert.equal((await saved('glb')).subarray(0, 4).toString(), 'glTF');
  assert.equal((await saved('png')).subarray(1, 4).toString(), 'PNG');
  await page.context().close();
});

test('a GIF has a picture of every frame', async () => {
  const page = await lab(small);
  await paused(page);
  await begun(page);
  await page.selectOption('#save', 'gif');
  await page.waitForFunction(() => document.getElementById('toast').textContent.includes('GIF'));
  await stepped(page, 5);
  const [film] = await Promise.all([page.waitForEvent('download'), page.selectOption('#save', 'gif')]);
  assert.equal((await readFile(await film.path())).subarray(0, 6).toString(), 'GIF89a');
  assert.equal(picturesIn(await film.path()), 5);
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

const oneFile = path.join(folder, 'muslin_lab.html');
test('the one file opens without a server, with lanes, and a link to the same bits', { skip: !existsSync(oneFile) }, async () => {
  const page = await labPage(browser, `${pathToFileURL(oneFile)}${small}`);
  await paused(page);
  await page.selectOption('select#beside', 'newton');
  await page.waitForFunction(() => document.querySelectorAll('.lane').length === 2);
  await stepped(page, 2);
  const hashes = await hashesOf(page);
  await page.click('#share');
  await page.waitForFunction(() => location.hash.startsWith('#m1.'));
  const other = await followed(page.url());
  assert.equal(await other.evaluate(() => document.body.dataset.link), 'same');
  assert.equal(await hashesOf(other), hashes);
  await other.click('#edit');
  await other.waitForSelector('.cm-content');
  assert.deepEqual([...page.errors, ...other.errors], []);
  await other.context().close();
  await page.context().close();
});

test('keys play, turn the camera, and go through the scenes', async () => {
  const page = await lab(small);
  await paused(page);
  await page.focus('#canvas');
  const picture = () => page.evaluate(() => document.getElementById('canvas').toDataURL());
  const before = await picture();
  await page.keyboard.press('ArrowLeft');
  assert.notEqual(await picture(), before);
  await page.keyboard.press('g');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.scene), 'circle_skirt');
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'menu');
  const frame = await frameOf(page);
  await page.keyboard.press('n');
  await waitForFrame(page, frame + 1);
  await page.context().close();
});

/** What axe-core finds wrong for people who see little, or use other means than a pointer. */
async function barriers(page) {
  await page.addScriptTag({ path: fileURLToPath(new URL('../node_modules/axe-core/axe.min.js', import.meta.url)) });
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'best-practice'] }));
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`));
}

for (const colorScheme of ['light', 'dark'])
  test(`axe-core finds no barrier, ${colorScheme}`, async () => {
    const page = await lab('#lesson=3', { colorScheme, bypassCSP: true }); // axe-core is no script of the page
    await paused(page);
    assert.deepEqual(await barriers(page), []);
    await page.click('#menu');
    assert.deepEqual(await barriers(page), []);
    await page.keyboard.press('Escape');
    await page.click('#edit');
    await page.waitForSelector('.cm-content');
    assert.deepEqual(await barriers(page), []);
    await page.context().close();
  });

test('a phone: nothing is broader than the screen', async () => {
  const page = await lab(small, { width: 390, height: 844, hasTouch: true, isMobile: true });
  await waitForFrame(page, 2);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  await page.context().close();
});

test('no text is smaller than 12 pixels, and everything has a name', async () => {
  const page = await lab('#lesson=3');
  await waitForFrame(page, 1);
  const tiny = await page.evaluate(() =>
    [...document.querySelectorAll('body *')].filter((e) => e.offsetParent && [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) && parseFloat(getComputedStyle(e).fontSize) < 12).map((e) => e.outerHTML.slice(0, 80)));
  assert.deepEqual(tiny, []);
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll('button, select')].filter((e) => e.offsetParent && !e.textContent.trim() && !e.getAttribute('aria-label') && !e.title).map((e) => e.outerHTML.slice(0, 80)));
  assert.deepEqual(nameless, []);
  await page.context().close();
});

test('once loaded it needs no network', async () => {
  const page = await lab(small);
  await page.context().setOffline(true);
  const frame = await frameOf(page);
  await waitForFrame(page, frame + 3);
  await page.context().close();
});
