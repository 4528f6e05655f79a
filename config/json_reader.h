// Reads strict JSON (RFC 8259) into a tree. nlohmann::json does the parsing: unlike YAML parsers,
// it decodes all escapes, surrogate pairs included. Thread rule: any thread.
#pragma once

#include <string_view>

#include "config/tree_builder.h"

namespace winperf {

// False if the text isn't strict JSON, or the builder refused it.
[[nodiscard]] bool read_json(std::string_view text, TreeBuilder& builder);

}  // namespace winperf
