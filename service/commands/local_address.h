// Where people and programs on this machine reach an exporter with these addresses. Thread rule:
// pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/config.h"

namespace winperf {

// The first address that has the API without TLS or password, or else the first one.
// "http://127.0.0.1:10182"
std::string local_url(const std::vector<ListenConfig>& listen);

// The first address that serves the page and what it shows, for a browser:
// "http://localhost:10182/". Nothing if there is none.
std::optional<std::string> local_page(const std::vector<ListenConfig>& listen);

}  // namespace winperf
