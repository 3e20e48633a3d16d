#include "frame_table.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "muslin/core/check.h"

using namespace muslin;

namespace {

constexpr const char* kTableHead =
    "frame,time_s,status,ms,iterations,residual_N,lost_gravity,strain_max,strain_p99,strain_mean,"
    "kinetic_energy_J,elastic_energy_J,potential_energy_J,contacts,min_gap_m,center_x_m,center_y_m,center_z_"
    "m";

// What does not exist is an empty cell.
std::string csv_cell(double value) { return std::isfinite(value) ? fmt::format(",{}", value) : ","; }
std::string csv_cell(const std::optional<double>& value) { return value ? csv_cell(*value) : ","; }
std::string csv_cells(const Vec3& place) {
  return csv_cell(place.x()) + csv_cell(place.y()) + csv_cell(place.z());
}

}  // namespace

FrameTable::FrameTable(const std::string& file, const std::vector<int>& probes, bool force,
                       const Simulation& simulation) {
  const Model& model = simulation.model();
  std::string head = kTableHead;
  for (const int v : probes) {
    if (v < 0 || v >= model.user_vertex_count())
      throw Error(ErrorKind::invalid, fmt::format("--probe: there are vertices 0 to {}, got {}",
                                                  model.user_vertex_count() - 1, v));
    probes_.push_back(model.vertex_numbers.to_model(v));
    head += fmt::format(",v{0}_x_m,v{0}_y_m,v{0}_z_m", v);
  }
  if (file.empty()) return;
  file_ = std::make_unique<GrowingFile>(file, force);
  file_->append(head + "\n");
}

void FrameTable::add(const FrameReport& report, const Simulation& simulation) {
  if (!file_) return;
  const StepReport& step = report.step;
  std::string line = fmt::format("{},{},{},{},{}", report.frame, report.time, name_of(step.status), report.ms,
                                 step.iterations);
  line += csv_cell(step.residual) + csv_cell(step.lost_gravity) + csv_cell(report.strain_max) +
          csv_cell(report.strain_p99) + csv_cell(report.strain_mean) + csv_cell(report.kinetic_energy) +
          csv_cell(report.elastic_energy) + csv_cell(report.potential_energy);
  line += fmt::format(",{}", step.contacts) + csv_cell(step.min_gap) + csv_cells(report.center_of_mass);
  for (const int v : probes_) line += csv_cells(simulation.state().positions.col(v));
  file_->append(line + "\n");
}

void FrameTable::finish() {
  if (file_) file_->finish();
}
