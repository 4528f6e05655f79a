// The meaning of a counter list's entries for the samples after it: which machine, object and
// column the n-th item of a sample belongs to, and the schemas of these objects.
//
// Objects and counters with equal names are the same in all lists; the case of ASCII letters
// doesn't matter. A log has no numbers for them, so they are numbered here, objects from
// kFirstOwnIndex on. Memory: proportional to the lists. Thread rule: values. Source: docs/blg.md,
// "Counters".
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectors/blg/log_records.h"
#include "collectors/model/error.h"
#include "collectors/model/sample.h"

namespace winperf::blg {

// The counter list of a log: which counters were requested. The n-th item of each sample belongs to
// the n-th entry.
//
//   8 bytes | entries: u32 length | u32 flags | 4 bytes | u32 type | u64 time base |
//   i32 scale | the path's elements: offsets of strings, from byte 52 of the entry, and the
//   instance's index | UTF-16 strings
//
// Validated: lengths nest, strings are terminated within their entry. An entry with a bad string is
// an Error and keeps its place, and the next entry is read; an impossible length ends the list.
// Offsets of errors are from the start of the record. Thread rule: values.
// Source: docs/blg.md, "Counter list".

// Names are UTF-8.
struct Counter {
  std::string machine;  // without the leading backslashes; may be empty
  std::string object;
  std::string parent;                // of the instance; usually empty
  std::string instance;              // "*" for all; empty for an object without instances
  std::uint32_t instance_index = 0;  // of several with one name, counted from 0: perfmon's "#1"
  std::string name;                  // "*" for all: the whole object
  bool wildcard = false;             // instance or name is "*"
  std::uint32_t type = 0;            // PERF_*; meaningless for a whole object
  std::uint64_t time_base = 0;       // ticks per second
  std::int32_t default_scale = 0;
  bool operator==(const Counter&) const = default;
};

struct CounterList {
  std::vector<std::optional<Counter>> counters;  // empty in the place of an unsound entry
  std::vector<Error> problems;
};

// Whether it requests all counters of the object, as V1 blocks.
inline bool names_whole_object(const Counter& counter) { return counter.name == "*"; }

// "\\machine\object(parent/instance#index)\counter"
std::string path_of(const Counter& counter);

CounterList read_counter_list(std::span<const std::byte> record);

// Properties of an entry that only the samples show.
struct EntryFacts {
  bool names_instances = false;   // it has items of ItemKind::kInstances
  bool holds_blocks = false;      // it has items of ItemKind::kWholeObject
  std::uint64_t v2_replies = 0;   // its items of ItemKind::kV2Reply
  std::uint64_t v2_values = 0;    // in them
  std::uint64_t first_reply = 0;  // where the first of them is in the file
  bool wide_value = false;        // a value needs more than 32 bits
  bool wide_base = false;         // a base needs more than 32 bits
  std::optional<bool> has_utc{};  // whether values have a time in UTC, once there was one
};

struct ListedCounters {
  CounterList list;
  std::vector<EntryFacts> facts;  // one per entry
};

struct LogLayout {
  struct Object {
    std::size_t machine = 0;
    std::shared_ptr<const CountersetSchema> schema;
    std::shared_ptr<const SampleLayout> layout;  // of the schema
  };
  struct Entry {
    std::size_t machine = 0;
    // Of the values; empty for a whole object.
    struct Column {
      std::size_t object = 0;  // in `objects`
      std::size_t column = 0;  // in its schema
      std::int64_t ticks_per_second = 0;
    };
    std::optional<Column> column{};
    std::optional<std::size_t> counterset{};  // of a whole V2 counterset: in LogIndex::countersets
    std::optional<InstanceName> instance{};   // as named by the list
    bool is_single = false;  // one instance, which exists even in samples without its value
  };

  std::vector<std::optional<Entry>> entries;  // empty in the place of an unsound entry
  std::vector<Object> objects;

  // Which V2 counterset the n-th item of a sample is a reply of; empty if it is of none.
  std::optional<std::size_t> counterset_of(std::size_t number) const {
    if (number >= entries.size() || !entries[number]) return std::nullopt;
    return entries[number]->counterset;
  }
};

struct LogLayouts {
  std::vector<LogLayout> layouts;     // one per list
  std::vector<std::string> machines;  // in the order of the lists
};

// `countersets`: those whole V2 countersets that are registered.
LogLayouts lay_out(std::span<const ListedCounters> lists,
                   std::span<const RegistrationRecord> countersets);

}  // namespace winperf::blg
