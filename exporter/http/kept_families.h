// The document of /api/v1/families, which takes a while to make from the page: it is made once for
// a sample, and compressed once. Thread rule: any thread; others wait while it is made.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "collectors/facts/fact_state.h"
#include "collectors/model/sample.h"
#include "exporter/text/metrics_page.h"
#include "exporter/text/shared_text.h"

namespace winperf {

class KeptFamilies {
 public:
  // The page changes without a new sample, too: values get too old, and the program counts.
  static constexpr std::chrono::seconds kLongest{10};

  // What it is made from.
  struct Source {
    std::shared_ptr<MetricsPage> page;
    std::shared_ptr<const Sample> sample;
    std::shared_ptr<const FactSnapshot> facts;
    bool operator==(const Source&) const = default;
  };
  struct Answer {
    std::string tag;  // an entity tag
    SharedText text;  // empty if the client has it; compressed if it takes that
  };
  // `known`: its If-None-Match.
  Answer answer(Source source, const Instant& now, std::string_view known, bool takes_gzip);
  // Frees the memory of what is of another sample. Waits for nothing.
  void forget_unless(const Sample* sample);

 private:
  std::mutex mutex_;
  Source source_;
  SteadyTime made_at_{};
  std::string tag_;
  std::uint64_t made_ = 0;
  SharedText text_;
  std::optional<SharedText> gzipped_;
};

}  // namespace winperf
