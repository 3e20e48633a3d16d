// Saves the first plot of a page of results as SVG, as its button does: node save_plot.mjs PAGE.html PLOT.svg
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [, , file, picture] = process.argv;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1040, height: 900 }, colorScheme: 'light' });
await page.goto(pathToFileURL(file).href);
const [download] = await Promise.all([page.waitForEvent('download'), page.click('.plot .save button')]);
await download.saveAs(picture);
await browser.close();
