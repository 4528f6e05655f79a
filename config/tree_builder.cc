#include "config/tree_builder.h"

#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace winperf {

bool TreeBuilder::refuse(std::size_t offset, std::string message) {
  if (!error_) error_ = TextError{offset, std::move(message)};
  return false;
}

bool TreeBuilder::expects_key() const {
  return !open_.empty() && open_.back().node.kind == NodeKind::kMap && !open_.back().key;
}

bool TreeBuilder::key(std::size_t offset, std::string text) {
  Open& map = open_.back();
  const auto [first, is_new] = map.seen.emplace(text, offset);
  if (!is_new) {
    const std::string shown = shown_key(text);
    const auto line = std::to_string(lines_.line_of(first->second));
    document_.duplicates.push_back({offset, (shown.empty() ? "a key" : "key" + shown) +
                                                " is given twice, first on line " + line +
                                                ": keep one"});
  }
  map.key_is_duplicate = !is_new;
  map.key_offset = offset;
  map.key = std::move(text);
  return true;
}

bool TreeBuilder::count_node(std::size_t offset) {
  if (++nodes_ <= kMaxConfigNodes) return true;
  return refuse(offset,
                "more than " + std::to_string(kMaxConfigNodes) + " values: shorten the file");
}

bool TreeBuilder::add(Node node) {
  if (open_.empty()) {
    document_.root = std::move(node);
    return true;
  }
  Open& parent = open_.back();
  if (parent.node.kind == NodeKind::kMap) {
    node.key = std::move(*parent.key);
    node.key_offset = parent.key_offset;
    parent.key.reset();
    if (parent.key_is_duplicate) return true;
  }
  parent.node.children.push_back(std::move(node));
  return true;
}

bool TreeBuilder::null(std::size_t offset) {
  if (error_) return false;
  if (expects_key()) return refuse(offset, "a key is missing here: write \"key\": value");
  return count_node(offset) && add({.offset = offset});
}

bool TreeBuilder::scalar(std::size_t offset, std::string text, bool is_quoted) {
  if (error_) return false;
  if (expects_key()) return count_node(offset) && key(offset, std::move(text));
  return count_node(offset) && add({.kind = NodeKind::kScalar,
                                    .is_quoted = is_quoted,
                                    .text = std::move(text),
                                    .offset = offset});
}

bool TreeBuilder::begin(NodeKind kind, std::size_t offset) {
  if (error_) return false;
  if (expects_key()) return refuse(offset, "a key must be text: write \"key\": value");
  if (open_.size() >= kMaxConfigDepth) {
    return refuse(offset, "nested more than " + std::to_string(kMaxConfigDepth) +
                              " levels deep: remove brackets here");
  }
  open_.emplace_back().node = {.kind = kind, .offset = offset};
  return count_node(offset);
}

bool TreeBuilder::end() {
  if (error_) return false;
  Node node = std::move(open_.back().node);
  open_.pop_back();
  // The key belongs to the enclosing map, so add() sets it.
  return add(std::move(node));
}

Document TreeBuilder::take() { return std::exchange(document_, {}); }

namespace {

// Tells how far the parser has read, which its events don't.
struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at = nullptr;
  const char** furthest = nullptr;

  reference operator*() const { return *at; }
  CountingIterator& operator++() {
    *furthest = ++at;
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return at == other.at; }
};

class Events {
 public:
  using Json = nlohmann::json;

  Events(std::string_view text, TreeBuilder& builder)
      : text_(text), furthest_(text.data()), builder_(builder) {}

  CountingIterator begin() { return {text_.data(), &furthest_}; }
  CountingIterator end() { return {text_.data() + text_.size(), &furthest_}; }

  bool null() { return token_done(builder_.null(token_start())); }
  bool boolean(bool value) { return plain(value ? "true" : "false"); }
  bool number_integer(std::int64_t) { return number(); }
  bool number_unsigned(std::uint64_t) { return number(); }
  bool number_float(double, const std::string&) { return number(); }
  bool string(std::string& value) {
    return token_done(builder_.scalar(token_start(), value, true));
  }
  bool key(std::string& value) { return string(value); }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(std::size_t) {
    return token_done(builder_.begin(NodeKind::kMap, token_start()));
  }
  bool start_array(std::size_t) {
    return token_done(builder_.begin(NodeKind::kSequence, token_start()));
  }
  bool end_object() { return token_done(builder_.end()); }
  bool end_array() { return token_done(builder_.end()); }
  bool parse_error(std::size_t, const std::string&, const Json::exception&) { return false; }

 private:
  // Only white space and punctuation are between two tokens that cause events. The parser reads one
  // character past a number, but that is punctuation, too.
  std::size_t token_start() const {
    return std::min(text_.find_first_not_of(" \t\r\n,:]}", token_end_), text_.size());
  }
  bool token_done(bool ok) {
    token_end_ = static_cast<std::size_t>(furthest_ - text_.data());
    return ok;
  }
  bool plain(std::string text) {
    return token_done(builder_.scalar(token_start(), std::move(text), false));
  }
  bool number() {
    const std::size_t start = token_start();
    const std::size_t end =
        std::min(text_.find_first_not_of("+-.0123456789eE", start), text_.size());
    return plain(std::string(text_.substr(start, end - start)));
  }

  std::string_view text_;
  const char* furthest_;
  std::size_t token_end_ = 0;
  TreeBuilder& builder_;
};

}  // namespace

bool read_json(std::string_view text, TreeBuilder& builder) {
  Events events(text, builder);
  return nlohmann::json::sax_parse(events.begin(), events.end(), &events);
}

}  // namespace winperf
