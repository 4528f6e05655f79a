#include "exporter/mapping/words.h"

#include <algorithm>
#include <array>

#include "collectors/base/ascii.h"

namespace winperf {
namespace {

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_word_char(char c) { return is_letter_or_digit(c); }

constexpr std::string_view kPeriods[] = {"minute", "min", "hour", "day"};

class Splitter {
 public:
  Splitter(std::string_view name, bool slash_is_per)
      : text_(name.substr(0, kMaxNameBytes)), slash_is_per_(slash_is_per) {}

  NameWords run() {
    for (; position_ < text_.size(); ++position_) step(text_[position_]);
    end_word();
    drop_per_second();
    return std::move(result_);
  }

 private:
  char at(std::size_t index) const { return index < text_.size() ? text_[index] : ' '; }

  // Behind the present character and the blanks after it.
  std::size_t after_blanks() const {
    return std::min(text_.find_first_not_of(' ', position_ + 1), text_.size());
  }

  void step(char c) {
    if (is_word_char(c)) {
      add(c);
    } else if (c == '/') {
      slash();
    } else if (c == '(' && skip_plural()) {
      return;
    } else if (c == '+' && !word_.text.empty()) {
      word_.text += "plus";
    } else {
      end_word();
      mark(c);
    }
  }

  void add(char c) {
    // "BytesReceived" is two words; "iSCSI", "mSec" and "IPv4" are one.
    if (is_upper(c) && word_.text.size() > 1 && is_lower(at(position_ - 1))) end_word();
    if (word_.text.empty()) word_.capitals = true;
    if (is_lower(c)) word_.capitals = false;
    word_.text += ascii_lower(c);
  }

  void end_word() {
    if (word_.text.empty()) return;
    word_.bracketed = depth_ > 0;
    result_.words.push_back(std::move(word_));
    word_ = Word{};
  }

  void push(std::string_view word) { result_.words.push_back({.text = std::string(word)}); }

  void mark(char c) {
    if (c == '%') result_.percent = true;
    if (c == '&') push("and");
    if (c == '<') push("under");
    if (c == '>' && at(position_ - 1) != '=' && at(position_ - 1) != '-') push("over");
    if (c == '#' && lowered(position_ + 1, 4) == " of ") position_ += 4;
    if (c == '(') ++depth_;
    if (c == ')' && depth_ > 0) --depth_;
  }

  void slash() {
    // "I/O" is one word.
    if (word_.text.size() == 1 && is_word_char(at(position_ + 1)) &&
        !is_word_char(at(position_ + 2)))
      return;
    end_word();
    if (skip_second()) return;
    if (slash_is_per_ || is_followed_by_a_period()) push("per");
    word_.after_slash = true;
  }

  // The "(s)" of "File(s)", which makes a plural. Behind a word for a length of time it is a unit.
  bool skip_plural() {
    if (word_.text.empty() || measures_time(word_.text)) return false;
    for (const std::string_view ending : {"s", "es"}) {
      if (lowered(position_ + 1, ending.size()) != ending ||
          at(position_ + 1 + ending.size()) != ')')
        continue;
      word_.text += ending;
      position_ += ending.size() + 1;
      return true;
    }
    return false;
  }

  // "New Jobs / Minute" are jobs per minute.
  bool is_followed_by_a_period() const {
    const std::size_t from = after_blanks();
    return std::ranges::any_of(kPeriods, [&](std::string_view period) {
      return lowered(from, period.size()) == period && !is_word_char(at(from + period.size()));
    });
  }

  // Skips the "sec" of "/sec", "/ second", "/s".
  bool skip_second() {
    const std::size_t from = after_blanks();
    for (const std::string_view second : {"seconds", "second", "sec", "s"}) {
      if (lowered(from, second.size()) != second || is_word_char(at(from + second.size())))
        continue;
      position_ = from + second.size() - 1;
      result_.per_second = true;
      // "(Bits/sec)": the word before it is at a unit's position.
      if (!result_.words.empty()) result_.words.back().before_rate = true;
      return true;
    }
    return false;
  }

  std::string lowered(std::size_t from, std::size_t length) const {
    return from > text_.size() ? "" : ascii_lower(text_.substr(from, length));
  }

  void drop_per_second() {
    auto& words = result_.words;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      const std::string& second = words[i + 1].text;
      if (words[i].text != "per" || words.size() < 3 || (second != "second" && second != "sec"))
        continue;
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(i),
                  words.begin() + static_cast<std::ptrdiff_t>(i) + 2);
      if (i > 0) words[i - 1].before_rate = true;
      result_.per_second = true;
      return;
    }
  }

  std::string_view text_;
  bool slash_is_per_;
  std::size_t position_ = 0;
  int depth_ = 0;
  Word word_;
  NameWords result_;
};

}  // namespace

NameWords split_name(std::string_view name, bool slash_is_per) {
  return Splitter(name, slash_is_per).run();
}

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

namespace {

struct UnitWord {
  std::string_view word;
  std::string_view base;
  double factor;
  UnitSort sort;
  std::string_view neutral;  // replaces the word if it isn't the unit; empty: the word stays
};

constexpr double kKibi = 1024.0;

constexpr std::array kUnitWords{
    UnitWord{"bytes", "bytes", 1, UnitSort::kSize, ""},
    UnitWord{"kbytes", "bytes", kKibi, UnitSort::kSize, ""},
    UnitWord{"mbytes", "bytes", kKibi* kKibi, UnitSort::kSize, ""},
    UnitWord{"gbytes", "bytes", kKibi* kKibi* kKibi, UnitSort::kSize, ""},
    UnitWord{"kb", "bytes", kKibi, UnitSort::kLabel, "kilobyte"},
    UnitWord{"mb", "bytes", kKibi* kKibi, UnitSort::kLabel, "megabyte"},
    UnitWord{"gb", "bytes", kKibi* kKibi* kKibi, UnitSort::kLabel, "gigabyte"},
    UnitWord{"tb", "bytes", kKibi* kKibi* kKibi* kKibi, UnitSort::kLabel, "terabyte"},
    UnitWord{"bits", "bytes", 0.125, UnitSort::kSize, "bit"},
    UnitWord{"kbit", "bytes", 125, UnitSort::kLabel, ""},
    UnitWord{"kbits", "bytes", 125, UnitSort::kLabel, ""},
    UnitWord{"mbit", "bytes", 125e3, UnitSort::kLabel, ""},
    UnitWord{"mbits", "bytes", 125e3, UnitSort::kLabel, ""},
    UnitWord{"gbit", "bytes", 125e6, UnitSort::kLabel, ""},
    UnitWord{"gbits", "bytes", 125e6, UnitSort::kLabel, ""},
    UnitWord{"seconds", "seconds", 1, UnitSort::kTime, ""},
    UnitWord{"second", "seconds", 1, UnitSort::kVague, ""},
    UnitWord{"secs", "seconds", 1, UnitSort::kVague, "second"},
    UnitWord{"sec", "seconds", 1, UnitSort::kVague, "second"},
    UnitWord{"s", "seconds", 1, UnitSort::kVague, "letters"},
    UnitWord{"msecs", "seconds", 1e-3, UnitSort::kTime, ""},
    UnitWord{"msec", "seconds", 1e-3, UnitSort::kTime, ""},
    UnitWord{"ms", "seconds", 1e-3, UnitSort::kTime, "millisecond"},
    UnitWord{"millisec", "seconds", 1e-3, UnitSort::kTime, ""},
    UnitWord{"millisecs", "seconds", 1e-3, UnitSort::kTime, ""},
    UnitWord{"microsec", "seconds", 1e-6, UnitSort::kTime, ""},
    UnitWord{"microsecs", "seconds", 1e-6, UnitSort::kTime, ""},
    UnitWord{"usecs", "seconds", 1e-6, UnitSort::kTime, ""},
    UnitWord{"usec", "seconds", 1e-6, UnitSort::kTime, ""},
    UnitWord{"us", "seconds", 1e-6, UnitSort::kVague, "microsecond"},
    UnitWord{"ns", "seconds", 1e-9, UnitSort::kVague, "nanosecond"},
    UnitWord{"100ns", "seconds", 1e-7, UnitSort::kTime, ""},
    UnitWord{"mins", "seconds", 60, UnitSort::kTime, ""},
    UnitWord{"hrs", "seconds", 3600, UnitSort::kTime, ""},
    UnitWord{"minutes", "seconds", 60, UnitSort::kTime, "minute"},
    UnitWord{"hours", "seconds", 3600, UnitSort::kTime, "hour"},
    UnitWord{"days", "seconds", 86400, UnitSort::kTime, "day"},
    UnitWord{"weeks", "seconds", 604800, UnitSort::kTime, "week"},
    UnitWord{"celsius", "celsius", 1, UnitSort::kLabel, ""},
    UnitWord{"kelvin", "kelvin", 1, UnitSort::kLabel, ""},
    UnitWord{"kelvins", "kelvin", 1, UnitSort::kLabel, "kelvin"},
    UnitWord{"meters", "meters", 1, UnitSort::kLabel, ""},
    UnitWord{"metres", "metres", 1, UnitSort::kLabel, ""},
    UnitWord{"inches", "meters", 0.0254, UnitSort::kLabel, "inch"},
    UnitWord{"yards", "meters", 0.9144, UnitSort::kLabel, "yard"},
    UnitWord{"miles", "meters", 1609.344, UnitSort::kLabel, "mile"},
    UnitWord{"grams", "grams", 1, UnitSort::kLabel, ""},
    UnitWord{"pounds", "grams", 453.59237, UnitSort::kLabel, "pound"},
    UnitWord{"ounces", "grams", 28.349523125, UnitSort::kLabel, "ounce"},
    UnitWord{"joules", "joules", 1, UnitSort::kLabel, ""},
    UnitWord{"calories", "joules", 4.184, UnitSort::kLabel, "calorie"},
    UnitWord{"volts", "volts", 1, UnitSort::kLabel, ""},
    UnitWord{"amperes", "amperes", 1, UnitSort::kLabel, ""},
};

struct Prefix {
  std::string_view text;
  double factor;
  double factor_of_bytes;  // Windows counts memory in powers of two
};

constexpr std::array kPrefixes{
    Prefix{"pico", 1e-12, 1e-12},
    Prefix{"nano", 1e-9, 1e-9},
    Prefix{"micro", 1e-6, 1e-6},
    Prefix{"milli", 1e-3, 1e-3},
    Prefix{"centi", 1e-2, 1e-2},
    Prefix{"deci", 1e-1, 1e-1},
    Prefix{"deca", 10, 10},
    Prefix{"hecto", 100, 100},
    Prefix{"kilo", 1e3, kKibi},
    Prefix{"kibi", kKibi, kKibi},
    Prefix{"mega", 1e6, kKibi* kKibi},
    Prefix{"mibi", kKibi* kKibi, kKibi* kKibi},
    Prefix{"mebi", kKibi* kKibi, kKibi* kKibi},
    Prefix{"giga", 1e9, kKibi* kKibi* kKibi},
    Prefix{"gibi", kKibi* kKibi* kKibi, kKibi* kKibi* kKibi},
    Prefix{"tera", 1e12, kKibi* kKibi* kKibi* kKibi},
    Prefix{"tebi", kKibi* kKibi* kKibi* kKibi, kKibi* kKibi* kKibi* kKibi},
    Prefix{"peta", 1e15, kKibi* kKibi* kKibi* kKibi* kKibi},
    Prefix{"pebi", kKibi* kKibi* kKibi* kKibi* kKibi, kKibi* kKibi* kKibi* kKibi* kKibi},
};

// Words that promlint takes for abbreviated units or metric types, and what to write instead.
struct Replacement {
  std::string_view word;
  std::string_view neutral;
};

constexpr std::array kReplacements{
    Replacement{"b", "letterb"},
    Replacement{"h", "letterh"},
    Replacement{"m", "letterm"},
    Replacement{"d", "letterd"},
    Replacement{"pb", "petabyte"},
    Replacement{"fahrenheit", "degf"},
    Replacement{"rankine", "degr"},
    Replacement{"counter", "counters"},
    Replacement{"gauge", "gauges"},
    Replacement{"summary", "summaries"},
    Replacement{"histogram", "histograms"},
};

const UnitWord* find_unit_word(std::string_view word) {
  const auto found = std::ranges::find(kUnitWords, word, &UnitWord::word);
  return found == kUnitWords.end() ? nullptr : &*found;
}

const Prefix* find_prefix(std::string_view word) {
  const auto found = std::ranges::find_if(
      kPrefixes, [&](std::string_view prefix) { return word.starts_with(prefix); }, &Prefix::text);
  return found == kPrefixes.end() ? nullptr : &*found;
}

}  // namespace

std::optional<Unit> unit_called(std::string_view word) {
  if (const UnitWord* unit = find_unit_word(word))
    return Unit{unit->base, unit->factor, unit->sort};
  const Prefix* prefix = find_prefix(word);
  if (prefix == nullptr) return std::nullopt;
  const UnitWord* unit = find_unit_word(word.substr(prefix->text.size()));
  if (unit == nullptr || unit->word.size() < 4) return std::nullopt;  // "micros" is not a unit
  const bool bytes = unit->word == "bytes";
  return Unit{unit->base, unit->factor * (bytes ? prefix->factor_of_bytes : prefix->factor),
              unit->sort};
}

std::string neutral_word(std::string_view word) {
  for (const Replacement& replacement : kReplacements)
    if (replacement.word == word) return std::string(replacement.neutral);
  if (const UnitWord* unit = find_unit_word(word))
    return std::string(unit->neutral.empty() ? word : unit->neutral);
  const Prefix* prefix = find_prefix(word);
  if (prefix == nullptr) return std::string(word);
  const std::string_view rest = word.substr(prefix->text.size());
  if (rest.size() < 4) return std::string(word);
  const std::string neutral = neutral_word(rest);
  const bool objectionable = find_unit_word(rest) != nullptr || neutral != rest;
  return objectionable ? std::string(prefix->text) + '_' + neutral : std::string(word);
}

std::string plural(std::string_view word) {
  std::string text(word);
  const bool adds_es =
      word.ends_with("ss") || word.ends_with('x') || word.ends_with("ch") || word.ends_with("sh");
  if (adds_es) return text + "es";
  if (word.empty() || word.ends_with('s')) return text;
  const bool has_consonant_before_y = word.size() > 1 && word.ends_with('y') &&
                                      !std::string_view("aeiou").contains(word[word.size() - 2]);
  return has_consonant_before_y ? text.substr(0, text.size() - 1) + "ies" : text + 's';
}

}  // namespace winperf
