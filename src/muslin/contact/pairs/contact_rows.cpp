#include "muslin/contact/pairs/contact_rows.h"

#include "muslin/core/parallel.h"
#include "muslin/linear/block_rows.h"

namespace muslin {

namespace {

template <class Item>
Incidence incidence_of(int vertex_count, const std::vector<Item>& items) {
  std::vector<Stencil<4>> stencils;
  stencils.reserve(items.size());
  for (const Item& item : items) stencils.push_back(item.vertices);
  return build_incidence(vertex_count, stencils);
}

}  // namespace

ContactRows::ContactRows(int vertex_count, std::vector<ContactRow> rows, std::vector<ContactTurn> turns)
    : rows_(std::move(rows)),
      turns_(std::move(turns)),
      incidence_(incidence_of(vertex_count, rows_)),
      turns_about_(incidence_of(vertex_count, turns_)) {}

ContactRows ContactRows::operator+(const ContactRows& others) const {
  std::vector<ContactRow> all = rows_;
  all.insert(all.end(), others.rows_.begin(), others.rows_.end());
  std::vector<ContactTurn> turns = turns_;
  turns.insert(turns.end(), others.turns_.begin(), others.turns_.end());
  return ContactRows(static_cast<int>(incidence_.begin.size()) - 1, std::move(all), std::move(turns));
}

/// add(v, r, weight of v in row r) for every row of the first vertices, those of a vertex in order.
template <class Add>
void ContactRows::for_each_row(int vertices, const Add& add) const {
  if (empty()) return;
  parallel_for(vertices, [&](int v) {
    for (int k = incidence_.begin[v]; k < incidence_.begin[v + 1]; ++k) {
      const int r = incidence_.item[k];
      add(v, r, rows_[r].weight[incidence_.slot[k]]);
    }
  });
}

void ContactRows::add_gradient(Points& gradient) const {
  for_each_row(static_cast<int>(gradient.cols()), [&](int v, int r, double weight) {
    gradient.col(v) += weight * rows_[r].slope * rows_[r].direction;
  });
}

void ContactRows::multiply_add(const Points& x, Points& y) const {
  Scalars force(rows_.size());
  parallel_for(static_cast<int>(rows_.size()), [&](int r) {
    const ContactRow& row = rows_[r];
    Vec3 relative = Vec3::Zero();
    for (int k = 0; k < 4; ++k)
      if (row.vertices[k] < x.cols()) relative += row.weight[k] * x.col(row.vertices[k]);
    if (row.frame >= 0 && row.frame < x.cols()) relative += x.middleCols<4>(row.frame) * row.frame_weight;
    force[r] = row.curvature * row.direction.dot(relative);
  });
  for_each_row(static_cast<int>(y.cols()),
               [&](int v, int r, double weight) { y.col(v) += weight * force[r] * rows_[r].direction; });
}

BlockMatrix ContactRows::matrix(int vertices) const {
  return assemble_rows(vertices, [&](int v, const auto& add) {
    for (int k = incidence_.begin[v]; k < incidence_.begin[v + 1]; ++k) {
      const ContactRow& row = rows_[incidence_.item[k]];
      const double weight = row.weight[incidence_.slot[k]];
      if (weight == 0) continue;  // the nearest point is on a border: a vertex that does not bear on it
      const Mat3 along = row.direction * row.direction.transpose();  // symmetric to the bit: chunk_bound.h
      const Mat3 block = (row.curvature * weight) * along;
      for (int j = 0; j < 4; ++j)
        if (row.vertices[j] < vertices && row.weight[j] != 0) add(row.vertices[j], row.weight[j] * block);
    }
    for (int k = turns_about_.begin[v]; k < turns_about_.begin[v + 1]; ++k) {
      const auto& [corners, part] = turns_[turns_about_.item[k]];
      for (int j = 0; j < 4; ++j)
        if (corners[j] < vertices) add(corners[j], part.col(turns_about_.slot[k]) * part.col(j).transpose());
    }
  });
}

}  // namespace muslin
