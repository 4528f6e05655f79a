// What a worker process is asked about facts, as text: the topic's name, and a folder in each
// further line. Which rows are wanted isn't said. Thread rule: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "collectors/facts/fact_source.h"

namespace winperf {

std::string request_text(const FactRequest& request);
// Nothing if there is no such topic.
[[nodiscard]] std::optional<FactRequest> parse_request_text(std::string_view text);

}  // namespace winperf
