#include "collectors/remote/remote_source.h"

#include <span>

#include "collectors/worker/reply_bytes.h"

namespace winperf {

using worker::Operation;

worker::Request RemoteSource::request_of(Operation operation) const {
  return {.operation = operation, .input = link_->machine()};
}

std::expected<Reply, Error> RemoteSource::query(std::string_view value_name, StopToken stop) {
  worker::Request request = request_of(Operation::kQuery);
  request.text = value_name;
  const auto reply = link_->call(std::move(request), value_name, stop);
  answers_ = reply && reply->parts.front();
  if (!reply) return std::unexpected(reply.error());
  process_ = link_->generation();
  auto block = worker::copied(reply->parts.front(), worker::where_of(Operation::kQuery));
  if (!block) return std::unexpected(block.error());
  Reply answer;
  answer.blocks.push_back(*std::move(block));
  return answer;
}

std::vector<std::expected<Bytes, Error>> RemoteSource::text_tables(TextTable table,
                                                                   Language language) {
  worker::Request request = request_of(Operation::kTextTables);
  request.numbers = {static_cast<std::uint32_t>(table), static_cast<std::uint32_t>(language)};
  const char* const where = worker::where_of(request.operation);
  const auto reply = link_->call(std::move(request), where, stop_);
  if (!reply) return {std::unexpected(reply.error())};
  process_ = link_->generation();
  std::vector<std::expected<Bytes, Error>> tables;
  for (const auto& part : reply->parts) tables.push_back(worker::copied(part, where));
  return tables;
}

void RemoteSource::look() {
  if (now_() < look_again_) return;
  look_again_ = now_() + kLookInterval;
  const auto reply =
      link_->call(request_of(Operation::kInspect), worker::where_of(Operation::kInspect), stop_);
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

bool RemoteSource::supports_metadata() {
  look();
  return metadata_;
}

std::uint64_t RemoteSource::provider_generation() {
  if (answers_) look();
  return generation_;
}

void RemoteSource::release() {
  const bool is_open = process_ != 0 && link_->is_running() && link_->generation() == process_;
  process_ = 0;
  if (!is_open) return;
  // Without an answer, the process has ended, and the handle with it.
  static_cast<void>(
      link_->call(request_of(Operation::kRelease), worker::where_of(Operation::kRelease), stop_));
}

void RemoteSource::set_stop(StopToken stop) {
  stop_ = std::move(stop);
  link_->begin_round();
}

}  // namespace winperf
