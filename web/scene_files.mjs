// Scenes and the files that they name, for Node.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The text of a scene file; puts its meshes where a program of muslin.js finds them. */
export async function openScene(muslin, filesOf, file) {
  const text = await readFile(file, 'utf8');
  for (const mesh of filesOf(text)) muslin.putFile(mesh, await readFile(path.join(path.dirname(file), mesh)));
  return text;
}
