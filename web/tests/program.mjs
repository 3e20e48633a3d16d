// What the tests run: the program that scripts/web built, and the native one beside it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { openScene } from '../scene_files.mjs';

export const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const web = process.env.MUSLIN_WEB ?? path.join(root, 'build/web');
export const native = process.env.MUSLIN_CLI ?? path.join(root, 'build/release/apps/cli/muslin');

export const scenePath = (name) => path.join(root, 'scenes', `${name}.json`);

/** Why the tests cannot run, for `skip`; false if they can. */
export const noProgram = existsSync(path.join(web, 'muslin.wasm')) ? false : 'there is no build/web: see scripts/web';
export const noNative = noProgram || (existsSync(native) ? false : 'there is no native program: build muslin_cli');

const { Muslin, MuslinError, filesOf } = noProgram ? {} : await import(pathToFileURL(path.join(web, 'muslin.js')));
export { filesOf, MuslinError };

/** A program with memory of its own. */
export const load = () => Muslin.load();

/** The text of a scene file, whose meshes are then where the program finds them. */
export const open = (muslin, file) => openScene(muslin, filesOf, file);

/** The native program: {code, lines: objects of its JSON, errors: text}. */
export function runNative(args, options = {}) {
  const done = spawnSync(native, args, { encoding: 'utf8', maxBuffer: 1 << 28, ...options });
  const lines = done.stdout.split('\n').filter((line) => line.startsWith('{'));
  return { code: done.status, lines: lines.map((line) => JSON.parse(line)), errors: done.stderr };
}

/** What the native program prints; throws where it fails. */
export function runNativeText(args) {
  const done = spawnSync(native, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (done.status !== 0) throw new Error(done.stderr);
  return done.stdout;
}
