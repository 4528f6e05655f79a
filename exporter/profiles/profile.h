// The content of the tables in this folder: the names and labels under which another exporter
// serves the values of counters.
//
// The tables (windows_exporter/*.table and so on) are made into these rows when the program is
// built; docs/profile-tables.md has their form. A block is about one counterset, or about several
// with the same counters. Thread rule: any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "collectors/model/metric_profile.h"

namespace winperf {

// Which number of a counter.
enum class ProfileValue : std::uint8_t {
  kAsRead,     // timers of 100 ns and elapsed times in seconds, everything else as delivered
  kRaw,        // as delivered, regardless of its type
  kSeconds,    // ticks of the counter's own clock
  kBase,       // the second number
  kRest,       // the second number less the first
  kRatio,      // the first number divided by the second
  kStart,      // of an elapsed time: its beginning, in seconds since 1970
  kState,      // 1 if the number is `state`, else 0
  kInstances,  // how many instances there are
  kConstant,   // `offset`
  kCooked,     // what perfmon computes; in no table
};

struct ProfileRow {
  std::string_view metric;
  bool is_counter = false;   // else a gauge
  std::string_view counter;  // English; alternatives, of which the first one that there is counts,
                             // are separated by kProfileOr
  // '+' or '-': with the number of another counter; ':': that has the lower 32 bits.
  char operation = '\0';
  std::string_view other;  // that counter
  ProfileValue value = ProfileValue::kAsRead;
  double factor = 1;        // to the metric's unit
  double offset = 0;        // added after that
  std::uint64_t state = 0;  // of kState
  std::string_view labels;  // on each series, as they are written: "mode=\"user\""
  std::string_view note;    // what differs from the other exporter, for people
};

inline constexpr std::string_view kProfileOr = " (or) ";

struct ProfileObject {
  std::string_view name;    // English; {label} is a part that becomes a label
  std::string_view labels;  // fixed ones, as they are written
};

struct ProfileBlock {
  std::string_view collector;  // whose metrics these are
  std::span<const ProfileObject> objects;
  std::span<const std::string_view> instances;  // templates (name_template.h); the first that fits
  std::string_view only;  // "first", or the name of the only instance that counts, without labels
  std::span<const std::string_view> skipped;  // names of instances that are left out
  bool process_id = false;                    // a label with that of the instance
  std::string_view value_label;               // a label with the value of value_counter
  std::string_view value_counter;
  std::string_view part;  // of the collector, if the other exporter reports on each
  std::span<const ProfileRow> rows;
  bool total_instances = false;  // those that add up others count, too; in no table
};

// Made from the tables; kWinperf has none of counters.
std::span<const ProfileBlock> profile_blocks(MetricProfile profile);

}  // namespace winperf
