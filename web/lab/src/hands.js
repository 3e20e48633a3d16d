// Pointer to hands: what is dragged is dragged in every lane at once. What was done is kept by frame, for links.
export class Hands {
  constructor(stage, { onPick } = {}) {
    this.stage = stage;
    this.waiting = [];
    this.done = {};
    this.offsets = new Map();
    const { canvas } = stage;
    canvas.addEventListener('pointerdown', (event) => {
      const grip = event.button === 0 ? stage.pick(event) : null;
      if (!grip) return;
      event.stopImmediatePropagation(); // before the camera's controls
      canvas.setPointerCapture(event.pointerId);
      this.grip = grip;
      if (grip.vertex !== undefined && event.shiftKey) {
        this.waiting.push([this.held?.includes(grip.vertex) ? 'letGo' : 'hold', grip.vertex]);
        this.grip = null;
      } else if (grip.vertex !== undefined) {
        this.move(event);
      }
      onPick?.(grip);
    }, { capture: true });
    canvas.addEventListener('pointermove', (event) => this.grip && this.move(event));
    for (const end of ['pointerup', 'pointercancel'])
      canvas.addEventListener(end, () => {
        if (this.grip?.vertex !== undefined) this.replace('pull', ['release']);
        this.grip = null;
        stage.pull(null);
        stage.draw();
      });
  }

  move(event) {
    const { vertex, collider, place } = this.grip, target = this.stage.dragged(event, this.grip).map((x) => +x.toFixed(5));
    if (vertex !== undefined) {
      this.replace('pull', ['pull', vertex, target]);
      this.stage.pull(vertex, target);
      this.stage.draw();
    } else {
      const before = this.offsets.get(collider) ?? [0, 0, 0];
      this.grip.from ??= before;
      this.replace('carry', ['carry', collider, this.grip.from.map((x, i) => +(x + target[i] - place[i]).toFixed(5))]);
    }
  }

  /** A later pull or carry takes the place of the one that still waits. */
  replace(name, hand) {
    this.waiting = this.waiting.filter(([other, what]) => other !== name || (name === 'carry' && what !== hand[1]));
    this.waiting.push(hand);
    if (name === 'carry') this.offsets.set(hand[1], hand[2]);
  }

  /** What acts in the next frame, and is remembered of it. */
  take(frame) {
    const taken = this.waiting;
    this.waiting = [];
    if (taken.length) this.done[frame] = taken;
    return taken;
  }

  /** Goes on after hands that a link told of. */
  restore(done) {
    this.done = done;
    for (const hands of Object.values(done))
      for (const [name, collider, offset] of hands) if (name === 'carry') this.offsets.set(collider, offset);
  }

  forget() {
    this.waiting = [];
    this.done = {};
    this.offsets.clear();
    this.grip = null;
    this.stage.pull(null);
  }
}
