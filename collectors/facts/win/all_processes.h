// All processes of this machine: no right is needed for that. Thread rule: any thread.
#pragma once

#include <expected>
#include <vector>

#include "collectors/facts/process_list.h"
#include "collectors/model/error.h"

namespace winperf {

[[nodiscard]] std::expected<std::vector<ProcessEntry>, Error> all_processes();

}  // namespace winperf
