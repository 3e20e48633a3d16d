import { defineConfig } from 'vite';
import { withPolicy } from './policy.mjs';

// build/web (scripts/web) holds muslin.mjs, muslin.wasm and the shipped scenes: they are served as they are, and scripts/site copies them.
export default defineConfig({
  base: './',
  plugins: [{ name: 'policy', apply: 'build', transformIndexHtml: { order: 'post', handler: (html) => withPolicy(html) } }],
  publicDir: '../../build/web',
  worker: { format: 'es' },
  build: { outDir: '../../build/lab', emptyOutDir: true, copyPublicDir: false, chunkSizeWarningLimit: 1200 },
});
