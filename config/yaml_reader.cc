#include "config/yaml_reader.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <exception>
#include <sstream>
#include <string_view>
#include <utility>

namespace winperf {
namespace {

// Thrown through yaml-cpp where the builder refuses to go on.
struct Refused {};

std::size_t offset_of(const YAML::Mark& mark) {
  return static_cast<std::size_t>(std::max(mark.pos, 0));
}

class Events : public YAML::EventHandler {
 public:
  explicit Events(TreeBuilder& builder) : builder_(builder) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ == 0) return;
    refuse(mark, "text after the end of the document: remove it");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    proceed(builder_.null(offset_of(mark)));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(mark, "aliases (*name) are not supported: write the value out, or quote a text with *");
  }
  void OnAnchor(const YAML::Mark& mark, const std::string&) override {
    refuse(mark, "anchors (&name) are not supported: remove it, or quote a text with &");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& value) override {
    check_tag(mark, tag);
    proceed(builder_.scalar(offset_of(mark), value, tag == "!"));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    check_tag(mark, tag);
    proceed(builder_.begin(NodeKind::kSequence, offset_of(mark)));
  }
  void OnSequenceEnd() override { proceed(builder_.end()); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    check_tag(mark, tag);
    proceed(builder_.begin(NodeKind::kMap, offset_of(mark)));
  }
  void OnMapEnd() override { proceed(builder_.end()); }

 private:
  static void proceed(bool ok) {
    if (!ok) throw Refused{};
  }
  [[noreturn]] void refuse(const YAML::Mark& mark, const char* message) {
    builder_.refuse(offset_of(mark), message);
    throw Refused{};
  }
  // yaml-cpp's marks for "no tag": "?" of a plain node, "!" of a quoted scalar.
  void check_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    refuse(mark, "tags (!name) are not supported: remove it, or quote a text with !");
  }

  TreeBuilder& builder_;
  int documents_ = 0;
};

struct Advice {
  std::string_view complaint;  // how yaml-cpp's message begins
  std::string_view advice;
};

// How yaml-cpp's complaints read for somebody who wants to know what to write.
const Advice kAdvice[] = {
    {YAML::ErrorMsg::END_OF_MAP_FLOW,
     "a comma is missing before this: write , between two entries"},
    {YAML::ErrorMsg::END_OF_SEQ_FLOW,
     "a comma is missing before this: write , between two entries"},
    {YAML::ErrorMsg::END_OF_MAP,
     "this line does not continue the object above: write key: value, indented as its siblings"},
    {YAML::ErrorMsg::END_OF_SEQ,
     "this line does not continue the list above: write \"- \" indented as its siblings"},
    {YAML::ErrorMsg::INVALID_ESCAPE,
     "a backslash in \"...\" must be doubled: write \"C:\\\\logs\", or use '...'"},
    {YAML::ErrorMsg::INVALID_HEX,
     "not hexadecimal: write four digits after \\u, two after \\x, eight after \\U"},
    {YAML::ErrorMsg::INVALID_UNICODE,
     "no such character: write the character itself, or \\U and eight digits"},
    {YAML::ErrorMsg::TAB_IN_INDENTATION, "a tab indents this line: write spaces"},
    {YAML::ErrorMsg::MAP_VALUE,
     "this \":\" belongs to no key: write a text that holds \": \" in quotes, or indent the line "
     "as its siblings, with spaces"},
    {YAML::ErrorMsg::MAP_KEY, "a key cannot stand here: start a new line, or use { }"},
    {YAML::ErrorMsg::BLOCK_ENTRY, "a list entry \"- \" cannot stand here: start a new line"},
    {YAML::ErrorMsg::UNKNOWN_TOKEN, "text cannot begin with this character: write it in quotes"},
    {YAML::ErrorMsg::CHAR_IN_ANCHOR, "text cannot begin with &: write it in quotes"},
    {YAML::ErrorMsg::CHAR_IN_ALIAS, "text cannot begin with *: write it in quotes"},
    {YAML::ErrorMsg::ANCHOR_NOT_FOUND, "text cannot begin with &: write it in quotes"},
    {YAML::ErrorMsg::ALIAS_NOT_FOUND, "text cannot begin with *: write it in quotes"},
    {YAML::ErrorMsg::UNKNOWN_ANCHOR, "text cannot begin with *: write it in quotes"},
};

std::string advice_for(std::string_view complaint) {
  for (const Advice& entry : kAdvice) {
    if (complaint.starts_with(entry.complaint)) return std::string(entry.advice);
  }
  return "not valid YAML (" + std::string(complaint) + "): compare with the example file";
}

}  // namespace

std::optional<TextError> read_yaml(const std::string& text, TreeBuilder& builder) {
  Events events(builder);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(events)) {
    }
  } catch (const Refused&) {
    return builder.error();
  } catch (const YAML::Exception& error) {
    return TextError{offset_of(error.mark), advice_for(error.msg)};
  }
  return std::nullopt;
}

}  // namespace winperf
