#include "muslin/compare/tables.h"

#include <fmt/format.h>

#include <cmath>

#include "muslin/compare/sweep.h"

namespace muslin {

namespace {

/// A line of a table.
class Line {
 public:
  Line& operator<<(double value) { return add(std::isfinite(value) ? fmt::format("{}", value) : ""); }
  Line& operator<<(int value) { return add(std::to_string(value)); }
  Line& operator<<(const std::optional<double>& value) { return value ? *this << *value : add(""); }
  Line& operator<<(const PositionError& error) { return *this << error.rms << error.max; }
  Line& operator<<(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return add(std::string(text));
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return add(quoted + '"');
  }
  std::string end() const { return text_ + '\n'; }

 private:
  Line& add(const std::string& field) {
    text_ += (is_first_ ? "" : ",") + field;
    is_first_ = false;
    return *this;
  }

  std::string text_;
  bool is_first_ = true;
};

// Why numbers of a frame are absent.
std::string note_of(const SolverRecord& record, const FrameRow& row) {
  if (row.step.status == Status::diverged) return record.failure;
  if (!row.has_reference) return "no reference step in this frame";
  if (!row.error.residual) return "the reference step in contact did not converge";
  return row.error.energy_gap ? "" : "nothing to minimise";
}

void add_frames(const SolverRecord& record, std::string& csv) {
  if (record.refused)
    csv += (Line() << record.name << 0 << 0.0 << "refused"
                   << ""
                   << ""
                   << ""
                   << ""
                   << ""
                   << ""
                   << ""
                   << ""
                   << ""
                   << ""
                   << ""
                   << ""
                   << "" << record.failure)
               .end();
  for (const FrameRow& row : record.frames)
    csv +=
        (Line() << record.name << row.frame << row.time << name_of(row.step.status) << row.step.iterations
                << row.error.residual << row.error.energy_gap << row.error.lost_gravity << row.error.position
                << row.strain.p99 << row.strain.max << row.kinetic_energy << row.elastic_energy
                << row.potential_energy << row.step.contacts << row.ms << note_of(record, row))
            .end();
}

}  // namespace

std::string frames_csv(const Comparison& comparison) {
  std::string csv =
      "solver,frame,time_s,status,iterations,residual_N,energy_gap,lost_gravity,path_error_rms_m,"
      "path_error_max_m,strain_p99,strain_max,kinetic_energy_J,elastic_energy_J,potential_energy_J,contacts,"
      "ms,note\n";
  add_frames(comparison.reference, csv);
  for (const SolverRecord& record : comparison.solvers) add_frames(record, csv);
  return csv;
}

std::string iterations_csv(const Comparison& comparison) {
  std::string csv =
      "trace_frame,solver,iteration,energy_gap,residual_N,lost_gravity,step_error_rms_m,step_error_max_m,"
      "ms\n";
  for (size_t t = 0; t < comparison.traces.size(); ++t)
    for (const SolverRecord& record : comparison.solvers) {
      if (t >= record.traces.size()) continue;
      for (const IterationRow& row : record.traces[t].rows)
        csv += (Line() << comparison.traces[t].frame << record.name << row.iteration << row.error.energy_gap
                       << row.error.residual << row.error.lost_gravity << row.error.position << row.ms)
                   .end();
    }
  return csv;
}

std::string sweeps_csv(const Comparison& comparison) {
  std::string csv =
      "swept,most_iterations,step_s,resolution,vertices,solver,trace_frame,status,iterations,energy_gap,"
      "residual_N,lost_gravity,step_error_rms_m,"
      "step_error_max_m,path_error_rms_m,path_error_max_m,strain_p99,strain_max,ms\n";
  for (const SweepResult& sweep : comparison.sweeps)
    for (const SweepRow& row : sweep.rows) {
      Line line;
      line << name_of(sweep.request);
      row.point.iterations ? line << *row.point.iterations : line << "";
      line << row.point.dt << row.point.resolution << row.vertices << row.solver << row.frame
           << name_of(row.status) << row.iterations << row.error.energy_gap << row.error.residual
           << row.error.lost_gravity << row.error.position;
      row.path_error ? line << *row.path_error
                     : line << ""
                            << "";
      csv += (line << row.strain.p99 << row.strain.max << row.ms).end();
    }
  return csv;
}

}  // namespace muslin
