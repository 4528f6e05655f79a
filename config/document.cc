#include "config/document.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "collectors/base/ascii.h"
#include "collectors/base/utf8.h"
#include "collectors/base/wording.h"
#include "config/tree_builder.h"

namespace winperf {

TextPosition position_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::string_view line = before.substr(before.rfind('\n') + 1);
  return {.line = 1 + static_cast<std::size_t>(std::ranges::count(before, '\n')),
          .column = 1 + static_cast<std::size_t>(std::ranges::count_if(line, starts_character))};
}

LineIndex::LineIndex(std::string_view text) {
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    breaks_.push_back(at);
}

std::size_t LineIndex::line_of(std::size_t offset) const {
  const auto next_break = std::lower_bound(breaks_.begin(), breaks_.end(), offset);
  return 1 + static_cast<std::size_t>(next_break - breaks_.begin());
}

std::string as_json(std::string_view text) {
  using nlohmann::json;
  return json(std::string(text)).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string shown_key(std::string_view key) {
  constexpr std::size_t kMostBytes = 40;
  const bool is_word = key.size() <= kMostBytes && std::ranges::all_of(key, [](char c) {
                         return is_letter(c) || c == '_' || c == '-' || c == '.';
                       });
  return is_word ? ' ' + in_quotes(key) : "";
}

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_break(char c) { return c == '\n' || c == '\r'; }
bool is_flow_indicator(char c) { return c == ',' || c == '[' || c == ']' || c == '{' || c == '}'; }
constexpr std::string_view kNoBreakSpace = "\xC2\xA0";

char partner(char bracket) { return bracket == '[' ? ']' : '}'; }

class Blanker {
 public:
  explicit Blanker(std::string_view text) : text_(text), blanked_(text) {}

  std::expected<std::string, TextError> run() {
    while (at_ < text_.size() && !error_) between_tokens();
    if (!error_ && !open_.empty()) bracket_not_closed();
    if (error_) return std::unexpected(*error_);
    return std::move(blanked_);
  }

 private:
  bool has(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  bool comment_starts_here() const { return has("//") || has("/*"); }
  bool space_follows() const {
    const std::size_t next = at_ + 1;
    return next >= text_.size() || is_blank(text_[next]) || is_break(text_[next]);
  }
  bool at_line_start() const { return at_ == 0 || is_break(text_[at_ - 1]); }

  void between_tokens() {
    const char c = text_[at_];
    if (comment_starts_here()) return comment();
    if (c == '"') return double_quoted();
    if (c == '\'') return single_quoted();
    if (c == '#') return skip_line();
    if (is_flow_indicator(c)) return flow_indicator(c);
    // YAML would take such a line for a directive and silently ignore it.
    if (c == '%' && open_.empty() && at_line_start()) {
      return refuse(at_,
                    "a line cannot begin with %; write the text in quotes, or remove the line");
    }
    if ((c == '|' || c == '>') && open_.empty()) {
      return refuse(at_,
                    "text blocks (| and >) are not supported; write the text in double quotes");
    }
    if (has("---") && at_line_start())
      at_ += 3;
    else if (is_blank(c) || is_break(c) || c == ':' || ((c == '-' || c == '?') && space_follows()))
      ++at_;
    else
      plain();
  }

  void refuse(std::size_t offset, std::string message) {
    if (!error_) error_ = TextError{offset, std::move(message)};
  }

  void flow_indicator(char c) {
    if (c == '[' || c == '{') open_.push_back(at_);
    if (c == ']' || c == '}') close_bracket(c);
    ++at_;
  }

  void close_bracket(char c) {
    if (open_.empty())
      return refuse(at_, std::string("this ") + c + " was never opened; remove it");
    if (partner(text_[open_.back()]) != c) return bracket_not_closed();
    open_.pop_back();
  }

  void bracket_not_closed() {
    const char bracket = text_[open_.back()];
    refuse(open_.back(), std::string("this ") + bracket + " is not closed; write " +
                             partner(bracket) + " at its end");
  }

  void double_quoted() {
    const std::size_t start = at_;
    for (++at_; !at_text_end('"'); ++at_)
      if (text_[at_] == '\\') ++at_;
    close_quote(start);
  }

  void single_quoted() {
    const std::size_t start = at_;
    for (++at_; has("''") || !at_text_end('\''); ++at_)
      if (has("''")) ++at_;
    close_quote(start);
  }

  bool at_text_end(char quote) const {
    return at_ >= text_.size() || text_[at_] == quote || is_break(text_[at_]);
  }

  void close_quote(std::size_t start) {
    const char quote = text_[start];
    if (at_ >= text_.size() || text_[at_] != quote) {
      return refuse(start, std::string("this text is not closed; write ") + quote +
                               " at its end, on the same line");
    }
    ++at_;
  }

  // Unquoted text ends at the line's end, a comment, a ": ", or a flow indicator inside brackets.
  void plain() {
    for (; at_ < text_.size() && !is_break(text_[at_]); ++at_) {
      const char c = text_[at_];
      if (!open_.empty() && is_flow_indicator(c)) return;
      if (has(kNoBreakSpace))
        return refuse(at_, "a no-break space; write a space, or put the text in quotes");
      if (c == ':' && colon_ends_plain()) return;
      if (!is_blank(c)) continue;
      at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size());
      if (at_ == text_.size() || text_[at_] == '#' || comment_starts_here()) return;
      --at_;
    }
  }

  bool colon_ends_plain() const {
    return space_follows() || (!open_.empty() && is_flow_indicator(text_[at_ + 1]));
  }

  std::size_t line_end() const { return std::min(text_.find_first_of("\r\n", at_), text_.size()); }
  void skip_line() { at_ = line_end(); }

  void comment() {
    if (has("//")) return blank_to(line_end());
    const std::size_t close = text_.find("*/", at_ + 2);
    if (close == std::string_view::npos)
      return refuse(at_, "this comment does not end; write */ at its end");
    blank_to(close + 2);
  }

  void blank_to(std::size_t end) {
    for (; at_ < end; ++at_)
      if (!is_break(blanked_[at_])) blanked_[at_] = ' ';
  }

  std::string_view text_;
  std::string blanked_;
  std::size_t at_ = 0;
  std::vector<std::size_t> open_;  // offsets of the brackets that are open
  std::optional<TextError> error_;
};

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

unsigned byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

bool is_forbidden_control(unsigned byte) {
  return (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F;
}

}  // namespace

std::expected<std::string, TextError> blank_comments(std::string_view text) {
  return Blanker(text).run();
}

std::string_view without_byte_order_mark(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

std::optional<TextError> check_encoding(std::string_view text) {
  if (text.size() > kMaxConfigBytes) return TextError{kMaxConfigBytes, kFileTooLarge};
  if (const std::string_view encoding = wide_encoding(text); !encoding.empty())
    return TextError{0, "the file is " + std::string(encoding) + ": save it as UTF-8"};
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Step step = next_character(text.substr(at));
    if (!step.valid) return TextError{at, "invalid UTF-8: save the file as UTF-8"};
    if (is_forbidden_control(byte_at(text, at)))
      return TextError{at, "a control character; remove it, and save the file as UTF-8 text"};
    at += step.bytes;
  }
  return std::nullopt;
}

std::expected<Document, TextError> read_document(std::string_view text) {
  const auto blanked = blank_comments(text);
  if (!blanked) return std::unexpected(blanked.error());

  TreeBuilder json(text);
  if (read_json(*blanked, json)) return json.take();

  // The JSON parser rejects extensions that are allowed here, so the YAML parser decides.
  TreeBuilder yaml(text);
  if (const auto error = read_yaml(*blanked, yaml)) return std::unexpected(*error);
  return yaml.take();
}

std::expected<Document, TextError> read_plain_yaml(std::string_view text) {
  TreeBuilder yaml(text);
  if (const auto error = read_yaml(std::string(text), yaml)) return std::unexpected(*error);
  return yaml.take();
}

const Node* child_of(const Node& map, std::string_view key) {
  const auto found = std::ranges::find(map.children, key, &Node::key);
  return found == map.children.end() ? nullptr : &*found;
}

const Node* child_of(const Node& map, std::string_view section, std::string_view key) {
  const Node* const found = child_of(map, section);
  return found == nullptr ? nullptr : child_of(*found, key);
}

}  // namespace winperf
