// One machine as the server shows it: this one, or a target. Its page of metrics, the documents of
// its latest sample, which are made once for all clients, and its recent past. Thread rule: any
// thread.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "collectors/model/sample.h"
#include "collectors/recorder/history.h"
#include "exporter/api/metric_names.h"
#include "exporter/api/problem.h"
#include "exporter/http/kept_families.h"
#include "exporter/json/sample_document.h"
#include "exporter/mapping/family.h"
#include "exporter/text/metrics_page.h"

namespace winperf {

struct MachineViewOptions {
  std::string host{};  // of a target; empty: this machine
  // What the recorder remembers of it; may be empty, or return null.
  std::function<std::shared_ptr<const recorder::History>()> history{};
  // Called whenever somebody looks at it; may be empty.
  std::function<void()> used{};
};

class MachineView {
 public:
  // The slot must outlive this object. The page has to be that of the slot and of the mapping.
  MachineView(const SampleSlot& slot, std::shared_ptr<MetricsPage> page,
              const MappingOptions& mapping, MachineViewOptions options = {});

  const std::string& host() const { return options_.host; }
  // Null before the first one.
  std::shared_ptr<const Sample> sample() const { return slot_.latest(); }
  std::shared_ptr<MetricsPage> page() const;
  std::shared_ptr<api::MetricNames> metric_names();
  // Null before the first sample.
  std::shared_ptr<json::SampleDocument> document(json::SampleForm form);
  // Null if there is none: no_history() says why.
  std::shared_ptr<const recorder::History> history() const {
    return options_.history ? options_.history() : nullptr;
  }
  api::Problem no_history() const;
  KeptFamilies& families() {
    was_used_ = true;
    return families_;
  }

  // Applies to all requests from now on; those that are being answered keep the old mapping.
  void change(std::shared_ptr<MetricsPage> page, const MappingOptions& mapping);
  // Frees memory that is no longer requested: what is of an earlier sample.
  void forget_old_documents();
  // Everything that was made for requests, unless there was one since the last call.
  void forget_unless_used();

  void note_use() const {
    if (options_.used) options_.used();
  }
  // It is no longer sampled.
  void retire() { is_retired_ = true; }
  bool is_retired() const { return is_retired_; }

 private:
  const SampleSlot& slot_;
  const MachineViewOptions options_;
  std::atomic<bool> is_retired_ = false;
  std::atomic<bool> was_used_ = false;
  KeptFamilies families_;
  mutable std::mutex mutex_;  // guards the pointers, not what they point to
  std::shared_ptr<MetricsPage> page_;
  MappingOptions mapping_;
  std::shared_ptr<api::MetricNames> metric_names_;  // null until they are requested
  // Of the sample that was asked for last, by form.
  using SampleDocuments = std::array<std::shared_ptr<json::SampleDocument>, json::kSampleFormCount>;
  SampleDocuments documents_;
};

}  // namespace winperf
