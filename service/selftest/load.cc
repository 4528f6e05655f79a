#include "service/selftest/load.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "collectors/base/printable.h"

namespace winperf::selftest {
namespace {

using Number = std::optional<std::uint64_t>;

std::uint64_t without(std::uint64_t number, std::uint64_t known) {
  return number > known ? number - known : 0;
}

Number memory_at(const LoadSeries& series, std::size_t at) {
  const Number bytes = series.samples[at].process.use.private_bytes;
  if (!bytes || at >= series.known.size()) return bytes;
  return without(*bytes, series.known[at]);
}
Number handles_at(const LoadSeries& series, std::size_t at) {
  return series.samples[at].process.use.handles;
}
Number threads_at(const LoadSeries& series, std::size_t at) {
  return series.samples[at].process.use.threads;
}

struct Judged {
  const char* what;
  Number (*at)(const LoadSeries&, std::size_t);
  std::uint64_t bound;
};
constexpr Judged kJudged[] = {{"private bytes", memory_at, kMemoryGrowth},
                              {"handles", handles_at, kHandleGrowth},
                              {"threads", threads_at, kThreadGrowth}};

// The highest of the second quarter and the lowest of the last; nothing if one is unknown.
std::optional<std::pair<std::uint64_t, std::uint64_t>> early_and_late(const LoadSeries& series,
                                                                      const Judged& judged) {
  const std::size_t count = series.samples.size();
  Number early;
  Number late;
  for (std::size_t i = count / 4; i < count; ++i) {
    const Number number = judged.at(series, i);
    if (!number) return std::nullopt;
    if (i < count / 2) early = std::max(early.value_or(0), *number);
    if (i >= count - count / 4) late = std::min(late.value_or(*number), *number);
  }
  if (!early || !late) return std::nullopt;
  return std::pair(*early, *late);
}

template <class Value>
nlohmann::ordered_json json_or_null(const std::optional<Value>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

nlohmann::ordered_json numbers_json(const ProcessFacts& process) {
  return {{"cpu_seconds", json_or_null(process.use.cpu_seconds)},
          {"private_bytes", json_or_null(process.use.private_bytes)},
          {"handles", json_or_null(process.use.handles)},
          {"threads", json_or_null(process.use.threads)},
          {"switches", json_or_null(process.switches)}};
}

// The sum over the last samples of all; nothing if one is unknown.
template <class Value, class Get>
std::optional<Value> sum_of(const std::vector<LoadSeries>& all, const Get& get) {
  std::optional<Value> sum;
  for (const LoadSeries& series : all) {
    const auto value = get(series);
    if (!value) return std::nullopt;
    sum = sum.value_or(Value{}) + static_cast<Value>(*value);
  }
  return sum;
}

std::string rounded(double number, int digits) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, number);
  return text.data();
}

bool has_judged_growth(const LoadSeries& series) {
  return series.samples.size() >= kSamplesOfGrowth;
}

bool is_blank(char c) { return c == ' ' || c == '\r' || c == '\n'; }

}  // namespace

LoadRates rates_of(const LoadSeries& series) {
  LoadRates rates;
  if (series.samples.size() < 2) return rates;
  const LoadSample& first = series.samples.front();
  const LoadSample& last = series.samples.back();
  const double seconds = last.seconds - first.seconds;
  if (seconds <= 0) return rates;
  const auto& [before, after] =
      std::pair(first.process.use.cpu_seconds, last.process.use.cpu_seconds);
  if (before && after && *after >= *before) rates.processors = (*after - *before) / seconds;
  if (first.process.switches && last.process.switches &&
      *last.process.switches >= *first.process.switches)
    rates.switches =
        static_cast<double>(*last.process.switches - *first.process.switches) / seconds;
  return rates;
}

std::vector<Finding> growth_of(const LoadSeries& series) {
  std::vector<Finding> findings;
  if (!has_judged_growth(series)) return findings;
  for (const Judged& judged : kJudged) {
    const auto seen = early_and_late(series, judged);
    if (!seen || without(seen->second, seen->first) <= judged.bound) continue;
    findings.push_back({.sentence = std::string(judged.what) + " of " + series.process + " grow",
                        .details = {{"highest of the second quarter", std::to_string(seen->first)},
                                    {"lowest of the last quarter", std::to_string(seen->second)},
                                    {"may grow by", std::to_string(judged.bound)}}});
  }
  return findings;
}

nlohmann::ordered_json growth_json(const std::vector<LoadSeries>& all) {
  nlohmann::ordered_json json{{"judged", nlohmann::ordered_json::array()},
                              {"not_judged", nlohmann::ordered_json::array()},
                              {"samples_needed", kSamplesOfGrowth}};
  for (const LoadSeries& series : all)
    json[has_judged_growth(series) ? "judged" : "not_judged"].push_back(series.process);
  return json;
}

std::string why_no_growth(const std::vector<LoadSeries>& all) {
  if (std::ranges::any_of(all, has_judged_growth)) return {};
  return "growth was not judged, which takes at least " + std::to_string(kMinutesOfGrowth) +
         " minutes";
}

nlohmann::ordered_json load_json(const LoadSeries& series) {
  const LoadRates rates = rates_of(series);
  nlohmann::ordered_json json{{"process", series.process},
                              {"processors", json_or_null(rates.processors)},
                              {"switches_per_second", json_or_null(rates.switches)},
                              {"samples", nlohmann::ordered_json::array()}};
  for (std::size_t i = 0; i < series.samples.size(); ++i) {
    nlohmann::ordered_json sample = numbers_json(series.samples[i].process);
    sample["seconds"] = series.samples[i].seconds;
    if (i < series.known.size()) sample["recorder_bytes"] = series.known[i];
    json["samples"].push_back(std::move(sample));
  }
  return json;
}

std::string load_text(const std::vector<LoadSeries>& all) {
  constexpr double kPercent = 100;
  constexpr double kMib = 1024 * 1024;
  std::string text;
  const auto add = [&](const std::optional<double>& number, int digits, const char* unit) {
    if (number) text += (text.empty() ? "" : ", ") + rounded(*number, digits) + ' ' + unit;
  };
  const auto processors =
      sum_of<double>(all, [](const LoadSeries& series) { return rates_of(series).processors; });
  add(processors ? std::optional(*processors * kPercent) : std::nullopt, 2, "% of a processor");
  const auto last_of = [&](auto member) {
    return sum_of<double>(all, [&](const LoadSeries& series) {
      return series.samples.empty() ? Number() : series.samples.back().process.use.*member;
    });
  };
  const auto bytes = last_of(&ProgramUse::private_bytes);
  add(bytes ? std::optional(*bytes / kMib) : std::nullopt, 1, "MiB");
  add(last_of(&ProgramUse::handles), 0, "handles");
  add(last_of(&ProgramUse::threads), 0, "threads");
  add(sum_of<double>(all, [](const LoadSeries& series) { return rates_of(series).switches; }), 1,
      "wake-ups a second");
  return text.empty() ? "nothing is known" : text;
}

std::string early_end_text(const ProgramEnd& end) {
  constexpr std::size_t kShown = 300;
  std::string text = describe(end);
  std::string_view words = end.output;
  while (!words.empty() && is_blank(words.front())) words.remove_prefix(1);
  while (!words.empty() && is_blank(words.back())) words.remove_suffix(1);
  if (!words.empty()) text += ": " + printable(words.substr(0, kShown));
  return text;
}

}  // namespace winperf::selftest
