#include "muslin/solver/connected_pieces.h"

#include <algorithm>
#include <cmath>

#include "muslin/core/vector.h"

namespace muslin {

double ConnectedPieces::distance_estimate(const Points& gradient, const Points& direction, double h) const {
  if (mass_.size() == 1 && mass_[0] > 0)
    return h * std::sqrt(std::max(0.0, -dot(gradient, direction)) / mass_[0]);
  std::vector<double> decrease(mass_.size(), 0);
  for (int v = 0; v < size(); ++v) decrease[piece_[v]] -= gradient.col(v).dot(direction.col(v));
  double largest = 0;
  for (size_t p = 0; p < mass_.size(); ++p)
    if (mass_[p] > 0) largest = std::max(largest, h * std::sqrt(std::max(0.0, decrease[p]) / mass_[p]));
  return largest;
}

double ConnectedPieces::root_mean_square(const Model& model, const Points& direction) const {
  std::vector<double> sum(mass_.size(), 0);
  for (int v = 0; v < size(); ++v) sum[piece_[v]] += model.mass[v] * direction.col(v).squaredNorm();
  double largest = 0;
  for (size_t p = 0; p < mass_.size(); ++p)
    if (mass_[p] > 0) largest = std::max(largest, std::sqrt(sum[p] / mass_[p]));
  return largest;
}

double ConnectedPieces::shift(const Model& model, const Points& direction) const {
  std::vector<Vec3> sum(mass_.size(), Vec3::Zero());
  for (int v = 0; v < size(); ++v) sum[piece_[v]] += model.mass[v] * direction.col(v);
  return largest_of_pieces(sum);
}

double ConnectedPieces::mean_motion(const Model& model, const Points& direction) const {
  std::vector<Vec3> sum(mass_.size(), Vec3::Zero());
  for (int v = 0; v < size(); ++v) sum[piece_[v]] += model.mass[v] * direction.col(v);
  double longest = 0;
  for (size_t p = 0; p < mass_.size(); ++p)
    if (mass_[p] > 0) longest = std::max(longest, sum[p].norm() / mass_[p]);
  return longest;
}

double ConnectedPieces::lost_acceleration(const Points& gradient) const {
  std::vector<Vec3> force(mass_.size(), Vec3::Zero());
  for (int v = 0; v < size(); ++v) force[piece_[v]] += gradient.col(v);
  return largest_of_pieces(force);
}

// The largest of sums over a piece, along axes that no vertex holds, over its mass.
double ConnectedPieces::largest_of_pieces(const std::vector<Vec3>& sums) const {
  double largest = 0;
  for (size_t p = 0; p < mass_.size(); ++p)
    if (mass_[p] > 0) largest = std::max(largest, sums[p].cwiseProduct(free_[p]).norm() / mass_[p]);
  return largest;
}

Points ConnectedPieces::translations(const Points& gradient, const std::vector<Mat3>& stiffness) const {
  std::vector<Vec3> force(mass_.size(), Vec3::Zero());
  std::vector<Mat3> sum(mass_.size(), Mat3::Zero());
  for (int v = 0; v < size(); ++v) {
    force[piece_[v]] -= gradient.col(v);
    sum[piece_[v]] += stiffness[v];
  }
  for (size_t p = 0; p < mass_.size(); ++p) force[p] = solve_in_free_axes(sum[p], force[p], free_[p]);
  Points translations(3, size());
  for (int v = 0; v < size(); ++v) translations.col(v) = force[piece_[v]];
  return translations;
}

}  // namespace muslin
