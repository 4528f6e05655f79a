// The countersets that a migration results in, and how they are written. Thread rule: one thread.
#pragma once

#include <string>
#include <vector>

#include "config/migration/settings.h"

namespace winperf::migration {

struct Entry {
  std::vector<std::string> names;  // alternatives
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  std::vector<std::string> counters;
  std::string comment;  // the collector that it comes from
};

// {name: "Process", instances: {include: [...]}},  // process
std::string text_of(const Entry& entry);

// Adds an entry; if one of its names is taken, which would be an error, it becomes a note instead.
void add_entry(std::vector<Entry>& entries, Entry entry, Progress& progress);

}  // namespace winperf::migration
