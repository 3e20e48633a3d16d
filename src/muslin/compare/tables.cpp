#include "muslin/compare/tables.h"

#include "muslin/compare/sweep.h"
#include "muslin/core/csv.h"

namespace muslin {

namespace {

CsvLine& operator<<(CsvLine& line, const PositionError& error) { return line << error.rms << error.max; }

// Why numbers of a frame are absent.
std::string note_of(const SolverRecord& record, const FrameRow& row) {
  if (row.step.status == Status::diverged) return record.failure;
  if (!row.has_reference) return "no reference step in this frame";
  if (!row.error.residual) return "the reference step in contact did not converge";
  return row.error.energy_gap ? "" : "nothing to minimise";
}

void add_frames(const SolverRecord& record, std::string& csv) {
  if (record.refused) {
    CsvLine line;
    line << record.name << 0 << 0.0 << "refused";
    csv += (line.skip(13) << record.failure).end();
  }
  for (const FrameRow& row : record.frames) {
    CsvLine line;
    line << record.name << row.frame << row.time << name_of(row.step.status) << row.step.iterations
         << row.error.residual << row.error.energy_gap << row.error.lost_gravity << row.error.position
         << row.strain.p99 << row.strain.max << row.kinetic_energy << row.elastic_energy
         << row.potential_energy << row.step.contacts << row.ms << note_of(record, row);
    csv += line.end();
  }
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
      for (const IterationRow& row : record.traces[t].rows) {
        CsvLine line;
        line << comparison.traces[t].frame << record.name << row.iteration << row.error.energy_gap
             << row.error.residual << row.error.lost_gravity << row.error.position << row.ms;
        csv += line.end();
      }
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
      CsvLine line;
      line << name_of(sweep.request);
      row.point.iterations ? line << *row.point.iterations : line.skip(1);
      line << row.point.dt << row.point.resolution << row.vertices << row.solver << row.frame
           << name_of(row.status) << row.iterations << row.error.energy_gap << row.error.residual
           << row.error.lost_gravity << row.error.position;
      row.path_error ? line << *row.path_error : line.skip(2);
      csv += (line << row.strain.p99 << row.strain.max << row.ms).end();
    }
  return csv;
}

}  // namespace muslin
