#include "muslin/solver/position/kernels.h"

#include <atomic>
#include <vector>

#include "muslin/core/check.h"

namespace muslin {

namespace {

std::vector<const Kernels*> runnable() {
  std::vector<const Kernels*> all{plain_kernels()};
#if defined(__x86_64__) || defined(__i386__)
  if (avx2_kernels() && __builtin_cpu_supports("avx2")) all.push_back(avx2_kernels());
  if (avx512_kernels() && __builtin_cpu_supports("avx512f")) all.push_back(avx512_kernels());
#endif
  return all;
}

const std::vector<const Kernels*>& table() {
  static const std::vector<const Kernels*> all = runnable();
  return all;
}

std::atomic<int> chosen_index = -1;

}  // namespace

int kernel_count() { return static_cast<int>(table().size()); }

const Kernels& kernels(int index) {
  MUSLIN_ASSERT(index >= 0 && index < kernel_count());
  return *table()[index];
}

const Kernels& chosen_kernels() { return chosen_index < 0 ? *table().back() : kernels(chosen_index); }

void choose_kernels(int index) { chosen_index = index; }

}  // namespace muslin
