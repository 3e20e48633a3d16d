#include "muslin/io/frame_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "muslin/core/check.h"
#include "muslin/io/frame_writer.h"
#include "muslin/io/sha256.h"

namespace muslin {

namespace {

bool is_point_cache(std::string_view format) { return format == "pc2" || format == "mdd"; }

bool is_series(const std::string& name) {
  return std::any_of(series_formats().begin(), series_formats().end(),
                     [&](const SeriesEntry& entry) { return entry.format == name; });
}

/// The text of an OBJ file as one object: readers that make an object of every "o" would cut the point cache.
std::string as_one_object(const std::string& text) {
  std::string one;
  bool has_object = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin) + 1;
    const bool is_object = text.compare(begin, 2, "o ") == 0;
    if (!is_object || !std::exchange(has_object, true)) one.append(text, begin, end - begin);
    begin = end;
  }
  return one;
}

/// All colliders where they are in the world, as one object.
std::string colliders_as_obj(const SeriesSetting& setting) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "o colliders\n");
  int first = 1;
  for (const WrittenBody& body : setting.colliders) {
    const Pose pose = pose_at(setting.model->colliders[body.collider], 0);
    const Points places =
        (pose.rotation * shape_of_body(*setting.model, body, 0)).colwise() + pose.translation;
    for (const auto& x : places.colwise()) fmt::format_to(out, "v {} {} {}\n", x.x(), x.y(), x.z());
    for (const auto& [a, b, c] : body.triangles)
      fmt::format_to(out, "f {} {} {}\n", first + a, first + b, first + c);
    first += body.vertex_count;
  }
  return fmt::to_string(text);
}

}  // namespace

const std::vector<SeriesEntry>& series_formats() {
#define MUSLIN_ENTRY(format, file, summary) {#format, file, summary, make_##format##_series},
  static const std::vector<SeriesEntry> table{MUSLIN_SERIES_FORMATS(MUSLIN_ENTRY)};
#undef MUSLIN_ENTRY
  return table;
}

std::vector<std::string> all_formats() {
  std::vector<std::string> names;
  for (const FormatEntry& entry : formats()) names.emplace_back(entry.extension);
  for (const SeriesEntry& entry : series_formats())
    if (std::find(names.begin(), names.end(), entry.format) == names.end()) names.emplace_back(entry.format);
  return names;
}

std::vector<std::string> series_files() {
  std::vector<std::string> names{"run.obj", "colliders.obj", "colliders.pc2", "colliders.mdd"};
  for (const SeriesEntry& entry : series_formats()) names.emplace_back(entry.file);
  return names;
}

bool is_series_file(const std::string& name) {
  const std::vector<std::string> names = series_files();
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool has_series(const std::vector<std::string>& formats) {
  return std::any_of(formats.begin(), formats.end(), is_series);
}

std::vector<std::string> frame_formats_of(const std::vector<std::string>& wanted) {
  std::vector<std::string> names;
  for (const std::string& name : wanted)
    if (is_frame_format(name) || !is_series(name)) names.push_back(name);
  return names;
}

FrameSeries::FrameSeries(const std::vector<std::string>& formats, const Model& model, double frame_time,
                         const std::string& folder, bool overwrite)
    : setting_{&model, frame_time, folder, overwrite, {}, {}, 0} {
  const auto is_wanted = [&](const SeriesEntry& entry) {
    return std::find(formats.begin(), formats.end(), entry.format) != formats.end();
  };
  if (std::none_of(series_formats().begin(), series_formats().end(), is_wanted)) return;
  setting_.cloths = written_cloths(model);
  setting_.colliders = written_colliders(model);
  for (const WrittenBody& body : setting_.cloths) setting_.cloth_vertices += body.vertex_count;
  for (const SeriesEntry& entry : series_formats())
    if (is_wanted(entry)) {
      has_meshes_ = has_meshes_ || is_point_cache(entry.format);
      writers_.push_back(entry.make(setting_));
    }
}

FrameSeries::~FrameSeries() = default;

void FrameSeries::add(const Points& positions, const BlockedBodies& blocked) {
  if (empty()) return;
  if (frames_ == 0 && has_meshes_) write_meshes(positions);
  SeriesFrame frame{frames_, frames_ * setting_.frame_time, {}, {}, {}};
  for (const WrittenBody& body : setting_.cloths)
    frame.cloths.push_back(positions_of_body(*setting_.model, body, positions));
  for (const WrittenBody& body : setting_.colliders) {
    frame.poses.push_back(pose_of_body(*setting_.model, body, frame.time, blocked));
    frame.colliders.push_back(shape_of_body(*setting_.model, body, frame.time));
  }
  for (const auto& writer : writers_) writer->add(frame);
  ++frames_;
}

void FrameSeries::write_meshes(const Points& positions) {
  State state;
  state.positions = positions;
  const auto write = [&](const std::string& name, const std::string& text) {
    (meshes_[name] = series_file(setting_, name))->append(text);
  };
  write("run.obj", as_one_object(make_frame_writer("obj")->encode(*setting_.model, state)));
  if (!setting_.colliders.empty()) write("colliders.obj", colliders_as_obj(setting_));
}

FileSums FrameSeries::finish() {
  FileSums sums;
  for (const auto& [name, file] : meshes_) finish_file(name, *file, sums);
  for (const auto& writer : writers_) writer->finish(sums);
  writers_.clear();
  return sums;
}

std::unique_ptr<GrowingFile> series_file(const SeriesSetting& setting, const std::string& name) {
  return std::make_unique<GrowingFile>(setting.path_of(name), setting.overwrite);
}

void finish_file(const std::string& name, GrowingFile& file, FileSums& sums) {
  Sha256 sum;
  file.read_back([&](std::string_view piece) { sum.add(piece); });
  file.finish();
  sums[name] = sum.digits();
}

void append_file(const GrowingFile& from, GrowingFile& to) {
  from.read_back([&](std::string_view piece) { to.append(piece); });
}

}  // namespace muslin
