#include "collectors/provider/provider_source.h"

#include <algorithm>

#include "collectors/base/ascii.h"
#include "collectors/base/os_code.h"
#include "collectors/provider/block_head.h"

namespace winperf {

std::expected<void, Error> ProviderSource::find_provider() {
  if (provider_) return {};
  for (ProviderRegistration& registration : machine_->registrations()) {
    if (ascii_lower(registration.service) != ascii_lower(service_)) continue;
    provider_.emplace(*machine_, std::move(registration));
    return {};
  }
  return std::unexpected(Error{.code = ErrorCode::kNotRegistered, .where = "provider"});
}

std::expected<std::size_t, Error> ProviderSource::fill(std::string_view value_name,
                                                       std::span<std::byte> buffer) {
  const std::u16string name = machine_->computer_name();
  const std::size_t head = block_head_bytes(name);
  if (buffer.size() < head)
    return std::unexpected(Error{.code = ErrorCode::kBufferLimit, .where = "provider.collect"});
  const BlockMoment moment = machine_->now();
  const auto objects = provider_->collect(value_name, buffer.size() - head);
  if (!objects) return std::unexpected(objects.error());
  std::ranges::copy(objects->bytes, buffer.subspan(head).begin());
  const std::size_t size = head + objects->bytes.size();
  write_block_head(buffer.first(size), moment, name, objects->count);
  return size;
}

// The policy knows the system's codes; what else was wrong is kept beside it.
template <class Run>
auto ProviderSource::ask(std::string_view value_name, const Run& run)
    -> std::invoke_result_t<Run, QueryCalls> {
  if (const auto found = find_provider(); !found) return std::unexpected(found.error());
  std::optional<Error> wrong;
  QueryCalls calls;
  calls.query = [&](std::span<std::byte> buffer, std::size_t& size) {
    const auto filled = fill(value_name, buffer);
    if (filled) size = *filled;
    if (filled) return value_of(OsCode::kSuccess);
    if (filled.error().code == ErrorCode::kBufferLimit) return value_of(OsCode::kMoreData);
    wrong = filled.error();
    return value_of(OsCode::kInvalidData);
  };
  calls.close = [this] { provider_->close(); };
  auto result = run(calls);
  if (!result && wrong) return std::unexpected(*wrong);
  return result;
}

std::expected<Reply, Error> ProviderSource::query(std::string_view value_name, StopToken stop) {
  auto block = ask(value_name, [&](const QueryCalls& calls) {
    return policy_.run(value_name, calls, std::move(stop));
  });
  if (!block) return std::unexpected(block.error());
  Reply reply;
  reply.blocks.push_back(*std::move(block));
  return reply;
}

std::expected<std::size_t, Error> ProviderSource::query_in(const ReplyRoom& room,
                                                           std::string_view value_name,
                                                           StopToken stop) {
  return ask(value_name, [&](const QueryCalls& calls) {
    return policy_.run_in(room, value_name, calls, std::move(stop));
  });
}

std::vector<std::expected<Bytes, Error>> ProviderSource::text_tables(TextTable, Language) {
  return {std::unexpected(Error{.code = ErrorCode::kUnsupported, .where = "provider.text_tables"})};
}

}  // namespace winperf
