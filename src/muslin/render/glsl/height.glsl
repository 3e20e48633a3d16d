// Heights over the cloth.
uniform sampler2D heights;      // 0 to 1
uniform float height_scale;     // m of height 1
uniform float height_repeat;    // tiles over a piece of cloth
uniform bool bumpy;

/// The normal of the surface that heights make over this one [Mikkelsen 2010].
vec3 tilted(vec3 normal, vec3 place, vec2 image_place) {
  vec2 p = vec2(image_place.x, 1.0 - image_place.y) * height_repeat, px = dFdx(p), py = dFdy(p);
  float h = texture(heights, p).r;
  float hx = (texture(heights, p + px).r - h) * height_scale, hy = (texture(heights, p + py).r - h) * height_scale;
  vec3 x = dFdx(place), y = dFdy(place);
  vec3 across = cross(y, normal), along = cross(normal, x);
  float area = dot(x, across);
  vec3 slope = sign(area) * (hx * across + hy * along);
  return normalize(abs(area) * normal - slope);
}
