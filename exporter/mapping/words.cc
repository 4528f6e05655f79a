#include "exporter/mapping/words.h"

#include <algorithm>

#include "collectors/base/ascii.h"
#include "exporter/mapping/unit_words.h"

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

}  // namespace winperf
