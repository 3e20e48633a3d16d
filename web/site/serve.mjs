// usage: node serve.mjs FOLDER [PORT]     a static server for trying the site, with nothing that a plain host has not; port 0: any free one
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';

const types = { html: 'text/html', js: 'text/javascript', mjs: 'text/javascript', css: 'text/css', json: 'application/json', wasm: 'application/wasm', png: 'image/png', jpg: 'image/jpeg', gif: 'image/gif', svg: 'image/svg+xml', csv: 'text/csv' };
const root = path.resolve(process.argv[2]), port = +(process.argv[3] ?? 8080);

const server = http
  .createServer(async (request, response) => {
    try {
      const asked = path.join(root, path.normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname)));
      if (asked !== root && !asked.startsWith(root + path.sep)) throw new Error('outside');
      const file = (await stat(asked)).isDirectory() ? path.join(asked, 'index.html') : asked;
      const { size, mtimeMs } = await stat(file), etag = `"${size}-${mtimeMs}"`;
      if (request.headers['if-none-match'] === etag) return response.writeHead(304).end();
      response.writeHead(200, { ETag: etag, 'Cache-Control': 'no-cache', 'Content-Type': types[path.extname(file).slice(1)] ?? 'application/octet-stream', 'Content-Length': size });
      createReadStream(file).pipe(response);
    } catch {
      response.writeHead(404).end('not found');
    }
  })
  .listen(port, () => console.log(`http://localhost:${server.address().port}/ (Ctrl-C ends)`));
