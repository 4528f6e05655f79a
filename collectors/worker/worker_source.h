// A registry that is read by a worker process, this machine's or another one's: what CounterSource
// says holds here, and what a provider does to its process is an error of the one query.
//
// This machine's ordinary values, which run nobody else's code, don't come from the worker. Those
// of another one (whether it supports metadata, whether its providers have changed) are asked for
// at most once a minute, and only while the machine answers; everything that it says is a
// stranger's. Its worker connects when it is first asked, and keeps the handle; release() closes
// it.
// Errors, besides those of the source in the worker: those of Worker::call().
// Thread rule: one thread at a time; that of the worker, if it is shared.
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

// The calls of one source by a worker: one of its own for this machine, or one that it shares with
// the sources of other machines.
//
// A machine that doesn't answer costs the shared worker its process, and with it what the other
// machines had open there. So it does that once in a round: after a call that was lost, all others
// of the round fail at once, with the same error; so they do when it can't be connected to. Errors:
// those of Worker::call(). Thread rule: that of the worker.
class WorkerLink {
 public:
  explicit WorkerLink(WorkerOptions options)
      : worker_(std::make_shared<Worker>(std::move(options))) {}
  // `machine`: another one's name, in UTF-8.
  WorkerLink(std::shared_ptr<Worker> worker, std::string machine)
      : worker_(std::move(worker)), machine_(std::move(machine)) {}

  // As Worker::call(), about the link's machine.
  [[nodiscard]] std::expected<Reply, Error> call(Request request, std::string_view call,
                                                 const StopToken& stop);
  // What was lost in the round before is tried again.
  void begin_round() { loss_.reset(); }

  Worker& worker() const { return *worker_; }
  // Whether it is for another machine.
  bool is_shared() const { return !machine_.empty(); }
  // How many calls have cost the shared process.
  std::uint64_t losses() const { return losses_; }
  // Why the last call got nothing, if it did.
  const std::optional<Error>& failure() const { return failure_; }

 private:
  std::shared_ptr<Worker> worker_;
  std::string machine_;
  std::optional<Error> loss_;  // of this round, or why there is no connection
  std::uint64_t losses_ = 0;
  std::optional<Error> failure_;
};

class WorkerSource final : public CounterSource, public SourceHealth {
 public:
  using Now = std::function<std::chrono::steady_clock::time_point()>;
  static constexpr std::chrono::minutes kLookInterval{1};

  // This machine's. `plain`: the same registry in this process, for ordinary values; null if nobody
  // asks for them.
  WorkerSource(std::unique_ptr<CounterSource> plain, WorkerOptions options)
      : plain_(std::move(plain)), link_(std::make_shared<WorkerLink>(std::move(options))) {}
  // Another machine's.
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
  // The next query gets a new process, or another machine's a new handle.
  void release() override;
  // A round begins.
  void set_stop(StopToken stop) override;
  // Of a worker that is shared somebody else tells.
  SourceHealth* health() override { return link_->is_shared() ? nullptr : this; }
  std::vector<WorkerView*> workers() override { return {&worker()}; }
  std::string take_left_over() override { return describe_left_behind(take_left_behind()); }
  void forget_losses() override { worker().forget_losses(); }

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
  Worker& worker() const { return link_->worker(); }

 private:
  [[nodiscard]] std::expected<winperf::Reply, Error> block_of(
      const std::expected<Reply, Error>& reply);
  // Asks another machine for both values, if that is due.
  void look();

  std::unique_ptr<CounterSource> plain_;
  std::shared_ptr<WorkerLink> link_;
  StopToken stop_;
  Bytes spare_;  // for the next block
  std::uint32_t left_behind_ = 0;
  // Of another machine.
  Now now_;
  bool is_open_ = false;  // as far as its process runs
  bool answers_ = false;  // whether the last query was answered
  bool metadata_ = false;
  std::optional<std::uint64_t> first_generation_{};
  std::uint64_t generation_ = 0;  // since the first one, so that this is no change
  std::chrono::steady_clock::time_point look_again_{};
};

// PerfLib's countersets, asked of a worker process: this machine's, or another one's. A set lives
// in the process that opened it; in the next one it isn't open.
//
// An opened set crosses as one part: a structure for each request, in their order.
// Validated: that there is one for each, its state, and the error that it may have; that a list of
// countersets consists of whole GUIDs. The bytes are copied before anybody parses them.
// Errors, besides those of PerflibClient in the worker: those of Worker::call(); kWorkerReply.
// Thread rule: one thread at a time; that of the worker, if it is shared.
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

// Another machine's counters by both paths, read by one worker. Each has a link of its own: where
// one path is blocked, the other may answer.
struct RemoteMachine {
  std::unique_ptr<CounterSource> source;
  std::unique_ptr<PerflibSource> perflib;
  // The registry's says why the machine answers nothing.
  std::shared_ptr<const WorkerLink> registry_link;
  std::shared_ptr<const WorkerLink> perflib_link;

  // How many calls have cost the worker's process.
  std::uint64_t losses() const { return registry_link->losses() + perflib_link->losses(); }
};

// `host`: its name, in UTF-8.
[[nodiscard]] RemoteMachine remote_machine(const std::shared_ptr<Worker>& worker,
                                           const std::string& host, WorkerSource::Now now);

}  // namespace winperf::worker
