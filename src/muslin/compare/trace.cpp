#include "muslin/compare/trace.h"

#include <algorithm>
#include <cmath>

#include "muslin/core/timer.h"

namespace muslin {

namespace {

constexpr double kSparser = 1.05;  // ratio of the iterations kept beyond Trace::kEveryIteration

// The median wall time of a step [ms], of as many runs as fit into a moment. The first run only warms up, for
// it allocates, and factors what stays the same.
double time_of_step(const Model& model, Solver& solver, const State& before, const Input& input, double h) {
  constexpr int kMostRuns = 9;
  constexpr double kMoment = 60;  // [ms]
  std::vector<double> runs;
  double spent = 0;
  for (int run = 0; run < kMostRuns && (run < 2 || spent < kMoment); ++run) {
    State state = before;
    double ms = 0;
    {
      const Timer timer(ms);
      solver.step(model, input, state, h);
    }
    spent += ms;
    if (run > 0) runs.push_back(ms);
  }
  std::nth_element(runs.begin(), runs.begin() + runs.size() / 2, runs.end());
  return runs[runs.size() / 2];
}

/// Keeps the iterates that are shown to it, as errors.
class Recorder {
 public:
  Recorder(ReferenceStep& reference, Trace& trace) : reference_(reference), trace_(trace) {}

  void see(const Points& iterate) {
    const int k = seen_++;
    if (k > Trace::kEveryIteration && k < next_) return;
    next_ = static_cast<int>(std::ceil(k * kSparser));
    trace_.rows.push_back({k, 0, reference_.error(iterate)});
  }

  /// The result stands for the last iterate: it is the same, or what contact, or a failure, made of it.
  void end(const Points& result, int iterations) {
    const int last = std::max(1, iterations);
    if (seen_ <= iterations)  // a solver that does not show where it starts from
      for (IterationRow& row : trace_.rows) ++row.iteration;
    while (!trace_.rows.empty() && trace_.rows.back().iteration >= last) trace_.rows.pop_back();
    trace_.rows.push_back({last, 0, reference_.error(result)});
  }

 private:
  ReferenceStep& reference_;
  Trace& trace_;
  int seen_ = 0, next_ = 0;
};

}  // namespace

Trace trace_step(const Model& model, Solver& solver, const State& before, const Input& input, double h,
                 ReferenceStep& reference) {
  Trace trace;
  Recorder recorder(reference, trace);
  State state = before;
  solver.watch([&](const Points& iterate) { recorder.see(iterate); });
  const StepReport report = solver.step(model, input, state, h);
  solver.watch({});
  recorder.end(state.positions, report.iterations);

  trace.status = report.status;
  trace.iterations = report.iterations;
  trace.contacts = report.contacts;
  trace.ms = time_of_step(model, solver, before, input, h);
  for (IterationRow& row : trace.rows) row.ms = row.iteration * trace.ms / std::max(1, report.iterations);
  return trace;
}

}  // namespace muslin
