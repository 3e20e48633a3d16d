// A browser with the laboratory in it, for tests and pictures. Software draws it: whoever waits, waits for frames, not for time.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const most = 180_000; // [ms] for anything, on a machine with other work

/** The laboratory as scripts/site built it. */
export const folder = process.env.MUSLIN_LAB ?? path.join(root, 'build/site/lab');

/** Serves a folder; answers {url, close}. */
export async function served(which = folder) {
  const server = spawn('node', [path.join(root, 'web/site/serve.mjs'), which, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const told = await new Promise((resolve) => server.stdout.once('data', resolve));
  return { url: String(told).split(' ')[0], close: () => server.kill() };
}

export const opened = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'] });

/** A page with the lab, small, since software draws it; `errors` collects what its console complains of. */
export async function labPage(browser, url, { width = 900, height = 560, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(most);
  page.errors = [];
  page.on('pageerror', (error) => page.errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && !message.text().includes('404') && page.errors.push(message.text()));
  await page.goto(url);
  await page.waitForFunction(() => ['yes', 'failed'].includes(document.body.dataset.ready));
  return page;
}

export const frameOf = (page) => page.evaluate(() => +document.body.dataset.frame);
export const hashesOf = (page) => page.evaluate(() => document.body.dataset.hashes);
export const waitForFrame = (page, frame) => page.waitForFunction((least) => +document.body.dataset.frame >= least, frame);
export const toastOf = (page) => page.textContent('#toast');

/** Steps so many frames. The button is pressed from within: waiting until software has drawn it still would take longer than frames. */
export async function stepped(page, frames) {
  const last = (await frameOf(page)) + frames;
  await page.evaluate((times) => {
    for (let i = 0; i < times; ++i) document.getElementById('step').click();
  }, frames);
  await waitForFrame(page, last);
}

/** Goes back to the beginning, and waits until it is there. */
export async function begun(page) {
  await page.click('#reset');
  await page.waitForFunction(() => document.body.dataset.frame === '0');
}

/** Pauses, and waits until the frame that was being made is there. */
export async function paused(page) {
  if ((await page.textContent('#play')) === 'Pause') await page.click('#play');
  await page.waitForFunction(() => document.getElementById('play').textContent === 'Play');
  let before = -1;
  for (let now = await frameOf(page); now !== before; now = await frameOf(page)) {
    before = now;
    await page.waitForTimeout(500);
  }
}
