#pragma once
#include <string>

namespace muslin {

/// A temporary folder for files that a repository cannot hold well; removed with the object.
class Generated {
 public:
  Generated();
  ~Generated();
  Generated(const Generated&) = delete;
  Generated& operator=(const Generated&) = delete;

  /// Makes the file of that name and returns its path. Throws if the name is unknown.
  std::string make(const std::string& name) const;

 private:
  std::string folder_;
};

}  // namespace muslin
