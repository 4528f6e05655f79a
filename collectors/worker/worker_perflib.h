// PerfLib's countersets, asked of a worker process: this machine's, or another one's. A set lives
// in the process that opened it; in the next one it isn't open.
//
// An opened set crosses as one part: a structure for each request, in their order.
// Validated: that there is one for each, its state, and the error that it may have; that a list of
// countersets consists of whole GUIDs. The bytes are copied before anybody parses them.
// Errors, besides those of PerflibClient in the worker: those of Worker::call(); kWorkerReply.
// Thread rule: one thread at a time; that of the worker, if it is shared.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "collectors/sources/perflib_source.h"
#include "collectors/worker/worker_source.h"

namespace winperf::worker {

class WorkerPerflib final : public PerflibSource {
 public:
  explicit WorkerPerflib(WorkerOptions options)
      : WorkerPerflib(std::make_shared<WorkerLink>(std::move(options))) {}
  explicit WorkerPerflib(std::shared_ptr<WorkerLink> link) : link_(std::move(link)) {}

  [[nodiscard]] std::expected<std::vector<Guid>, Error> countersets() override;
  [[nodiscard]] std::expected<Bytes, Error> instances(const Guid& counterset) override;
  [[nodiscard]] std::expected<Bytes, Error> registration(const Guid& counterset,
                                                         RegistrationInfo info,
                                                         std::uint32_t argument = 0) override;
  PerflibSet new_set() override { return PerflibSet{link_->worker().new_number()}; }
  [[nodiscard]] std::expected<std::vector<ResultPlace>, Error> open(
      PerflibSet set, std::span<const v2::CounterRequest> requests) override;
  [[nodiscard]] std::expected<Bytes, Error> collect(PerflibSet set) override;
  void close(PerflibSet set) override;

  std::uint64_t losses() const override { return lost_processes(link_->worker().state()); }
  // Of a worker that is shared somebody else tells.
  WorkerView* worker() override { return link_->is_shared() ? nullptr : &link_->worker(); }
  void set_stop(StopToken stop) override {
    stop_ = std::move(stop);
    link_->begin_round();
  }

 private:
  // `asked`: whose time the deadline goes by, besides the operation.
  [[nodiscard]] std::expected<Bytes, Error> ask(Request request, const std::string& asked = {});

  std::shared_ptr<WorkerLink> link_;
  StopToken stop_;
  // What each open set asks for, in an order that doesn't depend on when it was added: the same set
  // takes as long in the next process, and rests there if it was lost in this one.
  std::map<PerflibSet, std::string> wanted_;
};

// Of the worker.
void write_places(ReplyWriter& reply, const std::vector<ResultPlace>& places);
// Of the parent. `count`: of what was asked for.
[[nodiscard]] std::expected<std::vector<ResultPlace>, Error> read_places(
    std::span<const std::byte> part, std::size_t count);
[[nodiscard]] std::expected<std::vector<Guid>, Error> read_guids(std::span<const std::byte> part);

}  // namespace winperf::worker
