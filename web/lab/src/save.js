// What leaves the page as a file: pictures, films, meshes.
import * as THREE from 'three';
import { GLTFExporter } from 'three/addons/exporters/GLTFExporter.js';
import { applyPalette, GIFEncoder, quantize } from 'gifenc';

export function download(content, name, type) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A Wavefront OBJ of one lane's cloth [m], as `muslin run` writes frames. */
export function objOf(positions, triangles) {
  const lines = ['# Muslin, metres, y up'];
  for (let i = 0; i < positions.length; i += 3) lines.push(`v ${positions[i]} ${positions[i + 1]} ${positions[i + 2]}`);
  for (let i = 0; i < triangles.length; i += 3) lines.push(`f ${triangles[i] + 1} ${triangles[i + 1] + 1} ${triangles[i + 2] + 1}`);
  return lines.join('\n') + '\n';
}

/** A binary glTF of the cloth and the bodies. */
export async function glbOf({ cloth, bodies }) {
  const scene = new THREE.Scene();
  const parts = [cloth, ...bodies.filter(Boolean)];
  for (const part of parts) scene.add(part.clone());
  return new GLTFExporter().parseAsync(scene, { binary: true });
}

/** Films the canvas until stop(), which answers the film as a Blob. */
export class Film {
  #parts = [];

  constructor(canvas, rate = 60) {
    const type = ['video/webm;codecs=vp9', 'video/webm'].find((name) => MediaRecorder.isTypeSupported(name));
    this.recorder = new MediaRecorder(canvas.captureStream(rate), { mimeType: type, videoBitsPerSecond: 8e6 });
    this.recorder.ondataavailable = ({ data }) => this.#parts.push(data);
    this.recorder.start(200);
  }

  stop() {
    return new Promise((resolve) => {
      this.recorder.onstop = () => resolve(new Blob(this.#parts, { type: 'video/webm' }));
      this.recorder.stop();
    });
  }
}

/** A GIF of the canvas, picture by picture, at most `width` pixels broad. */
export class Gif {
  #encoder = GIFEncoder();

  constructor(canvas, milliseconds, width = 480) {
    this.source = canvas;
    this.delay = milliseconds;
    this.copy = document.createElement('canvas');
    this.copy.width = Math.min(width, canvas.width);
    this.copy.height = Math.round((canvas.height * this.copy.width) / canvas.width);
    this.brush = this.copy.getContext('2d', { willReadFrequently: true });
  }

  add() {
    const { width, height } = this.copy;
    this.brush.drawImage(this.source, 0, 0, width, height);
    const { data } = this.brush.getImageData(0, 0, width, height), palette = quantize(data, 128);
    this.#encoder.writeFrame(applyPalette(data, palette), width, height, { palette, delay: this.delay });
  }

  end() {
    this.#encoder.finish();
    return new Blob([this.#encoder.bytes()], { type: 'image/gif' });
  }
}
