// One lane: a program of its own, with one run. Answers every message {id, call, args} by {id, value} or {id, error}.
import { Muslin, MuslinError } from '../../core/muslin.js';

// Of circles: the mesh that stands for a round body encloses it, by 0.03 % of its radius with so many.
const corners = 128;

// What a page can draw and still answer.
const most = { vertices: 200_000, triangles: 400_000, colliders: 200 };

let muslin, run, reportNames;

const calls = {
  /** Loads the program; what it knows: {version, schema, methods, fields}. */
  async load(parts) {
    muslin = await Muslin.load({ create: self.createMuslin, ...parts }); // one_file.mjs puts it there
    reportNames = muslin.reportEntries.map(({ name }) => name);
    const { version, schema, methods, fields } = muslin;
    return { version, schema, methods, fields };
  },

  /** Begins a scene; what of it stays. */
  open({ text, files, options }) {
    for (const [name, bytes] of Object.entries(files)) muslin.putFile(name, bytes);
    const next = muslin.createFromText(text, options), sizes = next.sizes();
    const count = Object.entries(most).find(([what, limit]) => sizes[what] > limit);
    if (count) {
      next.free();
      throw new MuslinError('invalid', `The laboratory draws up to ${count[1]} ${count[0]}; this scene has ${sizes[count[0]]}.`);
    }
    run?.free();
    run = next;
    const colliders = run.colliders().map((collider, i) => ({
      ...collider,
      mesh: collider.shape === 'plane' ? null : run.colliderMesh(i, corners),
    }));
    return { sizes: run.sizes(), triangles: run.triangles(), uv: run.uv(), cloths: run.cloths(), colliders,
      scene: JSON.parse(run.scene()), inert: run.check().inert, frame: picture() };
  },

  /** Does what hands did, makes a frame; what is to be seen of it. */
  frame({ hands, field }) {
    touch(hands);
    const made = run.step(1);
    return { made, ...picture(field) };
  },

  /** Makes frames unseen, with the hands of each; the hashes after them. */
  replay({ frames, hands = {} }) {
    const hashes = [];
    for (let frame = run.sizes().frame; frame < frames; ++frame) {
      touch(hands[frame] ?? []);
      if (run.step(1) === 0) break;
      hashes.push(run.stateHash());
    }
    return { hashes, ...picture() };
  },

  look: (field) => picture(field),
  reset(field) {
    run.reset();
    return picture(field);
  },
  edit({ text, options }) {
    run.edit(text, options);
    return { scene: JSON.parse(run.scene()), inert: run.check().inert };
  },
  check: ({ text, files, options }) => {
    for (const [name, bytes] of Object.entries(files)) muslin.putFile(name, bytes);
    return muslin.check(text, options);
  },
  judge: () => run.judge(),
  variant: ({ text, name }) => muslin.variant(text, name),

  /** Runs a scene of its own, which is gone afterwards: the positions of its frames, and what they cost. */
  follow({ text, files, name, frames, ms }) {
    for (const [file, bytes] of Object.entries(files)) muslin.putFile(file, bytes);
    const own = muslin.createFromText(text, { name }), done = { positions: [], ms: [], substeps: own.sizes().substeps, unsolved: 0, diverged: false };
    for (let spent = 0; done.positions.length < frames && spent < ms && !done.diverged; ) {
      const start = performance.now();
      own.step(1);
      const { status } = own.reportByName();
      spent += performance.now() - start;
      done.diverged = status === 2;
      if (done.diverged) break;
      done.unsolved += status;
      done.ms.push(performance.now() - start);
      done.positions.push(own.positions(Float64Array));
    }
    own.free();
    return done;
  },
};

// Hands come from links, too: these alone may be called.
const touches = new Set(['hold', 'letGo', 'pull', 'release', 'carry']);
function touch(hands) {
  for (const [name, ...args] of hands) if (touches.has(name)) run[name](...args);
}

function picture(field = '') {
  const values = run.report();
  return {
    positions: run.positions(),
    normals: run.normals(),
    poses: run.poses(),
    held: run.held(),
    heat: field ? run.field(field) : null,
    hash: run.stateHash(),
    report: Object.fromEntries(reportNames.map((name, i) => [name, values[i]])),
  };
}

// Arrays go to the page without a copy.
function buffersOf(value, found = []) {
  if (ArrayBuffer.isView(value)) found.push(value.buffer);
  else if (value && typeof value === 'object') for (const part of Object.values(value)) buffersOf(part, found);
  return found;
}

onmessage = async ({ data: { id, call, args } }) => {
  try {
    const value = await calls[call](args);
    postMessage({ id, value }, buffersOf(value));
  } catch (error) {
    const known = error instanceof MuslinError;
    postMessage({ id, error: known ? error.message : String(error) });
  }
};
