#pragma once
#include <string>

/// Makes the folder of a comparison's page and tables, and clears an earlier comparison out of it. Throws
/// muslin::Error(file) if there is one and `force` is false, or the folder cannot be made.
void prepare_page_folder(const std::string& out, bool force);
