#include "collectors/worker/worker_source.h"

#include <utility>

#include "collectors/worker/reply_bytes.h"

namespace winperf::worker {

std::expected<winperf::Reply, Error> WorkerSource::query(std::string_view value_name,
                                                         StopToken stop) {
  if (const auto begun = begin(value_name, value_name, stop); !begun)
    return std::unexpected(begun.error());
  return finish_by(Worker::Time::max(), stop);
}

std::expected<void, Error> WorkerSource::begin(std::string_view value_name, std::string_view call,
                                               const StopToken& stop) {
  return worker_.begin({.operation = Operation::kQuery, .text = std::string(value_name)}, call,
                       stop);
}

std::expected<winperf::Reply, Error> WorkerSource::finish_by(Worker::Time until,
                                                             const StopToken& stop) {
  const auto reply = worker_.finish_by(until, stop);
  if (!reply) return std::unexpected(reply.error());
  left_behind_ |= reply->left_behind;
  auto block = copied(reply->parts.front(), where_of(Operation::kQuery), std::exchange(spare_, {}));
  if (!block) return std::unexpected(block.error());
  winperf::Reply answer;
  answer.blocks.push_back(*std::move(block));
  return answer;
}

std::expected<void, Error> WorkerSource::begin_closing(const StopToken& stop) {
  return worker_.begin({.operation = Operation::kRelease}, where_of(Operation::kRelease), stop);
}

std::expected<std::chrono::nanoseconds, Error> WorkerSource::finish_closing_by(
    Worker::Time until, const StopToken& stop) {
  const auto reply = worker_.finish_by(until, stop);
  if (!reply) return std::unexpected(reply.error());
  left_behind_ |= reply->left_behind;
  return reply->took;
}

void WorkerSource::take_back(winperf::Reply reply) {
  // A spare that is far too large for what is asked now isn't kept.
  constexpr std::size_t kMost = 4;
  for (Bytes& block : reply.blocks)
    if (block.capacity() / kMost <= block.size() && block.capacity() > spare_.capacity())
      spare_ = std::move(block);
}

std::vector<std::expected<Bytes, Error>> WorkerSource::text_tables(TextTable table,
                                                                   Language language) {
  const auto reply = worker_.call(
      {.operation = Operation::kTextTables,
       .numbers = {static_cast<std::uint32_t>(table), static_cast<std::uint32_t>(language)}},
      where_of(Operation::kTextTables), stop_);
  if (!reply) return {std::unexpected(reply.error())};
  std::vector<std::expected<Bytes, Error>> tables;
  for (const auto& part : reply->parts)
    tables.push_back(copied(part, where_of(Operation::kTextTables)));
  return tables;
}

}  // namespace winperf::worker
