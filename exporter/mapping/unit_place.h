// Which word of a name is its unit. Whether a word is one depends on its place and on the words
// around it: "Latency (sec)" is a time; "Requests (sec)", "Requests over 10 seconds" and "Second
// Level Cache" are not. docs/metrics.md has the rule. Thread rule: any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "exporter/mapping/words.h"

namespace winperf {

// The index of the word; nothing if the name has no unit.
std::optional<std::size_t> find_unit(std::span<const Word> words);

// The same of a counter whose type says that it is a time: its name only repeats that.
std::optional<std::size_t> find_time_unit(std::span<const Word> words);

// "latency", "duration": what a time is called. In lower case.
bool measures_time(std::string_view word);

}  // namespace winperf
