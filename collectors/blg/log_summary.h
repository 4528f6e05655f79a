// What a log holds, counted by one walk over all of it. Thread rule: values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "collectors/model/error.h"

namespace winperf::blg {

// A value that didn't exist when its sample was taken.
struct MissingValue {
  std::string counter;       // its path
  std::uint32_t status = 0;  // PDH_CSTATUS_*
  bool operator==(const MissingValue&) const = default;
};

struct LogSummary {
  std::uint64_t samples = 0;   // sound ones
  std::uint64_t counters = 0;  // entries of the counter lists
  std::string first_counter;   // its path
  std::uint64_t whole_objects = 0;
  std::uint64_t values = 0;          // of single and wildcard counters
  std::uint64_t missing_values = 0;  // the log has a status instead
  std::optional<MissingValue> first_missing;
  std::uint64_t unlisted_values = 0;  // of counters that no list contains
  std::uint64_t unknown_items = 0;    // of unknown kinds, with an unknown number of values
  std::uint64_t foreign_names = 0;    // name table records of machines without counters
  std::uint64_t other_records = 0;    // of unknown types
  std::uint64_t foreign_events = 0;   // not of the performance library
  std::uint64_t damaged = 0;          // buffers, events, records, items, entries
  std::optional<Error> first_damage;
  bool utc_known = true;  // whether the times of all samples could be made UTC

  void note_damage(const Error& error) {
    if (damaged++ == 0) first_damage = error;
  }
  // Whether the samples hold something, but nothing that can be used.
  bool holds_nothing_known() const {
    return whole_objects + values + missing_values == 0 && unlisted_values + unknown_items != 0;
  }
};

// "11 samples of 8 counters (such as \\HOST\Memory\*): 88 whole objects": everything in the log.
std::string describe(const LogSummary& summary);
// What a replay skips or doesn't know, as a sentence; empty if there is nothing.
std::string describe_losses(const LogSummary& summary);

}  // namespace winperf::blg
