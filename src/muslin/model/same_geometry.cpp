#include "muslin/model/same_geometry.h"

#include <algorithm>
#include <memory>

#include "muslin/model/same_fields.h"

namespace muslin {

namespace {

bool same_points(const Points& a, const Points& b) { return a.cols() == b.cols() && a == b; }

bool same_contents(const Mesh& a, const Mesh& b) {
  return same_points(a.positions, b.positions) && a.triangles == b.triangles;
}
bool same_contents(const std::vector<Points>& a, const std::vector<Points>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_points);
}

/// What a file has can change while its name stays.
template <class T>
bool same_read(const std::shared_ptr<const T>& a, const std::shared_ptr<const T>& b) {
  return a == b || (a && b && same_contents(*a, *b));
}

bool same_geometry(const Collider& a, Collider b) {
  b.name = a.name;
  b.friction = a.friction;
  if (!same(a, b)) return false;
  return (!a.mesh || same_geometry(*a.mesh, *b.mesh)) &&
         (!a.frames || same_read(a.frames->shapes, b.frames->shapes));
}

}  // namespace

bool same_geometry(const MeshFile& a, const MeshFile& b) { return same(a, b) && same_read(a.mesh, b.mesh); }

bool same_geometry(const std::vector<Collider>& a, const std::vector<Collider>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Collider& x, const Collider& y) { return same_geometry(x, y); });
}

}  // namespace muslin
