#include "config/document.h"

#include <gtest/gtest.h>

#include <ostream>
#include <sstream>
#include <string>
#include <string_view>

namespace winperf {
namespace {

void show_place(std::ostream& out, std::string_view text, std::size_t offset) {
  const TextPosition position = position_of(text, offset);
  out << '@' << position.line << ':' << position.column;
}

// "{key@1:2='text'@1:6 }@1:1": every node with its place.
void show(std::ostream& out, std::string_view text, const Node& node) {
  const bool is_map = node.kind == NodeKind::kMap;
  if (node.kind == NodeKind::kNull) out << "null";
  if (node.kind == NodeKind::kScalar) {
    const char* const quote = node.is_quoted ? "'" : "";
    out << quote << node.text << quote;
  }
  if (is_map || node.kind == NodeKind::kSequence) {
    out << (is_map ? '{' : '[');
    for (const Node& child : node.children) {
      if (is_map) {
        out << child.key;
        show_place(out, text, child.key_offset);
        out << '=';
      }
      show(out, text, child);
      out << ' ';
    }
    out << (is_map ? '}' : ']');
  }
  show_place(out, text, node.offset);
}

std::string shown_document(std::string_view text) {
  const auto document = read_document(text);
  if (!document) return document.error().message;
  std::ostringstream out;
  show(out, text, document->root);
  return out.str();
}

struct TreeRow {
  const char* text;
  const char* tree;
};

TEST(Document, KeepsThePlaceOfEveryJsonNode) {
  constexpr TreeRow kRows[] = {
      {"{\"a\":1}", "{a@1:2=1@1:6 }@1:1"},
      {"{ \"a\" : [1, -2.5e3,\ttrue,null , \"x\"] ,\n \"b\":{} }",
       "{a@1:3=[1@1:10 -2.5e3@1:13 true@1:21 null@1:26 'x'@1:33 ]@1:9 b@2:2={}@2:6 }@1:1"},
      {"[[1],[2]]", "[[1@1:3 ]@1:2 [2@1:7 ]@1:6 ]@1:1"},
      {"{\"\xC3\xA9\":1,\"b\":2}", "{\xC3\xA9@1:2=1@1:6 b@1:8=2@1:12 }@1:1"},
      {"  12  ", "12@1:3"},
      {"[12]", "[12@1:2 ]@1:1"},
      {"{\"a\": /* x */ 1 // y\n}", "{a@1:2=1@1:15 }@1:1"},
  };
  for (const TreeRow& row : kRows) EXPECT_EQ(shown_document(row.text), row.tree) << row.text;
}

TEST(Document, KeepsThePlaceOfEveryYamlNode) {
  constexpr TreeRow kRows[] = {
      {"a: 1", "{a@1:1=1@1:4 }@1:1"},
      {"{a: 1, b: 'x',}", "{a@1:2=1@1:5 b@1:8='x'@1:11 }@1:1"},
      {"a:\n  - 1\n  - \"x\" # y\n", "{a@1:1=[1@2:5 'x'@3:5 ]@2:3 }@1:1"},
      {"a:\n- b: 1\n  c: 2", "{a@1:1=[{b@2:3=1@2:6 c@3:3=2@3:6 }@2:3 ]@2:1 }@1:1"},
      {"\xC3\xA9: 1 // x\nb: 2", "{\xC3\xA9@1:1=1@1:4 b@2:1=2@2:4 }@1:1"},
      {"a: no\nb: on\nc: yes", "{a@1:1=no@1:4 b@2:1=on@2:4 c@3:1=yes@3:4 }@1:1"},
      {"a: 'no'", "{a@1:1='no'@1:4 }@1:1"},
      {"a: 1\r\nb: 2\r\n", "{a@1:1=1@1:4 b@2:1=2@2:4 }@1:1"},
      {"{\"a\": \"\\u00e9\",}", "{a@1:2='\xC3\xA9'@1:7 }@1:1"},
  };
  for (const TreeRow& row : kRows) EXPECT_EQ(shown_document(row.text), row.tree) << row.text;
}

TEST(Document, ReadsNothingAsNothing) {
  for (const char* text : {"", "\n", "// x", "# x\n", "/* x */", "---\n", "null"}) {
    const auto document = read_document(text);
    ASSERT_TRUE(document.has_value()) << text;
    EXPECT_EQ(document->root.kind, NodeKind::kNull) << text;
  }
}

TEST(Document, KeepsTheFirstOfTwoKeys) {
  for (const std::string text : {"{\"a\": 1, \"a\": {\"b\": 2}}", "{a: 1, a: {b: 2}}"}) {
    const auto document = read_document(text);
    ASSERT_TRUE(document.has_value());
    ASSERT_EQ(document->root.children.size(), 1U);
    EXPECT_EQ(document->root.children[0].text, "1");
    ASSERT_EQ(document->duplicates.size(), 1U);
    EXPECT_EQ(document->duplicates[0].offset, text.rfind(", ") + 2);
  }
}

TEST(Document, BoundsItsDepth) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + "1" + std::string(depth, ']');
  };
  EXPECT_TRUE(read_document(nested(kMaxConfigDepth)).has_value());
  const auto too_deep = read_document(nested(kMaxConfigDepth + 1));
  ASSERT_FALSE(too_deep.has_value());
  EXPECT_EQ(too_deep.error().offset, kMaxConfigDepth);
  // The same for what only the YAML parser takes.
  EXPECT_FALSE(read_document("a: " + nested(kMaxConfigDepth)).has_value());
}

TEST(Document, BoundsTheNumberOfValues) {
  std::string text = "[0";
  for (std::size_t i = 0; i < kMaxConfigNodes; ++i) text += ",0";
  const auto document = read_document(text + "]");
  ASSERT_FALSE(document.has_value());
  EXPECT_NE(document.error().message.find("20000 values"), std::string::npos);
}

}  // namespace
}  // namespace winperf
