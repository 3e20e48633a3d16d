#include "muslin/io/mesh_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>

#include "muslin/core/check.h"
#include "muslin/core/text.h"
#include "muslin/io/bytes.h"
#include "muslin/io/file.h"
#include "muslin/io/mesh_reader.h"
#include "muslin/io/polygon_mesh.h"
#include "muslin/io/scan.h"
#include "muslin/model/mesh_files.h"
#include "muslin/model/scene.h"

namespace muslin {

namespace {

bool is_point_cache(const MeshFrames& frames) { return extension_of(frames.file) == ".pc2"; }

void expect(bool holds, const std::string& place, const std::string& words) {
  if (!holds) throw Error(ErrorKind::invalid, place + ": " + words);
}

Points read_frame_of(const Mesh& mesh, const std::string& path) {
  Mesh frame = read_mesh(path, {}, PolygonsAs::fans);
  expect(frame.vertex_count() == mesh.vertex_count(), path,
         fmt::format("must have {} vertices, as the collider's mesh has, got {}", mesh.vertex_count(),
                     frame.vertex_count()));
  expect(first_other_face(frame, mesh) < 0, path, "must have the faces of the collider's mesh, got others");
  return std::move(frame.positions);
}

std::vector<Points> read_animation_of(const Mesh& mesh, const std::string& path, const MeshFrames& frames) {
  std::vector<Points> shapes =
      read_animation(path, frames.animation, frames.interval * frames.speed.value_or(1));
  expect(shapes.front().cols() == mesh.vertex_count(), path,
         fmt::format("must have {} vertices, as the collider's mesh has, got {}", mesh.vertex_count(),
                     shapes.front().cols()));
  return shapes;
}

// --- point caches ----------------------------------------------------------------------------------

constexpr std::string_view kSignature("POINTCACHE2\0", 12);
constexpr std::size_t kHeaderSize = 32, kNumberSize = 4;

/// What a point cache says that it holds.
struct CacheHeader {
  std::uint32_t points, samples;
};

/// The header of a point cache that begins with `bytes` and is `file_size` long, once both agree.
CacheHeader read_header(std::string_view bytes, std::uint64_t file_size, const std::string& name) {
  expect(bytes.size() >= kHeaderSize, name,
         fmt::format("must begin with a header of {} bytes, but the file has {}", kHeaderSize, bytes.size()));
  const std::string_view signature = bytes.substr(0, kSignature.size());
  expect(signature == kSignature, name + ": byte 0", "must be POINTCACHE2, got " + quote(signature));
  const std::uint32_t version = word_at(bytes, 12);
  expect(version == 1, name + ": byte 12", fmt::format("must be version 1, got {}", version));
  const CacheHeader header{word_at(bytes, 16), word_at(bytes, 28)};
  const auto expect_count = [&](std::uint32_t count, std::uint32_t most, int place, const char* what) {
    expect(count > 0 && count <= most, fmt::format("{}: byte {}", name, place),
           fmt::format("must have at least one {} and at most {}, got {}", what, most, count));
  };
  expect_count(header.points, kMaxVertices, 16, "point");
  expect_count(header.samples, std::numeric_limits<std::int32_t>::max(), 28, "sample");
  const std::uint64_t size = kHeaderSize + 3 * kNumberSize * std::uint64_t{header.points} * header.samples;
  expect(file_size == size, name,
         fmt::format("must have {} bytes for {} samples of {} points, got {}", size, header.samples,
                     header.points, file_size));
  return header;
}

/// The same of a file.
CacheHeader read_header(const std::string& path) {
  const std::string bytes = read_beginning(path, kHeaderSize);
  return read_header(bytes, std::filesystem::file_size(path), path);
}

// How many samples a point cache has, once its header suits the mesh and the length of the file.
std::size_t count_samples(std::string_view bytes, const std::string& name, const Mesh& mesh) {
  const auto [points, samples] = read_header(bytes, bytes.size(), name);
  expect(points == static_cast<std::uint32_t>(mesh.vertex_count()), name + ": byte 16",
         fmt::format("must have {} points, as the collider's mesh has vertices, got {}", mesh.vertex_count(),
                     points));
  return samples;
}

void read_sample(std::string_view bytes, std::size_t place, const std::string& name, Points& shape) {
  for (double& number : shape.reshaped()) {
    number = number_of(bits_at(bytes, place, kNumberSize), {kNumberSize, true, true});
    if (!std::isfinite(number)) expect(false, fmt::format("{}: byte {}", name, place), "must be finite");
    place += kNumberSize;
  }
}

std::vector<Points> parse_point_cache(std::string_view bytes, const std::string& name, const Mesh& mesh) {
  std::vector<Points> shapes(count_samples(bytes, name, mesh), Points(3, mesh.vertex_count()));
  std::size_t place = kHeaderSize;
  for (Points& shape : shapes) {
    read_sample(bytes, place, name, shape);
    place += kNumberSize * static_cast<std::size_t>(shape.size());
  }
  return shapes;
}

}  // namespace

int point_cache_samples(const std::string& path) { return static_cast<int>(read_header(path).samples); }

Points read_point_cache_sample(const std::string& path, int sample, int points) {
  const CacheHeader header = read_header(path);
  expect(header.points == static_cast<std::uint32_t>(points), path + ": byte 16",
         fmt::format("must have {} points, as the scene has vertices, got {}", points, header.points));
  const std::size_t size = 3 * kNumberSize * static_cast<std::size_t>(points);
  const std::string bytes =
      read_part(path, kHeaderSize + std::uint64_t{size} * static_cast<std::uint64_t>(sample), size);
  expect(bytes.size() == size, path, fmt::format("must have a sample {}", sample));
  Points shape(3, points);
  read_sample(bytes, 0, fmt::format("{}: sample {}", path, sample), shape);
  return shape;
}

std::vector<std::string> frame_files(const MeshFrames& frames) {
  if (is_point_cache(frames) || is_animation_file(frames.file)) return {frames.file};
  std::vector<std::string> files;
  const int count = std::min(frames.count, MeshFrames::kMostMeshFrames);  // more are refused by name
  for (int k = 0; k < count; ++k)
    if (const auto file = numbered(frames.file, frames.first + k)) files.push_back(*file);
  return files;
}

std::vector<Points> read_mesh_frames(const std::string& folder, const MeshFrames& frames, const Mesh& mesh) {
  std::vector<Points> shapes;
  for (const std::string& file : frame_files(frames)) {
    const std::string path = (std::filesystem::path(folder) / file).string();
    if (is_point_cache(frames)) return parse_point_cache(read_file(path), path, mesh);
    if (is_animation_file(frames.file)) return read_animation_of(mesh, path, frames);
    shapes.push_back(read_frame_of(mesh, path));
  }
  return shapes;
}

}  // namespace muslin
