// The cloth of every solver under one camera.

/** Positions of a solver: 16-bit steps from the origin, frame after frame. */
function decode(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Int16Array(bytes.buffer);
}

// From pale to deep, of even steps in lightness and safe for all colour vision.
const ramp = [[246, 239, 214], [244, 195, 118], [230, 133, 79], [183, 71, 90], [108, 38, 98], [40, 20, 60]];
function rampColour(t) {
  const at = Math.max(0, Math.min(0.9999, t)) * (ramp.length - 1), k = Math.floor(at), f = at - k;
  return ramp[k].map((c, i) => c + f * (ramp[k + 1][i] - c));
}
const clothFront = [214, 200, 172], clothBack = [192, 176, 150], solid = [150, 148, 150];

const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const crossOf = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => { const n = Math.hypot(...a) || 1; return [a[0] / n, a[1] / n, a[2] / n]; };

/** Triangles of a collider in its own frame: its mesh, or outlines turned about y, or the faces of a box. */
function colliderMesh({shape, radius, length, size, mesh}, reach) {
  if (mesh) return mesh;
  const vertices = [], triangles = [], around = 48;
  const quad = (a, b, c, d) => triangles.push([a, b, c], [a, c, d]);
  if (shape === 'box' || shape === 'plane') {
    const half = shape === 'box' ? size.map((s) => s / 2) : [reach, 0, reach];
    if (shape === 'plane') {
      const n = 8;
      for (let j = 0; j <= n; ++j) for (let i = 0; i <= n; ++i) vertices.push([half[0] * (2 * i / n - 1), 0, half[2] * (2 * j / n - 1)]);
      for (let j = 0; j < n; ++j) for (let i = 0; i < n; ++i) {
        const a = j * (n + 1) + i;
        quad(a, a + n + 1, a + n + 2, a + 1);
      }
      return {vertices, triangles};
    }
    for (let k = 0; k < 8; ++k) vertices.push([0, 1, 2].map((axis) => half[axis] * (k >> axis & 1 ? 1 : -1)));
    for (const [a, b, c, d] of [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]) quad(a, b, c, d);
    return {vertices, triangles};
  }
  const outline = [], quarter = 12, middle = shape === 'sphere' ? 0 : length / 2;
  if (shape === 'cylinder') outline.push([0, middle], [radius, middle], [radius, -middle], [0, -middle]);
  else for (const side of [1, -1]) for (let i = 0; i <= quarter; ++i) {
    const angle = (Math.PI / 2) * (side > 0 ? i : quarter - i) / quarter;
    outline.push([radius * Math.sin(angle), side * (radius * Math.cos(angle) + middle)]);
  }
  for (const [r, y] of outline) for (let i = 0; i < around; ++i) {
    const angle = (2 * Math.PI * i) / around;
    vertices.push([r * Math.cos(angle), y, -r * Math.sin(angle)]);
  }
  for (let k = 0; k + 1 < outline.length; ++k) for (let i = 0; i < around; ++i) {
    const a = k * around + i, b = k * around + (i + 1) % around;
    quad(a, a + around, b + around, b);
  }
  return {vertices, triangles};
}

/** Edges that only one triangle has: the outline of the cloth. */
function outlineEdges(triangles) {
  const count = new Map();
  for (let t = 0; t < triangles.length; t += 3)
    for (let k = 0; k < 3; ++k) {
      const a = triangles[t + k], b = triangles[t + (k + 1) % 3], key = Math.min(a, b) + ',' + Math.max(a, b);
      count.set(key, (count.get(key) ?? 0) + 1);
    }
  return [...count].filter(([, n]) => n === 1).map(([key]) => key.split(',').map(Number));
}

/** What all pictures share: camera, frame, colouring, and the cloth of the reference. */
const stage = {
  frame: 0,  // index into clouds.frames
  colouring: 'cloth',
  positions: new Map(Object.entries(clouds.positions).map(([name, text]) => [name, decode(text)])),
  outline: outlineEdges(clouds.triangles),

  /** Position of a vertex [m], or null where the solver has no such frame. */
  frameOf(name, frame = this.frame) {
    const all = this.positions.get(name), n = 3 * clouds.vertices;
    return all && all.length >= (frame + 1) * n ? all.subarray(frame * n, (frame + 1) * n) : null;
  },

  setUp() {
    const low = [1e9, 1e9, 1e9], high = [-1e9, -1e9, -1e9];
    const grow = (p, r = 0) => p.forEach((v, k) => { low[k] = Math.min(low[k], v - r); high[k] = Math.max(high[k], v + r); });
    for (let f = 0; f < clouds.frames.length; ++f) {
      const points = this.frameOf('reference', f);
      if (!points) break;
      for (let v = 0; v < points.length; v += 3)
        grow([0, 1, 2].map((k) => clouds.origin[k] + clouds.step * points[v + k]));
    }
    if (low[0] > high[0]) { low.fill(-1); high.fill(1); }
    const reach = Math.hypot(...high.map((v, k) => v - low[k])) / 2 || 1;
    this.radius = reach;
    this.farthest = Math.max(...low.map(Math.abs), ...high.map(Math.abs));  // [m] a coordinate from 0
    this.sag = this.sagOfEdges();
    this.up = unit(dot(clouds.gravity, clouds.gravity) ? clouds.gravity.map((g) => -g) : [0, 1, 0]);
    this.colliders = clouds.colliders.map((c) => ({...c, mesh: colliderMesh(c, 1.6 * reach)}))
      .filter((c) => c.shape === 'plane' || c.radius < 3 * reach);
    this.findView(add(low, high).map((v) => v / 2));
    this.home();
    this.frameView(low, high);
    const errors = data.solvers.flatMap((s) => s.frames.error_max).filter((e) => isNumber(e) && e < 3 * reach);
    const most = Math.max(0, ...errors);
    this.decade = most > 0 ? Math.ceil(Math.log10(most) - 0.3) : 0;  // the deepest colour stands for 10^decade m
  },

  /** The side from which cloth is seen broadest, over all frames, in as small a picture; the usual one if it is nearly as good. */
  findView(middle) {
    const usual = 1.25, places = clouds.frames.map((_, f) => this.frameOf('reference', f)).filter((points) => points)
      .map((points) => Array.from({length: clouds.vertices}, (_, v) => [0, 1, 2].map((k) => clouds.origin[k] + clouds.step * points[3 * v + k] - middle[k])));
    const every = Math.max(1, Math.ceil(places.length / 12)), some = places.filter((_, f) => f % every === 0);
    const spheres = this.colliders.filter((c) => c.shape === 'sphere' && c.radius < this.radius)
      .map(({radius, poses}) => ({radius, at: add(poses[0].slice(9), middle, -1)}));
    const worth = () => {
      const [right, up, eye] = this.axes(), low = [1e9, 1e9], high = [-1e9, -1e9];
      const grow = (p, r) => [right, up].forEach((axis, k) => {
        low[k] = Math.min(low[k], dot(p, axis) - r);
        high[k] = Math.max(high[k], dot(p, axis) + r);
      });
      let seen = 0;
      for (const points of some) {
        for (const p of points) grow(p, 0);
        let depth = 0, area = 0;
        for (let t = 0; t < clouds.triangles.length; t += 3) {
          const [a, b, c] = [0, 1, 2].map((k) => points[clouds.triangles[t + k]]);
          area += Math.abs(dot(crossOf(add(b, a, -1), add(c, a, -1)), eye)) / 2;
        }
        for (const p of points) depth += dot(p, eye) / points.length;
        for (const {at, radius} of spheres) if (dot(at, eye) > depth) area -= Math.PI * radius * radius;
        seen += area;
      }
      for (const {at, radius} of spheres) grow(at, radius);
      return seen / Math.max(high[0] - low[0], high[1] - low[1]) ** 2;
    };
    this.best = [0.55, 0.5];
    this.home();
    let most = usual * worth();
    for (let yaw = -Math.PI; yaw < Math.PI - 0.01; yaw += Math.PI / 8)
      for (const pitch of [0.2, 0.5, 0.8]) {
        [this.yaw, this.pitch] = [yaw, pitch];
        const value = worth();
        if (value > most) [most, this.best] = [value, [yaw, pitch]];
      }
  },

  /** Aims at all that the reference cloth reaches, and at the colliders beside it, and finds its size on the picture. */
  frameView(low, high) {
    const seen = [[], []], axes = this.axes();
    const middle = low.map((v, k) => (v + high[k]) / 2);
    const see = (p, r = 0) => {
      const q = add(p, middle, -1), near = this.distance() / (this.distance() - dot(q, axes[2]) - r);
      seen.forEach((list, k) => list.push((dot(q, axes[k]) - r) * near, (dot(q, axes[k]) + r) * near));
    };
    for (let f = 0; f < clouds.frames.length; ++f) {
      const points = this.frameOf('reference', f) ?? [];
      for (let v = 0; v < points.length; v += 3) see([0, 1, 2].map((k) => clouds.origin[k] + clouds.step * points[v + k]));
    }
    for (const {shape, radius, poses} of this.colliders) if (shape === 'sphere' && radius < this.radius) see(poses[0].slice(9), radius);
    const spans = seen.map((list) => list.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [1e9, -1e9]));
    const [x, y] = spans.map(([a, b]) => (a < b ? (a + b) / 2 : 0));
    this.centre = add(add(middle, axes[0], x), axes[1], y);
    this.half = spans.map(([a, b]) => (a < b ? (b - a) / 2 : this.radius));
  },

  /** How far behind its true surface a picture's triangle may dip where cloth lies on something round [m]. */
  sagOfEdges() {
    const points = this.frameOf('reference', 0);
    let longest = 0;
    for (let k = 0; points && k < clouds.triangles.length; k += 3)
      for (const [i, j] of [[0, 1], [1, 2], [2, 0]]) {
        const [a, b] = [3 * clouds.triangles[k + i], 3 * clouds.triangles[k + j]];
        longest = Math.max(longest, clouds.step * Math.hypot(...[0, 1, 2].map((c) => points[a + c] - points[b + c])));
      }
    return 0.25 * longest;
  },

  distance() { return 2.9 * this.radius; },

  home() { [this.yaw, this.pitch] = this.best; this.zoom = 1; },

  /** The camera's axes: right, up, towards the eye. */
  axes() {
    const side = unit(Math.abs(this.up[1]) > 0.5 ? crossOf(this.up, [0, 0, 1]) : crossOf(this.up, [0, 1, 0]));
    const front = crossOf(side, this.up);
    const flat = add(side.map((v) => v * Math.sin(this.yaw)), front, Math.cos(this.yaw));
    const eye = add(flat.map((v) => v * Math.cos(this.pitch)), this.up, Math.sin(this.pitch));
    const right = unit(crossOf(this.up, eye));
    return [right, crossOf(eye, right), eye];
  },
};
stage.setUp();

/** An interrupted comparison has fewer pictures than were planned. */
clouds.frames.length = Math.max(1, Math.min(clouds.frames.length, stage.positions.get('reference').length / (3 * clouds.vertices)));

const errorFraction = (metres) => (metres > 0 ? 1 + (Math.log10(metres) - stage.decade) / 3 : 0);  // three decades

/** One solver's picture. */
class Picture {
  static all = [];

  constructor(host, solver) {
    this.solver = solver;
    this.canvas = make('canvas', {tabindex: 0, role: 'img'});
    this.words = make('span');
    this.name = make('button', {type: 'button', class: 'name', title: 'Let the others step back',
      onclick: () => focus.choose(solver.name)}, solver.label);
    this.figure = make('figure', {style: `--c:${colour(solver.name)}`},
      this.canvas, make('figcaption', {}, this.name, make('em', {}, solver.summary), this.words));
    host.append(this.figure);
    this.listen();
    Picture.all.push(this);
    new ResizeObserver(() => this.render()).observe(this.canvas);
  }

  static renderAll() {
    cancelAnimationFrame(Picture.waiting);
    Picture.waiting = requestAnimationFrame(() => { for (const picture of Picture.all) picture.render(); });
  }

  listen() {
    const {canvas} = this;
    canvas.onpointerdown = (event) => canvas.setPointerCapture(event.pointerId);
    canvas.onpointermove = (event) => {
      if (!canvas.hasPointerCapture(event.pointerId)) return;
      this.turn(-event.movementX * 0.01, event.movementY * 0.01);
    };
    canvas.onkeydown = (event) => {
      const by = {ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1]}[event.key];
      if (by) this.turn(...by);
      else if (event.key === '+' || event.key === '-') stage.zoom *= event.key === '+' ? 1.15 : 1 / 1.15;
      else if (event.key === 'Home') stage.home();
      else return;
      event.preventDefault();
      Picture.renderAll();
    };
    canvas.ondblclick = () => { stage.home(); Picture.renderAll(); };
  }

  turn(yaw, pitch) {
    stage.yaw += yaw;
    stage.pitch = Math.max(-1.5, Math.min(1.5, stage.pitch + pitch));
    Picture.renderAll();
  }

  render() {
    const ratio = Math.max(2, window.devicePixelRatio || 1);
    const width = Math.round(this.canvas.clientWidth * ratio), height = Math.round(this.canvas.clientHeight * ratio);
    if (!width || hidden.has(this.solver.name)) return;
    this.figure.classList.toggle('faded', focus.isFaded(this.solver.name));
    this.name.setAttribute('aria-pressed', String(focus.solver === this.solver.name));
    if (!this.raster || this.raster.width !== width || this.raster.height !== height) {
      Object.assign(this.canvas, {width, height});
      this.raster = new Raster(width, height);
    }
    this.context = this.canvas.getContext('2d');
    this.raster.clear();
    this.describe();
    const points = stage.frameOf(this.solver.name), reference = stage.frameOf('reference');
    this.project(width, height, ratio);
    const isPlane = ({shape}) => shape === 'plane';
    for (const collider of stage.colliders.filter((c) => !isPlane(c))) this.paintCollider(collider, 1);
    if (points) this.paintCloth(points, reference);
    for (const collider of stage.colliders.filter(isPlane)) this.paintCollider(collider, 0.35);
    this.context.putImageData(this.raster.image, 0, 0);
    if (reference && this.solver !== data.reference && points) this.paintOutline(reference, ratio);
  }

  describe() {
    const frame = clouds.frames[stage.frame], k = this.solver.frames.frame.indexOf(frame);
    const {frames} = this.solver;
    const strain = k >= 0 ? `strain ${percentText(frames.strain_p99[k])}` : '';
    if (frame > 0 && !stage.frameOf(this.solver.name)) this.words.textContent = this.solver.failure || 'not run';
    else if (frame === 0) this.words.textContent = 'as it begins';
    else if (this.solver === data.reference) this.words.textContent = strain;
    else this.words.textContent = `${lengthText(frames.error_rms[k])} away, ${strain}`;
    this.canvas.setAttribute('aria-label', `${this.solver.label}, frame ${frame}: ${this.words.textContent}`);
  }

  project(width, height, ratio) {
    const [right, up, eye] = stage.axes(), distance = stage.distance();
    const focal = 0.45 * distance * stage.zoom * Math.min(width / stage.half[0], height / stage.half[1]);
    this.view = (p) => {
      const q = add(p, stage.centre, -1), away = Math.max(0.05 * distance, distance - dot(q, eye));
      return [width / 2 + (focal * dot(q, right)) / away, height / 2 - (focal * dot(q, up)) / away, away];
    };
    this.light = unit(add(add(eye, up, 0.9), right, 0.5));
    this.eye = eye;
  }

  // A little behind its place, as far as the straight edges of a picture may cut into it.
  paintCollider({mesh, poses}, alpha) {
    const m = poses[stage.frame];
    const world = mesh.vertices.map((v) => [0, 1, 2].map((r) => m[3 * r] * v[0] + m[3 * r + 1] * v[1] + m[3 * r + 2] * v[2] + m[9 + r]));
    const seen = world.map(this.view);
    for (const corners of mesh.triangles) {
      const [a, b, c] = corners.map((v) => world[v]), n = unit(crossOf(add(b, a, -1), add(c, a, -1)));
      const rgb = solid.map((v) => v * (0.55 + 0.45 * Math.abs(dot(n, this.light))));
      this.raster.triangle(corners.map((v) => seen[v]), corners.map((v) => 1 / (seen[v][2] + stage.sag)), [rgb, rgb, rgb], alpha);
    }
  }

  paintCloth(points, reference) {
    const {triangles, origin, step, vertices} = clouds;
    const world = Array.from({length: vertices}, (_, v) => [0, 1, 2].map((k) => origin[k] + step * points[3 * v + k]));
    const seen = world.map(this.view), normals = this.normalsOf(world);
    const error = stage.colouring === 'error' && reference
      ? world.map((_, v) => step * Math.hypot(...[0, 1, 2].map((k) => points[3 * v + k] - reference[3 * v + k]))) : null;
    const bright = normals.map((n) => 0.5 + 0.56 * Math.abs(dot(n, this.light)) ** 1.5);
    for (let t = 0; t < triangles.length; t += 3) {
      const corners = [triangles[t], triangles[t + 1], triangles[t + 2]];
      const across = normals[corners[0]].map((_, k) => normals[corners[0]][k] + normals[corners[1]][k] + normals[corners[2]][k]);
      const side = dot(across, this.eye) > 0 ? clothFront : clothBack;
      const inks = corners.map((v) => (error ? rampColour(errorFraction(error[v])).map((x) => x * (0.5 + 0.5 * Math.min(1, bright[v])))
        : side.map((x) => Math.min(255, x * bright[v]))));
      this.raster.triangle(corners.map((v) => seen[v]), corners.map((v) => 1 / seen[v][2]), inks);
    }
  }

  normalsOf(world) {
    const {triangles} = clouds, normals = world.map(() => [0, 0, 0]);
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
      const n = crossOf(add(world[b], world[a], -1), add(world[c], world[a], -1));
      for (const v of [a, b, c]) for (let k = 0; k < 3; ++k) normals[v][k] += n[k];
    }
    return normals.map(unit);
  }

  // Where the border of the cloth should be.
  paintOutline(reference, ratio) {
    const {context} = this, {origin, step} = clouds;
    const place = (v) => this.view([0, 1, 2].map((k) => origin[k] + step * reference[3 * v + k]));
    context.beginPath();
    for (const [a, b] of stage.outline) {
      const [p, q] = [place(a), place(b)];
      context.moveTo(p[0], p[1]);
      context.lineTo(q[0], q[1]);
    }
    context.strokeStyle = Plot.forPaper ? '#1b1a18' : getComputedStyle(document.documentElement).getPropertyValue('--ink');
    context.lineWidth = (Plot.forPaper ? 0.8 : 1.3) * ratio;
    context.setLineDash([1.5 * ratio, 3 * ratio]);
    context.lineCap = 'round';
    context.stroke();
    context.setLineDash([]);
  }
}
