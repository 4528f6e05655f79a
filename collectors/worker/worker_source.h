// The registry of this machine, read by a worker process: what CounterSource says holds here, and
// what a provider does to its process is an error of the one query.
// Not through the worker: what runs nobody else's code, ordinary values of the registry.
// Errors, besides those of the source in the worker: those of Worker::call().
// Thread rule: one thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include "collectors/sources/source.h"
#include "collectors/worker/left_behind.h"
#include "collectors/worker/worker.h"

namespace winperf::worker {

class WorkerSource final : public CounterSource, public SourceHealth {
 public:
  // `plain`: the same registry in this process, for ordinary values; null if nobody asks for them.
  WorkerSource(std::unique_ptr<CounterSource> plain, WorkerOptions options)
      : plain_(std::move(plain)), worker_(std::move(options)) {}

  bool is_live() const override { return plain_->is_live(); }
  std::string machine() const override { return plain_->machine(); }
  [[nodiscard]] std::expected<winperf::Reply, Error> query(std::string_view value_name,
                                                           StopToken stop) override;
  [[nodiscard]] std::vector<std::expected<Bytes, Error>> text_tables(TextTable table,
                                                                     Language language) override;
  bool supports_metadata() override { return plain_->supports_metadata(); }
  std::uint64_t provider_generation() override { return plain_->provider_generation(); }
  // A query in two steps, see Worker. `call`: what the deadline goes by.
  [[nodiscard]] std::expected<void, Error> begin(std::string_view value_name, std::string_view call,
                                                 const StopToken& stop);
  [[nodiscard]] std::expected<winperf::Reply, Error> finish_by(Worker::Time until,
                                                               const StopToken& stop);
  // Closes its providers; the next query opens them again. In two steps, too; how long it took.
  [[nodiscard]] std::expected<void, Error> begin_closing(const StopToken& stop);
  [[nodiscard]] std::expected<std::chrono::nanoseconds, Error> finish_closing_by(
      Worker::Time until, const StopToken& stop);
  // What the calls have left behind since the last time: bits of LeftBehind.
  std::uint32_t take_left_behind() { return std::exchange(left_behind_, 0); }
  std::string take_left_over() override { return describe_left_behind(take_left_behind()); }
  bool is_pending() const { return worker_.is_pending(); }
  bool is_starting() const { return worker_.is_starting(); }
  std::optional<Worker::Time> rests_until(std::string_view call) const {
    return worker_.rests_until(call);
  }
  const WorkerState& state() const { return worker_.state(); }
  void take_back(winperf::Reply reply) override;
  // The next query gets a new process.
  void release() override { worker_.finish(); }
  void forget_losses() override { worker_.forget_losses(); }
  void set_stop(StopToken stop) override { stop_ = std::move(stop); }
  SourceHealth* health() override { return this; }
  std::vector<WorkerView*> workers() override { return {&worker_}; }

 private:
  std::unique_ptr<CounterSource> plain_;
  StopToken stop_;
  Bytes spare_;  // for the next block
  std::uint32_t left_behind_ = 0;
  Worker worker_;
};

}  // namespace winperf::worker
