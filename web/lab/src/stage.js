// The picture: one canvas, a part of it for every lane, one camera for all of them.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { paint, roundTop } from './heat.js';

const clothColours = [0x4468a8, 0xe9e2d0, 0xb5473c, 0x5d8a66, 0xe0b84c]; // a piece of cloth each, then anew
const themes = { light: { sky: 0xefeeec, ground: 0xf1f0ee }, dark: { sky: 0x24262c, ground: 0x3b3e47 } };
const key = new THREE.Vector3(-0.75, 1, 0.55).normalize(); // where the lamp is, as in the native pictures

/** What a caption of 12.5 px takes below a picture [px]: three lines, in narrow lanes four. Small embedded pictures are drawn whole. */
export const captionHeight = ({ width, height }) => (height < 160 ? 0 : width < 330 ? 86 : width < 560 ? 68 : 50);

/** A lane as it is seen. */
class LaneView {
  constructor(opened, dark) {
    this.opened = opened;
    this.scene = new THREE.Scene();
    this.cloth = this.#cloth(opened);
    this.scene.add(this.cloth);
    this.bodies = opened.colliders.map((collider, i) => this.#body(collider, opened.scene.colliders[i].colour));
    for (const body of this.bodies) if (body) this.scene.add(body);
    this.pins = new THREE.Points(new THREE.BufferGeometry(), new THREE.PointsMaterial({ color: 0xd2442f, size: 5, sizeAttenuation: false }));
    this.scene.add(this.pins);
    this.thread = new THREE.Line(new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3()]), new THREE.LineBasicMaterial({ color: 0xe0a43c }));
    this.thread.visible = false;
    this.thread.frustumCulled = false;
    this.scene.add(this.thread);
    this.update(opened.frame);
    this.#light();
    this.theme(dark);
  }

  #cloth({ triangles, frame, cloths, scene }) {
    const geometry = new THREE.BufferGeometry();
    geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(triangles), 1));
    geometry.setAttribute('position', new THREE.BufferAttribute(frame.positions, 3).setUsage(THREE.DynamicDrawUsage));
    geometry.setAttribute('normal', new THREE.BufferAttribute(frame.normals, 3).setUsage(THREE.DynamicDrawUsage));
    const own = new Float32Array(frame.positions.length);
    cloths.forEach((cloth, i) => {
      const colour = new THREE.Color(scene.cloths[i].colour ?? clothColours[i % clothColours.length]);
      for (let v = cloth.first_vertex; v < cloth.first_vertex + cloth.vertices; ++v) colour.toArray(own, 3 * v);
    });
    this.ownColours = own;
    geometry.setAttribute('color', new THREE.BufferAttribute(own.slice(), 3));
    const material = new THREE.MeshPhysicalMaterial({
      vertexColors: true, side: THREE.DoubleSide, roughness: 0.8, sheen: 0.6, sheenRoughness: 0.5, sheenColor: 0x8899bb,
    });
    const mesh = new THREE.Mesh(geometry, material);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    return mesh;
  }

  #body({ enabled, shape, mesh }, colour = 0xc9c4ba) {
    if (!enabled || shape === 'plane' || !mesh) return null;
    const indexed = new THREE.BufferGeometry();
    indexed.setIndex(new THREE.BufferAttribute(new Uint32Array(mesh.triangles), 1));
    indexed.setAttribute('position', new THREE.BufferAttribute(mesh.vertices, 3));
    indexed.computeVertexNormals();
    const round = shape === 'sphere' || shape === 'capsule' || shape === 'mesh';
    if (shape === 'cylinder') this.#shrinkRim(indexed);
    else if (round) this.#shrink(indexed);
    const geometry = round ? indexed : indexed.toNonIndexed();
    geometry.computeVertexNormals();
    const body = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: colour, roughness: 0.7 }));
    body.castShadow = body.receiveShadow = true;
    body.matrixAutoUpdate = false;
    return body;
  }

  /** Round bodies are drawn smaller by what the cloth's triangles, whose corners lie on them, cut off: L²/8r, where L is the cloth's
   *  longest edge. Cloth that stretches cuts off more. */
  #shrink(body) {
    body.computeBoundingBox();
    const size = body.boundingBox.getSize(new THREE.Vector3()), radius = Math.min(size.x, size.y, size.z) / 2, longest = this.longestEdge();
    const { position, normal } = body.attributes, depth = Math.min(longest ** 2 / (3 * radius), 0.1 * radius);
    for (let i = 0; i < position.array.length; ++i) position.array[i] -= depth * normal.array[i];
  }

  /** Of a rim, triangles cut off up to L/2: a cylinder, whose axis is y, is drawn narrower by that, and a disc somewhat thinner. */
  #shrinkRim(body) {
    body.computeBoundingBox();
    const { x, y } = body.boundingBox.max, depth = this.longestEdge() / 2;
    const across = 1 - Math.min(depth / x, 0.08), along = 1 - Math.min(depth / y, 0.5);
    const { array } = body.attributes.position;
    for (let i = 0; i < array.length; i += 3) {
      array[i] *= across;
      array[i + 1] *= along;
      array[i + 2] *= across;
    }
  }

  /** Of the cloth as it begins [m]. */
  longestEdge() {
    const { triangles, frame: { positions: p } } = this.opened;
    let most = 0;
    for (let i = 0; i < triangles.length; ++i) {
      const a = 3 * triangles[i], b = 3 * triangles[i % 3 === 2 ? i - 2 : i + 1];
      most = Math.max(most, Math.hypot(p[a] - p[b], p[a + 1] - p[b + 1], p[a + 2] - p[b + 2]));
    }
    return most;
  }

  #light() {
    this.sky = new THREE.HemisphereLight(0xffffff, 0xbdbbb7, 2.0);
    this.lamp = new THREE.DirectionalLight(0xfffaf2, 1.9);
    this.lamp.castShadow = true;
    this.lamp.shadow.mapSize.set(2048, 2048);
    this.lamp.shadow.radius = 4;
    const box = this.box(), ball = box.getBoundingSphere(new THREE.Sphere()), reach = 1.6 * ball.radius;
    this.lamp.position.copy(ball.center).addScaledVector(key, 3 * ball.radius);
    this.lamp.target.position.copy(ball.center);
    this.lamp.shadow.intensity = 0.75;
    Object.assign(this.lamp.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * ball.radius, far: 8 * ball.radius });
    this.lamp.shadow.normalBias = 0.02 * ball.radius;
    this.lamp.shadow.bias = -0.0005;
    this.scene.add(this.sky, this.lamp, this.lamp.target);
    const floors = this.opened.frame.poses, planes = this.opened.colliders.map((c, i) => (c.enabled && c.shape === 'plane' && floors[12 * i + 4] > 0.99 ? floors[12 * i + 10] : null)).filter((y) => y !== null);
    const y = planes.length ? Math.max(...planes) : box.min.y - 0.02 * ball.radius;
    this.floor = new THREE.Mesh(new THREE.CircleGeometry(14 * ball.radius, 64), new THREE.MeshStandardMaterial({ roughness: 1 }));
    this.floor.rotation.x = -Math.PI / 2;
    this.floor.position.set(ball.center.x, y, ball.center.z);
    this.floor.receiveShadow = true;
    this.scene.add(this.floor);
    this.scene.fog = new THREE.Fog(0, 5 * ball.radius, 15 * ball.radius);
  }

  theme(dark) {
    const { background, colliders } = this.opened.scene, theme = themes[dark ? 'dark' : 'light'];
    const sky = background ?? theme.sky, ground = colliders.find((c) => c.shape === 'plane' && c.colour)?.colour ?? background ?? theme.ground;
    this.scene.background = new THREE.Color(sky);
    this.scene.fog.color.set(sky);
    this.floor.material.color.set(ground);
  }

  /** Of cloth that hangs, the room below it belongs to the picture, too. */
  box() {
    const box = new THREE.Box3().setFromArray(this.cloth.geometry.attributes.position.array);
    for (const body of this.bodies) if (body) box.union(new THREE.Box3().setFromObject(body));
    const size = box.getSize(new THREE.Vector3());
    if (this.opened.frame.held.length) box.min.y -= Math.max(0, 0.9 * Math.max(size.x, size.z) - size.y);
    return box;
  }

  update({ positions, normals, poses, held, heat }) {
    const { geometry } = this.cloth;
    geometry.attributes.position.array.set(positions);
    geometry.attributes.normal.array.set(normals);
    geometry.attributes.position.needsUpdate = geometry.attributes.normal.needsUpdate = true;
    geometry.boundingSphere = geometry.boundingBox = null;
    this.bodies.forEach((body, i) => {
      if (!body) return;
      const p = poses.subarray(12 * i, 12 * i + 12);
      body.matrix.set(p[0], p[3], p[6], p[9], p[1], p[4], p[7], p[10], p[2], p[5], p[8], p[11], 0, 0, 0, 1);
      body.matrixWorldNeedsUpdate = true;
    });
    const points = new Float32Array(3 * held.length);
    held.forEach((vertex, i) => points.set(positions.subarray(3 * vertex, 3 * vertex + 3), 3 * i));
    this.pins.geometry.setAttribute('position', new THREE.BufferAttribute(points, 3));
    this.pins.geometry.boundingSphere = null;
    this.pins.visible = held.length > 0 && held.length < 200;
    this.values = heat;
  }

  /** Colours by the values of the last update, up to `most`; its own colours without. */
  colour(most) {
    const colours = this.cloth.geometry.attributes.color;
    if (this.values) paint(this.values, most, colours.array);
    else colours.array.set(this.ownColours);
    colours.needsUpdate = true;
    this.cloth.material.sheen = this.values ? 0 : 0.6;
  }

  pull(vertex, place) {
    this.thread.visible = vertex !== null;
    if (vertex === null) return;
    const line = this.thread.geometry.attributes.position;
    line.array.set(this.cloth.geometry.attributes.position.array.subarray(3 * vertex, 3 * vertex + 3));
    line.array.set(place, 3);
    line.needsUpdate = true;
  }
}

export class Stage {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.renderer.setScissorTest(true);
    this.camera = new THREE.PerspectiveCamera(30, 1, 0.01, 1000);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener('change', () => this.draw());
    this.lanes = [];
    this.most = 1;
  }

  /** Lanes by what their workers answered when they opened the scene. */
  begin(opened, dark, camera) {
    for (const { scene } of this.lanes)
      scene.traverse((object) => {
        for (const owned of [object.geometry, object.material, object.shadow]) owned?.dispose();
      });
    this.lanes = opened.map((lane) => new LaneView(lane, dark));
    this.resize();
    if (camera) this.look(camera);
    else this.frame();
  }

  theme(dark) {
    for (const lane of this.lanes) lane.theme(dark);
    this.draw();
  }

  /** The camera looks down on everything from the right. */
  frame() {
    const box = this.lanes[0].box(), ball = box.getBoundingSphere(new THREE.Sphere()), size = box.getSize(new THREE.Vector3());
    const azimuth = (size.x >= 0.8 * size.z ? 28 : 62) * THREE.MathUtils.DEG2RAD, elevation = 16 * THREE.MathUtils.DEG2RAD;
    const back = new THREE.Vector3(Math.sin(azimuth) * Math.cos(elevation), Math.sin(elevation), Math.cos(azimuth) * Math.cos(elevation));
    const distance = this.#distanceFor(box, ball.center, back);
    this.controls.target.copy(ball.center);
    this.camera.position.copy(ball.center).addScaledVector(back, distance);
    this.camera.near = 0.01 * distance;
    this.camera.far = 30 * distance;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.draw();
  }

  /** How far back from `center` the camera sees all corners of a box, with some room about them. */
  #distanceFor(box, center, back) {
    const filled = 0.85, half = Math.tan((this.camera.fov * THREE.MathUtils.DEG2RAD) / 2) * filled;
    const right = new THREE.Vector3(0, 1, 0).cross(back).normalize(), up = back.clone().cross(right);
    const distances = Array.from({ length: 8 }, (_, i) => {
      const corner = new THREE.Vector3(...['x', 'y', 'z'].map((axis, k) => (i >> k) & 1 ? box.max[axis] : box.min[axis])).sub(center);
      const aside = Math.max(Math.abs(corner.dot(right)) / this.camera.aspect, Math.abs(corner.dot(up)));
      return corner.dot(back) + aside / half;
    });
    return Math.max(...distances);
  }

  /** Turns the camera by a key; false if that is not one of them. */
  turn(key) {
    const angle = 0.1, turns = { ArrowLeft: [-angle, 0, 1], ArrowRight: [angle, 0, 1], ArrowUp: [0, -angle, 1], ArrowDown: [0, angle, 1], '+': [0, 0, 0.9], '-': [0, 0, 1.1] };
    if (!turns[key]) return false;
    const [around, down, farther] = turns[key], { target } = this.controls;
    const seen = new THREE.Spherical().setFromVector3(this.camera.position.clone().sub(target));
    seen.theta += around;
    seen.phi = THREE.MathUtils.clamp(seen.phi + down, angle, Math.PI - angle);
    seen.radius *= farther;
    this.look([...new THREE.Vector3().setFromSpherical(seen).add(target), ...target]);
    return true;
  }

  get view() {
    return [...this.camera.position.toArray(), ...this.controls.target.toArray()].map((x) => +x.toFixed(4));
  }
  look([ex, ey, ez, tx, ty, tz]) {
    this.camera.position.set(ex, ey, ez);
    this.controls.target.set(tx, ty, tz);
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = 0.01 * distance;
    this.camera.far = 30 * distance;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.draw();
  }

  /** A frame of every lane; returns the upper end of the scale of heat. */
  update(frames) {
    frames.forEach((frame, i) => this.lanes[i].update(frame));
    const heats = frames.map(({ heat }) => heat).filter(Boolean);
    this.most = heats.length ? Math.max(...heats.map(roundTop)) : 1;
    for (const lane of this.lanes) lane.colour(this.most);
    this.draw();
    return this.most;
  }

  /** Parts of the canvas: [{x, y, width, height}] in CSS pixels, y down. */
  areas() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    const count = Math.max(this.lanes.length, 1);
    const across = count === 1 ? 1 : count === 2 ? (width >= height ? 2 : 1) : count === 3 && width > 1.5 * height ? 3 : 2;
    const down = Math.ceil(count / across), w = width / across, h = height / down;
    return Array.from({ length: count }, (_, i) => ({ x: (i % across) * w, y: Math.floor(i / across) * h, width: w, height: h }));
  }

  /** The parts of the areas that have the cloth: what is said of a lane stands below, and covers nothing. */
  pictures() {
    return this.areas().map((area) => ({ ...area, height: Math.max(area.height - captionHeight(area), 1) }));
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    const [area] = this.pictures();
    this.camera.aspect = area.width / area.height;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  draw() {
    const { clientHeight: height } = this.canvas.parentElement;
    this.renderer.setScissorTest(false);
    this.renderer.clear(); // below captions, too
    this.renderer.setScissorTest(true);
    this.pictures().forEach((area, i) => {
      if (!this.lanes[i]) return;
      const box = [area.x, height - area.y - area.height, area.width, area.height];
      this.renderer.setViewport(...box);
      this.renderer.setScissor(...box);
      this.renderer.render(this.lanes[i].scene, this.camera);
    });
  }

  /** What is under a pointer: {lane, vertex, place} of cloth, {lane, collider, place} of a body, or null. */
  pick({ clientX, clientY }) {
    const bounds = this.canvas.getBoundingClientRect(), x = clientX - bounds.left, y = clientY - bounds.top;
    const lane = this.pictures().findIndex((a) => x >= a.x && x < a.x + a.width && y >= a.y && y < a.y + a.height);
    if (lane < 0 || !this.lanes[lane]) return null;
    const { cloth, bodies } = this.lanes[lane];
    const [hit] = this.#ray(x, y, lane).intersectObjects([cloth, ...bodies.filter(Boolean)], false);
    if (!hit) return null;
    if (hit.object !== cloth) return { lane, collider: bodies.indexOf(hit.object), place: hit.point.toArray() };
    const positions = cloth.geometry.attributes.position.array;
    const far = (v) => hit.point.distanceToSquared(new THREE.Vector3().fromArray(positions, 3 * v));
    const vertex = [hit.face.a, hit.face.b, hit.face.c].reduce((a, b) => (far(a) <= far(b) ? a : b));
    return { lane, vertex, place: Array.from(positions.subarray(3 * vertex, 3 * vertex + 3)) };
  }

  /** Where a pointer is in the plane through `place` that faces the camera. */
  dragged({ clientX, clientY }, { lane, place }) {
    const bounds = this.canvas.getBoundingClientRect();
    const { ray } = this.#ray(clientX - bounds.left, clientY - bounds.top, lane);
    const normal = this.camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, new THREE.Vector3().fromArray(place));
    return (ray.intersectPlane(plane, new THREE.Vector3()) ?? new THREE.Vector3().fromArray(place)).toArray();
  }

  #ray(x, y, lane) {
    const area = this.pictures()[lane], ray = new THREE.Raycaster();
    const place = new THREE.Vector2((2 * (x - area.x)) / area.width - 1, 1 - (2 * (y - area.y)) / area.height);
    ray.setFromCamera(place, this.camera);
    return ray;
  }

  pull(vertex, place) {
    for (const lane of this.lanes) lane.pull(vertex, place);
  }
}
