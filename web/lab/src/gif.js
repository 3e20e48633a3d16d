import { applyPalette, GIFEncoder, quantize } from 'gifenc';

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
