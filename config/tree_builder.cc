#include "config/tree_builder.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
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
  if (expects_key()) return refuse(offset, "a key is missing here; write \"key\": value");
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
  if (expects_key()) return refuse(offset, "a key must be text; write \"key\": value");
  if (open_.size() >= kMaxConfigDepth) {
    return refuse(offset, "nested more than " + std::to_string(kMaxConfigDepth) +
                              " levels deep; remove brackets here");
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

// Counts how far the parser has read, which its events don't say.
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

class JsonEvents {
 public:
  using Json = nlohmann::json;

  JsonEvents(std::string_view text, TreeBuilder& builder)
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
  // Between two tokens that cause events are only white space and punctuation, including the
  // character that the parser reads past a number.
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
  JsonEvents events(text, builder);
  return nlohmann::json::sax_parse(events.begin(), events.end(), &events);
}

namespace {

// Thrown through yaml-cpp when the builder refuses the text.
struct Refused {};

std::size_t offset_of(const YAML::Mark& mark) {
  return static_cast<std::size_t>(std::max(mark.pos, 0));
}

// The end of the text before `at`, not counting # comments.
std::size_t end_before(std::string_view text, std::size_t at) {
  while (at > 0) {
    const std::size_t last = text.find_last_not_of(" \t\r\n", at - 1);
    if (last == std::string_view::npos) break;
    const std::size_t line = text.find_last_of("\r\n", last) + 1;
    const std::string_view before = text.substr(line, last + 1 - line);
    if (const std::size_t comment = before.find(" #"); comment != std::string_view::npos)
      at = line + comment;
    else if (before.starts_with('#'))
      at = line;
    else
      return last + 1;
  }
  return 0;
}

// The colon of "key:value" on the line above that of `at`: without a space after it, both lines are
// one text.
std::size_t colon_without_space(std::string_view text, std::size_t at) {
  const std::size_t line = text.substr(0, std::min(at, text.size())).find_last_of("\r\n");
  if (line == text.npos) return text.npos;
  const std::size_t end = end_before(text, line);
  const std::size_t start =
      text.find_first_not_of("- ", text.substr(0, end).find_last_of("\r\n") + 1);
  const std::size_t colon = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", start);
  const bool is_key = colon < end && colon > start && text[colon] == ':';
  return is_key && text.find_first_of(" \t\r\n", colon) != colon + 1 ? colon : text.npos;
}

constexpr const char* kSpaceAdvice = "a space is missing after this colon; write key: value";

class YamlEvents : public YAML::EventHandler {
 public:
  YamlEvents(std::string_view text, TreeBuilder& builder) : text_(text), builder_(builder) {}

  bool in_brackets() const { return flow_depth_ > 0; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ == 0) return;
    if (const auto colon = colon_without_space(text_, offset_of(mark)); colon != text_.npos) {
      builder_.refuse(colon, kSpaceAdvice);
      throw Refused{};
    }
    refuse(mark, "text after the end of the document; remove it");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    proceed(builder_.null(offset_of_nothing(mark)));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(mark, "aliases (*name) are not supported; write the value out, or quote a text with *");
  }
  void OnAnchor(const YAML::Mark& mark, const std::string&) override {
    refuse(mark, "anchors (&name) are not supported; remove it, or quote a text with &");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& value) override {
    check_tag(mark, tag);
    proceed(builder_.scalar(offset_of(mark), value, tag == "!"));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value style) override {
    check_tag(mark, tag);
    open(style);
    proceed(builder_.begin(NodeKind::kSequence, offset_of(mark)));
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value style) override {
    check_tag(mark, tag);
    open(style);
    proceed(builder_.begin(NodeKind::kMap, offset_of(mark)));
  }
  void OnMapEnd() override { close(); }

 private:
  void open(YAML::EmitterStyle::value style) {
    if (flow_depth_ > 0 || style == YAML::EmitterStyle::Flow) ++flow_depth_;
  }
  void close() {
    if (flow_depth_ > 0) --flow_depth_;
    proceed(builder_.end());
  }
  // In indented blocks, yaml-cpp's mark of a missing value is the place of the next token, lines
  // below.
  std::size_t offset_of_nothing(const YAML::Mark& mark) const {
    const std::size_t at = std::min(offset_of(mark), text_.size());
    if (flow_depth_ > 0) return at;
    const std::size_t end = end_before(text_, at);
    const bool is_below = text_.substr(end, at - end).find_first_of("\r\n") != text_.npos;
    return is_below ? end : at;
  }
  static void proceed(bool ok) {
    if (!ok) throw Refused{};
  }
  [[noreturn]] void refuse(const YAML::Mark& mark, const char* message) {
    builder_.refuse(offset_of(mark), message);
    throw Refused{};
  }
  // yaml-cpp's words for "no tag": "?" for a plain node, "!" for a quoted scalar.
  void check_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    refuse(mark, "tags (!name) are not supported; remove it, or quote a text with !");
  }

  std::string_view text_;
  TreeBuilder& builder_;
  std::size_t flow_depth_ = 0;  // open brackets
  int documents_ = 0;
};

struct Advice {
  std::string_view complaint;  // the beginning of yaml-cpp's message
  std::string_view advice;
};

constexpr std::string_view kTabAdvice = "a tab indents this line; write spaces";

// What to write instead, by yaml-cpp's complaint.
const Advice kAdvice[] = {
    {YAML::ErrorMsg::END_OF_MAP_FLOW,
     "a comma or a colon is missing before this; write key: value, and , between two entries"},
    {YAML::ErrorMsg::END_OF_SEQ_FLOW,
     "a comma is missing before this; write , between two entries"},
    {YAML::ErrorMsg::END_OF_MAP,
     "this line does not continue the object above; write key: value, indented like its siblings"},
    {YAML::ErrorMsg::END_OF_SEQ,
     "this line does not continue the list above; write \"- \" indented like its siblings"},
    {YAML::ErrorMsg::INVALID_ESCAPE,
     "a backslash in \"...\" must be doubled; write \"C:\\\\logs\", or use '...'"},
    {YAML::ErrorMsg::INVALID_HEX,
     "not hexadecimal; write four digits after \\u, two after \\x, eight after \\U"},
    {YAML::ErrorMsg::INVALID_UNICODE,
     "no such character; write the character itself, or \\U and eight digits"},
    {YAML::ErrorMsg::TAB_IN_INDENTATION, kTabAdvice},
    {YAML::ErrorMsg::MAP_VALUE,
     "this \":\" belongs to no key; write a text that contains \": \" in quotes, or indent the "
     "line like its siblings, with spaces"},
    {YAML::ErrorMsg::MAP_KEY, "a key cannot stand here; start a new line, or use { }"},
    {YAML::ErrorMsg::BLOCK_ENTRY, "a list entry \"- \" cannot stand here; start a new line"},
    {YAML::ErrorMsg::UNKNOWN_TOKEN, "text cannot begin with this character; write it in quotes"},
    {YAML::ErrorMsg::CHAR_IN_ANCHOR, "text cannot begin with &; write it in quotes"},
    {YAML::ErrorMsg::CHAR_IN_ALIAS, "text cannot begin with *; write it in quotes"},
    {YAML::ErrorMsg::ANCHOR_NOT_FOUND, "text cannot begin with &; write it in quotes"},
    {YAML::ErrorMsg::ALIAS_NOT_FOUND, "text cannot begin with *; write it in quotes"},
    {YAML::ErrorMsg::UNKNOWN_ANCHOR, "text cannot begin with *; write it in quotes"},
};

std::string yaml_advice(std::string_view complaint) {
  for (const Advice& entry : kAdvice)
    if (complaint.starts_with(entry.complaint)) return std::string(entry.advice);
  return "not valid YAML (" + std::string(complaint) + "): compare with the example file";
}

// The tab that indents the line of `at`, if there is one.
std::size_t indenting_tab(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, std::min(at, text.size()));
  const std::size_t line = before.find_last_of("\r\n") + 1;
  const std::size_t tab = text.find_first_not_of(' ', line);
  return tab != text.npos && text[tab] == '\t' ? tab : text.npos;
}

TextError error_of(const YAML::Exception& error, std::string_view text, bool in_brackets) {
  const std::size_t at = offset_of(error.mark);
  // Between brackets a tab is valid white space, so the complaint is about something else.
  const std::size_t tab = in_brackets ? text.npos : indenting_tab(text, at);
  if (tab != text.npos) return {tab, std::string(kTabAdvice)};
  const std::size_t colon = in_brackets ? text.npos : colon_without_space(text, at);
  if (colon != text.npos) return {colon, kSpaceAdvice};
  return {at, yaml_advice(error.msg)};
}

}  // namespace

std::optional<TextError> read_yaml(const std::string& text, TreeBuilder& builder) {
  YamlEvents events(text, builder);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(events)) {
    }
  } catch (const Refused&) {
    return builder.error();
  } catch (const YAML::Exception& error) {
    return error_of(error, text, events.in_brackets());
  }
  return std::nullopt;
}

}  // namespace winperf
