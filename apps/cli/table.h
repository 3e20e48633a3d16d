#pragma once
#include <string>
#include <vector>

/// The first row names the columns.
using Rows = std::vector<std::vector<std::string>>;

/// The rows as text in lines of at most `width` characters, where that can be: columns side by side, the last
/// ones of long texts in several lines; where the columns have no room, a paragraph a row.
std::string table_text(const Rows& rows, int width);
