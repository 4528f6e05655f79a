#include "service/run/recording.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/capture/archive.h"
#include "collectors/capture/history_capture.h"
#include "collectors/capture/recorder.h"
#include "collectors/wire/text.h"
#include "exporter/http/socket.h"
#include "exporter/json/json_text.h"
#include "service/console/machine_description.h"
#include "service/console/version.h"

namespace winperf {
namespace {

using Json = nlohmann::ordered_json;

std::string time_text(Ticks100ns time) {
  std::string text;
  json::append_time(text, time);
  return Json::parse(text);
}

// Its name in names of files.
std::string plain_name(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return !is_letter(c) && !(c >= '0' && c <= '9') && c != '-' && c != '.'; },
      '_');
  return name;
}

std::string manifest(const api::RecordingQuery& query, const std::string& system,
                     const capture::CaptureSummary& summary) {
  Json countersets = Json::array();
  for (const capture::CapturedCounterset& counterset : summary.countersets)
    countersets.push_back({{"name", counterset.name},
                           {"samples", counterset.samples},
                           {"first", time_text(counterset.first)},
                           {"last", time_text(counterset.last)}});
  const Json document{
      {"format", 1},
      {"recorded_by", std::string("winperf_exporter ") + kVersion + " (" + kRevision + ", " +
                          kOperatingSystem + " " + kArchitecture + ")"},
      {"system", system.empty() ? Json() : Json(system)},
      {"ended_at", time_text(query.until)},
      {"scrubbed", query.scrub},
      {"source", "recorder"},
      {"since", time_text(query.since)},
      {"samples", summary.samples},
      {"v2_countersets", summary.v2_countersets},
      {"countersets", std::move(countersets)},
      {"left_out", "counters, instances and countersets that the configuration does not sample"},
      {"problems", summary.problems}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

// Puts files into an archive until it is too large.
class LimitedArchive {
 public:
  explicit LimitedArchive(const RecordingLimits& limits) : limits_(limits) {}

  std::expected<void, std::string> put(std::string_view name, std::span<const std::byte> bytes) {
    plain_ += bytes.size();
    if (plain_ <= limits_.plain_bytes && archive_.has_room_for(bytes.size())) {
      archive_.add(name, bytes);
      is_full_ = archive_.bytes() > limits_.packed_bytes;
    } else {
      is_full_ = true;
    }
    if (is_full_) return std::unexpected(std::string("it is too large"));
    return {};
  }
  bool is_full() const { return is_full_; }

  SharedText finish() {
    const std::vector<std::byte> bytes = archive_.finish();
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }

 private:
  const RecordingLimits limits_;
  capture::ArchiveWriter archive_;
  std::uint64_t plain_ = 0;
  bool is_full_ = false;
};

std::optional<api::Problem> unknown_counterset(const recorder::History& history,
                                               const api::RecordingQuery& query) {
  std::vector<std::string_view> names;
  for (const auto& track : history.tracks) names.push_back(track->name);
  for (const std::string& wanted : query.countersets)
    if (std::ranges::none_of(names,
                             [&](std::string_view name) { return equal_names(name, wanted); }))
      return api::unknown_name("counterset", wanted, " is not recorded", names);
  return std::nullopt;
}

api::Problem too_large(const RecordingLimits& limits) {
  constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20U;
  return api::wrong_parameter(
      "since", "must be later, or select fewer countersets: the recording would be larger than " +
                   std::to_string(limits.packed_bytes / kMebibyte) + " MiB, or " +
                   std::to_string(limits.plain_bytes / kMebibyte) + " MiB uncompressed");
}

// Instances may be named after the whole name, or only after the machine's part of it.
void learn_host(capture::Scrubber& scrubber, const std::string& host) {
  if (host.empty()) return;
  scrubber.learn(to_utf16(host));
  if (const std::size_t dot = host.find('.'); dot != host.npos && dot != 0)
    scrubber.learn(to_utf16(host.substr(0, dot)));
}

std::string name_of_computer(const RecordedMachine& whose) {
  if (!whose.is_this) return whose.target;
  const auto names = names_of_this_machine();
  return names.empty() ? std::string() : names.back();
}

}  // namespace

std::string recording_prefix(const RecordedMachine& whose) {
  const std::string computer = name_of_computer(whose);
  return (computer.empty() ? "winperf" : plain_name(computer)) + '-';
}

std::string compact_time(Ticks100ns time) {
  std::string text = time_text(time);
  text = text.substr(0, text.find('.'));
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text + 'Z';
}

std::expected<RecordingFile, RecordingProblem> make_recording(const recorder::History& history,
                                                              const api::RecordingQuery& query,
                                                              const RecordedMachine& whose,
                                                              const RecordingLimits& limits,
                                                              const StopToken& stop) {
  constexpr int kUnavailable = 503;
  constexpr int kInternalError = 500;
  if (auto problem = unknown_counterset(history, query))
    return std::unexpected(RecordingProblem{*problem});
  const auto machine = whose.is_this ? describe_this_machine() : MachineDescription();
  const std::string computer = name_of_computer(whose);
  capture::Scrubber scrubber;
  for (const std::u16string& name : machine.names) scrubber.learn(name);
  learn_host(scrubber, whose.target);
  LimitedArchive archive(limits);
  const capture::PutFile put = [&](std::string_view name, std::span<const std::byte> bytes) {
    return archive.put(name, bytes);
  };
  auto done = capture::capture_history(history,
                                       {.since = query.since,
                                        .until = query.until,
                                        .countersets = query.countersets,
                                        .computer = computer,
                                        .stop = stop},
                                       query.scrub ? &scrubber : nullptr, put);
  if (done && done->samples == 0)
    return std::unexpected(RecordingProblem{
        api::wrong_parameter("since", "must be earlier: nothing was recorded at that time")});
  if (done) {
    const std::string text = manifest(query, machine.system, *done);
    if (auto stored = put(capture::kManifest, std::as_bytes(std::span(text))); !stored)
      done = std::unexpected(stored.error());
  }
  if (!done && archive.is_full()) return std::unexpected(RecordingProblem{too_large(limits), true});
  if (!done)
    return std::unexpected(RecordingProblem{
        {.status = stop.stop_requested() ? kUnavailable : kInternalError, .detail = done.error()}});
  return RecordingFile{.name = (query.scrub ? "winperf-" : recording_prefix(whose)) +
                               compact_time(query.until) + ".zip",
                       .bytes = archive.finish()};
}

}  // namespace winperf
