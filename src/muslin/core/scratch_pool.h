#pragma once
#include <memory>
#include <mutex>
#include <vector>

namespace muslin {

/// Memory for tasks that run at the same time: as many pieces as ever ran at once, kept for the next loop.
template <class T>
class ScratchPool {
 public:
  /// use(piece) with one that no other task has.
  template <class Use>
  void with(const Use& use) {
    std::unique_ptr<T> piece = take();
    use(*piece);
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(piece));
  }

 private:
  std::unique_ptr<T> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<T>();
    std::unique_ptr<T> piece = std::move(free_.back());
    free_.pop_back();
    return piece;
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> free_;
};

}  // namespace muslin
