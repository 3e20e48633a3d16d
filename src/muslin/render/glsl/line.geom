// A line as a strip of even width in pixels: core OpenGL promises no lines wider than one.
layout(lines) in;
layout(triangle_strip, max_vertices = 4) out;
uniform float line_width;  // pixels

void main() {
  vec4 a = gl_in[0].gl_Position, b = gl_in[1].gl_Position;
  if (a.w <= 0.0 || b.w <= 0.0) return;
  vec2 along = (b.xy / b.w - a.xy / a.w) * picture_size;
  if (dot(along, along) < 1e-12) return;
  vec2 side = normalize(vec2(-along.y, along.x)) * line_width / picture_size;
  gl_Position = a + vec4(side * a.w, 0.0, 0.0);
  EmitVertex();
  gl_Position = a - vec4(side * a.w, 0.0, 0.0);
  EmitVertex();
  gl_Position = b + vec4(side * b.w, 0.0, 0.0);
  EmitVertex();
  gl_Position = b - vec4(side * b.w, 0.0, 0.0);
  EmitVertex();
  EndPrimitive();
}
