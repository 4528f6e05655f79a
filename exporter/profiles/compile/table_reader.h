// Reads tables. What is wrong with a line is a problem, and the others are read all the same.
// Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/profiles/compile/table.h"

namespace winperf::tables {

// A table of the profile.
Table read_table(const Profile& profile, std::string file, std::string_view text,
                 Problems& problems);

// A line, and where to say what is wrong with it.
struct Line {
  std::string_view text;
  std::string_view file;
  std::size_t number = 0;
  Problems& problems;
  void fail(std::string_view what) const { problems.add(file, number, what); }
};
// The six columns of a row, of which the first two are checked.
std::vector<std::string_view> cells_of(const Line& line, bool is_own);
void read_counter_row(const Line& line, Block& block);
void read_fact_row(const Line& line, bool is_own, Statement& topic);

}  // namespace winperf::tables
