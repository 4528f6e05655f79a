// Reads strict JSON (RFC 8259) into a tree. nlohmann::json does the reading: it decodes escapes,
// surrogate pairs included, as YAML parsers do not.
#pragma once

#include <string_view>

#include "config/tree_builder.h"

namespace winperf {

// False where the text is not strict JSON or the builder refused it.
bool read_json(std::string_view text, TreeBuilder& builder);

}  // namespace winperf
