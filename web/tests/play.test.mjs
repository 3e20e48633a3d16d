// Play: scenes in the laboratory's form, with hands that drag, hold, carry and let go, other values while time passes, resets, saved
// states, the judge. Nothing traps, no visit leaves memory in use behind, and no frame needs more than a phone has.
// MUSLIN_WEB_PLAY_HOURS: how long (0.01), by the time that passes in the scenes, which is what a person would have sat before them at
// normal speed; MUSLIN_WEB_SEED.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { load, MuslinError, noProgram, open, web } from './program.mjs';
import { random } from './random.mjs';

const hours = Number(process.env.MUSLIN_WEB_PLAY_HOURS ?? 0.01);
const visit = Math.min(3, 30 * hours); // [s] of the processor, at one scene after another
const mostOfFrame = 10_000; // [ms] of the clock: slower ones are given up
const mostMemory = 2 ** 29; // [bytes] of the whole program
const processorTime = () => process.cpuUsage().user / 1e6; // [s]
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

test(`${hours} h of play neither trap nor grow`, { skip: noProgram }, async () => {
  const muslin = await load(), index = JSON.parse(await readFile(path.join(web, 'scenes/index.json'), 'utf8'));
  const scenes = await Promise.all(index.map(async ({ file, variant }) =>
    ({ text: await open(muslin, path.join(web, 'scenes', file)), name: path.basename(file), overrides: variant, time: 0 })));
  const time = () => scenes.reduce((sum, scene) => sum + scene.time, 0); // in all scenes [s]
  let frames = 0, refused = 0, settled = 0, told = 0;
  const megabytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MB`, minutes = (s) => `${(s / 60).toFixed(1)} min`;
  const tell = (round) => {
    const times = scenes.map((scene) => scene.time).sort((a, b) => a - b);
    console.log(`${minutes(time())} of play, in a scene ${minutes(times[0])} to ${minutes(times.at(-1))}, median ${minutes(times[times.length >> 1])}: ` +
      `${round} visits, ${frames} frames, ${refused} refusals; memory ${megabytes(muslin.memoryUsed)} between visits, ${megabytes(settled)} when all had been played twice, ` +
      `${megabytes(muslin.memory)} at most`);
    told = time();
  };
  let round = 0;
  for (; round < 3 * scenes.length || time() < 3600 * hours; ++round) {
    const scene = scenes[round % scenes.length], run = muslin.createFromText(scene.text, scene), sizes = run.sizes();
    const frameTime = JSON.parse(run.scene()).frame_time;
    for (const until = processorTime() + visit; processorTime() < until;) {
      try {
        touch(run, sizes, scene);
        if (run.step(1, mostOfFrame) === 0) run.reset();
        else ++frames, scene.time += frameTime;
      } catch (error) {
        if (!(error instanceof MuslinError) || error.kind === 'internal') throw new Error(`${scene.name}, frame ${frames}: ${error.stack}`);
        ++refused;
      }
    }
    run.free();
    if (round === 2 * scenes.length - 1) settled = muslin.memoryUsed;
    if (time() > told + 600) tell(round + 1);
  }
  tell(round);
  assert.ok(frames > 0 && refused < frames);
  assert.ok(muslin.memoryUsed <= settled + 2 ** 16, `memory in use grew by ${muslin.memoryUsed - settled} bytes after all had been played twice`);
  assert.ok(muslin.memory <= mostMemory, `${megabytes(muslin.memory)} at most`);
});
