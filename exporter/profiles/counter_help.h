// What well-known counters measure, in our words, for machines that give no text about them. The
// tables are in exporter/profiles/help; objects have their English names, without the installation
// that they carry. Thread rule: any thread.
#pragma once

#include <span>
#include <string_view>

namespace winperf {

struct CounterHelp {
  std::string_view key;  // the rows are in its order
  std::string_view object;
  std::string_view counter;  // of parts: the words that their common name has
  bool is_of_parts = false;  // the sentence is about a metric that several counters share
  std::string_view sentence;
};
std::span<const CounterHelp> counter_helps();

// "Bytes received."; empty if no table has the counter. The case of names doesn't matter.
std::string_view counter_help(std::string_view object, std::string_view counter);
// The same for the metric of counters that are parts of one number.
std::string_view parts_help(std::string_view object, std::string_view words);

}  // namespace winperf
