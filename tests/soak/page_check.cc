#include "tests/soak/page_check.h"

#include <algorithm>
#include <stdexcept>

#include "tests/soak/machine.h"

namespace winperf::soak {
namespace {

// In samples, a minute each: after trouble, the longest rest of a worker is one of them.
constexpr std::uint64_t kRecovery = 5;
constexpr std::string_view kHonest[] = {"Callers", "Clockwork", "Restarter", "Visitors", "Waves"};

std::string_view name_of(std::string_view series) { return series.substr(0, series.find('{')); }

std::string of_counterset(std::string_view metric, std::string_view counterset) {
  return "winperf_exporter_" + std::string(metric) + "{counterset=\"" + std::string(counterset) +
         "\"}";
}

std::string_view label_of(std::string_view series, std::string_view label) {
  const std::size_t place = series.find(std::string(label) + "=\"");
  if (place == std::string_view::npos) return {};
  const std::size_t begin = place + label.size() + 2;
  return series.substr(begin, series.find('"', begin) - begin);
}

bool is_of(std::string_view series, std::string_view counterset, std::string_view prefix) {
  return series.starts_with(prefix) || label_of(series, "counterset") == counterset;
}

[[noreturn]] void complain_of(std::string_view series, const std::string& what) {
  throw std::runtime_error(std::string(series) + ' ' + what);
}

}  // namespace

void PageCheck::see(std::string_view page, const Announced& announced, const Well& well) {
  Values values;
  std::string paths;
  while (!page.empty()) {
    const std::string_view line = page.substr(0, page.find('\n'));
    page.remove_prefix(std::min(page.size(), line.size() + 1));
    if (line.empty() || line.front() == '#') continue;
    const std::size_t space = line.rfind(' ');
    values.emplace(line.substr(0, space), std::stod(std::string(line.substr(space + 1))));
    if (name_of(line) == "winperf_exporter_counterset_path_info") paths += line;
  }
  path_changed_ = paths != std::exchange(paths_, paths);
  check_honest(values, well);
  compare(values, announced);
  const bool begins_again = announced.all || announced.gap;
  check_ticks(values, "", "clockwork", begins_again);
  for (int wave = 0; wave < 8; ++wave)
    check_ticks(values, "{instance_name=\"wave " + std::to_string(wave) + "\"}", "waves",
                begins_again || announced.selection || path_changed_);
  count(values);
  before_ = std::move(values);
}

void PageCheck::check_honest(const Values& values, const Well& well) const {
  for (const std::string_view counterset : kHonest) {
    const auto success = values.find(of_counterset("counterset_success", counterset));
    if (success == values.end()) complain_of(counterset, "is not on the page");
    if (success->second != 1) complain_of(counterset, "could not be read");
  }
  const auto is_one = [&](const std::string& series) {
    const auto value = values.find(series);
    return value != values.end() && value->second == 1;
  };
  if (well.provider > kRecovery && !is_one(of_counterset("counterset_success", "Faulty Device")))
    complain_of("Faulty Device", "has not come back");
  if (well.perflib > kRecovery && is_one(of_counterset("counterset_fallback", "Waves")))
    complain_of("Waves", "is still read through the registry");
}

bool PageCheck::may_go_back(std::string_view series, const Announced& announced) const {
  // Those of the process go on, whatever is reloaded.
  const bool is_of_worker = series.starts_with("winperf_exporter_worker_") ||
                            series.starts_with("winperf_exporter_provider_");
  const bool is_sampled = !series.starts_with("winperf_exporter_") ||
                          series.starts_with("winperf_exporter_counterset_") ||
                          series.starts_with("winperf_exporter_skipped_");
  if (announced.all && (is_sampled || is_of_worker)) return true;
  const bool is_kept = is_of(series, "Clockwork", "winperf_clockwork_") ||
                       is_of(series, "Restarter", "winperf_restarter_");
  if (announced.selection && is_sampled && !is_kept) return true;
  if (announced.restart && series.starts_with("winperf_restarter_")) return true;
  // Of 32 bits.
  const bool is_short = series.find("_ticks_") != std::string_view::npos;
  return is_short && (announced.gap || (path_changed_ && series.starts_with("winperf_waves_")));
}

void PageCheck::compare(const Values& values, const Announced& announced) const {
  for (const auto& [series, value] : values) {
    if (!name_of(series).ends_with("_total")) continue;
    const auto before = before_.find(series);
    if (before == before_.end() || value >= before->second) continue;
    if (may_go_back(series, announced)) continue;
    complain_of(series,
                "went from " + std::to_string(before->second) + " to " + std::to_string(value));
  }
}

void PageCheck::check_ticks(const Values& values, const std::string& labels,
                            const std::string& object, bool begins_again) {
  const std::string name = "winperf_" + object;
  const auto ticks = values.find(name + "_ticks_total" + labels);
  const auto beats = values.find(name + "_beats_total" + labels);
  if (ticks == values.end() || beats == values.end()) complain_of(name, "has no values");
  const Origin now{.ticks = ticks->second, .beats = beats->second};
  const auto [known, is_new] = origins_.try_emplace(name + labels, now);
  if (is_new || begins_again) {
    known->second = now;
    return;
  }
  const double expected = static_cast<double>(kTicksPerBeat) * (now.beats - known->second.beats);
  if (now.ticks - known->second.ticks != expected)
    complain_of(ticks->first, "grew by " + std::to_string(now.ticks - known->second.ticks) +
                                  " and not by " + std::to_string(expected));
}

void PageCheck::count(const Values& values) {
  const auto growth = [&](const std::string& series, double value) {
    const auto before = before_.find(series);
    // What began again has grown from nothing.
    const double from = before == before_.end() || before->second > value ? 0 : before->second;
    return static_cast<std::uint64_t>(value - from);
  };
  for (const auto& [series, value] : values) {
    const std::string_view name = name_of(series);
    if (name == "winperf_exporter_counterset_attempts_total") {
      attempts_ += growth(series, value);
      if (label_of(series, "counterset") == "Clockwork") samples_ += growth(series, value);
    }
    if (name == "winperf_exporter_worker_restarts_total")
      restarts_[std::string(label_of(series, "reason"))] += growth(series, value);
    if (series == of_counterset("counterset_fallback", "Waves")) fallbacks_ += value == 1;
    if (name == "winperf_exporter_worker_private_bytes")
      most_worker_memory_ = std::max(most_worker_memory_, value);
  }
}

}  // namespace winperf::soak
