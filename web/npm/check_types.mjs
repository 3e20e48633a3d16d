// usage: node check_types.mjs FOLDER    muslin.d.ts names every public member of muslin.js in FOLDER, and none besides
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = path.resolve(process.argv[2]);
const code = await import(pathToFileURL(path.join(folder, 'muslin.js')));
const types = await readFile(path.join(folder, 'muslin.d.ts'), 'utf8');
const ofOurs = new Set(['constructor', 'call', 'callOnScene', 'array', 'text']); // of muslin.js alone
const problems = [];
for (const name of Object.keys(code)) if (!new RegExp(`export (class|function) ${name}\\b`).test(types)) problems.push(`${name} has no type`);
for (const name of ['Muslin', 'Run']) {
  const body = types.slice(types.indexOf(`export class ${name} `)).split('\n}')[0];
  const typed = new Set([...body.matchAll(/^ {2}(?:static |readonly )*(\w+)[(:?]/gm)].map((match) => match[1]));
  const made = new Set([...Object.getOwnPropertyNames(code[name].prototype), ...Object.getOwnPropertyNames(code[name])]);
  for (const member of ['length', 'name', 'prototype']) made.delete(member);
  for (const member of made) if (!ofOurs.has(member) && !typed.has(member)) problems.push(`${name}.${member} has no type`);
  for (const member of typed) if (!made.has(member)) problems.push(`${name}.${member} is typed, and not there`);
}
for (const problem of problems) console.error(problem);
console.log(`${Object.keys(code).length} exports, ${problems.length} without the right type`);
process.exit(problems.length ? 1 : 0);
