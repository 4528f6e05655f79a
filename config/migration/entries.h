// The countersets and facts that a migration results in, how they are written, and the filters in
// them. Thread rule: one thread.
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

// The options that select what a collector reads, as filters of our own. Thread rule: any thread,
// with a Progress one. Source: Learn, "LIKE Operator (WQL)".

// Patterns for names.
struct Filters {
  std::vector<std::string> include{};
  std::vector<std::string> exclude{};
  bool operator==(const Filters&) const = default;
};

// Of the condition of a WQL query, as the options "...-where" of older versions have it: about the
// property Name alone, regardless of case, joined by OR, or with <> and NOT by AND. The error is
// the part that can't be said as a pattern.
[[nodiscard]] std::expected<Filters, std::string> patterns_of_wql(std::string_view condition);

// The setting that limits a collector to some of its parts: those, in lower case. Nothing: to none.
std::optional<std::vector<std::string>> parts_of(const Collector& collector, Progress& progress);

// `include`, `exclude`: the options' names; "" if there is none. `prefix`: a pattern of what
// precedes what they match. A filter that can't be taken over is lost.
Filters filters_of(const Collector& collector, std::string_view include, std::string_view exclude,
                   std::string_view prefix, Progress& progress);

// A metric with the name that windows_exporter's configuration gives it.
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

// Adds an entry. Two of one object become one if nothing tells them apart but metrics, or if both
// have metrics with the same labels; otherwise the second one is lost.
void add_entry(std::vector<Entry>& entries, Entry entry, Progress& progress);
// The same; of one topic, the first entry stays.
void add_fact(std::vector<FactEntry>& facts, FactEntry entry);

}  // namespace winperf::migration
