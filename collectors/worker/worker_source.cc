#include "collectors/worker/worker_source.h"

#include <utility>

#include "collectors/worker/frame.h"
#include "collectors/worker/worker_perflib.h"

namespace winperf::worker {

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
  auto block = copied(reply->parts.front(), where_of(Operation::kQuery), std::exchange(spare_, {}));
  if (!block) return std::unexpected(block.error());
  winperf::Reply answer;
  answer.blocks.push_back(*std::move(block));
  return answer;
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
