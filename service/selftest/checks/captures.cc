// A capture of this machine, which tests elsewhere replay.
#include <string>
#include <vector>

#include "collectors/base/path_text.h"
#include "collectors/base/whole_file.h"
#include "collectors/base/wording.h"
#include "collectors/capture/archive.h"
#include "service/selftest/command_answer.h"
#include "service/selftest/program.h"

namespace winperf::selftest {
namespace {

constexpr std::chrono::minutes kCaptureDeadline{10};
constexpr std::chrono::minutes kReplayDeadline{5};
constexpr std::uint64_t kMaxCaptureBytes = std::uint64_t{192} << 20U;

struct TakenCapture {
  std::filesystem::path file;
  std::vector<std::byte> bytes;
};

std::expected<TakenCapture, std::string> take_capture(CheckRun& run) {
  run.tell("recording three samples");
  TakenCapture taken{.file = run.folder / "captures.zip", .bytes = {}};
  ProgramCall call{.program = run.program,
                   .words = {"capture", "--out", path_text(taken.file), "--samples", "3",
                             "--interval", "2s", "--max-bytes", std::to_string(kMaxCaptureBytes)},
                   .folder = run.folder,
                   .deadline = kCaptureDeadline};
  if (run.settings.scrub) call.words.emplace_back("--scrub");
  const auto end = run_program(call, run.stop);
  if (!end) return std::unexpected("the capture: " + end.error());
  if (end->exit_code != 0) return std::unexpected("the capture: " + describe(*end));
  auto bytes = read_whole_file(taken.file, kMaxCaptureBytes);
  if (!bytes) return std::unexpected("the capture cannot be read: " + bytes.error().reason);
  taken.bytes = *std::move(bytes);
  return taken;
}

// What the capture says about itself.
void judge_manifest(const TakenCapture& taken, CheckReport& report) {
  const auto archive = capture::open_archive(Bytes(taken.bytes), "the capture");
  if (!archive) {
    add_finding(report, {.sentence = "the capture is no archive: " + archive.error().text});
    return;
  }
  const auto manifest = (*archive)->read("capture.json", "selftest.capture");
  if (!manifest) {
    add_finding(report, {.sentence = "the capture has no capture.json"});
    return;
  }
  const std::string_view text(reinterpret_cast<const char*>(manifest->data()), manifest->size());
  const auto document = nlohmann::json::parse(text, nullptr, false);
  for (const nlohmann::json& problem : list_of(document, "problems"))
    if (problem.is_string())
      add_finding(report, {.sentence = "missing in the capture: " + problem.get<std::string>()});
  for (const char* const key : {"samples", "v2_countersets", "scrubbed"})
    report.data[key] = member_of(document, key);
}

void judge_replay(CheckRun& run, const TakenCapture& taken, CheckReport& report) {
  run.tell("reading the capture again");
  const std::string source = "replay:" + path_text(taken.file);
  const auto list =
      ask_program(run, {"list", "--source", source, "--format", "json"}, kReplayDeadline);
  if (!list) {
    add_finding(report, {.sentence = "the capture cannot be replayed: " + list.error().sentence});
    return;
  }
  const std::size_t countersets = list_of(list->document, "countersets").size();
  report.data["countersets in it"] = countersets;
  if (countersets == 0) add_finding(report, {.sentence = "there is no counterset in the capture"});
}

CheckReport make_capture(CheckRun& run) {
  auto taken = take_capture(run);
  if (run.stop.stop_requested()) return report_of(Verdict::kBroken, "the selftest was stopped");
  if (!taken) return report_of(Verdict::kBroken, taken.error());
  CheckReport report;
  judge_manifest(*taken, report);
  judge_replay(run, *taken, report);
  if (run.stop.stop_requested()) return report_of(Verdict::kBroken, "the selftest was stopped");
  report.data["bytes"] = taken->bytes.size();
  conclude(report, "a capture of " + counted(taken->bytes.size(), "byte"));
  // Scrubbed by the command itself: it isn't text.
  report.files.push_back(
      {.name = "captures.zip", .bytes = std::move(taken->bytes), .is_text = false});
  return report;
}

}  // namespace

SelfCheck captures_check() {
  return {.id = "captures",
          .title = "Capture",
          .does = "records three samples of all raw counters, which go into the report",
          .takes = std::chrono::seconds(15),
          .run = make_capture};
}

}  // namespace winperf::selftest
