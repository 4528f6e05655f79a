// The machines of `targets`, by their names. Case doesn't matter in names of machines. Thread rule:
// pure functions.
#pragma once

#include <string>
#include <string_view>

#include "config/config.h"

namespace winperf {

// Whether it stands for every machine whose name matches: * for any text, ? for one character,
// neither of them with a dot or a colon in it, so that a domain can't be another one.
bool is_host_pattern(std::string_view host);
bool matches_host(std::string_view pattern, std::string_view name);

// The name without "\\\\" before it, in lower case: how a machine is known here.
std::string host_key(std::string_view name);

// Whether it can be a machine's name or address, or a pattern of such names: without a port, a path
// or "\\\\" before it.
bool is_target_name(std::string_view name);

// The configuration of a machine alone, as if it was the one that the exporter runs on.
Config config_of(const Config& config, const TargetConfig& target);

}  // namespace winperf
