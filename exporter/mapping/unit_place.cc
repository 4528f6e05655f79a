#include "exporter/mapping/unit_place.h"

#include <algorithm>
#include <array>

#include "collectors/base/ascii.h"
#include "exporter/mapping/unit_words.h"

namespace winperf {
namespace {

constexpr std::string_view kTimes[] = {
    "age",      "delay",     "downtime", "duration",  "durations", "elapsed",  "expectancy",
    "interval", "jitter",    "lag",      "latencies", "latency",   "lifetime", "oldest",
    "period",   "remaining", "rtt",      "since",     "skew",      "time",     "timeout",
    "times",    "ttl",       "until",    "uptime",    "wait"};

// Behind these a number of units is a limit or a window: "over 10 seconds", "in the last hour".
constexpr std::string_view kBounds[] = {
    "above",    "after",     "below",   "beyond",   "each",  "every", "exceed",
    "exceeded", "exceeding", "exceeds", "last",     "least", "most",  "next",
    "over",     "past",      "per",     "previous", "than",  "under", "within"};

// In front of the word that says what is counted: "Average Seconds/Call".
constexpr std::string_view kQuantities[] = {"average", "avg",     "cumulative", "current", "max",
                                            "maximum", "mean",    "min",        "minimum", "number",
                                            "of",      "overall", "peak",       "sum",     "total"};

// Of these there is a number in each second.
constexpr std::string_view kFlows[] = {"bandwidth", "load", "rate", "throughput", "traffic"};

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

bool is_number(const Word& word) {
  return word.text == "n" || word.text == "x" || is_digit(word.text[0]);
}

// "Requests", but not "Access" or "Status".
bool is_plural(std::string_view word) {
  return word.size() > 2 && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us") &&
         !word.ends_with("is");
}

class Phrase {
 public:
  Phrase(std::span<const Word> words, std::size_t position)
      : words_(words), position_(position), unit_(unit_called(words[position].text)) {}

  bool is_unit() const {
    if (!unit_ || is_bound()) return false;
    switch (unit_->sort) {
      case UnitSort::kSize:
        return !is_shouted() || is_at_an_end();
      case UnitSort::kTime:
        return is_label_of_time() || is_what_is_counted();
      case UnitSort::kVague:
        return is_vague_label() || (is_seconds() && is_divided());
      case UnitSort::kLabel:
        return is_at_an_end();
    }
    return false;
  }

  bool repeats_the_type() const {
    if (!unit_ || unit_->base != "seconds") return false;
    return is_at_an_end() || ((unit_->sort == UnitSort::kTime || is_seconds()) && !is_shouted());
  }

 private:
  const Word& word() const { return words_[position_]; }
  bool is_last() const { return position_ + 1 == words_.size(); }
  bool is_at_an_end() const { return word().bracketed || word().before_rate || is_last(); }
  bool is_shouted() const { return word().capitals && word().text.size() > 2; }

  // "over 10 seconds", "> 64 KB": a part of the condition that is counted.
  bool is_bound() const {
    std::size_t before = position_;
    bool has_number = false;
    for (; before > 0; --before) {
      if (is_number(words_[before - 1]))
        has_number = true;
      else if (words_[before - 1].text != "the")
        break;
    }
    if (has_number && unit_->sort != UnitSort::kSize) return true;
    return before > 0 && is_one_of(words_[before - 1].text, kBounds);
  }

  // "Session Duration Seconds", "Flush (ms)"; but "MS" is Microsoft.
  bool is_label_of_time() const {
    return is_at_an_end() && (!word().capitals || word().bracketed || has_time());
  }

  // "Latency (sec)", "Lifetime s"; but "Requests (sec)" are so many a second.
  bool is_vague_label() const {
    if (!is_at_an_end()) return false;
    return has_time() || ((word().bracketed || is_seconds()) && !follows_events());
  }

  bool has_time() const {
    return std::ranges::any_of(words_, [&](const Word& other) {
      return &other != &word() && is_one_of(other.text, kTimes);
    });
  }

  bool is_seconds() const { return word().text == "sec" || word().text == "secs"; }

  bool follows_events() const {
    if (position_ == 0) return false;
    const std::string_view before = words_[position_ - 1].text;
    return is_plural(before) || is_one_of(before, kFlows);
  }

  // "Seconds Since Start", "Average Milliseconds/request", "Time in ms Waiting", "Latency ms Max".
  bool is_what_is_counted() const {
    if (word().capitals || is_last()) return false;
    const auto before = words_.first(position_);
    const auto is_quantity = [](const Word& other) { return is_one_of(other.text, kQuantities); };
    if (std::ranges::all_of(before, is_quantity) || is_divided()) return true;
    const std::string_view previous = before.back().text;
    return is_one_of(previous, kTimes) || (previous == "in" && has_time());
  }

  // "Milliseconds/request", "sec per Read".
  bool is_divided() const {
    if (is_last()) return false;
    const Word& next = words_[position_ + 1];
    return next.after_slash || next.text == "per";
  }

  std::span<const Word> words_;
  std::size_t position_;
  std::optional<Unit> unit_;
};

std::optional<std::size_t> first_that(std::span<const Word> words, auto&& is_right) {
  for (std::size_t i = 0; i < words.size(); ++i)
    if (is_right(i)) return i;
  return std::nullopt;
}

}  // namespace

bool measures_time(std::string_view word) {
  constexpr std::array kClear{"age", "duration", "latency", "lifetime", "time", "uptime"};
  return std::ranges::find(kClear, word) != kClear.end();
}

std::optional<std::size_t> find_unit(std::span<const Word> words) {
  const auto is_unit = [&](std::size_t i) { return Phrase(words, i).is_unit(); };
  // "Average inspection latency (sec/bytes)" is in seconds, "Committed Bytes (KB)" in kilobytes.
  const auto bracketed =
      first_that(words, [&](std::size_t i) { return words[i].bracketed && is_unit(i); });
  return bracketed ? bracketed : first_that(words, is_unit);
}

std::optional<std::size_t> find_time_unit(std::span<const Word> words) {
  return first_that(words, [&](std::size_t i) { return Phrase(words, i).repeats_the_type(); });
}

}  // namespace winperf
