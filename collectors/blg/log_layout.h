// What the entries of a counter list mean for the samples after it: which machine, object and
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

#include "collectors/blg/counter_list.h"
#include "collectors/blg/log_names.h"
#include "collectors/model/sample.h"

namespace winperf::blg {

// What is known about an entry only from the samples.
struct EntryFacts {
  bool names_instances = false;  // it has items of ItemKind::kInstances
  bool holds_blocks = false;     // it has items of ItemKind::kWholeObject
  bool wide_value = false;       // a value needs more than 32 bits
  bool wide_base = false;        // a base needs more than 32 bits
};

struct ListedCounters {
  CounterList list;
  std::vector<EntryFacts> facts;  // one per entry
};

struct LogLayout {
  struct Object {
    std::size_t machine = 0;
    std::shared_ptr<const CountersetSchema> schema;
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
    std::optional<InstanceName> instance{};  // as named by the list
    bool is_single = false;  // one instance, which exists even in samples without its value
  };

  std::vector<std::optional<Entry>> entries;  // empty in the place of an unsound entry
  std::vector<Object> objects;
};

struct LogLayouts {
  std::vector<LogLayout> layouts;     // one per list
  std::vector<std::string> machines;  // in the order of the lists
};

LogLayouts lay_out(std::span<const ListedCounters> lists);

}  // namespace winperf::blg
