#include "tests/service/run/captures_made.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <utility>

#include "config/log_files.h"
#include "service/run/captures.h"
#include "tests/collectors/recorder/recorded.h"
#include "tests/service/run/temp_folder.h"

namespace winperf::testing {
namespace {

CountersetState counterset_with(const std::string& name, const std::string& counter, double value) {
  auto schema =
      std::make_shared<CountersetSchema>(*schema_of({{.index = 2, .name = counter}}, false));
  schema->name = name;
  auto raw = make_raw_sample(schema, instances_named({}), at_second(1));
  raw->cooked = {value};
  return state_of(raw, instant_at(1), name);
}

}  // namespace

std::string captures_made(const Config& config) {
  const TempFolder temp;
  const CapturesConfig& wanted = config.recorder.captures;
  const auto folder = captures_folder_of(wanted, temp.path() / "w.yaml");
  Sample sample;
  sample.countersets = {counterset_with("a", "b", 5), counterset_with("c", "d", 7)};
  const auto latest = std::make_shared<const Sample>(std::move(sample));
  std::int64_t seconds = 0;
  ExporterRegistry registry({}, {});
  Captures captures({.sample = [&] { return latest; },
                     .make =
                         [&](const api::RecordingQuery& query, const StopToken&) {
                           seconds = (query.until.ticks - query.since.ticks) / kTicks100nsPerSecond;
                           return std::expected<RecordingFile, RecordingProblem>(
                               RecordingFile{.name = "PC-20261128T020000Z.zip", .bytes = "x"});
                         },
                     .prefix = "PC-"},
                    std::make_shared<Log>(LogLines{}, nullptr), system_clocks(), registry);
  captures.change(wanted, folder);
  captures.note_failure("a");
  captures.note_sample();
  captures.request_stop();
  if (!captures.end_by(std::chrono::steady_clock::now() + std::chrono::minutes(1))) return "late";
  std::string made;
  for (const CaptureFiles::File& file : CaptureFiles(folder, "PC-").files())
    made += folder.filename().string() + ' ' + std::string(name_of(file.name.reason)) + ' ' +
            std::to_string(seconds) + ' ';
  return made;
}

}  // namespace winperf::testing
