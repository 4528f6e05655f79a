// What countersets are called in this machine's language, which Windows' own programs ask for. Both
// documents are those of `list --format json`, the second with --machine-language. A counterset is
// the same in both by its title index or GUID; one that only the first has is left out. Not
// validated: the names. Thread rule: pure functions.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace winperf::selftest {

// By the English name.
[[nodiscard]] std::map<std::string, std::string> machine_names(const nlohmann::json& english,
                                                               const nlohmann::json& local);

}  // namespace winperf::selftest
