#include "exporter/http/machine_view.h"

#include <cstddef>
#include <utility>

namespace winperf {

MachineView::MachineView(const SampleSlot& slot, std::shared_ptr<MetricsPage> page,
                         const MappingOptions& mapping, MachineViewOptions options)
    : slot_(slot), options_(std::move(options)), page_(std::move(page)), mapping_(mapping) {}

void MachineView::change(std::shared_ptr<MetricsPage> page, const MappingOptions& mapping) {
  const std::lock_guard lock(mutex_);
  page_ = std::move(page);
  mapping_ = mapping;
  metric_names_.reset();
}

std::shared_ptr<MetricsPage> MachineView::page() const {
  const std::lock_guard lock(mutex_);
  return page_;
}

std::shared_ptr<api::MetricNames> MachineView::metric_names() {
  was_used_ = true;
  const std::lock_guard lock(mutex_);
  if (metric_names_ == nullptr) metric_names_ = std::make_shared<api::MetricNames>(mapping_);
  return metric_names_;
}

std::shared_ptr<json::SampleDocument> MachineView::document(json::SampleForm form) {
  was_used_ = true;
  const std::lock_guard lock(mutex_);
  auto& document = documents_.at(static_cast<std::size_t>(form));
  auto sample = slot_.latest();
  if (sample == nullptr) return nullptr;
  if (document == nullptr || &document->sample() != sample.get())
    document = std::make_shared<json::SampleDocument>(std::move(sample), form);
  return document;
}

void MachineView::forget_old_documents() {
  SampleDocuments old;  // goes when the mutex is free again
  const std::lock_guard lock(mutex_);
  const auto sample = slot_.latest();
  families_.forget_unless(sample.get());
  for (std::size_t form = 0; form < old.size(); ++form)
    if (documents_.at(form) != nullptr && &documents_.at(form)->sample() != sample.get())
      old.at(form).swap(documents_.at(form));
}

void MachineView::forget_unless_used() {
  if (was_used_.exchange(false)) return;
  families_.forget_unless(nullptr);
  SampleDocuments old;  // goes when the mutex is free again
  std::shared_ptr<api::MetricNames> names;
  const std::lock_guard lock(mutex_);
  documents_.swap(old);
  metric_names_.swap(names);
}

api::Problem MachineView::no_history() const {
  if (options_.host.empty())
    return {.status = 503, .detail = "nothing has been recorded yet, or recorder.memory is 0"};
  return {.status = 503,
          .detail =
              "nothing of this target has been recorded; recorder.targets has to name it, and "
              "targets has to, not only by a pattern",
          .parameter = "target"};
}

}  // namespace winperf
