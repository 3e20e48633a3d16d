// Triangles with a depth test, pixel by pixel: what is behind does not show, however triangles cross.

class Raster {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.image = new ImageData(width, height);
    this.nearness = new Float32Array(width * height);  // 1/distance from the eye, 0 where nothing is
  }

  clear() {
    this.image.data.fill(0);
    this.nearness.fill(0);
  }

  /**
   * One triangle: corners [x, y] in pixels with their nearness and colours [r, g, b], which vary evenly between them.
   * Below alpha 1 it tints what is there and hides nothing.
   */
  triangle(corners, near, colours, alpha = 1) {
    const [[ax, ay], [bx, by], [cx, cy]] = corners;
    const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
    if (!(Math.abs(area) > 1e-9)) return;
    const left = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5)), right = Math.min(this.width - 1, Math.floor(Math.max(ax, bx, cx) - 0.5));
    const top = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5)), bottom = Math.min(this.height - 1, Math.floor(Math.max(ay, by, cy) - 0.5));
    const slack = -1e-6;  // so that no seam opens between two triangles
    const bx1 = (cy - ay) / area, by1 = -(cx - ax) / area, cx1 = -(by - ay) / area, cy1 = (bx - ax) / area;  // slopes of b and c
    const [na, nb, nc] = near, [p, q, r] = colours, {nearness, width} = this, {data} = this.image;
    for (let y = top; y <= bottom; ++y)
      for (let x = left; x <= right; ++x) {
        const px = x + 0.5 - ax, py = y + 0.5 - ay;
        const b = px * bx1 + py * by1, c = px * cx1 + py * cy1, a = 1 - b - c;
        if (a < slack || b < slack || c < slack) continue;
        const at = y * width + x, depth = a * na + b * nb + c * nc;
        if (depth <= nearness[at]) continue;
        const k = 4 * at, under = (data[k + 3] / 255) * (1 - alpha), whole = alpha + under;
        const over = alpha / whole, kept = under / whole;
        data[k] = over * (a * p[0] + b * q[0] + c * r[0]) + kept * data[k];
        data[k + 1] = over * (a * p[1] + b * q[1] + c * r[1]) + kept * data[k + 1];
        data[k + 2] = over * (a * p[2] + b * q[2] + c * r[2]) + kept * data[k + 2];
        data[k + 3] = 255 * whole;
        if (alpha === 1) nearness[at] = depth;
      }
  }
}
