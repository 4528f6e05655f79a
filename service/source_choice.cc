#include "service/source_choice.h"

#include "collectors/sources/registry.h"
#include "collectors/sources/replay.h"

namespace winperf {
namespace {
constexpr std::string_view kReplayPrefix = "replay:";

// Paths of the command line are UTF-8, on Windows too.
std::filesystem::path path_of(std::string_view utf8) {
  return std::u8string(utf8.begin(), utf8.end());
}
}  // namespace

std::expected<SourceChoice, std::string> parse_source_choice(std::string_view text) {
  if (text == "registry") return SourceChoice{};
  if (text.starts_with(kReplayPrefix) && text.size() > kReplayPrefix.size())
    return SourceChoice{.replay = path_of(text.substr(kReplayPrefix.size()))};
  return std::unexpected("--source is \"registry\" or \"replay:DIR\", not \"" + std::string(text) +
                         "\"");
}

std::expected<std::unique_ptr<CounterSource>, std::string> open_source(const SourceChoice& choice,
                                                                       const LimitsConfig& limits) {
  if (choice.replay) {
    auto replay = ReplaySource::open(*choice.replay);
    if (!replay) return std::unexpected(replay.error().text);
    return std::move(*replay);
  }
  auto registry =
      make_registry_source({.max_bytes = limits.max_reply_bytes, .max_time = limits.query_timeout});
  if (!registry) return std::unexpected(registry.error().text);
  return std::move(*registry);
}

}  // namespace winperf
