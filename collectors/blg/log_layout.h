// What the entries of a counter list mean for the samples that follow it: to which column of which
// object on which machine the n-th item of a sample belongs, and the schemas of these objects.
//
// Objects and counters of one name are the same, whatever the case of its ASCII letters and in
// however many lists they are; a log has no numbers for them, so they get some of its own. Objects
// are numbered from kFirstOwnIndex.
// Memory: proportional to the lists. Thread rule: values.
// Source: docs/blg.md, "Counters".
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

// What the samples tell of an entry, and the list doesn't.
struct EntryFacts {
  bool names_instances = false;  // it has items of ItemKind::kInstances,
  bool holds_blocks = false;     // and of ItemKind::kWholeObject
  bool wide_value = false;       // values were met that need more than 32 bits,
  bool wide_base = false;        // and such bases
};

struct ListedCounters {
  CounterList list;
  std::vector<EntryFacts> facts;  // one an entry
};

struct LogLayout {
  struct Object {
    std::size_t machine = 0;
    std::shared_ptr<const CountersetSchema> schema;
  };
  struct Entry {
    std::size_t machine = 0;
    // Of the values; nothing for a whole object.
    struct Column {
      std::size_t object = 0;  // in `objects`
      std::size_t column = 0;  // in its schema
      std::int64_t ticks_per_second = 0;
    };
    std::optional<Column> column{};
    std::optional<InstanceName> instance{};  // as the list names it
    bool is_single = false;  // of one instance, which is there even where a sample has no value
  };

  std::vector<std::optional<Entry>> entries;  // nothing in the place of an unsound one
  std::vector<Object> objects;
};

struct LogLayouts {
  std::vector<LogLayout> layouts;     // one a list
  std::vector<std::string> machines;  // in the order in which the lists name them
};

LogLayouts lay_out(std::span<const ListedCounters> lists);

}  // namespace winperf::blg
