// The JSON that commands print with --format json. docs/command-json.md lists its keys.
//
// The first key of every document, and of every line that `query` prints, is "schema". Its number
// grows when a key of any document is renamed or removed or changes its meaning, not when one is
// added. Thread rule: any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace winperf {

inline constexpr unsigned kJsonSchema = 1;

// `members`, an object, after the schema; with a line feed. Names come from outside: invalid UTF-8
// is replaced and throws no exception. `indent`: -1 puts everything into one line.
[[nodiscard]] std::string json_document(const nlohmann::ordered_json& members, int indent = 2);

}  // namespace winperf
