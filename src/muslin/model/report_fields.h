#pragma once
#include "muslin/model/field.h"
#include "muslin/model/report.h"

namespace muslin {

/// visit(name, member, FieldInfo) for everything that a report tells but times, in the order of run.json,
/// which has the same names; so have reports in Python and the figures of a sweep. A unit of "" is a count,
/// a name or a fraction. docs/run_json.md says more of each.
template <class Report, class Visit>
void report_fields(Report& frame, Visit&& visit) {
  using Info = FieldInfo;
  auto& step = frame.step;
  visit("frame", frame.frame, Info{"number of the frame"});
  visit("time", frame.time, Info{"since the start", "s"});
  visit("hash", frame.hash, Info{"of the state, 16 hexadecimal digits: equal states have equal ones"});
  visit("status", step.status,
        Info{"ok, not_converged, diverged or cancelled: the worst of the frame's steps"});
  visit("failure", frame.failure, Info{"why a run that diverged cannot go on"});
  visit("work", frame.work, Info{"iterations counted against solver/budget"});
  visit("path", step.path, Info{"of the position family: which code ran the last substep"});
  visit("iterations", step.iterations, Info{"of the solver, summed"});
  visit("linear_iterations", step.linear_iterations, Info{"of conjugate gradients, summed"});
  visit("restarts", step.restarts, Info{"of Chebyshev's method, summed"});
  visit("rebuilds", step.rebuilds, Info{"Hessians made anew within a step, summed"});
  visit("setups", step.setups, Info{"set-ups of the multigrid cycle, summed"});
  visit("detections", step.detections, Info{"searches for pairs that can touch, of quasi_newton, summed"});
  visit("handovers", step.handovers, Info{"steps that Newton's method finished, summed"});
  visit("rejections", step.rejections, Info{"steps that were thrown away and halved, summed"});
  visit("shortened", step.shortened, Info{"steps that were too fast for contact and cut beforehand, summed"});
  visit("cut", step.cut, Info{"vertices whose displacement contact cut short, summed"});
  visit("distance_left", step.distance_left,
        Info{"estimated root mean square distance to the minimum at which a step of quasi_newton ended; the "
             "largest",
             "m"});
  visit("time_error", step.time_error,
        Info{"estimated error of the steps in time, root mean square over the worst cloth, summed", "m"});
  visit("steps", step.steps, Info{"that an adaptive method took, summed"});
  visit("residual", step.residual, Info{"root mean square of the force left over at a vertex", "N"});
  visit("residual_start", step.residual_start, Info{"the same before the first iteration", "N"});
  visit("lost_gravity", step.lost_gravity, Info{"fraction of the weight that the last step left unbalanced"});
  visit("last_move", step.last_move, Info{"largest move of a vertex in the last iteration", "m"});
  visit("strain_max", frame.strain_max, Info{"largest strain of an edge"});
  visit("strain_p99", frame.strain_p99, Info{"99th percentile of the strain of edges"});
  visit("strain_mean", frame.strain_mean, Info{"mean size of the strain of edges"});
  visit("limit_ratio", frame.limit_ratio, Info{"largest strain of warp and weft over their limit"});
  visit("kinetic_energy", frame.kinetic_energy, Info{"of the cloth", "J"});
  visit("elastic_energy", frame.elastic_energy, Info{"of the cloth", "J"});
  visit("potential_energy", frame.potential_energy, Info{"-sum m g.x", "J"});
  visit("center_of_mass", frame.center_of_mass, Info{"centre of mass (x, y, z)", "m"});
  visit("free_fall_error", frame.free_fall_error,
        Info{"centre of mass minus exact free fall (x, y, z)", "m"});
  visit("contacts", step.contacts, Info{"vertices pushed out, or pairs that repel"});
  visit("min_gap", step.min_gap, Info{"smallest gap to colliders", "m"});
  visit("least_distance", step.least_distance,
        Info{"of cloth to anything, as far as it was looked for", "m"});
  visit("blocked", step.blocked, Info{"by how much colliders or pins are short of their targets", "m"});
  visit("blocked_collider", step.blocked_collider,
        Info{"which collider is farthest short; -1: a pin, or none"});
  visit("jammed", step.jammed, Info{"cloth that cannot give way is in the way of colliders or pins"});
  visit("jumped", step.jumped, Info{"vertices that a collider passed within a step, summed"});
  visit("jumped_collider", step.jumped_collider, Info{"which collider passed most in one step; -1: none"});
}

/// The same for its times, which no two runs share.
template <class Report, class Visit>
void report_times(Report& frame, Visit&& visit) {
  visit("ms", frame.ms, FieldInfo{"wall time of the frame", "ms"});
  visit("solve_ms", frame.step.solve_ms, FieldInfo{"in the solver", "ms"});
  visit("contact_ms", frame.step.contact_ms, FieldInfo{"in contact", "ms"});
}

}  // namespace muslin
