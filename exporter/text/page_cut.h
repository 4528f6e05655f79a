// Parts of a page, for whoever asks for some of it only: they are cut out of the whole page, which
// is rendered once for everybody, so that no question makes more work than copying. Thread rule:
// pure functions and values.
#pragma once

#include <prometheus/metric_family.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/fact_topic.h"
#include "collectors/model/sample.h"

namespace winperf {

// The series of one family and one counterset, as a place in the page.
struct PagePart {
  std::size_t counterset = 0;  // its place in the sample
  std::size_t header = 0;      // offset of the family's comments
  std::size_t header_size = 0;
  std::size_t begin = 0;      // of the lines, each of which begins with the name
  std::size_t end = 0;        // behind the last one
  std::size_t name_size = 0;  // "winperf_memory_page_faults_total"
};

// Whether people mean this counterset: as configured, or what its object is called.
bool is_called(const CountersetState& state, std::string_view name);

// What is wanted: countersets or topics, and names. An empty list admits everything.
struct PageFilter {
  std::vector<std::string> countersets{};
  std::vector<std::string> names{};  // of metrics, as in the text format
  std::vector<FactTopic> topics{};   // of facts; an empty list here and of countersets admits all

  bool admits_all() const { return countersets.empty() && names.empty() && topics.empty(); }
  bool admits_name(std::string_view name) const;
  bool admits(const CountersetState& state) const;
  bool admits(FactTopic topic) const;
};

// The comments and lines that are wanted, in their order.
std::string cut_page(std::string_view page, std::span<const PagePart> parts, const Sample& sample,
                     const PageFilter& filter);

// The same for the exporter's own metrics. Those without the label `counterset` are about all.
std::vector<prometheus::MetricFamily> cut_families(std::vector<prometheus::MetricFamily> families,
                                                   const Sample& sample, const PageFilter& filter);

}  // namespace winperf
