// The processes of this machine, and what Windows tells of a command line. Thread rule: any thread.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "collectors/facts/process_list.h"
#include "collectors/facts/win/returned_buffer.h"
#include "collectors/model/error.h"

namespace winperf {

// All of them: no right is needed for that.
[[nodiscard]] std::expected<std::vector<ProcessEntry>, Error> all_processes();

// Windows' answer: a UNICODE_STRING at the begin, whose text is somewhere in the answer.
std::optional<std::string> command_line_in(ReturnedBuffer& answer);

}  // namespace winperf
