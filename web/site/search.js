// The search of the documentation: an index made with the site, asked in the page.
import MiniSearch from './minisearch.js';

const { up } = document.querySelector('script[data-up]').dataset;
const box = document.getElementById('search'), found = document.getElementById('found');
let index;

box.addEventListener('input', async () => {
  index ??= fetch(`${up}search.json`)
    .then((answer) => answer.text())
    .then((text) => MiniSearch.loadJSON(text, { fields: ['heading', 'title', 'text'], storeFields: ['url', 'title', 'heading'] }));
  const results = (await index).search(box.value, { prefix: true, fuzzy: 0.2, boost: { heading: 3, title: 2 } }).slice(0, 12);
  found.replaceChildren(
    ...results.map(({ url, title, heading }) => {
      const item = document.createElement('li'), link = document.createElement('a');
      link.href = up + url;
      link.textContent = heading === title ? title : `${heading} (${title})`;
      item.append(link);
      return item;
    }),
  );
  found.hidden = results.length === 0;
});
