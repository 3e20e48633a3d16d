#include "muslin/core/revision.h"

#include <atomic>

namespace muslin {

std::uint64_t next_revision() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace muslin
