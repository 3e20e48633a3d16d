#pragma once
#include <gtest/gtest.h>

#include <string>

#include "muslin/simulation.h"

namespace muslin {

/// What a Simulation of the scene is refused with, "" if it is not.
inline std::string refusal(const Scene& scene) {
  try {
    Simulation simulation(scene);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid);
    return error.what();
  }
}

}  // namespace muslin
