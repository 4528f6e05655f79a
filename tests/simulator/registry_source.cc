#include "tests/simulator/registry_source.h"

#include <utility>

#include "collectors/base/stop.h"
#include "collectors/wire/text.h"

namespace winperf::simulator {

QueryCalls RegistrySource::calls_for(std::u16string name) {
  QueryCalls calls;
  calls.query = [this, name = std::move(name)](std::span<std::byte> buffer, std::size_t& size) {
    return face_.query_value(name, buffer, size);
  };
  calls.close = [this] { face_.close(); };
  return calls;
}

std::expected<winperf::Bytes, Error> RegistrySource::ask(std::string_view value_name,
                                                         StopToken stop) {
  return policy_.run(value_name, calls_for(to_utf16(value_name)), std::move(stop));
}

std::expected<std::size_t, Error> RegistrySource::query_in(const ReplyRoom& room,
                                                           std::string_view value_name,
                                                           StopToken stop) {
  return policy_.run_in(room, value_name, calls_for(to_utf16(value_name)), std::move(stop));
}

std::expected<Reply, Error> RegistrySource::query(std::string_view value_name, StopToken stop) {
  auto bytes = ask(value_name, std::move(stop));
  if (!bytes) return std::unexpected(bytes.error());
  Reply reply;
  reply.blocks.push_back(*std::move(bytes));
  return reply;
}

std::vector<std::expected<winperf::Bytes, Error>> RegistrySource::text_tables(TextTable table,
                                                                              Language language) {
  if (table == TextTable::kHelp) return {ask("Help 009", {})};
  return {ask(language == Language::kEnglish ? "Counter 009" : "Counter", {})};
}

}  // namespace winperf::simulator
