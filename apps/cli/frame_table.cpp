#include "frame_table.h"

#include <fmt/format.h>

#include "muslin/core/check.h"
#include "muslin/core/csv.h"

using namespace muslin;

namespace {

constexpr const char* kTableHead =
    "frame,time_s,status,ms,iterations,residual_N,lost_gravity,strain_max,strain_p99,strain_mean,"
    "kinetic_energy_J,elastic_energy_J,potential_energy_J,contacts,min_gap_m,center_x_m,center_y_m,center_z_"
    "m,time_error_m,distance_left_m";

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
  file_ = std::make_unique<GrowingFile>(file, force, Links::followed);
  file_->append(head + "\n");
}

void FrameTable::add(const FrameReport& report, const Simulation& simulation) {
  if (!file_) return;
  const StepReport& step = report.step;
  CsvLine line;
  line << report.frame << report.time << name_of(step.status) << report.ms << step.iterations << step.residual
       << step.lost_gravity << report.strain_max << report.strain_p99 << report.strain_mean
       << report.kinetic_energy << report.elastic_energy << report.potential_energy << step.contacts
       << step.min_gap << report.center_of_mass << step.time_error << step.distance_left;
  for (const int v : probes_) line << Vec3(simulation.state().positions.col(v));
  file_->append(line.end());
}

void FrameTable::finish() {
  if (file_) file_->finish();
}
