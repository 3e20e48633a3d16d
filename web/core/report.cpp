#include "report.h"

#include <cmath>
#include <limits>

#include "muslin/contact/vertices/gap.h"
#include "muslin_web.h"

namespace muslin::web {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double number(const std::optional<double>& value) { return value.value_or(kNone); }
double finite(double value) { return std::isfinite(value) ? value : kNone; }
template <int axis>
double free_fall_error(const Run& run) {
  return run.report().free_fall_error ? (*run.report().free_fall_error)[axis] : kNone;
}
/// What the exact step says, by a function of it.
template <double (*value)(const Exactness&)>
double of_exact(const Run& run) {
  return run.exactness() ? value(*run.exactness()) : kNone;
}
template <Scalars Exactness::*member>
Scalars exact_field(const Run& run) {
  return run.exactness() ? run.exactness()->*member : Scalars();
}

double gap(const Exactness& e) { return number(e.error.energy_gap); }
double gap_rounding(const Exactness& e) { return e.reference.gap_rounding; }
double residual(const Exactness& e) { return number(e.error.residual); }
double lost_gravity(const Exactness& e) { return number(e.error.lost_gravity); }
double rms(const Exactness& e) { return e.error.position.rms; }
double farthest(const Exactness& e) { return e.error.position.max; }
double converged(const Exactness& e) { return e.reference.converged ? 1 : 0; }

constexpr ReportEntry kReport[] = {
    {"frame", "", "frames made so far", [](const Run& r) { return double(r.report().frame); }},
    {"time", "s", "time of the scene", [](const Run& r) { return r.report().time; }},
    {"status", "", "how the frame ended: 0 ok, 1 not converged, 2 diverged",
     [](const Run& r) { return double(static_cast<int>(r.report().step.status)); }},
    {"failure", "", "why the run cannot go on: 0 it can, 1 not finite, 2 overstretched, 3 over its budget",
     [](const Run& r) { return double(static_cast<int>(r.report().failure)); }},
    {"hash_high", "", "upper 32 bits of the hash of the State",
     [](const Run& r) { return double(r.report().hash >> 32); }},
    {"hash_low", "", "lower 32 bits of it",
     [](const Run& r) { return double(r.report().hash & 0xffffffffu); }},
    {"ms", "ms", "wall time of the frame", [](const Run& r) { return r.report().ms; }},
    {"solve_ms", "ms", "of it, iterations with the contact in them",
     [](const Run& r) { return r.report().step.solve_ms; }},
    {"contact_ms", "ms", "of it, contact after them",
     [](const Run& r) { return r.report().step.contact_ms; }},
    {"substeps", "", "equal steps a frame", [](const Run& r) { return double(r.simulation().substeps()); }},
    {"iterations", "", "of all steps of the frame",
     [](const Run& r) { return double(r.report().step.iterations); }},
    {"linear_iterations", "", "of conjugate gradients",
     [](const Run& r) { return double(r.report().step.linear_iterations); }},
    {"work", "", "what the frame took of solver.budget",
     [](const Run& r) { return double(r.report().work); }},
    {"residual", "N", "root mean square of the forces that the last step left",
     [](const Run& r) { return number(r.report().step.residual); }},
    {"residual_start", "N", "the same before its first iteration",
     [](const Run& r) { return number(r.report().step.residual_start); }},
    {"lost_gravity", "", "fraction of the free weight that the last step left unbalanced",
     [](const Run& r) { return number(r.report().step.lost_gravity); }},
    {"distance_left", "m",
     "estimated distance to the minimum at which a step ended, root mean square; the largest",
     [](const Run& r) { return number(r.report().step.distance_left); }},
    {"time_error", "m", "estimated error of the steps in time, root mean square over the worst cloth, summed",
     [](const Run& r) { return number(r.report().step.time_error); }},
    {"steps", "", "accepted steps of an adaptive method in the frame; 0: equal steps, as substeps says",
     [](const Run& r) { return double(r.report().step.steps); }},
    {"kinetic_energy", "J", "of all vertices", [](const Run& r) { return r.report().kinetic_energy; }},
    {"elastic_energy", "J", "of all elements", [](const Run& r) { return r.report().elastic_energy; }},
    {"potential_energy", "J", "of weight, 0 at the origin",
     [](const Run& r) { return r.report().potential_energy; }},
    {"strain_max", "", "largest strain of an edge", [](const Run& r) { return r.report().strain_max; }},
    {"strain_p99", "", "99th percentile of it", [](const Run& r) { return r.report().strain_p99; }},
    {"strain_mean", "", "mean of its absolute value", [](const Run& r) { return r.report().strain_mean; }},
    {"limit_ratio", "", "largest strain of warp and weft over their limit",
     [](const Run& r) { return number(r.report().limit_ratio); }},
    {"contacts", "", "vertices pushed out, or pairs that repel",
     [](const Run& r) { return double(r.report().step.contacts); }},
    {"min_gap", "m", "least gap to colliders", [](const Run& r) { return finite(r.report().step.min_gap); }},
    {"least_distance", "m", "least distance of cloth to anything",
     [](const Run& r) { return finite(r.report().step.least_distance); }},
    {"blocked", "m", "that colliders or pins are short of their targets",
     [](const Run& r) { return r.report().step.blocked; }},
    {"center_x", "m", "centre of mass", [](const Run& r) { return r.report().center_of_mass.x(); }},
    {"center_y", "m", "centre of mass", [](const Run& r) { return r.report().center_of_mass.y(); }},
    {"center_z", "m", "centre of mass", [](const Run& r) { return r.report().center_of_mass.z(); }},
    {"fall_error_x", "m", "centre of mass less exact free fall, while nothing else acts", free_fall_error<0>},
    {"fall_error_y", "m", "the same", free_fall_error<1>},
    {"fall_error_z", "m", "the same", free_fall_error<2>},
    {"exact_gap", "", "energy gap of the last step: 0 exact, 1 as if nothing pulled or pushed",
     of_exact<gap>},
    {"exact_gap_rounding", "", "gaps below this are rounding", of_exact<gap_rounding>},
    {"exact_residual", "N", "root mean square of the gradient of what the step minimises",
     of_exact<residual>},
    {"exact_lost_gravity", "", "fraction of the free weight that the step left unbalanced",
     of_exact<lost_gravity>},
    {"exact_rms", "m", "distance to the exact step, root mean square", of_exact<rms>},
    {"exact_max", "m", "distance to it, farthest vertex", of_exact<farthest>},
    {"exact_converged", "", "1: the exact step is one itself", of_exact<converged>},
};

constexpr FieldEntry kFields[] = {
    {"strain", "", "largest principal strain about the vertex", false,
     [](const Run& r) { return principal_strain(r.simulation().model(), r.simulation().state().positions); }},
    {"speed", "m/s", "length of the velocity", false,
     [](const Run& r) { return speed(r.simulation().state().velocities); }},
    {"bending", "J/m^2", "bending energy per area at rest", false,
     [](const Run& r) { return bending_density(r.simulation().model(), r.simulation().state().positions); }},
    {"gap", "m", "to the nearest collider, beyond what is kept", false,
     [](const Run& r) {
       const Simulation& s = r.simulation();
       return measure_gaps(s.model(), s.controls(), s.state());
     }},
    {"distance", "m", "to the exact step", true, exact_field<&Exactness::distance>},
    {"residual", "N", "length of the gradient of what the step minimises", true,
     exact_field<&Exactness::residual>},
    {"energy", "", "the vertex's share of the step's energy gap", true,
     exact_field<&Exactness::share_of_gap>},
};
static_assert(std::size(kFields) == MUSLIN_FIELD_COUNT);

}  // namespace

std::span<const ReportEntry> report_entries() { return kReport; }
std::span<const FieldEntry> field_entries() { return kFields; }

}  // namespace muslin::web
