// windows_exporter's collectors, and the countersets and facts that they read: one table.
// Source: windows_exporter 0.31 and older versions, what each collector reads.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/fact_topic.h"

namespace winperf {

// An object that a collector reads, and the options that select its instances; "" if none does.
struct ReadObject {
  std::string_view name;          // "A|B": alternatives, the first one that the machine has
  std::string_view include = "";  // "volume-include"
  std::string_view exclude = "";
  std::string_view prefix = "";  // what precedes the names that the options match, as a pattern
  std::string_view part = "";    // its word in the collector's option "enabled"; "" if it has none
};

// A topic of facts that a collector reads, in the same way.
struct ReadTopic {
  FactTopic topic{};
  std::string_view include = "";
  std::string_view exclude = "";
  std::string_view part = "";
  std::string_view note = "";  // what it needs that the service doesn't have; a part of a sentence
};

// What a collector serves and this program doesn't.
struct MissingPart {
  std::string_view what;             // and what to do instead; a part of a sentence
  std::string_view part = "";        // as above
  bool is_on_without_asking = true;  // of one with a part: whether it runs by default
};

struct Collector {
  std::string_view name;
  std::span<const ReadObject> objects = {};
  std::span<const ReadTopic> topics = {};
  std::span<const MissingPart> missing = {};
};

std::span<const Collector> collectors();
// Null if there is no collector of this name.
const Collector* find_collector(std::string_view name);
std::vector<std::string> alternatives_of(const ReadObject& object);
// What a collector reads, by names or patterns of which the first one that the machine has is
// taken: SQL Server's objects of each instance, too.
std::vector<std::vector<std::string>> reads_of(const Collector& collector);
// The name that may be meant, if there is no collector of this name; may be empty.
std::string_view nearest_collector(std::string_view name);
// The names of all objects that a collector reads, alternatives too. The error is
// nearest_collector().
[[nodiscard]] std::expected<std::vector<std::string>, std::string> objects_of(
    std::string_view collector);
// The topics of facts that a collector reads; none for an unknown one.
std::vector<FactTopic> topics_of(std::string_view collector);
// Whether a collector's option "enabled" chooses from its parts.
bool has_parts(const Collector& collector);
// Whether nothing of what it serves is here.
bool is_missing(const Collector& collector);
// Those that run without any setting.
std::span<const std::string_view> default_collectors();

}  // namespace winperf
