// A registry that is read by a worker process, of this machine or of a target. The contract of
// CounterSource holds; a fault of a provider is an error of one query only.
//
// Ordinary values of this machine, which run no third-party code, don't come from the worker. Those
// of a target (metadata support, changes of its providers) are read at most once a minute, and only
// while it answers; its data is untrusted. Its worker connects on the first request, and keeps the
// handle; release() closes it. Errors, in addition to those of the source in the worker: those of
// Worker::call(). Thread rule: one thread at a time; that of the worker, if it is shared.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/sources/perflib_source.h"
#include "collectors/sources/source.h"
#include "collectors/worker/frame.h"
#include "collectors/worker/worker.h"

namespace winperf::worker {

// The calls of one source by a worker: a separate one for this machine, or one that the sources of
// several targets share.
//
// A target that doesn't answer costs the shared worker its process, and the other targets their
// open handles. So that happens once per round at most: after a lost call, or a failed connection,
// all other calls of the round fail immediately with the same error. Errors: those of
// Worker::call(). Thread rule: that of the worker.
class WorkerLink {
 public:
  explicit WorkerLink(WorkerOptions options)
      : worker_(std::make_shared<Worker>(std::move(options))) {}
  // `machine`: the target's name, in UTF-8.
  WorkerLink(std::shared_ptr<Worker> worker, std::string machine)
      : worker_(std::move(worker)), machine_(std::move(machine)) {}

  // Like Worker::call(), for the link's machine.
  [[nodiscard]] std::expected<Reply, Error> call(Request request, std::string_view call,
                                                 const StopToken& stop);
  // Allows retries after a loss in the previous round.
  void begin_round() { loss_.reset(); }

  Worker& worker() const { return *worker_; }
  // Whether it is for a target.
  bool is_shared() const { return !machine_.empty(); }
  // The number of calls that cost the shared process.
  std::uint64_t losses() const { return losses_; }
  // The error of the last call, if it failed.
  const std::optional<Error>& failure() const { return failure_; }

 private:
  std::shared_ptr<Worker> worker_;
  std::string machine_;
  std::optional<Error> loss_;  // of this round, or of the connection
  std::uint64_t losses_ = 0;
  std::optional<Error> failure_;
};

class WorkerSource final : public CounterSource, public SourceHealth {
 public:
  using Now = std::function<std::chrono::steady_clock::time_point()>;
  static constexpr std::chrono::minutes kReadInterval{1};

  // For this machine. `plain`: the same registry in this process, for ordinary values; null if they
  // aren't needed.
  WorkerSource(std::unique_ptr<CounterSource> plain, WorkerOptions options)
      : plain_(std::move(plain)), link_(std::make_shared<WorkerLink>(std::move(options))) {}
  // For a target.
  WorkerSource(std::shared_ptr<WorkerLink> link, Now now)
      : link_(std::move(link)), now_(std::move(now)) {}

  bool is_live() const override { return !plain_ || plain_->is_live(); }
  std::string machine() const override { return plain_ ? plain_->machine() : ""; }
  [[nodiscard]] std::expected<winperf::Reply, Error> query(std::string_view value_name,
                                                           StopToken stop) override;
  [[nodiscard]] std::vector<std::expected<Bytes, Error>> text_tables(TextTable table,
                                                                     Language language) override;
  bool supports_metadata() override;
  std::uint64_t provider_generation() override;
  void take_back(winperf::Reply reply) override;
  // The next query gets a new process; for a target, a new handle.
  void release() override;
  // A round begins.
  void set_stop(StopToken stop) override;
  // A shared worker is reported by its owner.
  SourceHealth* health() override { return link_->is_shared() ? nullptr : this; }
  std::vector<WorkerView*> workers() override { return {&worker()}; }
  std::string take_side_effect_text() override {
    return describe_side_effects(take_side_effects());
  }
  void forget_losses() override { worker().forget_losses(); }

  // A query in two steps, see Worker. `call`: the name that determines the deadline.
  [[nodiscard]] std::expected<void, Error> begin(std::string_view value_name, std::string_view call,
                                                 const StopToken& stop);
  [[nodiscard]] std::expected<winperf::Reply, Error> finish_by(Worker::Time until,
                                                               const StopToken& stop);
  // Closes its providers; the next query opens them again. Also in two steps; returns the duration.
  [[nodiscard]] std::expected<void, Error> begin_closing(const StopToken& stop);
  [[nodiscard]] std::expected<std::chrono::nanoseconds, Error> finish_closing_by(
      Worker::Time until, const StopToken& stop);
  // The SideEffect bits of the calls since the last time.
  std::uint32_t take_side_effects() { return std::exchange(side_effects_, 0); }
  Worker& worker() const { return link_->worker(); }

 private:
  [[nodiscard]] std::expected<winperf::Reply, Error> block_of(
      const std::expected<Reply, Error>& reply);
  // Reads both values from the target, if due.
  void read_machine_values();

  std::unique_ptr<CounterSource> plain_;
  std::shared_ptr<WorkerLink> link_;
  StopToken stop_;
  Bytes spare_;               // for the next block
  ReplyBlocks spare_blocks_;  // empty, for the next reply
  std::uint32_t side_effects_ = 0;
  // For a target.
  Now now_;
  bool is_open_ = false;  // if its process runs
  bool answers_ = false;  // whether the last query was answered
  bool metadata_ = false;
  std::optional<std::uint64_t> first_generation_{};
  std::uint64_t generation_ = 0;  // changed since the first one, which doesn't count as a change
  std::chrono::steady_clock::time_point next_read_at_{};
};

// PerfLib's countersets, read by a worker process, of this machine or of a target. A set belongs to
// the process that opened it, and isn't open in the next one.
//
// An opened set is sent as one part: a structure for each request, in order. Validated: their
// number, states and errors; that a list of countersets consists of whole GUIDs. The bytes are
// copied before they are parsed. Errors, in addition to those of PerflibClient in the worker: those
// of Worker::call(); kWorkerReply. Thread rule: one thread at a time; that of the worker, if it is
// shared.
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
  // A shared worker is reported by its owner.
  WorkerView* worker() override { return link_->is_shared() ? nullptr : &link_->worker(); }
  void set_stop(StopToken stop) override {
    stop_ = std::move(stop);
    link_->begin_round();
  }

 private:
  // `asked`: together with the operation, the name that determines the deadline.
  [[nodiscard]] std::expected<Bytes, Error> ask(Request request, const std::string& asked = {});

  std::shared_ptr<WorkerLink> link_;
  StopToken stop_;
  // The requests of each open set, in an order that doesn't depend on when they were added, so that
  // the same set keeps its history across processes.
  std::map<PerflibSet, std::string> wanted_;
};

// For the worker.
void write_places(ReplyWriter& reply, const std::vector<ResultPlace>& places);
// For the parent. `count`: of the requests.
[[nodiscard]] std::expected<std::vector<ResultPlace>, Error> read_places(
    std::span<const std::byte> part, std::size_t count);
[[nodiscard]] std::expected<std::vector<Guid>, Error> read_guids(std::span<const std::byte> part);

// A target's counters by both paths, read by one worker. Each path has a separate link: if one is
// blocked, the other may answer.
struct RemoteMachine {
  std::unique_ptr<CounterSource> source;
  std::unique_ptr<PerflibSource> perflib;
  // Its error explains why the target doesn't answer.
  std::shared_ptr<const WorkerLink> registry_link;
  std::shared_ptr<const WorkerLink> perflib_link;

  // The number of calls that cost the worker's process.
  std::uint64_t losses() const { return registry_link->losses() + perflib_link->losses(); }
};

// `host`: its name, in UTF-8.
[[nodiscard]] RemoteMachine remote_machine(const std::shared_ptr<Worker>& worker,
                                           const std::string& host, WorkerSource::Now now);

}  // namespace winperf::worker
