#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "muslin/geometry/mesh.h"
#include "muslin/io/scene_json.h"

namespace muslin {

/// A ball of latitudes and longitudes about the origin; `squash` shrinks it along y.
inline Mesh ball_mesh(double radius, int around, double squash = 1) {
  const int rings = around / 2 - 1;
  Mesh mesh;
  mesh.positions.resize(3, rings * around + 2);
  for (int r = 0; r < rings; ++r)
    for (int i = 0; i < around; ++i) {
      const double down = M_PI * (r + 1) / (rings + 1), turn = 2 * M_PI * i / around;
      mesh.positions.col(r * around + i) =
          radius *
          Vec3(std::sin(down) * std::cos(turn), squash * std::cos(down), -std::sin(down) * std::sin(turn));
    }
  const int top = rings * around, bottom = top + 1;
  mesh.positions.col(top) = Vec3(0, squash * radius, 0);
  mesh.positions.col(bottom) = Vec3(0, -squash * radius, 0);
  for (int i = 0; i < around; ++i) {
    const int next = (i + 1) % around, last = (rings - 1) * around;
    mesh.triangles.push_back({top, i, next});
    mesh.triangles.push_back({bottom, last + next, last + i});
    for (int r = 0; r + 1 < rings; ++r) {
      const int a = r * around + i, b = r * around + next;
      mesh.triangles.push_back({a, a + around, b + around});
      mesh.triangles.push_back({a, b + around, b});
    }
  }
  return mesh;
}

/// A folder of a test's own for meshes and scenes.
class MeshFolder : public testing::Test {
 protected:
  MeshFolder() { std::filesystem::create_directories(folder_); }
  ~MeshFolder() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& file, const std::string& text) const {
    std::ofstream(folder_ / file, std::ios::binary) << text;
  }
  void write(const std::string& file, const Mesh& mesh) const {
    std::string text;
    for (const auto& p : mesh.positions.colwise()) text += fmt::format("v {} {} {}\n", p.x(), p.y(), p.z());
    for (const auto& [a, b, c] : mesh.triangles) text += fmt::format("f {} {} {}\n", a + 1, b + 1, c + 1);
    write(file, text);
  }

  /// A scene of one cloth (default: a small sheet) and one collider, each given as JSON.
  Scene scene(const std::string& collider, const std::string& rest = "",
              const std::string& cloth = R"("grid": {"points": [3, 3]})") const {
    return parse_scene(
        fmt::format(R"({{"cloths": [{{{}}}], "colliders": [{{{}}}]{}}})", cloth, collider, rest), "scene",
        folder_.string());
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / fmt::format("muslin_bodies_{}", getpid());
};

}  // namespace muslin
