// The work–precision diagram of a scene: how far runs with so many equal steps a frame are from the motion itself, over what they cost.
// The numbers have the form of `muslin compare --work-precision` (work_precision.json), whose way of measuring this follows
// (docs/work_precision.md); meshes and step counts are smaller, so that it takes seconds.

export const families = ['explicit', 'position', 'implicit', 'baraff_witkin', 'projective', 'block_descent', 'newton', 'quasi_newton'];
const steps = [1, 2, 4, 8, 16]; // a frame
const ofExplicit = [1, 2, 4]; // times the steps that it needs to stay stable
const finer = 4; // than the most of them is the reference
const frames = 8;
const mostPoints = 17; // of a side of a grid
const longest = 10_000; // [ms] of a run
const surely = 1e-10; // [m] where the reference's steps end

/** The scene with grids of at most `mostPoints` a side; what pins name by place or side stays, numbers of vertices go along. */
export function smaller(scene) {
  const small = structuredClone(scene);
  for (const cloth of small.cloths) {
    if (!cloth.grid || cloth.springs) continue; // newtons per metre are of one mesh
    const before = cloth.grid.points, after = before.map((n) => Math.min(n, mostPoints));
    const along = (i, k) => Math.round(((i < 0 ? i + before[k] : i) * (after[k] - 1)) / (before[k] - 1));
    cloth.grid.points = after;
    for (const pin of cloth.pins ?? []) {
      pin.grid = pin.grid?.map((place) => place.map(along));
      pin.vertices = pin.vertices?.map((v) => along(Math.floor(v / before[0]), 1) * after[0] + along(v % before[0], 0));
    }
  }
  return small;
}

/** The scene with so many equal steps a frame by a family; null: as many as that needs. It loses the same velocity a second. */
function stepped(scene, family, count, settings = {}) {
  const changed = structuredClone(scene), { solver } = changed, own = solver[solver.family] ?? {};
  const whole = own.velocity_loss ?? 0, before = own.substeps ?? 1;
  solver.family = family;
  const numbers = (solver[family] = { ...solver[family], ...settings });
  delete numbers.quality;
  if (count === null) delete numbers.substeps;
  else numbers.substeps = count;
  if ('adaptive' in numbers) numbers.adaptive = false;
  numbers.velocity_loss = count === null ? 0 : 1 - (1 - whole) ** (before / count);
  return changed;
}

const distance = (a, b) => {
  let sum = 0;
  for (let i = 0; i < a.length; ++i) sum += (a[i] - b[i]) ** 2;
  return Math.sqrt(sum / (a.length / 3));
};
const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;

/**
 * Measures a scene.
 * @param {object} scene with every field, as Run.scene() has it
 * @param {(scene: object, frames: number, ms: number) => Promise<{positions: Float64Array[], ms: number[], substeps: number,
 *   unsolved: number, diverged: boolean}>} follow runs a scene; positions of the frames that were made
 * @param {object} [options]
 * @param {{name, label}[]} [options.methods] for labels
 * @param {(result: object) => void} [options.onPoint] after every run, with what is known
 * @param {() => boolean} [options.stopped] asked before every run
 * @returns {Promise<object>} as work_precision.json
 */
export async function workPrecision(scene, follow, { methods = [], onPoint = () => {}, stopped = () => false, only = families } = {}) {
  const loses = (scene.solver[scene.solver.family]?.velocity_loss ?? 0) > 0; // of such, two stages would lose another fraction
  const integrator = loses ? 'euler' : 'sdirk2', most = finer * steps.at(-1);
  const reference = { method: 'quasi_newton', integrator, steps: most, check_steps: most / 2, failure: '', doubt: [], travelled: [] };
  const result = { scene_name: scene.name, outcome: 'finished', frames, frame_time: scene.frame_time, reference, lines: [], scene };

  // 1. The reference, and how sure it is
  const exactly = (count) => follow(stepped(scene, 'quasi_newton', count, { integrator, tolerance: surely }), frames, Infinity);
  const truth = await exactly(reference.steps), check = await exactly(reference.check_steps);
  const known = Math.min(truth.positions.length, check.positions.length);
  if (known < frames) reference.failure = `diverged in frame ${known + 1}`;
  for (let f = 0; f < known; ++f) reference.doubt.push(distance(truth.positions[f], check.positions[f]));
  onPoint(result);

  // 2. A line a family, which begins with few steps
  for (const family of only) {
    if (reference.failure || stopped()) break;
    const method = methods.find(({ name }) => name === family);
    const line = { name: family, method: family, label: method?.label ?? family, refusal: '', points: [] };
    result.lines.push(line);
    try {
      let counts = steps;
      if (family === 'explicit') {
        const { substeps } = await follow(stepped(scene, family, null), 0, longest);
        counts = ofExplicit.map((times) => times * substeps);
      }
      for (const count of counts) {
        if (stopped()) break;
        const run = await follow(stepped(scene, family, count), frames, longest), made = run.positions.length;
        const error = run.positions.map((places, f) => distance(places, truth.positions[f])), whole = made === frames;
        const remark = run.diverged ? `diverged in frame ${made + 1}` : whole ? '' : `ended after ${made} frames`;
        line.points.push({ steps: count, own: false, mean_ms: whole ? mean(run.ms) : null, mean_error: whole ? mean(error) : null,
          largest_error: whole ? Math.max(...error) : null, unsolved_frames: run.unsolved, diverged: run.diverged, remark, ms: run.ms, error });
        onPoint(result);
      }
    } catch (refusal) {
      line.refusal = refusal.message;
      onPoint(result);
    }
  }
  if (stopped()) result.outcome = 'interrupted';
  return result;
}
