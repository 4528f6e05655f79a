#include "service/plan/source_choice.h"

#include <utility>

#include "collectors/base/path_text.h"
#include "collectors/blg/log_source.h"
#include "collectors/capture/archive.h"
#include "collectors/capture/replay_perflib.h"
#include "collectors/sources/platform.h"
#include "collectors/sources/replay.h"

namespace winperf {
namespace {
constexpr std::string_view kReplayPrefix = "replay:";
constexpr std::string_view kBlgPrefix = "blg:";

// Paths on the command line are UTF-8, on Windows too.
// What follows the prefix; nothing if the text does not begin with it or ends there.
std::optional<std::filesystem::path> path_after(std::string_view prefix, std::string_view text) {
  if (!text.starts_with(prefix) || text.size() == prefix.size()) return std::nullopt;
  return path_of(text.substr(prefix.size()));
}

std::expected<OpenedSource, std::string> open_blg(const std::filesystem::path& file) {
  auto log = blg::BlgSource::open(file);
  if (!log) {
    const bool is_archive = file.extension() == ".zip";
    return std::unexpected(
        log.error().text +
        (is_archive ? "; read a capture in an archive with replay:FILE.zip" : ""));
  }
  const blg::LogSummary& summary = log->front()->summary();
  OpenedSource opened{.source = nullptr,
                      .notice = blg::describe_losses(summary),
                      .is_incomplete = summary.is_incomplete()};
  if (auto countersets = log->front()->v2_countersets())
    opened.perflib = capture::replay_perflib(std::move(countersets));
  for (auto& machine : *log) opened.other_machines.push_back(std::move(machine));
  opened.source = std::move(opened.other_machines.front());
  opened.other_machines.erase(opened.other_machines.begin());
  return opened;
}
}  // namespace

std::expected<SourceChoice, std::string> parse_source_choice(std::string_view text) {
  if (text == "registry") return SourceChoice{};
  SourceChoice choice{.text = std::string(text),
                      .replay = path_after(kReplayPrefix, text),
                      .blg = path_after(kBlgPrefix, text)};
  if (choice.is_recorded()) return choice;
  return std::unexpected(
      "write \"registry\", \"replay:DIR\", \"replay:FILE.zip\" or \"blg:FILE\", not \"" +
      std::string(text) + "\"");
}

std::expected<OpenedSource, std::string> open_source(const SourceChoice& choice,
                                                     const LimitsConfig& limits) {
  if (choice.blg) return open_blg(*choice.blg);
  if (choice.replay) {
    auto folder = capture::open_capture(*choice.replay);
    if (!folder) {
      const bool is_log = choice.replay->extension() == ".blg";
      return std::unexpected(folder.error().text +
                             (is_log ? "; read a binary log of perfmon with blg:FILE" : ""));
    }
    auto replay = ReplaySource::open(*folder);
    if (!replay) return std::unexpected(replay.error().text);
    const auto samples = static_cast<std::uint32_t>((*replay)->sample_count());
    std::string notice = (*replay)->describe_gaps();
    return OpenedSource{.source = *std::move(replay),
                        .perflib = capture::replay_perflib(*folder, samples),
                        .notice = std::move(notice)};
  }
  auto registry =
      make_registry_source({.max_bytes = limits.max_reply_bytes, .max_time = limits.query_timeout});
  if (!registry) return std::unexpected(registry.error().text);
  return OpenedSource{.source = *std::move(registry), .notice = {}};
}

}  // namespace winperf
