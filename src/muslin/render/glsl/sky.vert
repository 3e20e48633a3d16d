// The light of the sky on both sides of a vertex, kept by transform feedback until the stage changes.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
uniform mat3 sky_axes[SKY];  // rows: right, up and towards the sky, over the radius of the stage
uniform int sky_count;
uniform vec3 sky_center;  // of the stage
uniform sampler2DArrayShadow sky_maps;
uniform float sky_offset;  // m
uniform bool sky_shadow;
out vec3 front_sky, back_sky;

void main() {
  front_sky = back_sky = vec3(0.0);
  for (int i = 0; i < sky_count; ++i) {
    vec3 d = normalize(transpose(sky_axes[i])[2]);
    float facing = dot(normal, d);
    vec3 light = sky_radiance(d) * abs(facing);
    if (sky_shadow) {
      vec3 from = position + sky_offset * (sign(facing) * normal + 0.5 * d);
      vec3 p = 0.5 + vec3(0.5, 0.5, -0.5) * (sky_axes[i] * (from - sky_center));
      light *= texture(sky_maps, vec4(p.xy, float(i), p.z));
    }
    if (facing > 0.0) front_sky += light; else back_sky += light;
  }
  front_sky *= 4.0 / float(sky_count);  // so that a sky of radiance 1 lights an open surface by 1
  back_sky *= 4.0 / float(sky_count);
  gl_Position = vec4(0.0);
}
