#include "muslin/linear/fronts.h"

#include <algorithm>

#include "muslin/linear/ordering.h"

namespace muslin {

namespace {

// A front that is still growing; vertices are named by their place in the fill-reducing order.
struct Supernode {
  std::vector<int> columns;
  std::vector<int> rows;  // ascending
  std::vector<int> children;
  int parent = -1;
  double zeros = 0;  // entries of the dense columns that are none of the factor's
  bool merged = false;
};

std::vector<int> inverse_of(const std::vector<int>& order) {
  std::vector<int> place(order.size());
  for (size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<int>(k);
  return place;
}

// One a column: its rows are those of the matrix and of its children, and its parent is the first of them.
std::vector<Supernode> single_columns(const std::vector<int>& order, const int* begin, const int* column) {
  const int n = static_cast<int>(order.size());
  const std::vector<int> place = inverse_of(order);
  std::vector<Supernode> nodes(n);
  std::vector<int> seen(n, -1);
  for (int k = 0; k < n; ++k) {
    Supernode& node = nodes[k];
    node.columns = {k};
    const auto add = [&](int row) {
      if (row <= k || seen[row] == k) return;
      seen[row] = k;
      node.rows.push_back(row);
    };
    for (int slot = begin[order[k]]; slot < begin[order[k] + 1]; ++slot) add(place[column[slot]]);
    for (const int child : node.children)
      for (const int row : nodes[child].rows) add(row);
    std::sort(node.rows.begin(), node.rows.end());
    if (node.rows.empty()) continue;
    node.parent = node.rows.front();
    nodes[node.parent].children.push_back(k);
  }
  return nodes;
}

// Merges children into their parents where the zeros that the dense columns gain are allowed.
template <class Allowed>
void merge(std::vector<Supernode>& nodes, const Allowed& allowed) {
  for (Supernode& node : nodes) {
    if (node.merged) continue;
    std::vector<int> kept;
    for (const int child : node.children) {
      Supernode& c = nodes[child];
      const double below = static_cast<double>(node.columns.size() + node.rows.size() - c.rows.size());
      const double zeros = c.zeros + node.zeros + static_cast<double>(c.columns.size()) * below;
      const double columns = static_cast<double>(c.columns.size() + node.columns.size());
      const double entries = columns * ((columns + 1) / 2 + static_cast<double>(node.rows.size()));
      if (!allowed(columns, zeros / entries)) {
        kept.push_back(child);
        continue;
      }
      c.columns.insert(c.columns.end(), node.columns.begin(), node.columns.end());
      node.columns.swap(c.columns);
      node.zeros = zeros;
      kept.insert(kept.end(), c.children.begin(), c.children.end());
      c.merged = true;
    }
    node.children.swap(kept);
  }
}

// The nodes that are left, children before parents, subtree by subtree.
std::vector<int> postorder(const std::vector<Supernode>& nodes) {
  std::vector<int> reversed, stack;
  for (size_t k = 0; k < nodes.size(); ++k)
    if (!nodes[k].merged && nodes[k].parent < 0) stack.push_back(static_cast<int>(k));
  while (!stack.empty()) {
    const int node = stack.back();
    stack.pop_back();
    reversed.push_back(node);
    stack.insert(stack.end(), nodes[node].children.begin(), nodes[node].children.end());
  }
  return {reversed.rbegin(), reversed.rend()};
}

double work_of(const Front& front) {
  const double c = front.columns, r = static_cast<double>(front.rows.size());
  return c * c * c / 6 + c * c * r / 2 + c * r * r / 2;
}

}  // namespace

FrontTree::FrontTree(int n, const int* begin, const int* column) {
  // 1. Supernodes: first without any zeros, then larger ones, for dense loops are quick and small fronts slow
  const std::vector<int> first_order = fill_reducing_order(n, begin, column);
  std::vector<Supernode> nodes = single_columns(first_order, begin, column);
  merge(nodes, [](double, double zeros) { return zeros == 0; });
  merge(nodes, [](double columns, double zeros) {
    return columns <= 4 || (columns <= 16 && zeros < 0.25) || zeros < 0.05;
  });

  // 2. Their columns, numbered through
  const std::vector<int> sequence = postorder(nodes);
  std::vector<int> front_of(n), place(n);  // by place in the first order
  for (const int s : sequence) {
    Front front;
    front.first = static_cast<int>(order.size());
    front.columns = static_cast<int>(nodes[s].columns.size());
    for (const int k : nodes[s].columns) {
      place[k] = static_cast<int>(order.size());
      front_of[place[k]] = static_cast<int>(fronts.size());
      order.push_back(first_order[k]);
    }
    fronts.push_back(std::move(front));
  }

  // 3. Rows, and where they go
  std::vector<int> local(n);
  const std::vector<int> place_of = inverse_of(order);
  for (size_t f = 0; f < fronts.size(); ++f) {
    Front& front = fronts[f];
    for (const int row : nodes[sequence[f]].rows) front.rows.push_back(place[row]);
    std::sort(front.rows.begin(), front.rows.end());
    if (!front.rows.empty()) {
      front.parent = front_of[front.rows.front()];
      fronts[front.parent].children.push_back(static_cast<int>(f));
    }
    for (int k = 0; k < front.columns; ++k) local[front.first + k] = k;
    for (int k = front.columns; k < front.size(); ++k) local[front.rows[k - front.columns]] = k;
    for (const int child : front.children) {
      for (const int row : fronts[child].rows) fronts[child].in_parent.push_back(local[row]);
      front.work += fronts[child].work;
    }
    front.work += work_of(front);
    for (int k = 0; k < front.columns; ++k) {
      const int v = order[front.first + k];
      for (int slot = begin[v]; slot < begin[v + 1]; ++slot)
        if (place_of[column[slot]] >= front.first + k)
          front.entries.push_back({slot, local[place_of[column[slot]]], k});
    }
  }
}

}  // namespace muslin
