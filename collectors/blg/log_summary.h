// What a log holds, counted by one walk over all of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "collectors/model/error.h"

namespace winperf::blg {

// The items of samples, by ItemKind.
struct ItemCounts {
  std::uint64_t whole_objects = 0;
  std::uint64_t single_counters = 0;
  std::uint64_t wildcard_counters = 0;
  std::uint64_t unknown = 0;

  std::uint64_t skipped() const { return single_counters + wildcard_counters + unknown; }
  ItemCounts& operator+=(const ItemCounts& more);
};

struct LogSummary {
  std::uint64_t samples = 0;  // sound ones
  ItemCounts items;
  std::uint64_t counters = 0;        // entries of the counter list
  std::string first_counter;         // its path
  std::uint64_t foreign_names = 0;   // name table records of further machines
  std::uint64_t other_records = 0;   // of unknown types
  std::uint64_t foreign_events = 0;  // not of the performance library
  std::uint64_t damaged = 0;         // buffers, events, records, entries
  std::optional<Error> first_damage;

  void note_damage(const Error& error) {
    if (damaged++ == 0) first_damage = error;
  }
};

// "11 samples of 8 counters, such as \\HOST\Memory\*; 88 whole objects": everything that was met.
std::string describe(const LogSummary& summary);
// What a replay leaves out, as a sentence; empty where it is nothing.
std::string describe_losses(const LogSummary& summary);

}  // namespace winperf::blg
