// What can be wrong with the simulated machine's V2 data, its clocks and its name table. The
// control file of tests/providers/faulty/harm.h names it.
//
// Point v2, about "Geometric Waves" as PerfLib delivers them. Instances:
//   newline, quotes, control, surrogate, name_32k, name_empty, duplicates, many, churn, none,
//   backwards, still
// their result:
//   status (a code beside data), refused (a code without data), type_unknown, size_zero,
//   size_small, size_more, size_huge, counters_huge, counters_zero, counters_len_zero,
//   counters_len_huge, ids_unknown, ids_same, insts_huge, insts_neg, insts_more, insts_len_zero,
//   insts_len_huge, inst_len_zero, inst_len_odd, inst_len_huge, name_unterminated, value_size_zero,
//   value_size_huge, value_bytes
// and the whole reply, which all V2 countersets of one interval share:
//   total_zero, total_small, total_huge, results_zero, results_huge, garbage, cut, empty, grows,
//   freq_zero, time_back
// Point clock: wall_forward, wall_back (the 100 ns clock, by an hour), clock_forward, clock_back
//   (both clocks), still
// Point names, the registry's name table: gone (the provider's names), other (texts), moved
//   (indices; its objects move too), torn (ends in the middle of a name), garbage
// Thread rule: any thread.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "tests/simulator/machine.h"
#include "tests/simulator/spoiler.h"

namespace winperf::simulator {

std::unique_ptr<Spoiler> faulty_spoiler(std::filesystem::path control_file);

// The machine's clocks, as the control file has them.
Now spoilt_clocks(Now now, const std::filesystem::path& control_file);

// All words of a point, for the test that has no other way to know them.
std::vector<std::string_view> words_of_v2();

}  // namespace winperf::simulator
