// The address says what is looked at, #frame=12&solver=xpbd, so that it can be sent.

/** The frame and the solver that the address names; null where it names none that is here. */
function linked() {
  const asked = new URLSearchParams(location.hash.slice(1)), frame = Number(asked.get('frame') ?? NaN), name = asked.get('solver');
  return {frame: Number.isInteger(frame) && frame >= 0 ? frame : null, solver: runners.some((s) => s.name === name) ? name : null};
}

const focus = {
  solver: linked().solver,  // the others step back; null: all are alike

  isFaded(name) { return this.solver !== null && this.solver !== name; },

  choose(name) {
    this.solver = name === this.solver ? null : name;
    this.write();
    showAll();
  },

  write(frame = clouds.frames[stage.frame]) {
    const words = new URLSearchParams({frame, ...(this.solver ? {solver: this.solver} : {})});
    history.replaceState(null, '', '#' + words);
  },
};
