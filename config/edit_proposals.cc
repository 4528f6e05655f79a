#include "config/edit_proposals.h"

#include <algorithm>
#include <optional>
#include <ranges>
#include <utility>

namespace winperf {
namespace {

// The end of the key or value that begins at `at` and reads `decoded`; nothing if the way it is
// written doesn't tell, such as a text that continues on the next line.
std::optional<std::size_t> token_end(std::string_view text, std::size_t at,
                                     std::string_view decoded) {
  const char quote = at < text.size() ? text[at] : '\0';
  if (quote != '"' && quote != '\'') {
    const bool is_plain = text.substr(at).starts_with(decoded);
    return is_plain ? std::optional(at + decoded.size()) : std::nullopt;
  }
  for (std::size_t end = at + 1; end < text.size(); ++end) {
    const bool is_pair = quote == '"' ? text[end] == '\\' : text.substr(end).starts_with("''");
    if (is_pair) {
      ++end;
    } else if (text[end] == quote) {
      return end + 1;
    }
  }
  return std::nullopt;
}

bool may_have_comment(std::string_view text) {
  return text.contains('#') || text.contains("//") || text.contains("/*");
}

// The ends of the list in brackets that begins at `at`: nobody knows here which of the brackets are
// in quotes. None if a comment may be in it, which would be lost.
std::vector<std::size_t> list_ends(std::string_view text, std::size_t at) {
  constexpr std::size_t kMost = 50;
  std::vector<std::size_t> ends;
  for (std::size_t end = text.find(']', at); end != text.npos && ends.size() < kMost;
       end = text.find(']', end + 1)) {
    if (may_have_comment(text.substr(at, end - at))) break;
    ends.push_back(end + 1);
  }
  return ends;
}

// The white space before `at`; nothing if anything else precedes it on its line.
std::optional<std::string> indentation(std::string_view text, std::size_t at) {
  const std::size_t line = text.substr(0, at).find_last_of("\r\n") + 1;
  const std::string_view before = text.substr(line, at - line);
  if (before.find_first_not_of(" \t") != before.npos) return std::nullopt;
  return std::string(before);
}

std::size_t line_end(std::string_view text, std::size_t at) {
  return std::min(text.find_first_of("\r\n", at), text.size());
}

// The ways to write the new value, the best-looking one first. Only parsing the result shows
// whether one of them leaves everything else alone.
class Proposals {
 public:
  Proposals(std::string_view text, const Node& root, const Option& option, std::string value)
      : text_(text),
        root_(root),
        innermost_(innermost_of(root, option)),
        keys_(keys_of(option)),
        value_(std::move(value)) {
    const std::size_t line = text.find_first_of("\r\n");
    if (line != text.npos) newline_ = text.substr(line, text.substr(line).starts_with("\r\n") + 1U);
    quotes_keys_ = !root.children.empty() && text[root.children.front().key_offset] == '"';
  }

  std::vector<Splice> run() && {
    const auto& [section, depth] = innermost_;
    const Node* const old = depth + 1 == keys_.size() ? child_of(*section, keys_.back()) : nullptr;
    if (old != nullptr) {
      replace(*old);
    } else if (section->kind == NodeKind::kMap) {
      add_to_map(*section);
    } else if (section != &root_) {
      fill(*section);
    } else {
      add_at_end("", flow());
    }
    return std::move(proposals_);
  }

 private:
  void propose(std::size_t offset, std::size_t length, std::string text) {
    proposals_.push_back({offset, length, std::move(text)});
  }

  void replace(const Node& old) {
    if (old.kind != NodeKind::kSequence) {
      if (const auto end = token_end(text_, old.offset, old.text))
        propose(old.offset, *end - old.offset, value_);
    } else if (text_[old.offset] == '[') {
      for (const std::size_t end : list_ends(text_, old.offset))
        propose(old.offset, end - old.offset, value_);
    } else {
      replace_lines(old);
    }
  }

  // A list with a line for each entry becomes one on the line of its key.
  void replace_lines(const Node& list) {
    const Node& last = list.children.back();
    const auto key_end = token_end(text_, list.key_offset, list.key);
    const auto end = token_end(text_, last.offset, last.text);
    if (!key_end || !end || last.kind != NodeKind::kScalar) return;
    const std::size_t begin = text_.find(':', *key_end) + 1;
    if (begin == 0 || begin > *end || may_have_comment(text_.substr(begin, *end - begin))) return;
    propose(begin, *end - begin, ' ' + value_);
  }

  std::string written_key(std::string_view key) const {
    return quotes_keys_ ? '"' + std::string(key) + '"' : std::string(key);
  }
  // What the text lacks, for use inside brackets.
  std::string flow() const {
    std::string entry = written_key(keys_.back()) + ": " + value_;
    for (std::size_t i = keys_.size() - 1; i > innermost_.depth; --i)
      entry = written_key(keys_[i - 1]) + ": {" + entry + '}';
    return entry;
  }
  // The same on lines of its own.
  std::string block(std::string indent) const {
    std::string entry;
    for (std::size_t i = innermost_.depth; i + 1 < keys_.size(); ++i) {
      indent += "  ";
      entry += written_key(keys_[i]) + ':' + newline_ + indent;
    }
    return entry + written_key(keys_.back()) + ": " + value_;
  }

  void add_to_map(const Node& map) {
    const bool is_empty = map.children.empty();
    const std::size_t first = is_empty ? map.offset : map.children.front().key_offset;
    const auto indent = indentation(text_, first);
    const std::string flow = this->flow();
    const std::string block = this->block(indent.value_or(""));
    if (text_[map.offset] == '{') {
      if (!is_empty && indent && line_end(text_, map.offset) < first)
        propose(line_end(text_, map.offset), 0, newline_ + *indent + flow + ',');
      return propose(map.offset + 1, 0, flow + (is_empty ? "" : ", "));
    }
    if (!indent) return;
    if (&map == &root_) {
      add_at_end(*indent, block);
    } else {
      propose(line_end(text_, map.key_offset), 0, newline_ + *indent + block);
    }
    propose(first, 0, block + newline_ + *indent);
  }

  void add_at_end(const std::string& indent, const std::string& what) {
    const bool in_line = !text_.empty() && text_.back() != '\n' && text_.back() != '\r';
    propose(text_.size(), 0, (in_line ? newline_ : "") + indent + what + newline_);
  }

  // A section without a value: "null", or "listen:", perhaps with its keys commented out below.
  void fill(const Node& section) {
    const std::string flow = '{' + this->flow() + '}';
    for (const std::string_view nothing : {"null", "~"}) {
      if (text_.substr(section.offset).starts_with(nothing))
        propose(section.offset, nothing.size(), flow);
    }
    if (const auto indent = indentation(text_, section.key_offset))
      propose(line_end(text_, section.key_offset), 0,
              newline_ + *indent + "  " + block(*indent + "  "));
    if (const auto end = token_end(text_, section.key_offset, section.key)) {
      if (const std::size_t colon = text_.find(':', *end); colon != text_.npos)
        propose(colon + 1, 0, ' ' + flow);
    }
  }

  std::string_view text_;
  const Node& root_;
  const Innermost innermost_;
  const std::vector<std::string_view> keys_;
  std::string value_;  // as written in the file
  std::string newline_ = "\n";
  bool quotes_keys_ = false;
  std::vector<Splice> proposals_;
};

}  // namespace

std::vector<std::string_view> keys_of(const Option& option) {
  std::vector<std::string_view> keys;
  for (const auto key : std::views::split(option.path, '.')) keys.emplace_back(key);
  return keys;
}

Innermost innermost_of(const Node& root, const Option& option) {
  const auto keys = keys_of(option);
  Innermost innermost{.section = &root};
  while (innermost.depth + 1 < keys.size()) {
    const Node* const child = child_of(*innermost.section, keys[innermost.depth]);
    if (child == nullptr) break;
    innermost = {.section = child, .depth = innermost.depth + 1};
  }
  return innermost;
}

std::vector<Splice> proposals(std::string_view text, const Node& root, const Option& option,
                              std::string value) {
  return Proposals(text, root, option, std::move(value)).run();
}

}  // namespace winperf
