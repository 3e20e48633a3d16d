// usage: node build.mjs SITE     (scripts/site) puts the documentation into SITE/docs as pages, linked and searchable, and a start page
// above them. The laboratory is in SITE/lab already. Fails where a page links to what is not there.
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import anchor from 'markdown-it-anchor';
import MarkdownIt from 'markdown-it';
import MiniSearch from 'minisearch';
import { lessons } from '../lab/src/lessons.js';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const site = path.resolve(process.argv[2]);

// As hosts of code do: lower case, no punctuation, hyphens for spaces.
const slugOf = (text) => text.trim().toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
const markdown = new MarkdownIt({ html: true, typographer: false }).use(anchor, { slugify: slugOf, tabIndex: false });

const exists = (file) => stat(file).then(() => true, () => false);

/** Markdown files that become pages: [{source, page}], relative to the repository and to the site. */
async function sources() {
  const docs = (await readdir(path.join(root, 'docs'), { recursive: true })).filter((name) => name.endsWith('.md'));
  const pages = docs.sort().map((name) => ({ source: `docs/${name}`, page: `docs/${name.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html')}` }));
  return [...pages, ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].map((name) => ({ source: name, page: `docs/about/${name.toLowerCase().replace('.md', '.html')}` }))];
}

// What documents link to and is no page: files and folders of the repository, which are shown as they are.
const quoted = new Set();
const sourcePage = (at) => `source/${at}.html`;

/** Writes the page of a quoted file, or of a folder and all that is in it. */
async function writeSource(at) {
  const file = path.join(root, at), place = path.join(site, sourcePage(at)), up = '../'.repeat(sourcePage(at).split('/').length - 1);
  await mkdir(path.dirname(place), { recursive: true });
  let shown;
  if ((await stat(file)).isDirectory()) {
    const inside = (await readdir(file, { withFileTypes: true })).filter((each) => each.isFile()).map(({ name }) => name).sort();
    for (const name of inside) await writeSource(`${at}/${name}`);
    shown = `<ul>${inside.map((name) => `<li><a href="${path.posix.basename(at)}/${name}.html">${name}</a></li>`).join('')}</ul>`;
  } else if (/\.(png|jpg|gif)$/.test(at)) {
    await cp(file, path.join(site, 'source', at));
    shown = `<img alt="" src="${path.posix.basename(at)}">`;
  } else {
    shown = `<pre><code>${markdown.utils.escapeHtml((await readFile(file, 'utf8')).slice(0, 200_000))}</code></pre>`;
  }
  await writeFile(place, frame(at, `<main class="page"><h1>${at}</h1>${shown}</main>`, up, ''));
}

/** Where a link of a source leads on the site; throws where it leads nowhere. */
async function target(href, { source, page }, pages) {
  if (/^([a-z]+:|#)/.test(href)) return href;
  const [file, fragment] = href.split('#');
  const at = path.posix.normalize(path.posix.join(path.posix.dirname(source), decodeURI(file))).replace(/\/$/, '');
  const other = pages.find(({ source: name }) => name === at);
  if (other) return path.posix.relative(path.posix.dirname(page), other.page) + (fragment ? `#${fragment}` : '');
  if (!(await exists(path.join(root, at)))) throw new Error(`${source}: links to ${href}, which is not there`);
  if (at.startsWith('docs/') && /\.(png|gif|jpg|svg|csv)$/.test(at)) return path.posix.relative(path.posix.dirname(page), at);
  quoted.add(at);
  return path.posix.relative(path.posix.dirname(page), sourcePage(at));
}

/** All links and pictures of a page, led to the site. */
async function relink(tokens, of, pages, links) {
  for (const token of tokens) {
    if (token.children) await relink(token.children, of, pages, links);
    for (const name of ['href', 'src']) {
      const written = token.attrGet(name);
      if (written === null) continue;
      const led = await target(written, of, pages);
      token.attrSet(name, led);
      if (!/^[a-z]+:/.test(led) && led.includes('#')) links.push({ from: of.source, to: led, page: of.page });
    }
    if (token.type === 'image') token.attrSet('loading', 'lazy');
  }
}

const frame = (title, body, up, active) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Muslin</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${up}site.css"></head>
<body><header><a class="name" href="${up}index.html">Muslin</a><nav><a href="${up}lab/index.html">Laboratory</a><a href="${up}docs/index.html"${active === 'docs' ? ' aria-current="page"' : ''}>Documentation</a><a href="${up}docs/gallery.html">Gallery</a></nav>
<search><input id="search" type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off"><ol id="found" hidden></ol></search></header>
${body}
<script type="module" src="${up}search.js" data-up="${up}"></script></body></html>
`;

const pages = await sources(), rendered = [], links = [], anchors = new Map(), entries = [];
for (const of of pages) {
  const text = await readFile(path.join(root, of.source), 'utf8'), tokens = markdown.parse(text, {});
  await relink(tokens, of, pages, links);
  const html = markdown.renderer.render(tokens, markdown.options, {});
  const title = /^#\s+(.+)$/m.exec(text)?.[1].replaceAll('`', '') ?? of.source;
  anchors.set(of.page, new Set([...html.matchAll(/ id="([^"]+)"/g)].map((found) => found[1])));
  rendered.push({ ...of, title, html });
  for (const part of html.split(/(?=<h[12] id=)/)) {
    const heading = /<h[12] id="([^"]+)"[^>]*>(.*?)<\/h[12]>/s.exec(part);
    if (!heading) continue;
    const plain = part.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
    entries.push({ id: entries.length, url: `${of.page}#${heading[1]}`, title, heading: heading[2].replace(/<[^>]+>/g, ''), text: plain });
  }
}
const broken = links.filter(({ page, to }) => {
  const [file, fragment] = to.split('#');
  const name = file ? path.posix.normalize(path.posix.join(path.posix.dirname(page), file)) : page;
  return fragment && anchors.has(name) && !anchors.get(name).has(decodeURIComponent(fragment));
});
for (const { from, to } of broken) console.error(`${from}: ${to} names a heading that is not there`);

for (const { page, title, html } of rendered) {
  const up = '../'.repeat(page.split('/').length - 1);
  await mkdir(path.dirname(path.join(site, page)), { recursive: true });
  await writeFile(path.join(site, page), frame(title, `<main class="page">${html}</main>`, up, 'docs'));
}
for (const name of await readdir(path.join(root, 'docs'), { recursive: true }))
  if (/\.(png|gif|jpg|svg)$/.test(name)) await cp(path.join(root, 'docs', name), path.join(site, 'docs', name));

for (const at of [...quoted]) await writeSource(at);

const search = new MiniSearch({ fields: ['heading', 'title', 'text'], storeFields: ['url', 'title', 'heading'] });
search.addAll(entries);
await writeFile(path.join(site, 'search.json'), JSON.stringify(search));
await cp(path.join(root, 'web/site/node_modules/minisearch/dist/es/index.js'), path.join(site, 'minisearch.js'));
for (const name of ['site.css', 'search.js']) await cp(path.join(root, 'web/site', name), path.join(site, name));

const compared = (await exists(path.join(site, 'compare'))) ? (await readdir(path.join(site, 'compare'))).sort() : [];
const start = (await readFile(path.join(root, 'web/site/start.html'), 'utf8')).replace('<!-- lessons -->', lessons.map(({ title }, i) => `<li><a href="lab/index.html#lesson=${i + 1}">${title}</a></li>`).join(''))
  .replace('<!-- comparisons -->', compared.map((name) => `<li><a href="compare/${name}/index.html">${name.replaceAll('_', ' ')}</a></li>`).join(''));
await writeFile(path.join(site, 'index.html'), frame('Cloth, every solver, and the error of each', start, '', ''));
console.log(`${rendered.length} pages, ${entries.length} sections to search`);
if (broken.length) process.exit(1);
