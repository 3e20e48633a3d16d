#pragma once
#include <string>

#include "muslin/sweep/sweep_folder.h"

namespace muslin {

/// The sweep as it is now as one HTML file that needs no other: its figures by axis, pictures where they were
/// kept, and the table.
std::string sweep_page(const SweepFolder& folder);

}  // namespace muslin
