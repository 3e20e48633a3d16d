// Muslin for JavaScript, in a page, a worker or Node: an ES module over the C face (muslin_web.h), with no
// other dependency. README.md says how to use it.
//
//   const muslin = await Muslin.load();                     // muslin.mjs and muslin.wasm lie beside this file
//   const run = muslin.createFromText(text, { name: 'flag.json', method: 'xpbd' });
//   run.step(1);
//   mesh.setPositions(run.positions(), run.triangles());
//   run.free();

/** What was wrong, in the words of the command line. */
export class MuslinError extends Error {
  /**
   * @param {'invalid'|'file'|'misuse'|'memory'|'internal'} kind
   * @param {string} message
   * @param {string} [file] name of the scene, if the message may point into it
   */
  constructor(kind, message, file = '') {
    super(message);
    this.name = 'MuslinError';
    this.kind = kind;
    /** @type {{line: number, column: number, path: string, message: string}[]} places in the scene's text,
     *  from 1; path is a JSON pointer or '' */
    this.places = placesIn(message, file);
  }
}

const kinds = { '-1': 'invalid', '-2': 'file', '-3': 'misuse', '-4': 'memory', '-5': 'internal' };
const lists = { version: 0, schema: 1, methods: 2, fabrics: 3, report: 4, fields: 5 };

// "flag.json:12:18: /cloths/0/fabric/density: must be > 0 [kg/m^2], got -1"
function placesIn(message, file) {
  const places = [];
  for (const line of message.split('\n')) {
    if (!file || !line.startsWith(`${file}:`)) continue;
    const found = /^(\d+):(\d+): (?:(\/\S*): )?(.*)$/.exec(line.slice(file.length + 1));
    if (found) places.push({ line: +found[1], column: +found[2], path: found[3] ?? '', message: found[4] });
  }
  return places;
}

/** Lines for the C face: {'cloths/0/grid/points': [31, 31]} or ['solver/family=xpbd']. */
function overrideLines(overrides) {
  if (!overrides) return '';
  if (typeof overrides === 'string') return overrides;
  if (Array.isArray(overrides)) return overrides.join('\n');
  return Object.entries(overrides)
    .map(([path, value]) => `${path}=${JSON.stringify(value)}`)
    .join('\n');
}

/**
 * The mesh files that a scene's text names, relative to the scene; those that its section "viewer" puts in their place, too.
 * One pass over the text, whatever stands there; what is no JSON is left to the program, which says where.
 */
export function filesOf(text) {
  const names = new Set();
  const endOf = (mark, from) => {
    const at = text.indexOf(mark, from);
    return at < 0 ? text.length : at + mark.length;
  };
  let named = false, colon = false; // whether "file" or "rest_mesh", and then a colon, came last
  for (let at = 0; at < text.length; ) {
    const letter = text[at], comment = letter === '/' ? text[at + 1] : '';
    if (comment === '/') {
      at = endOf('\n', at);
    } else if (comment === '*') {
      at = endOf('*/', at + 2);
    } else if (letter === '"') {
      const start = at++;
      while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
      const string = stringOf(text.slice(start, ++at));
      if (colon) names.add(string);
      else if (/\/(?:file|rest_mesh)=/.test(string.slice(0, string.indexOf('=') + 1))) names.add(string.slice(string.indexOf('=') + 1));
      named = !colon && (string === 'file' || string === 'rest_mesh');
      colon = false;
    } else {
      if (!/\s/.test(letter)) [named, colon] = [false, named && letter === ':'];
      ++at;
    }
  }
  names.delete('');
  return [...names];
}

/** The string that a token of JSON stands for; '' where it is none. */
function stringOf(token) {
  try {
    return JSON.parse(token);
  } catch {
    return '';
  }
}

/** Everything that belongs to the program, not to a run. */
export class Muslin {
  /**
   * Loads the program. Every instance has memory of its own.
   * @param {object} [options]
   * @param {string|URL} [options.module] where muslin.mjs is; default: beside this file
   * @param {string|URL} [options.wasm] where muslin.wasm is; default: beside this file
   * @param {WebAssembly.Module} [options.wasmModule] it compiled (compiled()), which workers can share
   * @param {function} [options.create] what muslin.mjs exports, where that is loaded already
   */
  static async load({ module, wasm, wasmModule, create } = {}) {
    const code = wasmModule ?? (await compiled(wasm ?? new URL(/* @vite-ignore */ './muslin.wasm', import.meta.url)));
    create ??= (await import(/* @vite-ignore */ String(module ?? new URL(/* @vite-ignore */ './muslin.mjs', import.meta.url)))).default;
    const core = await new Promise((resolve, reject) => {
      const instantiateWasm = (imports, receive) => {
        WebAssembly.instantiate(code, imports).then(receive, reject);
        return {}; // the instance comes later
      };
      create({ instantiateWasm }).then(resolve, reject);
    });
    return new Muslin(core);
  }

  constructor(core) {
    this.core = core;
    this.describe = new Map();
  }

  /** '0.1.0' */
  get version() {
    return this.#listed('version');
  }
  /** JSON Schema (draft-07) of scenes, as an object: every field with its sentence, unit and range. */
  get schema() {
    return this.#listed('schema');
  }
  /** [{name, label, summary, family, stroke: {light, dark, dash}}], the simplest first. */
  get methods() {
    return this.#listed('methods');
  }
  /** [{name, source, values}] */
  get fabrics() {
    return this.#listed('fabrics');
  }
  /** [{name, unit, doc}], one an entry of Run.report(). */
  get reportEntries() {
    return this.#listed('report');
  }
  /** [{name, unit, doc, needs_exact}]: the names that Run.field() takes. */
  get fields() {
    return this.#listed('fields');
  }

  /** Puts a file where scenes find it: 'torture/funnel_funnel.obj', text or bytes. */
  putFile(name, content) {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
    this.call('put_file', name, bytes);
  }
  /** Takes all files away again; running scenes need none. */
  dropFiles() {
    this.call('drop_files');
  }

  /**
   * Builds a scene at time 0. Throws MuslinError.
   * @param {string} text of the scene file, ours or CS184's
   * @param {object} [options]
   * @param {string} [options.name] of the file in messages; its folder is where mesh files are looked for
   * @param {string} [options.method] a method or family in place of the scene's solver; 'reference' (with
   *   comparison) for the exact step
   * @param {object|string[]|string} [options.overrides] {'solver/newton/iterations': 3}, or 'path=value's
   * @param {boolean} [options.comparison] every method takes the same steps, as lanes beside each other do
   * @param {boolean} [options.exact] the exact step beside every frame's last step, for report and fields
   *   (of backward Euler: without comparison, NaN where the scene steps by bdf2 or sdirk2)
   * @returns {Run}
   */
  createFromText(text, options = {}) {
    const handle = this.callOnScene('create', [], text, options);
    const run = new Run(this, handle, options);
    if (options.exact) run.exact(true);
    return run;
  }

  /**
   * What an editor wants to know of a scene's text, without throwing.
   * @returns {{errors: {line, column, path, message}[], message: string, check: object|null}} message is ''
   *   and check (Run.check()) is there if the scene can run
   */
  check(text, options = {}) {
    try {
      const run = this.createFromText(text, { ...options, exact: false });
      const check = run.check();
      run.free();
      return { errors: [], message: '', check };
    } catch (error) {
      if (!(error instanceof MuslinError)) throw error;
      return { errors: error.places, message: error.message, check: null };
    }
  }

  /** The changes that a scene's section "viewer" asks for, so that it is quick enough to play with: for
   *  `overrides`. */
  variant(text, name = 'scene.json') {
    return this.text('variant', text, name).split('\n').filter(Boolean);
  }

  /** Bytes of memory that the program holds: the most that it ever needed at once. It grows, and does not shrink. */
  get memory() {
    return this.core.HEAPU8.length;
  }
  /** Bytes of it that runs, files and the last result occupy now. */
  get memoryUsed() {
    return this.core._muslin_memory_used();
  }
  /** How many runs were created and not yet freed. */
  get runs() {
    return this.core._muslin_count();
  }

  // --- the C face -----------------------------------------------------------------------------------------

  /** Calls muslin_NAME; strings and bytes are copied there for the call. Returns its number, throws where
   *  that is an error. */
  call(name, ...args) {
    return this.#call(name, args, '');
  }
  callOnScene(name, before, text, { name: file = 'scene.json', method = '', overrides, comparison } = {}) {
    return this.#call(name, [...before, text, file, method, overrideLines(overrides), comparison ? 1 : 0], file);
  }
  #call(name, args, file) {
    const copies = [];
    const numbers = args.flatMap((value) => this.#argument(value, copies));
    try {
      const result = this.core[`_muslin_${name}`](...numbers);
      if (result < 0) throw new MuslinError(kinds[result], this.#message(), file);
      return result;
    } finally {
      for (const pointer of copies) this.core._free(pointer);
    }
  }
  #argument(value, copies) {
    if (typeof value === 'number') return [value];
    const isText = typeof value === 'string';
    const bytes = isText ? new TextEncoder().encode(value) : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    const pointer = this.core._malloc(bytes.length + 1);
    if (!pointer) throw new MuslinError('memory', 'there is not enough memory');
    copies.push(pointer);
    this.core.HEAPU8.set(bytes, pointer);
    this.core.HEAPU8[pointer + bytes.length] = 0;
    return isText ? [pointer] : [pointer, value.length];
  }
  #message() {
    const from = this.core._muslin_message();
    const to = this.core.HEAPU8.indexOf(0, from);
    return new TextDecoder().decode(this.core.HEAPU8.slice(from, to));
  }

  /** What muslin_NAME leaves, as a typed array of its own memory, which may be transferred. */
  array(Type, name, ...args) {
    const count = this.call(name, ...args);
    if (count === 0) return new Type(0);
    return new Type(this.core.HEAPU8.buffer, this.core._muslin_result(), count).slice();
  }
  /** The same as text. */
  text(name, ...args) {
    return new TextDecoder().decode(this.array(Uint8Array, name, ...args));
  }
  #listed(which) {
    if (!this.describe.has(which)) {
      const text = this.text('list', lists[which]);
      this.describe.set(which, which === 'version' ? text : JSON.parse(text));
    }
    return this.describe.get(which);
  }
}

/** A run of one scene. Typed arrays that it returns are copies, which may be transferred to another thread.
 *  Vertices, triangles and colliders have the scene's numbers. Calls throw MuslinError. */
export class Run {
  constructor(muslin, handle, options) {
    this.muslin = muslin;
    this.handle = handle;
    this.options = options;
  }

  /** Frees its memory in the program. Nothing else may be called afterwards. */
  free() {
    this.#call('destroy');
    this.handle = 0;
  }

  // --- frames ---------------------------------------------------------------------------------------------

  /**
   * Makes frames at once. Stops early after one that diverged, or at one that is not done when `milliseconds`
   * have passed: that has then not been, and is made by the next call to the same bits.
   * @returns {number} frames that were made
   */
  step(frames = 1, milliseconds = 0) {
    return this.#call('step', frames, milliseconds);
  }

  /**
   * Makes frames and lets other events of this thread in between them.
   * @param {number} frames
   * @param {object} [options]
   * @param {AbortSignal} [options.signal] ends it after the frame that is being made
   * @param {number} [options.milliseconds] most for one frame; one that takes longer is not made, and ends it
   * @param {(run: Run) => void} [options.onFrame] after each
   * @returns {Promise<number>} frames that were made
   */
  async play(frames, { signal, milliseconds = 0, onFrame } = {}) {
    for (let made = 0; made < frames; ++made) {
      if (signal?.aborted || this.step(1, milliseconds) === 0) return made;
      onFrame?.(this);
      await new Promise((resolve) => setTimeout(resolve));
    }
    return frames;
  }

  /** Back to time 0 of the scene. */
  reset() {
    this.#call('reset');
  }
  /** Float64Array, one an entry of Muslin.reportEntries; NaN where a number does not exist. */
  report() {
    return this.#array(Float64Array, 'report');
  }
  /** The same by name: {frame, time, status, …}. */
  reportByName() {
    const values = this.report();
    return Object.fromEntries(this.muslin.reportEntries.map(({ name }, i) => [name, values[i]]));
  }
  /** 16 hexadecimal digits. */
  stateHash() {
    return this.#text('hash');
  }

  /** Whether the exact step is found beside the last step of every frame, from the next frame on. */
  exact(on) {
    this.#call('exact', on ? 1 : 0);
  }
  /** The next step, iterate by iterate: [{iteration, energyGap, residual, lostGravity, distance}]. The run
   *  stays as it is. */
  trace() {
    const rows = this.#array(Float64Array, 'trace');
    return Array.from({ length: rows.length / 5 }, (_, i) => {
      const [iteration, energyGap, residual, lostGravity, distance] = rows.subarray(5 * i, 5 * i + 5);
      return { iteration, energyGap, residual, lostGravity, distance };
    });
  }

  // --- the cloth ------------------------------------------------------------------------------------------

  /** {vertices, triangles, colliders, cloths, substeps, frames, frame, exact} */
  sizes() {
    const [vertices, triangles, colliders, cloths, substeps, frames, frame, exact] = this.#array(Int32Array, 'sizes');
    return { vertices, triangles, colliders, cloths, substeps, frames, frame, exact: exact !== 0 };
  }
  /** [{name, first_vertex, vertices, first_triangle, triangles, grid}] */
  cloths() {
    return this.#json('cloths');
  }
  /** Int32Array, 3 vertices a triangle; constant during a run. */
  triangles() {
    return this.#array(Int32Array, 'triangles');
  }
  /** Float32Array, 2 a vertex; constant during a run. */
  uv() {
    return this.#array(Float32Array, 'uv');
  }
  /** 3 a vertex [m]: Float32Array, or every bit by positions(Float64Array). */
  positions(Type = Float32Array) {
    return this.#array(Type, Type === Float64Array ? 'positions' : 'float_positions');
  }
  /** Float64Array, 3 a vertex [m/s]. */
  velocities() {
    return this.#array(Float64Array, 'velocities');
  }
  /** Float32Array, 3 a vertex. */
  normals() {
    return this.#array(Float32Array, 'normals');
  }
  /** Float32Array, one a vertex, of a name in Muslin.fields: 'strain', 'distance', 'energy', 'residual' … */
  field(name) {
    const number = this.muslin.fields.findIndex((field) => field.name === name);
    return this.#array(Float32Array, 'field', number);
  }

  // --- colliders ------------------------------------------------------------------------------------------

  /** [{name, shape, enabled, moves, deforms}] */
  colliders() {
    return this.#json('colliders');
  }
  /** Float64Array, 12 a collider: rotation column by column, then place [m]. */
  poses() {
    return this.#array(Float64Array, 'poses');
  }
  /** {vertices: Float32Array [m], triangles: Int32Array} of a collider in its own frame; a plane has none. */
  colliderMesh(collider, corners = 48) {
    return {
      vertices: this.#array(Float32Array, 'collider_vertices', collider, corners),
      triangles: this.#array(Int32Array, 'collider_triangles', collider, corners),
    };
  }

  // --- hands ----------------------------------------------------------------------------------------------

  /** Pins a vertex where it is, or takes it to a place [x, y, z] during the next frame. */
  hold(vertex, place) {
    if (place) this.#call('hold_at', vertex, ...place);
    else this.#call('hold', vertex);
  }
  letGo(vertex) {
    this.#call('let_go', vertex);
  }
  /** Int32Array of the vertices that are held. */
  held() {
    return this.#array(Int32Array, 'held');
  }
  /** Pulls a vertex towards a place, until release(). */
  pull(vertex, place) {
    this.#call('pull', vertex, ...place);
  }
  release() {
    this.#call('release');
  }
  /** Shifts a collider from where its own motion has it. */
  carry(collider, offset) {
    this.#call('carry', collider, ...offset);
  }
  /** Float64Array of 3 forces a vertex [N], or of none. */
  push(forces) {
    this.#call('push', forces);
  }
  /** Goes on with another scene under the cloth; throws, and changes nothing, where the cloth is another. */
  edit(text, options = this.options) {
    this.muslin.callOnScene('edit', [this.handle], text, options);
    this.options = options;
  }

  // --- the scene, the judge, states -----------------------------------------------------------------------

  /** The scene with every field and its value, as text. */
  scene() {
    return this.#text('scene');
  }
  /** {warnings, limits, start, inert} */
  check() {
    return this.#json('check');
  }
  /** {clean, intersecting, inside, cut, crossings, through, gap}: the cloth now, and since the last call. */
  judge() {
    return this.#json('judge');
  }
  /** Uint8Array: all that the run needs to go on with the same bits, but its scene. */
  save() {
    return this.#array(Uint8Array, 'save');
  }
  load(bytes) {
    this.#call('load', bytes);
  }

  #call(name, ...args) {
    return this.muslin.call(name, this.handle, ...args);
  }
  #array(Type, name, ...args) {
    return this.muslin.array(Type, name, this.handle, ...args);
  }
  #text(name) {
    return this.muslin.text(name, this.handle);
  }
  #json(name) {
    return JSON.parse(this.#text(name));
  }
}

/**
 * The program's code, compiled while it arrives.
 * @param {string|URL|Promise<Response>} place of muslin.wasm, or what was fetched from there
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compiled(place) {
  const url = String(place);
  if (url.startsWith('file:') && typeof process !== 'undefined') {
    const files = 'node:fs/promises'; // a browser fetches, Node reads files
    const { readFile } = await import(/* @vite-ignore */ files);
    return WebAssembly.compile(await readFile(new URL(url)));
  }
  const answer = await (place instanceof Promise ? place : fetch(url));
  if (!answer.ok) throw new MuslinError('file', `${answer.url || url}: ${answer.status} ${answer.statusText}`);
  // Some hosts do not know the type that compilation on the way asks for
  const known = answer.headers.get('Content-Type') === 'application/wasm';
  return known ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}
