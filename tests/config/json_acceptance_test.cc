// Every strict JSON file can be read, whatever a YAML parser thinks of it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "config/config.h"
#include "config/document.h"

namespace winperf {
namespace {

// The tree as nlohmann sees the same text; plain scalars are JSON again.
nlohmann::json to_json(const Node& node) {
  switch (node.kind) {
    case NodeKind::kNull:
      return nullptr;
    case NodeKind::kScalar:
      return node.is_quoted ? nlohmann::json(node.text) : nlohmann::json::parse(node.text);
    case NodeKind::kSequence: {
      nlohmann::json list = nlohmann::json::array();
      for (const Node& child : node.children) list.push_back(to_json(child));
      return list;
    }
    case NodeKind::kMap:
      break;
  }
  nlohmann::json object = nlohmann::json::object();
  for (const Node& child : node.children) object[child.key] = to_json(child);
  return object;
}

TEST(StrictJson, IsReadAsJsonReadsIt) {
  const std::string texts[] = {
      "{}",
      "[]",
      "null",
      "\"\"",
      "0",
      "{\"\": \"\"}",
      "{\"a\"\n:\n1}",  // a YAML parser wants the colon in the key's line
      "{\"" + std::string(2000, 'k') + "\": 1}",
      "\t{\t\"a\"\t:\t[\t1\t,\t2\t]\t}\t",
      "{\r\n  \"a\": 1,\r\n\t\"b\": [\r\n\t]\r\n}\r\n",
      "{\"a\":1,\"b\":\"c\",\"d\":{\"e\":[{}]}}",
      R"({"a": "\ud83d\ude00 \u00e9 \u20ac \u0041"})",
      R"({"a": "\u0000\u001f\b\f\n\r\t\/\\\""})",
      R"({"\u0061\"b": 1})",
      R"({"path": "C:\\Program Files\\x\\", "unc": "\\\\server\\share // no comment /* none */"})",
      R"({"a": "# no comment", "b": "- x", "c": "key: value", "d": "it's", "e": "*x", "f": "&x"})",
      R"({"a": [1, -0, 0.5, -1.25e-10, 1E+5, 12345678901234567890, -9223372036854775808]})",
      R"({"yes": "no", "on": true, "null": null, "~": false, "true": 1})",
      R"({"<<": {"a": 1}, "!!str": "!x", "---": "...", "%": "@", "?": ":"})",
      "{\"a\": \"\xF0\x9F\x98\x80\", \"\xC3\xA9\": \"\xE2\x80\xA8\"}",
      "[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]",
      "\n\n\n[1]\n\n\n",
      "{\"a\":\"" + std::string(100'000, 'x') + "\"}",
  };
  for (const std::string& text : texts) {
    ASSERT_FALSE(check_encoding(text)) << text.substr(0, 80);
    const auto document = read_document(text);
    ASSERT_TRUE(document.has_value()) << text.substr(0, 80) << ": " << document.error().message;
    EXPECT_EQ(to_json(document->root), nlohmann::json::parse(text)) << text.substr(0, 80);
  }
}

TEST(StrictJson, GivesTheSameConfigAsItsYamlForm) {
  const auto json = parse_config(
      "\xEF\xBB\xBF{\r\n\t\"listen\": {\"address\": \"::1\", \"port\": 0},\r\n"
      "\t\"countersets\": [\"Memory\", {\"name\": 238, \"interval\": 2,\r\n"
      "\t\t\"instances\": {\"include\": [\"\\ud83d\\ude00\"]}}]\r\n}\r\n",
      "a.json");
  const auto yaml = parse_config(
      "listen:\n  address: ::1 # loopback\n  port: 0\n"
      "countersets:\n- Memory\n- name: 238\n  interval: 2s\n"
      "  instances: {include: \xF0\x9F\x98\x80} // one pattern needs no list\n",
      "a.yaml");
  ASSERT_TRUE(json.has_value()) << describe(json.error().front());
  ASSERT_TRUE(yaml.has_value()) << describe(yaml.error().front());
  EXPECT_EQ(*json, *yaml);
  EXPECT_TRUE(json->countersets.at(1).instances.check("\xF0\x9F\x98\x80").accepted);
}

}  // namespace
}  // namespace winperf
