#include "service/run/own_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>

#include "collectors/base/utf8.h"

namespace winperf {
namespace {

using own::CountersetValue;
using own::ExporterValue;

constexpr std::size_t kMostForgotten = 4096;  // countersets that are no longer sampled

// What never falls stays so: doubles are added up, and rounded down.
std::uint64_t whole(double number) {
  constexpr double kMost = 9e18;
  return number > 0 ? static_cast<std::uint64_t>(std::min(number, kMost)) : 0;
}

std::uint64_t in_100ns(double seconds) {
  return whole(seconds * static_cast<double>(kTicks100nsPerSecond));
}

std::uint64_t file_time(Ticks100ns time) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(time.ticks, 0));
}

// In an instance's name, "parent/name#1" and "(instance)" of a path mean something else, and * is a
// wildcard.
char32_t showable(char32_t character) {
  switch (character) {
    case U'(':
      return U'[';
    case U')':
      return U']';
    case U'#':
    case U'/':
    case U'\\':
    case U'*':
      return U'_';
    default:
      return character < 0x20 || character == 0x7F ? U'_' : character;
  }
}

void append_utf16(std::u16string& text, char32_t character) {
  if (character < 0x10000) {
    text.push_back(static_cast<char16_t>(character));
    return;
  }
  text.push_back(static_cast<char16_t>(0xD800 + ((character - 0x10000) >> 10)));
  text.push_back(static_cast<char16_t>(0xDC00 + ((character - 0x10000) & 0x3FF)));
}

void cut(std::u16string& text, std::size_t length) {
  if (text.size() <= length) return;
  text.resize(length);
  if (!text.empty() && (text.back() & 0xFC00) == 0xD800) text.pop_back();
}

// Consumers compare names without regard to case, of which only that of ASCII matters here: the
// names of two countersets differ otherwise.
std::u16string folded(std::u16string text) {
  for (char16_t& c : text)
    if (c >= u'A' && c <= u'Z') c = static_cast<char16_t>(c - u'A' + u'a');
  return text;
}

// "Memory", "Memory 2": ends within the table's number of rows.
std::u16string unique_name(const std::u16string& name, std::set<std::u16string>& taken) {
  std::u16string unique = name;
  for (std::size_t number = 2; !taken.insert(folded(unique)).second; ++number) {
    const std::string digits = ' ' + std::to_string(number);
    unique = name;
    cut(unique, own::kLongestName - digits.size());
    unique.append(digits.begin(), digits.end());
  }
  return unique;
}

std::size_t place_of(ErrorKind kind) { return static_cast<std::size_t>(kind); }

}  // namespace

std::u16string instance_name(std::string_view name) {
  std::u16string text;
  while (!name.empty() && text.size() <= own::kLongestName) {
    const Utf8Step step = next_character(name);
    append_utf16(text,
                 step.valid ? showable(code_point_of(name.substr(0, step.bytes))) : U'\xFFFD');
    name.remove_prefix(step.bytes);
  }
  cut(text, own::kLongestName);
  return text.empty() ? u"_" : text;
}

OwnNumbers::OwnNumbers(Ticks100ns started, std::int64_t frequency)
    : started_(started), frequency_(static_cast<double>(frequency)) {}

std::uint64_t OwnNumbers::ticks(double seconds) const { return whole(seconds * frequency_); }

void OwnNumbers::note(const Sample& sample) {
  if (sample.sequence <= sequence_) return;
  sequence_ = sample.sequence;
  current_.clear();
  for (const CountersetState& state : sample.countersets) {
    const auto [place, is_new] = countersets_.try_emplace({state.machine, state.name});
    if (is_new)
      place->second.name =
          instance_name(state.machine.empty() ? state.name : state.name + " on " + state.machine);
    note(place->second, state);
    current_.push_back(&place->second);
  }
  note_problems(sample);
  forget_others(sample);
}

void OwnNumbers::note(Counterset& counterset, const CountersetState& state) {
  const std::uint64_t attempts = counterset.attempts_seen.see(state.attempts);
  // What absence hides is seen once it has ended.
  const std::uint64_t failures = state.is_absent ? 0 : counterset.failures_seen.see(state.failures);
  // Of several attempts, only the last one's duration is known.
  const double busy = static_cast<double>(attempts) * std::max(0.0, state.duration_seconds);
  counterset.attempts += attempts;
  counterset.failures += failures;
  counterset.busy_seconds += busy;
  totals_.attempts += attempts;
  totals_.failures += failures;
  totals_.busy_seconds += busy;
  counterset.is_absent = state.is_absent;
  counterset.was_tried = state.attempts > 0;
  counterset.success = state.success;
  counterset.bytes = state.bytes;
  counterset.late_seconds = state.sample != nullptr ? state.late_seconds : std::nullopt;
  const bool had_sample = std::exchange(counterset.has_sample, state.sample != nullptr);
  if (state.sample == nullptr) {
    counterset.values = counterset.missing = 0;
    return;
  }
  counterset.stale_at = state.sampled_at.steady + state.stale_after;
  if (had_sample && counterset.sampled_at == state.sampled_at.steady) return;
  counterset.sampled_at = state.sampled_at.steady;
  counterset.sampled_wall = state.sampled_at.wall;
  const std::vector<NoValue>& reasons = state.sample->reason;
  counterset.values = static_cast<std::uint64_t>(std::ranges::count(reasons, NoValue::kNone));
  counterset.missing = reasons.size() - counterset.values;
  if (!state.late_seconds) return;
  totals_.late_seconds += std::max(0.0, *state.late_seconds);
  ++totals_.late_samples;
}

void OwnNumbers::note_problems(const Sample& sample) {
  std::map<std::string_view, std::uint64_t> grown;  // by counterset
  for (const ProblemCount& problem : sample.problems) {
    const std::uint64_t growth = problems_[{problem.counterset, problem.code}].see(problem.count);
    if (growth == 0) continue;
    totals_.problems.at(place_of(kind_of(problem.code))) += growth;
    grown[problem.counterset] += growth;
  }
  if (grown.empty()) return;
  for (auto& [name, counterset] : countersets_)
    if (const auto found = grown.find(name.second); found != grown.end())
      counterset.problems += found->second;
}

void OwnNumbers::forget_others(const Sample& sample) {
  if (countersets_.size() <= current_.size() + kMostForgotten) return;
  const std::set<const Counterset*> current(current_.begin(), current_.end());
  std::erase_if(countersets_, [&](const auto& one) { return !current.contains(&one.second); });
  // The sample also has those of no counterset, and of earlier ones.
  std::set<std::pair<std::string_view, ErrorCode>> counted;
  for (const ProblemCount& problem : sample.problems)
    counted.emplace(problem.counterset, problem.code);
  std::erase_if(problems_, [&](const auto& one) {
    return !counted.contains({one.first.first, one.first.second});
  });
}

own::OwnState OwnNumbers::state(const OwnFacts& facts) const {
  own::OwnState state{.written_at = facts.now.wall.ticks};
  put_sampling(state);
  put_exporter(state, facts);
  std::set<std::u16string> taken;
  const std::size_t rows = std::min(current_.size(), own::kMaxRows);
  state.countersets.reserve(rows);
  for (const Counterset* const counterset : std::span(current_).first(rows)) {
    state.countersets.push_back(row_of(*counterset, facts.now.steady));
    state.countersets.back().name = unique_name(counterset->name, taken);
  }
  return state;
}

// Before the first sample, what it would say isn't known; what is added up is 0.
void OwnNumbers::put_sampling(own::OwnState& state) const {
  state[ExporterValue::kAttempts] = totals_.attempts;
  state[ExporterValue::kFailures] = totals_.failures;
  state[ExporterValue::kFailuresBase] = totals_.attempts;
  state[ExporterValue::kLateness] = ticks(totals_.late_seconds);
  state[ExporterValue::kLatenessBase] = totals_.late_samples;
  state[ExporterValue::kAbsentProblems] = totals_.problems[place_of(ErrorKind::kAbsent)];
  state[ExporterValue::kCorruptProblems] = totals_.problems[place_of(ErrorKind::kCorrupt)];
  state[ExporterValue::kUnsupportedProblems] = totals_.problems[place_of(ErrorKind::kUnsupported)];
  state[ExporterValue::kPendingProblems] = totals_.problems[place_of(ErrorKind::kNotYet)];
  state[ExporterValue::kSystemProblems] = totals_.problems[place_of(ErrorKind::kEnvironment)];
  if (sequence_ == 0) return;
  std::uint64_t sampled = 0, failing = 0, values = 0;
  std::optional<double> longest;
  for (const Counterset* const counterset : current_) {
    if (!counterset->is_absent) ++sampled;
    if (!counterset->is_absent && counterset->was_tried && !counterset->success) ++failing;
    values += counterset->values;
    longest = std::max(longest, counterset->late_seconds);  // one without is less
  }
  state[ExporterValue::kCountersets] = sampled;
  state[ExporterValue::kFailing] = failing;
  state[ExporterValue::kUnlisted] = current_.size() - std::min(current_.size(), own::kMaxRows);
  state[ExporterValue::kValues] = values;
  constexpr double kMilliseconds = 1000;
  if (longest) state[ExporterValue::kLongestLateness] = whole(*longest * kMilliseconds);
}

void OwnNumbers::put_exporter(own::OwnState& state, const OwnFacts& facts) const {
  const SentAnswers& sent = facts.exporter.sent;
  const double scrape_seconds = std::chrono::duration<double>(sent.scrape_time).count();
  state[ExporterValue::kStarted] = file_time(started_);
  state[ExporterValue::kSeries] = facts.exporter.series.value_or(0);  // none was served so far
  state[ExporterValue::kScrapes] = sent.scrapes;
  state[ExporterValue::kScrapeTime] = ticks(scrape_seconds);
  state[ExporterValue::kScrapeTimeBase] = sent.scrapes;
  state[ExporterValue::kScrapesInProgress] = in_100ns(scrape_seconds);
  state[ExporterValue::kSentBytes] = sent.bytes;
  state[ExporterValue::kScrapeBytes] = sent.scrape_bytes;
  state[ExporterValue::kScrapeBytesBase] = sent.scrapes;
  state[ExporterValue::kConnections] = whole(facts.exporter.connections);
  state[ExporterValue::kWorkerRestarts] = facts.worker_restarts;
  // A recorder that has nothing has no bytes and no reach. Where it may not have any, the base is
  // 0, and the share has no value.
  const auto recorded = facts.recorded.value_or(ExporterRegistry::Recorded{});
  state[ExporterValue::kRecorderBytes] = recorded.bytes;
  state[ExporterValue::kRecorderReach] =
      whole(std::chrono::duration<double>(recorded.reach).count());
  state[ExporterValue::kRecorderShare] = recorded.bytes;
  state[ExporterValue::kRecorderShareBase] = facts.recorder_budget;
  if (const auto bytes = facts.process.committed_bytes)
    state[ExporterValue::kPrivateBytes] = whole(*bytes);
  if (const auto seconds = facts.process.cpu_seconds)
    state[ExporterValue::kProcessorTime] = in_100ns(*seconds);
}

own::CountersetRow OwnNumbers::row_of(const Counterset& counterset, SteadyTime now) const {
  // In the words of the table's row. A stale sample is worse than a failed attempt: there are no
  // values any more.
  enum class State : std::uint64_t { kNotSampled, kSampled, kFailed, kAbsent, kStale };
  State state = counterset.success ? State::kSampled : State::kFailed;
  if (counterset.has_sample && now > counterset.stale_at) state = State::kStale;
  if (!counterset.was_tried) state = State::kNotSampled;
  if (counterset.is_absent) state = State::kAbsent;
  own::CountersetRow row;
  row[CountersetValue::kState] = static_cast<std::uint64_t>(state);
  row[CountersetValue::kSampledAt] =
      file_time(counterset.has_sample ? counterset.sampled_wall : started_);
  row[CountersetValue::kAttempts] = counterset.attempts;
  row[CountersetValue::kFailures] = counterset.failures;
  row[CountersetValue::kFailuresBase] = counterset.attempts;
  row[CountersetValue::kDuration] = ticks(counterset.busy_seconds);
  row[CountersetValue::kDurationBase] = counterset.attempts;
  row[CountersetValue::kBusy] = in_100ns(counterset.busy_seconds);
  row[CountersetValue::kReplyBytes] = counterset.bytes;
  row[CountersetValue::kValues] = counterset.values;
  row[CountersetValue::kMissing] = counterset.missing;
  row[CountersetValue::kProblems] = counterset.problems;
  return row;
}

}  // namespace winperf
