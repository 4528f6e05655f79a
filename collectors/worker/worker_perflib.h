// PerfLib's functions, called by a worker process. A query handle belongs to the process that
// opened it: after that was lost, its functions answer ERROR_INVALID_HANDLE, and take_loss() says
// why for the call that was lost itself.
// Thread rule: one call at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "collectors/sources/perflib_api.h"
#include "collectors/worker/worker_link.h"

namespace winperf::worker {

class WorkerPerflib final : public PerflibApi {
 public:
  explicit WorkerPerflib(WorkerOptions options)
      : WorkerPerflib(std::make_shared<WorkerLink>(std::move(options))) {}
  explicit WorkerPerflib(std::shared_ptr<WorkerLink> link) : link_(std::move(link)) {}

  // Of a worker that is shared somebody else tells.
  WorkerView* worker() override { return link_->is_shared() ? nullptr : &link_->worker(); }
  void set_stop(StopToken stop) override {
    stop_ = std::move(stop);
    link_->begin_round();
  }
  std::optional<Error> take_loss() override { return std::exchange(loss_, std::nullopt); }

  std::uint32_t enumerate_countersets(const std::u16string& machine, std::span<Guid> guids,
                                      std::uint32_t& actual) override;
  std::uint32_t enumerate_instances(const std::u16string& machine, const Guid& counterset,
                                    Bytes buffer, std::uint32_t& actual) override;
  std::uint32_t query_registration(const std::u16string& machine, const Guid& counterset,
                                   RegistrationInfo info, std::uint32_t argument, Bytes buffer,
                                   std::uint32_t& actual) override;
  std::uint32_t open_query(const std::u16string& machine, PerflibHandle& query) override;
  std::uint32_t close_query(PerflibHandle query) override;
  std::uint32_t query_counter_info(PerflibHandle query, Bytes buffer,
                                   std::uint32_t& actual) override;
  std::uint32_t query_counter_data(PerflibHandle query, Bytes buffer,
                                   std::uint32_t& actual) override;
  std::uint32_t add_counters(PerflibHandle query, Bytes identifiers) override;
  std::uint32_t delete_counters(PerflibHandle query, Bytes identifiers) override;

 private:
  // Puts the reply's bytes into `buffer`. `call`: what the deadline goes by.
  std::uint32_t call(Request request, std::string_view call, Bytes buffer, std::uint32_t& actual);
  std::uint32_t call_with(PerflibHandle query, Request request, Bytes buffer,
                          std::uint32_t& actual);
  // A handle: the worker's generation in the upper half, its own number in the lower one.
  bool is_of_this_worker(PerflibHandle query) const;

  // What each query asks for, as one number that doesn't depend on the order: in the next process,
  // the same wishes are the same call, although their handle is another one.
  std::map<PerflibHandle, std::uint64_t> wishes_;
  StopToken stop_;
  std::shared_ptr<WorkerLink> link_;
  std::optional<Error> loss_;
};

}  // namespace winperf::worker
