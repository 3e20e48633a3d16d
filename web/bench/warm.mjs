// Processor time of frames once their code is compiled.

const processorTime = () => process.cpuUsage().user / 1000; // [ms], of all threads

function play(run, most, milliseconds) {
  let total = 0, slowest = 0, frames = 0;
  while (frames < most && total < milliseconds) {
    const start = processorTime();
    if (run.step() === 0) break;
    const taken = processorTime() - start;
    total += taken;
    slowest = Math.max(slowest, taken);
    ++frames;
  }
  return { total, slowest, frames };
}

/** Makes frames of a run twice, up to `most` or until `milliseconds` have passed; what the second time took: {total, slowest [ms],
 *  frames}. The first time the engine compiles beside them, on threads whose time would count, too. */
export function warmFrames(run, most, milliseconds = Infinity) {
  run.reset();
  play(run, most, milliseconds);
  run.reset();
  return play(run, most, milliseconds);
}
