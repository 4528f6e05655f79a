#include "collectors/sources/source.h"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "collectors/base/file_failure.h"

namespace winperf {

std::expected<Reply, Error> reply_of(std::expected<Bytes, Error> block) {
  if (!block) return std::unexpected(block.error());
  Reply reply;
  reply.blocks.push_back(*std::move(block));
  return reply;
}

std::uint64_t size_of(const Reply& reply) {
  std::uint64_t bytes = reply.logged_bytes;
  for (const Bytes& block : reply.blocks) bytes += block.size();
  return bytes;
}

std::optional<Error> reason_of(const Reply& reply, std::span<const ObjectIndex> objects) {
  std::optional<Error> awaited;
  for (const MissingObject& missing : reply.missing) {
    if (std::ranges::find(objects, missing.object) != objects.end()) return missing.reason;
    if (missing.object == ObjectIndex{} && missing.reason.code == ErrorCode::kPending)
      awaited = missing.reason;
  }
  return awaited;
}

std::expected<std::size_t, Error> CounterSource::query_in(const ReplyRoom& room,
                                                          std::string_view value_name,
                                                          StopToken stop) {
  const auto reply = query(value_name, std::move(stop));
  if (!reply) return std::unexpected(reply.error());
  if (reply->blocks.size() != 1)
    return std::unexpected(Error{.code = ErrorCode::kUnsupported, .where = "source.query_in"});
  const Bytes& block = reply->blocks.front();
  const Error too_large{.code = ErrorCode::kBufferLimit,
                        .where = "source.query_in",
                        .actual = block.size(),
                        .limit = room.size()};
  if (block.size() > room.size()) return std::unexpected(too_large);
  try {
    std::ranges::copy(block, room.first(block.size()).begin());
  } catch (const std::bad_alloc&) {
    return std::unexpected(too_large);
  }
  return block.size();
}

Error with_supplier(Error error, const char* supplier) {
  if (supplier == nullptr) return error;
  error.where = kept_text(std::string(supplier) + " in " + error.where, supplier);
  return error;
}

}  // namespace winperf
