// Reads YAML (comments other than # already blanked) into a tree. yaml-cpp does the reading; its
// exceptions end here.
#pragma once

#include <optional>
#include <string>

#include "config/tree_builder.h"

namespace winperf {

// What is wrong with the text, in the parser's view or the builder's.
std::optional<TextError> read_yaml(const std::string& text, TreeBuilder& builder);

}  // namespace winperf
