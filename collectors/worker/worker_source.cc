#include "collectors/worker/worker_source.h"

#include <algorithm>
#include <utility>

#include "collectors/sources/platform.h"
#include "collectors/worker/frame.h"
#include "collectors/worker/worker_perflib.h"

namespace winperf::worker {
namespace {

// Nothing if any part of the reply has come, or none was needed.
std::optional<Error> failure_of(const std::expected<Reply, Error>& reply) {
  if (!reply) return reply.error();
  const auto failed = [](const auto& part) { return !part; };
  if (reply->parts.empty() || !std::ranges::all_of(reply->parts, failed)) return std::nullopt;
  return reply->parts.front().error();
}

}  // namespace

std::expected<Reply, Error> WorkerLink::call(Request request, std::string_view call,
                                             const StopToken& stop) {
  if (!is_shared()) return worker_->call(std::move(request), call, stop);
  if (loss_) return std::unexpected(*loss_);
  request.whose = machine_;
  const std::uint64_t before = lost_processes(worker_->state());
  // Machines differ in how long they take.
  auto reply = worker_->call(std::move(request), machine_ + ' ' + std::string(call), stop);
  // A process that doesn't come up says nothing about the machine.
  const bool has_no_worker = !reply && is_of_start(reply.error().code);
  const bool is_lost = !reply && !has_no_worker && lost_processes(worker_->state()) != before;
  losses_ += is_lost ? 1U : 0U;
  failure_ = failure_of(reply);
  if (is_lost || has_no_worker || (failure_ && std::string_view(failure_->where) == kConnecting))
    loss_ = failure_;
  return reply;
}

std::expected<winperf::Reply, Error> WorkerSource::query(std::string_view value_name,
                                                         StopToken stop) {
  const auto reply = link_->call({.operation = Operation::kQuery, .text = std::string(value_name)},
                                 value_name, stop);
  is_open_ |= reply.has_value();
  answers_ = reply && reply->parts.front();
  return block_of(reply);
}

std::expected<void, Error> WorkerSource::begin(std::string_view value_name, std::string_view call,
                                               const StopToken& stop) {
  return worker().begin({.operation = Operation::kQuery, .text = std::string(value_name)}, call,
                        stop);
}

std::expected<winperf::Reply, Error> WorkerSource::finish_by(Worker::Time until,
                                                             const StopToken& stop) {
  return block_of(worker().finish_by(until, stop));
}

std::expected<winperf::Reply, Error> WorkerSource::block_of(
    const std::expected<Reply, Error>& reply) {
  if (!reply) return std::unexpected(reply.error());
  left_behind_ |= reply->left_behind;
  return reply_of(
      copied(reply->parts.front(), where_of(Operation::kQuery), std::exchange(spare_, {})));
}

std::expected<void, Error> WorkerSource::begin_closing(const StopToken& stop) {
  return worker().begin({.operation = Operation::kRelease}, where_of(Operation::kRelease), stop);
}

std::expected<std::chrono::nanoseconds, Error> WorkerSource::finish_closing_by(
    Worker::Time until, const StopToken& stop) {
  const auto reply = worker().finish_by(until, stop);
  if (!reply) return std::unexpected(reply.error());
  left_behind_ |= reply->left_behind;
  return reply->took;
}

void WorkerSource::take_back(winperf::Reply reply) {
  // A spare that is far too large for what is asked now isn't kept.
  constexpr std::size_t kMost = 4;
  for (Bytes& block : reply.blocks.take_bytes())
    if (block.capacity() / kMost <= block.size() && block.capacity() > spare_.capacity())
      spare_ = std::move(block);
}

std::vector<std::expected<Bytes, Error>> WorkerSource::text_tables(TextTable table,
                                                                   Language language) {
  const char* const where = where_of(Operation::kTextTables);
  const auto reply = link_->call(
      {.operation = Operation::kTextTables,
       .numbers = {static_cast<std::uint32_t>(table), static_cast<std::uint32_t>(language)}},
      where, stop_);
  if (!reply) return {std::unexpected(reply.error())};
  is_open_ = true;
  std::vector<std::expected<Bytes, Error>> tables;
  for (const auto& part : reply->parts) tables.push_back(copied(part, where));
  return tables;
}

void WorkerSource::look() {
  if (now_() < look_again_) return;
  look_again_ = now_() + kLookInterval;
  const auto reply =
      link_->call({.operation = Operation::kInspect}, where_of(Operation::kInspect), stop_);
  if (!reply || reply->parts.size() != 1 || !reply->parts.front() ||
      reply->parts.front()->size() != 1)
    return;
  // The byte may be changed while it is looked at; either value is one.
  metadata_ = reply->parts.front()->front() != std::byte{};
  // 0: the machine didn't tell.
  if (reply->number == 0) return;
  if (!first_generation_) first_generation_ = reply->number;
  generation_ = reply->number - *first_generation_;
}

bool WorkerSource::supports_metadata() {
  if (plain_) return plain_->supports_metadata();
  look();
  return metadata_;
}

std::uint64_t WorkerSource::provider_generation() {
  if (plain_) return plain_->provider_generation();
  if (answers_) look();
  return generation_;
}

void WorkerSource::release() {
  if (!link_->is_shared()) return worker().finish();
  const bool has_process = worker().is_running();
  if (!std::exchange(is_open_, false) || !has_process) return;
  // Without an answer, the process has ended, and the handle with it.
  static_cast<void>(
      link_->call({.operation = Operation::kRelease}, where_of(Operation::kRelease), stop_));
}

void WorkerSource::set_stop(StopToken stop) {
  stop_ = std::move(stop);
  link_->begin_round();
}

RemoteMachine remote_machine(const std::shared_ptr<Worker>& worker, const std::string& host,
                             WorkerSource::Now now) {
  auto registry = std::make_shared<WorkerLink>(worker, host);
  auto perflib = std::make_shared<WorkerLink>(worker, host);
  return {.source = std::make_unique<WorkerSource>(registry, std::move(now)),
          .perflib = std::make_unique<WorkerPerflib>(perflib),
          .registry_link = registry,
          .perflib_link = perflib};
}

}  // namespace winperf::worker
