#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "config/tree_builder.h"

namespace winperf {
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
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
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

  bool null() {
    const bool ok = builder_.null(token_start());
    return token_done(ok);
  }
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
