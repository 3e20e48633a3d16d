// A vertex as a square that faces the eye.
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
uniform float line_width;  // pixels, across
out vec2 across;

void main() {
  vec4 a = gl_in[0].gl_Position;
  if (a.w <= 0.0) return;
  for (int i = 0; i < 4; ++i) {
    across = vec2(i % 2, i / 2) * 2.0 - 1.0;
    gl_Position = a + vec4(across * line_width / picture_size * a.w, 0.0, 0.0);
    EmitVertex();
  }
  EndPrimitive();
}
