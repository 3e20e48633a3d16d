// What leaves the page as a file: pictures, films, meshes.

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
