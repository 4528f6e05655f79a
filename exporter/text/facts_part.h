// The facts on the page. Thread rule: any thread.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "collectors/facts/fact_state.h"
#include "collectors/model/clock.h"
#include "collectors/model/metric_profile.h"
#include "exporter/profiles/collector.h"
#include "exporter/text/page_format.h"
#include "exporter/text/page_selection.h"

namespace winperf {

// The facts, if any are read.
struct PageFacts {
  const FactSlot* slot = nullptr;
  std::function<Ticks100ns()> wall_now{};  // the machine's clock

  // Null before anything was read.
  std::shared_ptr<const FactSnapshot> latest() const {
    return slot != nullptr ? slot->latest() : nullptr;
  }
};

// Series that have no place on the page, by topic: a second one with the same labels, or more of a
// topic than may be there.
using LeftOutFacts = std::array<std::size_t, kFactTopicCount>;

struct WrittenFacts {
  LeftOutFacts left_out{};
  std::vector<const FactMetric*> times{};  // those that are the time of the scrape
};

// By the names of each profile. Of a thing with states the usual page has the current one, by this
// program's names. Facts that have got too old are left out. The time of the scrape isn't written.
WrittenFacts append_facts(std::string& out, PageFormat format, const FactSnapshot& facts,
                          std::span<const MetricProfile> profiles, SteadyTime now,
                          const PageSelection& selection, std::size_t max_series_of_topic,
                          PageDetail detail = PageDetail::kFull);
void append_times(std::string& out, PageFormat format, std::span<const FactMetric* const> times,
                  double unix_seconds);

}  // namespace winperf
