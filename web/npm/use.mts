// Compiled by scripts/check_packages, not run: types take what the README says, and refuse what is wrong.
import { Muslin, MuslinError, type Run } from 'muslin';

const muslin = await Muslin.load();
const run: Run = muslin.createFromText('{}', { method: 'xpbd', overrides: { 'cloths/0/grid/points': [31, 31] } });
const made: number = await run.play(10, { onFrame: (r) => r.stateHash() });
const positions: Float32Array = run.positions();
const exact: Float64Array = run.positions(Float64Array);
run.pull(0, [0, 1, 0]);
const clean: boolean = run.judge().clean;
try {
  run.free();
} catch (error) {
  if (error instanceof MuslinError && error.kind === 'invalid') error.places.map((place) => place.line);
}
// @ts-expect-error two numbers are no place
run.pull(0, [0, 1]);
// @ts-expect-error there is no such option
muslin.createFromText('{}', { solver: 'xpbd' });
export { made, positions, exact, clean };
