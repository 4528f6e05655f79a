#include "config/migration/wql.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "collectors/base/ascii.h"

namespace winperf::migration {
namespace {

enum class Kind { kWord, kText, kSign, kEnd };

struct Token {
  Kind kind = Kind::kEnd;
  std::string text;
};

class Words {
 public:
  explicit Words(std::string_view text) : text_(text) { next(); }

  const Token& now() const { return now_; }
  bool is(std::string_view word) const {
    return now_.kind != Kind::kText && equal_names(now_.text, word);
  }
  bool take(std::string_view word) {
    if (!is(word)) return false;
    next();
    return true;
  }
  // What is left, with the present word.
  std::string rest() const { return std::string(text_.substr(begin_)); }

  void next() {
    begin_ = std::min(text_.find_first_not_of(" \t\r\n", end_), text_.size());
    end_ = begin_;
    if (begin_ == text_.size()) {
      now_ = {};
    } else if (text_[begin_] == '\'' || text_[begin_] == '"') {
      read_text(text_[begin_]);
    } else if (is_sign(text_[begin_])) {
      const bool is_one = text_[begin_] == '(' || text_[begin_] == ')';
      while (end_ < text_.size() && is_sign(text_[end_]) && !(is_one && end_ > begin_) &&
             (is_one || (text_[end_] != '(' && text_[end_] != ')')))
        ++end_;
      now_ = {Kind::kSign, std::string(text_.substr(begin_, end_ - begin_))};
    } else {
      end_ = std::min(text_.find_first_of(" \t\r\n'\"()<>=!", begin_), text_.size());
      now_ = {Kind::kWord, std::string(text_.substr(begin_, end_ - begin_))};
    }
  }

 private:
  static bool is_sign(char c) { return std::string_view("()<>=!").find(c) != std::string::npos; }

  void read_text(char quote) {
    std::string text;
    for (end_ = begin_ + 1; end_ < text_.size() && text_[end_] != quote; ++end_) {
      if (text_[end_] == '\\' && end_ + 1 < text_.size()) ++end_;
      text += text_[end_];
    }
    // Without its end it is no text.
    now_ = {end_ < text_.size() ? Kind::kText : Kind::kSign, std::move(text)};
    end_ = std::min(end_ + 1, text_.size());
  }

  std::string_view text_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  Token now_;
};

std::string escaped(char c) {
  const bool is_special = std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos;
  return is_special ? std::string{'\\', c} : std::string(1, c);
}

std::string plain_pattern(std::string_view text) {
  std::string pattern = "(?i)";
  for (const char c : text) pattern += escaped(c);
  return pattern;
}

// % is any text, _ any character, [a-f] one of these, [^a-f] any other.
std::string like_pattern(std::string_view text) {
  std::string pattern = "(?i)";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end = text[i] == '[' ? text.find(']', i + 1) : std::string_view::npos;
    if (end != std::string_view::npos && end > i + 1) {
      pattern += text.substr(i, end - i + 1);
      i = end;
    } else if (text[i] == '%') {
      pattern += ".*";
    } else if (text[i] == '_') {
      pattern += '.';
    } else {
      pattern += escaped(text[i]);
    }
  }
  return pattern;
}

class Conditions {
 public:
  explicit Conditions(std::string_view text) : words_(text) {}

  std::expected<NamePatterns, std::string> run() {
    if (!any() || words_.now().kind != Kind::kEnd) return std::unexpected(words_.rest());
    const bool is_mixed = !patterns_.include.empty() && !patterns_.exclude.empty();
    // "A or B" of names, "not A and not B" of others: anything else is no filter.
    if ((is_mixed && has_or_) || (patterns_.include.size() > 1 && has_and_) ||
        (patterns_.exclude.size() > 1 && has_or_))
      return std::unexpected("AND and OR");
    return std::move(patterns_);
  }

 private:
  bool any() {
    if (!one()) return false;
    while (words_.is("or") || words_.is("and")) {
      (words_.is("or") ? has_or_ : has_and_) = true;
      words_.next();
      if (!one()) return false;
    }
    return true;
  }

  bool one() {
    if (words_.is("(")) {
      Words before = words_;
      words_.next();
      if (any() && words_.take(")")) return true;
      words_ = std::move(before);
      return false;
    }
    const Words before = words_;
    bool negated = words_.take("not");
    if (words_.is("(") || !words_.take("name")) return back(before);
    if (words_.take("not")) negated = !negated;
    const bool like = words_.take("like");
    if (!like && (words_.is("<>") || words_.is("!=")))
      negated = !negated;
    else if (!like && !words_.is("="))
      return back(before);
    if (!like) words_.next();
    if (words_.now().kind != Kind::kText) return back(before);
    const std::string& text = words_.now().text;
    (negated ? patterns_.exclude : patterns_.include)
        .push_back(like ? like_pattern(text) : plain_pattern(text));
    words_.next();
    return true;
  }

  // The error shows the whole condition that isn't understood.
  bool back(const Words& before) {
    words_ = before;
    return false;
  }

  Words words_;
  NamePatterns patterns_;
  bool has_or_ = false;
  bool has_and_ = false;
};

}  // namespace

std::expected<NamePatterns, std::string> patterns_of_wql(std::string_view condition) {
  return Conditions(condition).run();
}

bool looks_like_wql(std::string_view text) {
  Words words(text);
  while (words.take("(") || words.take("not")) {
  }
  if (words.now().kind != Kind::kWord) return false;
  words.next();
  while (words.take("not")) {
  }
  const bool is_compared = words.is("like") || words.is("=") || words.is("<>") || words.is("!=");
  if (!is_compared) return false;
  words.next();
  return words.now().kind == Kind::kText;
}

}  // namespace winperf::migration
