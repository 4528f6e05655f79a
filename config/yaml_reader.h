// Reads YAML, in which comments other than # are blanked already, into a tree. yaml-cpp does the
// parsing; its exceptions end here. Thread rule: any thread.
#pragma once

#include <optional>
#include <string>

#include "config/tree_builder.h"

namespace winperf {

// What the parser or the builder objects to, or nothing.
[[nodiscard]] std::optional<TextError> read_yaml(const std::string& text, TreeBuilder& builder);

}  // namespace winperf
