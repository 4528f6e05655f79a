#include "tests/service/selftest/recorded_report.h"

#include <algorithm>
#include <map>
#include <span>
#include <system_error>
#include <utility>

#include "collectors/base/path_text.h"
#include "collectors/capture/archive.h"
#include "collectors/sampler/path_verifier.h"
#include "collectors/sampling/rounds.h"
#include "tests/collectors/capture/replayed_samples.h"
#include "tests/support/block_digest.h"

namespace winperf::testing {
namespace {

constexpr char kPlace[] = "report";

std::string text_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string member_text(const nlohmann::json& document, const char* name) {
  const auto found = document.find(name);
  return found != document.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// Each file that a check says it has brought must be there.
std::string missing_file(const nlohmann::json& checks, const std::vector<std::string>& names) {
  for (const nlohmann::json& check : checks) {
    if (!check.is_object() || !check.contains("files") || !check["files"].is_array()) continue;
    for (const nlohmann::json& file : check["files"])
      if (file.is_string() && std::ranges::find(names, file.get<std::string>()) == names.end())
        return file.get<std::string>();
  }
  return {};
}

using Difference = PathDifference;

std::string sentence_of(const std::string& counterset, const Difference& difference) {
  return counterset + ", " + difference.counter + " of \"" + difference.instance +
         "\": " + difference.what + ": " + difference.registry + " through the registry, " +
         difference.other + " through PerfLib";
}

// A difference counts that all pairs of samples show, and the last sample: a gauge may have had
// another value for a moment.
void compare_both(const std::string& counterset, const Replayed::Samples& samples,
                  Recomputed& result) {
  Replayed::Samples registry;
  Replayed::Samples perflib;
  for (const auto& sample : samples)
    (sample->schema->path == CounterPath::kPerflib ? perflib : registry).push_back(sample);
  if (registry.size() != perflib.size() || registry.size() < 2) return;
  // In its order, a sample has the registry's blocks first.
  std::vector<Difference> common =
      compare_paths(*registry.back(), *perflib.back(), *registry.back()).differences;
  for (std::size_t i = 0; i + 1 < registry.size(); ++i) {
    const PathComparison comparison = compare_paths(*registry[i], *perflib[i], *registry[i + 1]);
    result.compared += comparison.compared;
    keep_common(common, comparison.differences);
  }
  for (const Difference& difference : common)
    result.problems.push_back(sentence_of(counterset, difference));
}

void count_numbers(const CountersetSample& sample, Recomputed& result) {
  ++result.samples;
  for (const NoValue reason : sample.reason) result.numbers += reason == NoValue::kNone;
}

void read_blocks(const CaptureFolder& captures, const std::vector<std::string>& names,
                 Recomputed& result) {
  for (const std::string& name : names) {
    // Whole, whether it is used or not.
    const auto bytes = captures.read(name, kPlace);
    if (!bytes) result.problems.push_back(name + ": " + describe(bytes.error()));
    if (!bytes || !parse_sample_file_name(name)) continue;
    ++result.blocks;
    const BlockDigest block = digest_by_views(*bytes);
    if (!block.valid) result.problems.push_back(name + " is no block");
    if (const std::size_t count = problems_of(block); count != 0)
      result.problems.push_back(name + " has " + std::to_string(count) + " defects");
    if (!(block == digest_by_reference(*bytes)))
      result.problems.push_back(name + " is read differently by the second parser");
  }
}

}  // namespace

std::string RecordedReport::origin() const {
  return member_text(document, "made_by") + " on " + member_text(document, "system");
}

std::vector<std::filesystem::path> report_places(const std::filesystem::path& captures) {
  std::vector<std::filesystem::path> places;
  std::error_code failed;
  for (std::filesystem::directory_iterator entry(captures / "reports", failed), end;
       !failed && entry != end; entry.increment(failed))
    if (entry->is_directory() || entry->path().extension() == ".zip") places.push_back(*entry);
  std::ranges::sort(places);
  return places;
}

std::expected<RecordedReport, std::string> read_report(const std::filesystem::path& place) {
  const auto folder = capture::open_capture(place);
  if (!folder) return std::unexpected(folder.error().text);
  const auto names = (*folder)->names();
  if (!names) return std::unexpected(names.error().text);
  const auto json = (*folder)->read("report.json", kPlace);
  if (!json) return std::unexpected("report.json: " + describe(json.error()));
  RecordedReport report{.name = path_text(place.filename()),
                        .document = nlohmann::json::parse(text_of(*json), nullptr, false)};
  if (!report.document.is_object() || !report.document.contains("checks") ||
      !report.document["checks"].is_array())
    return std::unexpected("report.json is no object with a list of checks");
  if (member_text(report.document, "made_by").empty())
    return std::unexpected("report.json doesn't say by which program it was made");
  if (const std::string missing = missing_file(report.document["checks"], *names); !missing.empty())
    return std::unexpected(missing + " is missing");
  if (std::ranges::find(*names, "captures.zip") != names->end()) {
    auto bytes = (*folder)->read("captures.zip", kPlace);
    if (!bytes) return std::unexpected("captures.zip: " + describe(bytes.error()));
    auto captures = capture::open_archive(*std::move(bytes), "captures.zip");
    if (!captures) return std::unexpected("captures.zip: " + captures.error().text);
    report.captures = *std::move(captures);
  }
  if (std::ranges::find(*names, "pdh.jsonl") != names->end()) {
    const auto bytes = (*folder)->read("pdh.jsonl", kPlace);
    if (!bytes) return std::unexpected("pdh.jsonl: " + describe(bytes.error()));
    report.pdh = text_of(*bytes);
  }
  return report;
}

Recomputed recompute_captures(const std::shared_ptr<const CaptureFolder>& captures) {
  Recomputed result;
  const auto names = captures->names();
  if (!names) {
    result.problems.push_back(names.error().text);
    return result;
  }
  read_blocks(*captures, *names, result);
  if (const auto source = ReplaySource::open(captures); !source) {
    result.problems.push_back(source.error().text);
    return result;
  }
  const Replayed replayed(captures);
  for (const Error& problem : replayed.problems()) result.problems.push_back(describe(problem));
  for (const auto& [counterset, samples] : replayed.all()) {
    for (const auto& sample : samples) {
      count_numbers(*sample, result);
      if (sample->damage) result.problems.push_back(counterset + ": " + describe(*sample->damage));
    }
    compare_both(counterset, samples, result);
  }
  return result;
}

}  // namespace winperf::testing
