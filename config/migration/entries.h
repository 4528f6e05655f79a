// The countersets and facts that a migration produces, their text, and their filters. Thread rule:
// one thread.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/fact_topic.h"
#include "config/collectors.h"
#include "config/migration/settings.h"

namespace winperf::migration {

// Converts the options that select what a collector reads to our filters. Thread rule: any thread,
// with a Progress one. Source: Learn, "LIKE Operator (WQL)".

// Patterns for names.
struct Filters {
  std::vector<std::string> include{};
  std::vector<std::string> exclude{};
  bool operator==(const Filters&) const = default;
};

// From a WQL condition, as in the options "...-where" of older versions: on the property Name only,
// regardless of case, joined by OR, or with <> and NOT by AND. The error is the part that can't be
// converted.
[[nodiscard]] std::expected<Filters, std::string> patterns_of_wql(std::string_view condition);

// The parts that a setting limits a collector to, in lower case. Nothing: not limited.
std::optional<std::vector<std::string>> parts_of(const Collector& collector, Progress& progress);

// `include`, `exclude`: the options' names; "" if there is none. `prefix`: a pattern to put before
// theirs. A filter that can't be converted is lost.
Filters filters_of(const Collector& collector, std::string_view include, std::string_view exclude,
                   std::string_view prefix, Progress& progress);

// A metric with a name from windows_exporter's configuration.
struct NamedMetric {
  std::string counter;
  std::string name;
  std::vector<std::string> labels{};  // "key: \"value\""
  std::string type{};                 // "counter", "gauge", or empty
  bool is_cooked = false;
  bool operator==(const NamedMetric&) const = default;
};

struct Entry {
  std::vector<std::string> names;  // alternatives
  Filters instances{};
  std::vector<std::string> counters{};
  std::string instance_label{};
  std::vector<NamedMetric> metrics{};
  std::string comment{};  // the collector that it comes from
};

struct FactEntry {
  FactTopic topic{};
  Filters rows{};
  std::vector<std::string> folders{};
  std::string comment{};
};

// {name: "Process", instances: {include: [...]}},  # process
std::string text_of(const Entry& entry);
// "os",  # os
std::string text_of(const FactEntry& entry);

// Adds an entry. Two of one object are merged if only their metrics differ, or if both have metrics
// with the same labels; otherwise the second one is lost.
void add_entry(std::vector<Entry>& entries, Entry entry, Progress& progress);
// The same; of one topic, the first entry stays.
void add_fact(std::vector<FactEntry>& facts, FactEntry entry);

}  // namespace winperf::migration
