// What the page is about, and who takes part.

const data = JSON.parse(document.getElementById('data').textContent);
const clouds = JSON.parse(document.getElementById('clouds').textContent);
const series = {kind: 'solver', page: data.scene_name, none: 'No solver is shown.'};  // for plots and their files

/** Of every method; the reference is solid. */
const dashes = JSON.parse(document.getElementById('dashes').textContent);
const everyone = [data.reference, ...data.solvers];
const runners = everyone.filter((solver) => !solver.refused);
const hidden = new Set();
const shown = (solvers = runners) => solvers.filter((solver) => !hidden.has(solver.name));
const colour = (name) => `var(--s-${name})`;
const byName = (name) => everyone.find((solver) => solver.name === name);

/** Whether the frame's last step was held against a reference step of this solver. */
const isMeasured = (frame) => frame === data.frames || (frame - 1) % data.reference_every === 0;
