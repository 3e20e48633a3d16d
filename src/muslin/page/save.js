// A plot as a file, made in the browser: SVG, PNG, or its numbers as CSV.

const inkOf = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linejoin', 'opacity', 'paint-order', 'text-anchor',
  'font-family', 'font-size', 'font-weight', 'font-style'];

/** A copy of a plot that needs no style sheet, under its title. */
function picturedPlot(plot) {
  const head = 46, {width, height} = plot, style = getComputedStyle(plot.figure);
  const copy = plot.svg.cloneNode(true), drawn = plot.svg.querySelectorAll('*');
  copy.querySelectorAll('*').forEach((element, k) => {
    const ink = getComputedStyle(drawn[k]);
    for (const name of inkOf) element.setAttribute(name, ink.getPropertyValue(name));
    element.removeAttribute('class');
    element.removeAttribute('style');
  });
  const words = (y, size, weight, text) => draw('text', {x: 4, y, fill: style.color, 'font-family': style.fontFamily,
    'font-size': size, 'font-weight': weight}, text);
  const paper = draw('rect', {x: 0, y: -head, width, height: height + head, fill: getComputedStyle(document.body).backgroundColor});
  copy.prepend(paper, words(16 - head, 15, 600, plot.spec.title), words(34 - head, 12, 400, plot.spec.y.label));
  for (const [name, value] of Object.entries({viewBox: `0 ${-head} ${width} ${height + head}`, width, height: height + head}))
    copy.setAttribute(name, value);
  copy.removeAttribute('aria-hidden');
  return new XMLSerializer().serializeToString(copy);
}

/** The points of all lines that are shown, one a row. */
function tabledPlot(plot) {
  const {x, y, title} = plot.spec, quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = plot.lines.flatMap((line) => line.points.filter((p) => isNumber(p[1])).map(([a, b]) => [quoted(line.name), a, b].join(',')));
  return [`${series.kind},${quoted(x.label)},${quoted(`${title}: ${y.label}`)}`, ...rows].join('\n') + '\n';
}

/** A picture of twice as many pixels as on the screen. */
async function paintedPlot(plot) {
  const image = new Image(), text = picturedPlot(plot);
  image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(text);
  await image.decode();
  const canvas = make('canvas', {width: 2 * image.width, height: 2 * image.height});
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, 'image/png'));
}

const plotFiles = {
  SVG: ['svg', async (plot) => new Blob([picturedPlot(plot)], {type: 'image/svg+xml'})],
  PNG: ['png', paintedPlot],
  CSV: ['csv', async (plot) => new Blob([tabledPlot(plot)], {type: 'text/csv'})],
};

async function savePlot(plot, kind) {
  const [ending, contents] = plotFiles[kind], url = URL.createObjectURL(await contents(plot));
  const plain = `${series.page} ${plot.spec.title}`.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_');
  make('a', {href: url, download: `${plain}.${ending}`}).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

const saveButtons = (plot) => make('span', {class: 'save on-screen'}, ...Object.keys(plotFiles).map((kind) =>
  make('button', {type: 'button', title: `Save this plot as ${kind}`, onclick: () => savePlot(plot, kind)}, kind)));
