// A source that a test fills: replies by value name, name tables, and a record of what was asked.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/base/stop.h"
#include "collectors/sources/source.h"
#include "tests/support/byte_writer.h"

namespace winperf::testing {

class FakeSource : public CounterSource, public SourceHealth {
 public:
  // Answers in turn; the last one stays.
  std::map<std::string, std::deque<std::expected<Bytes, Error>>, std::less<>> replies;
  std::optional<Reply> every_reply;  // answers every query instead
  std::vector<std::pair<std::uint32_t, std::u16string>> names;
  std::optional<Error> table_error;  // answers instead of the names
  std::vector<std::string> asked;
  std::uint64_t providers = 0;
  int releases = 0;
  std::string side_effects;  // once
  int taken_back = 0;
  StopToken stop;
  std::vector<WorkerView*> views;
  std::vector<ProviderState> hosted;
  std::vector<SharingNews> news;
  int forgotten = 0;  // losses
  const char* supplier = nullptr;
  int table_loads = 0;
  std::string named;
  bool live = false;

  std::string machine() const override { return named; }
  bool is_live() const override { return live; }
  std::expected<Reply, Error> query(std::string_view value_name, StopToken) override {
    asked.emplace_back(value_name);
    if (every_reply) return *every_reply;
    const auto found = replies.find(value_name);
    if (found == replies.end())
      return std::unexpected(Error{.code = ErrorCode::kOsError, .where = "fake", .os_code = 2});
    auto& queue = found->second;
    const auto answer = queue.front();
    if (queue.size() > 1) queue.pop_front();
    if (!answer) return std::unexpected(answer.error());
    return Reply{{*answer}};
  }

  std::vector<std::expected<Bytes, Error>> text_tables(TextTable table, Language) override {
    if (table == TextTable::kHelp) return {};
    ++table_loads;
    if (table_error) return {std::unexpected(*table_error)};
    ByteWriter out;
    const auto add = [&out](std::u16string_view text) { out.utf16(text).put(std::uint16_t{0}); };
    for (const auto& [index, name] : names) {
      const std::string digits = std::to_string(index);
      add(std::u16string(digits.begin(), digits.end()));
      add(name);
    }
    out.put(std::uint16_t{0});
    return {std::move(out).take()};
  }

  bool supports_metadata() override { return false; }
  std::uint64_t provider_generation() override { return providers; }
  void release() override { ++releases; }
  std::string take_side_effect_text() override { return std::exchange(side_effects, {}); }
  void take_back(Reply) override { ++taken_back; }
  void set_stop(StopToken token) override { stop = std::move(token); }
  SourceHealth* health() override { return this; }
  std::vector<WorkerView*> workers() override { return views; }
  std::vector<ProviderState> provider_states() override { return hosted; }
  std::vector<SharingNews> take_sharing_news() override { return std::exchange(news, {}); }
  void forget_losses() override { ++forgotten; }
  const char* supplier_of(ObjectIndex) override { return supplier; }
};

}  // namespace winperf::testing
