// windows_exporter's collectors: the countersets and facts that each reads, and whose metrics tell
// about them. The tables beside this file say so (docs/profile-tables.md).
// Source: windows_exporter 0.31 and older versions, what each collector reads. Thread rule: any
// thread.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "collectors/model/fact_topic.h"
#include "exporter/profiles/name_template.h"

namespace winperf {

// An object that a collector reads, and the options that select its instances; "" if none does.
struct ReadObject {
  std::string_view name;     // "A|B": alternatives, the first one that the machine has
  std::string_view include;  // "volume-include"
  std::string_view exclude;
  std::string_view prefix;  // what precedes the names that the options match, as a pattern
  std::string_view part;    // its word in the collector's option "enabled"; "" if it has none
};

// A topic of facts that a collector reads, in the same way.
struct ReadTopic {
  FactTopic topic{};
  std::string_view include;
  std::string_view exclude;
  std::string_view part;
  std::string_view note;  // what it needs that the service doesn't have; a part of a sentence
};

// What a collector serves and this program doesn't.
struct MissingPart {
  std::string_view what;             // and what to do instead; a part of a sentence
  std::string_view part;             // as above
  bool is_on_without_asking = true;  // of one with a part: whether it runs by default
};

struct Collector {
  std::string_view name;
  std::span<const ReadObject> objects;
  std::span<const ReadTopic> topics;
  std::span<const MissingPart> missing;
  bool is_default = false;  // it runs without any setting
};

// In the order of their names; those of older versions come last.
std::span<const Collector> collectors();
// Whose metrics tell about the topic.
std::string_view collector_of(FactTopic topic);

struct ReadBy {
  std::string_view collector;
  std::string_view part;          // of the collector (ProfileBlock::part); may be empty
  std::vector<LabelPart> labels;  // that all series of the counterset have
  bool operator==(const ReadBy&) const = default;
};

// Whose metrics tell about the object. `object`: its English name, whatever its case. Each once.
std::vector<ReadBy> collectors_of(std::string_view object);

}  // namespace winperf
