// The countersets and facts that a migration results in, and how they are written. Thread rule: one
// thread.
#pragma once

#include <string>
#include <vector>

#include "collectors/model/fact_topic.h"
#include "config/migration/settings.h"

namespace winperf::migration {

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
  std::vector<std::string> include{};
  std::vector<std::string> exclude{};
  std::vector<std::string> counters{};
  std::string instance_label{};
  std::vector<NamedMetric> metrics{};
  std::string comment{};  // the collector that it comes from
};

struct FactEntry {
  FactTopic topic{};
  std::vector<std::string> include{};
  std::vector<std::string> exclude{};
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
