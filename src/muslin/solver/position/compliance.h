#pragma once

namespace muslin {

/// α̃ of XPBD, the compliance over h² [1/kg], of a stiffness [N/m] with damping of the time constant τ [s]: in
/// a step of h seconds it is as much as 1 + τ/h times stiffer, about another rest (damping_shift).
inline double step_compliance(double stiffness, double damping, double h) {
  return 1 / (stiffness * h * (h + damping));
}

}  // namespace muslin
