// usage: node first_picture.mjs [TIMES]     milliseconds from the click until the page, the scene's picture and the cloth itself are there,
// with a cold and a warm cache of the browser
import { opened, served } from './page.mjs';

const times = Number(process.argv[2] ?? 5), server = await served(), browser = await opened();

/** {page, picture, cloth} [ms] of one visit. */
async function visit(context) {
  const page = await context.newPage();
  await page.goto(server.url);
  await page.waitForFunction(() => document.body.dataset.ready === 'yes', null, { timeout: 180_000 });
  const found = await page.evaluate(() => {
    const picture = performance.getEntriesByType('resource').find(({ name }) => name.endsWith('.jpg'));
    return {
      page: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
      picture: picture?.responseEnd,
      cloth: performance.getEntriesByName('cloth')[0].startTime,
    };
  });
  await page.waitForTimeout(4000); // the browser keeps compiled code when it has the time
  await page.close();
  return found;
}

console.log('| visit | page | picture | cloth |\n|---|---:|---:|---:|');
const context = await browser.newContext({ viewport: { width: 900, height: 560 } });
for (let i = 0; i <= times; ++i) {
  const { page, picture, cloth } = await visit(context);
  console.log(`| ${i ? `warm ${i}` : 'cold'} | ${[page, picture, cloth].map((ms) => ms?.toFixed(0) ?? '–').join(' | ')} |`);
}
await browser.close();
server.close();
