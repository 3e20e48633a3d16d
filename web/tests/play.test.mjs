// Play by the clock: scenes in the laboratory's form, with hands that drag, hold, carry and let go, other values while time passes,
// resets, saved states, the judge. Nothing traps, and the memory of the program does not grow once every scene has been played.
// MUSLIN_WEB_PLAY_SECONDS: how long by the clock (20). MUSLIN_WEB_PLAY_HOURS: instead, until so much time has passed in the scenes, which is
// what a person would have sat before them at normal speed. MUSLIN_WEB_SEED.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { load, MuslinError, noProgram, open, web } from './program.mjs';
import { random } from './random.mjs';

const hours = Number(process.env.MUSLIN_WEB_PLAY_HOURS ?? 0), seconds = Number(process.env.MUSLIN_WEB_PLAY_SECONDS ?? 20);
const next = random(Number(process.env.MUSLIN_WEB_SEED ?? 1));
const below = (n) => Math.floor(next() * n);
const near = (place, reach) => place.map((x) => x + reach * (2 * next() - 1));

/** What a person does between two frames, mostly nothing. Words that say that something cannot be are no trap. */
function touch(run, { vertices, colliders }, options) {
  const vertex = below(vertices), place = () => Array.from(run.positions(Float64Array).subarray(3 * vertex, 3 * vertex + 3));
  const hands = [() => run.pull(vertex, near(place(), 0.3)), () => run.release(), () => run.hold(vertex), () => run.hold(vertex, near(place(), 0.02)),
    () => run.held().slice(0, 3).forEach((held) => run.letGo(held)), () => colliders && run.carry(below(colliders), near([0, 0, 0], 0.1)),
    () => run.edit(options.text, { ...options, overrides: [...options.overrides, `gravity=[0, ${-9.81 * next()}, 0]`] }),
    () => run.load(run.save()), () => run.judge(), () => run.field('strain'), () => run.reset()];
  if (next() < 0.2) hands[below(hands.length)]();
}

test(`${hours ? `${hours} h` : `${seconds} s`} of play neither trap nor grow`, { skip: noProgram }, async () => {
  const muslin = await load(), end = performance.now() + 1000 * seconds;
  const all = JSON.parse(await readFile(path.join(web, 'scenes/index.json'), 'utf8'));
  const index = hours ? all : all.slice(0, Math.max(2, Math.floor(seconds / 9))); // so many that each is played three times
  const scenes = await Promise.all(index.map(async ({ file, variant }) =>
    ({ text: await open(muslin, path.join(web, 'scenes', file)), name: path.basename(file), overrides: variant, time: 0 })));
  const time = () => scenes.reduce((sum, scene) => sum + scene.time, 0); // in all scenes [s]
  const goesOn = () => (hours ? time() < 3600 * hours : performance.now() < end);
  let frames = 0, refused = 0, settled = 0;
  const played = [];
  for (let round = 0; goesOn(); ++round) {
    const scene = scenes[round % scenes.length], run = muslin.createFromText(scene.text, scene), sizes = run.sizes();
    const frameTime = JSON.parse(run.scene()).frame_time;
    for (const until = performance.now() + 3_000; performance.now() < until && goesOn();) {
      try {
        touch(run, sizes, scene);
        if (run.step(1, 2000) === 0) run.reset();
        else ++frames, scene.time += frameTime;
      } catch (error) {
        if (!(error instanceof MuslinError) || error.kind === 'internal') throw new Error(`${scene.name}, frame ${frames}: ${error.stack}`);
        ++refused;
      }
    }
    run.free();
    if (round === 2 * scenes.length - 1) settled = muslin.memory; // every scene twice
    played.push(muslin.memory);
  }
  const times = scenes.map((scene) => scene.time).sort((a, b) => a - b), minutes = (s) => (s / 60).toFixed(1);
  const megabytes = (bytes) => (bytes / 2 ** 20).toFixed(1);
  console.log(`${frames} frames, ${refused} refusals; ${minutes(time())} min of play in ${scenes.length} scenes: ${minutes(times[0])} min in the slowest, ` +
    `${minutes(times[times.length >> 1])} in the median, ${minutes(times.at(-1))} in the fastest`);
  console.log(`memory: ${megabytes(played[0])} MB after the first of ${played.length} visits, ${megabytes(settled)} when all had been played twice, ${megabytes(played.at(-1))} after the last`);
  assert.ok(frames > 0 && refused < frames);
  assert.ok(settled > 0, 'every scene was played twice');
  assert.ok(muslin.memory <= 1.25 * settled, 'memory grew after every scene had been played twice');
});
