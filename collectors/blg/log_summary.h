// The content of a log, counted by one walk over all of it. Thread rule: values.
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

// Parts of a kind that a replay skips.
struct Skipped {
  std::uint64_t count = 0;
  std::uint64_t first = 0;  // where the first one is in the file

  void note(std::uint64_t offset, std::uint64_t more = 1) {
    if (count == 0) first = offset;
    count += more;
  }
};

struct LogSummary {
  std::uint64_t samples = 0;   // sound ones
  std::uint64_t counters = 0;  // entries of the counter lists
  std::string first_counter;   // its path
  std::uint64_t whole_objects = 0;
  std::uint64_t v2_replies = 0;       // of whole V2 countersets
  std::uint64_t v2_values = 0;        // in them
  std::uint64_t values = 0;           // of single and wildcard counters
  std::uint64_t nameless_values = 0;  // of counters without a name in the list; not shown
  std::uint64_t missing_values = 0;   // the log has a status instead
  std::optional<MissingValue> first_missing;
  Skipped unlisted_values;           // of counters that no list contains
  Skipped unregistered_replies;      // of V2 countersets that aren't registered, or not known
  Skipped other_machines_replies;    // of V2 countersets of other machines than the first one
  Skipped unknown_items;             // of unknown kinds, with an unknown number of values
  Skipped unknown_records;           // of unknown types
  std::uint64_t foreign_names = 0;   // name table records of machines without counters
  std::uint64_t foreign_events = 0;  // the system's
  Skipped late_samples;              // those that are older than the one before
  std::optional<std::uint64_t> oldest_run;  // of a log that has wrapped: where it begins
  std::uint64_t overwritten = 0;            // samples at that place whose beginning was overwritten
  std::uint64_t damaged = 0;                // buffers, events, records, items, entries
  std::optional<Error> first_damage;
  bool utc_known = true;  // whether the times of all samples could be converted to UTC

  void note_damage(const Error& error) {
    if (damaged++ == 0) first_damage = error;
  }
  // Whether the samples hold something, but nothing that can be used.
  bool holds_nothing_known() const {
    return whole_objects + v2_replies + values + nameless_values + missing_values == 0 &&
           unlisted_values.count + unregistered_replies.count + unknown_items.count != 0;
  }
  // Whether the log holds something that a replay doesn't show.
  bool is_incomplete() const {
    return damaged + unlisted_values.count + unregistered_replies.count +
               other_machines_replies.count + unknown_items.count + unknown_records.count !=
           0;
  }
};

// "11 samples of 8 counters (such as \\HOST\Memory\*): 88 whole objects": everything in the log.
std::string describe(const LogSummary& summary);
// What a replay skips or lacks, as a sentence; empty if nothing.
std::string describe_losses(const LogSummary& summary);

}  // namespace winperf::blg
