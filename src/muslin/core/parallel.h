#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

// Loops over chunks whose bounds depend on the amount of work alone, never on the number of threads,
// and reductions in chunk order: the same bits for any thread count.

namespace muslin {

/// Sets how many threads the loops use of callers that have no team (thread_team.h), in the whole process; 0:
/// all cores.
void set_threads(int count);
/// How many threads the calling thread's loops use now: its team's, or else the process's.
int threads();

namespace detail {
/// Calls task(0) … task(count-1), in any order, on the available threads.
void run_tasks(int count, const std::function<void(int)>& task);
}  // namespace detail

inline constexpr int kGrain = 2048;  ///< elements a chunk; below one chunk a loop stays on its thread

/// body(i) for every i in [0, count); bodies must not write what another body reads or writes.
template <class Body>
void parallel_for(int count, const Body& body, int grain = kGrain) {
  const int chunks = (count + grain - 1) / grain;
  const auto run_chunk = [&](int c) {
    const int end = std::min(count, (c + 1) * grain);
    for (int i = c * grain; i < end; ++i) body(i);
  };
  if (chunks <= 1) {
    if (chunks == 1) run_chunk(0);
  } else {
    detail::run_tasks(chunks, run_chunk);
  }
}

/// What add(total, term(i)) makes of `start` over [0, count): each chunk in order, then the chunks in order.
/// `start` must change nothing.
template <class T, class Term, class Add>
T parallel_reduce(int count, T start, const Term& term, const Add& add, int grain) {
  const int chunks = (count + grain - 1) / grain;
  std::vector<T> partial(chunks, start);
  parallel_for(
      chunks,
      [&](int c) {
        T total = start;
        const int end = std::min(count, (c + 1) * grain);
        for (int i = c * grain; i < end; ++i) add(total, term(i));
        partial[c] = total;
      },
      1);
  T total = start;
  for (const T& p : partial) add(total, p);
  return total;
}

/// Sum of term(i) over [0, count).
template <class T, class Term>
T parallel_sum(int count, T zero, const Term& term, int grain = kGrain) {
  return parallel_reduce(
      count, zero, term, [](T& sum, const auto& t) { sum += t; }, grain);
}

/// The least of `most` and value(i) over [0, count).
template <class Value>
double parallel_min(int count, double most, const Value& value, int grain = kGrain) {
  return parallel_reduce(
      count, most, value, [](double& least, double v) { least = std::min(least, v); }, grain);
}

/// What find(i, found) appends to `found`, a vector of T, over [0, count), in the order of i.
template <class T, class Find>
std::vector<T> parallel_collect(int count, const Find& find, int grain = kGrain) {
  const int chunks = (count + grain - 1) / grain;
  std::vector<std::vector<T>> found(chunks);
  parallel_for(
      chunks,
      [&](int c) {
        const int end = std::min(count, (c + 1) * grain);
        for (int i = c * grain; i < end; ++i) find(i, found[c]);
      },
      1);
  std::vector<T> all;
  for (const auto& part : found) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace muslin
