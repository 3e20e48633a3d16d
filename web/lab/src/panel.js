// Numbers of the scene with unit, range and sentence, all from the schema; what nothing reads is greyed and says what acts
// in its place.
import { GUI } from 'lil-gui';
import { schemaOf } from './schema.js';

const sections = [
  { title: 'Fabric', path: ['cloths', 0, 'fabric'] },
  { title: 'World', path: [], only: ['gravity', 'damping', 'frame_time'] },
  { title: 'Wind', path: ['wind'] },
  { title: 'Self-collision', path: ['self_collision'] },
];

const valueAt = (scene, path) => path.reduce((value, step) => value?.[step], scene);

export class Panel {
  constructor(root, schema, change) {
    this.root = root;
    this.schema = schema;
    this.change = change;
  }

  /** Shows a scene; `families`: of the lanes, whose settings have a section each. */
  show(resolved, inert, families) {
    const scene = structuredClone(resolved); // the controls write into it
    this.gui?.destroy();
    this.gui = new GUI({ container: this.root, title: 'Settings', autoPlace: false });
    const reasons = new Map(inert.map(({ path, reason }) => [path, reason]));
    const solvers = [...new Set(families)].map((family) => ({ title: `Solver: ${family}`, path: ['solver', family], closed: true }));
    for (const section of [...sections, ...solvers]) this.#section(scene, section, reasons);
  }

  #section(scene, { title, path, only, closed }, reasons) {
    const values = valueAt(scene, path), { properties } = schemaOf(this.schema, path) ?? {};
    if (!values || !properties) return;
    const folder = this.gui.addFolder(title);
    if (closed || path[0] === 'wind' || path[0] === 'self_collision') folder.close();
    for (const [name, field] of Object.entries(properties)) {
      if (only && !only.includes(name)) continue;
      this.#field(folder, values, name, field, [...path, name], reasons);
    }
    if (folder.controllers.length === 0) folder.destroy();
  }

  #field(folder, values, name, field, path, reasons) {
    const value = values[name];
    const unit = /\[([^\]]+)\]\s*$/.exec(field.description ?? '')?.[1];
    const label = name.replaceAll('_', ' ') + (unit ? ` [${unit}]` : '');
    const send = () => this.change(path.join('/'), values[name]);
    if (typeof value === 'number') values[name] = +value.toPrecision(6); // no 0.016666666666666666
    let controller;
    if (Array.isArray(value) && value.length === 3 && value.every(Number.isFinite)) {
      const shown = { text: value.join(', ') };
      controller = folder.add(shown, 'text').onFinishChange((text) => this.change(path.join('/'), text.split(',').map(Number)));
    } else if (field.enum && typeof value === 'string') {
      controller = folder.add(values, name, field.enum).onChange(send);
    } else if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string') {
      controller = folder.add(values, name);
      if (typeof value === 'number') {
        if (field.minimum !== undefined) controller.min(field.minimum);
        if (field.maximum !== undefined && field.maximum < 1e6) controller.max(field.maximum);
      }
      controller.onFinishChange(send);
    } else return;
    controller.name(label);
    const reason = reasons.get(path.join('/')) ?? reasons.get(`/${path.join('/')}`);
    controller.domElement.title = reason ? `Nothing reads it: ${reason}` : (field.description ?? '');
    if (reason) controller.domElement.classList.add('inert');
  }
}
