#include "collectors/worker/worker_source.h"

#include <new>

namespace winperf::worker {
namespace {

// The one copy: what the worker could still change is never parsed.
std::expected<Bytes, Error> copied(const std::expected<std::span<const std::byte>, Error>& part) {
  if (!part) return std::unexpected(part.error());
  try {
    return Bytes(part->begin(), part->end());
  } catch (const std::bad_alloc&) {
    return std::unexpected(Error{.code = ErrorCode::kBufferLimit,
                                 .where = where_of(Operation::kQuery),
                                 .actual = part->size()});
  }
}

}  // namespace

std::expected<winperf::Reply, Error> WorkerSource::query(std::string_view value_name,
                                                         StopToken stop) {
  const auto reply =
      worker_.call({.operation = Operation::kQuery, .text = value_name}, value_name, stop);
  if (!reply) return std::unexpected(reply.error());
  auto block = copied(reply->parts.front());
  if (!block) return std::unexpected(block.error());
  winperf::Reply answer;
  answer.blocks.push_back(*std::move(block));
  return answer;
}

std::vector<std::expected<Bytes, Error>> WorkerSource::text_tables(TextTable table,
                                                                   Language language) {
  const auto reply = worker_.call(
      {.operation = Operation::kTextTables,
       .numbers = {static_cast<std::uint32_t>(table), static_cast<std::uint32_t>(language)}},
      where_of(Operation::kTextTables), stop_);
  if (!reply) return {std::unexpected(reply.error())};
  std::vector<std::expected<Bytes, Error>> tables;
  for (const auto& part : reply->parts) tables.push_back(copied(part));
  return tables;
}

}  // namespace winperf::worker
