#include "config/edit.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <ostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"
#include "config/options.h"
#include "tests/config/config_edit.h"
#include "tests/support/thorough.h"

namespace winperf {

void PrintTo(const ConfigEdit& edit, std::ostream* out) { *out << edit.text; }

namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string set(std::string_view text, std::string_view key, std::string_view value) {
  const auto edit = set_config_value(text, "a.yaml", key, value);
  return edit ? edit->text : edit.error();
}

struct EditRow {
  std::string before;
  std::string after;  // with listen.port 21991
};

const std::vector<EditRow>& rows() {
  static const std::vector<EditRow> kRows = {
      // There already, in every style.
      {"listen: {port: 9182}", "listen: {port: 21991}"},
      {"{\"listen\":{\"port\":9182}}", "{\"listen\":{\"port\":21991}}"},
      {"{\"listen\" : {\"address\": \"::1\",\t\"port\" : 9182 } }\n",
       "{\"listen\" : {\"address\": \"::1\",\t\"port\" : 21991 } }\n"},
      {"listen:\n  port: 9182 # was 9100\n", "listen:\n  port: 21991 # was 9100\n"},
      {"listen:\n  port: 9182// where\n", "a.yaml:2:9: "},
      {"listen: {port: 9182 /* x */, address: 'localhost'}",
       "listen: {port: 21991 /* x */, address: 'localhost'}"},
      {"# port: 1\nlisten:\r\n  # port: 2\r\n  port:    9182\r\n",
       "# port: 1\nlisten:\r\n  # port: 2\r\n  port:    21991\r\n"},
      {"\xEF\xBB\xBFlisten: {port: 9182}\r\n", "\xEF\xBB\xBFlisten: {port: 21991}\r\n"},
      {"'listen': {'port': 9182}", "'listen': {'port': 21991}"},
      {"\"listen\": {\"p\\u006frt\": 9182,}", "\"listen\": {\"p\\u006frt\": 21991,}"},
      {"log: {file: '9182'}\nlisten: {port: 9182}", "log: {file: '9182'}\nlisten: {port: 21991}"},
      {"? listen\n: port: 9182\n", "? listen\n: port: 21991\n"},
      {"listen: {port:\n  9182}", "listen: {port:\n  21991}"},
      {"---\nlisten: {port: 9182}\n...\n", "---\nlisten: {port: 21991}\n...\n"},
      // The section is there, the key is not.
      {"listen: {address: '::1'}", "listen: {port: 21991, address: '::1'}"},
      {"listen: {}", "listen: {port: 21991}"},
      {"listen: { // where\n  // the loop\n  address: '::1',\n}\n",
       "listen: { // where\n  port: 21991,\n  // the loop\n  address: '::1',\n}\n"},
      {"{\r\n\t\"listen\": {\r\n\t\t\"address\": \"::1\"\r\n\t}\r\n}\r\n",
       "{\r\n\t\"listen\": {\r\n\t\t\"port\": 21991,\r\n\t\t\"address\": \"::1\"\r\n\t}\r\n}\r\n"},
      {"listen: { /* a\n  comment */\n  address: '::1'}",
       "listen: {port: 21991,  /* a\n  comment */\n  address: '::1'}"},
      {"listen: # where\n  # the loop\n  address: '::1'\n",
       "listen: # where\n  port: 21991\n  # the loop\n  address: '::1'\n"},
      {"listen: /* a\n  comment */\n  address: '::1'\n",
       "listen: /* a\n  comment */\n  port: 21991\n  address: '::1'\n"},
      {"\"listen\":\n    \"address\": \"::1\"",
       "\"listen\":\n    \"port\": 21991\n    \"address\": \"::1\""},
      {"listen:\ninterval: 5s\n", "listen:\n  port: 21991\ninterval: 5s\n"},
      {"interval: 5s\nlisten: # here\n  # port: 1\n",
       "interval: 5s\nlisten: # here\n  port: 21991\n  # port: 1\n"},
      {"listen: null\n", "listen: {port: 21991}\n"},
      {"listen: ~ # nothing\n", "listen: {port: 21991} # nothing\n"},
      {"{\"listen\": null}", "{\"listen\": {\"port\": 21991}}"},
      {"{listen: , interval: 5s}", "{listen: {port: 21991} , interval: 5s}"},
      // Neither is.
      {"", "listen: {port: 21991}\n"},
      {"# nothing yet", "# nothing yet\nlisten: {port: 21991}\n"},
      {"---\n", "---\nlisten: {port: 21991}\n"},
      {"{}", "{listen: {port: 21991}}"},
      {"interval: 5s # often\n", "interval: 5s # often\nlisten:\n  port: 21991\n"},
      {"interval: 5s\r\n", "interval: 5s\r\nlisten:\r\n  port: 21991\r\n"},
      {"countersets:\n- Memory\n- System",
       "countersets:\n- Memory\n- System\nlisten:\n  port: 21991\n"},
      {"{\"interval\": \"5s\"}", "{\"listen\": {\"port\": 21991}, \"interval\": \"5s\"}"},
      {"// Ours.\n{\n  // Often.\n  interval: 5s,\n}\n",
       "// Ours.\n{\n  listen: {port: 21991},\n  // Often.\n  interval: 5s,\n}\n"},
      {"{interval: 5s\n}", "{listen: {port: 21991}, interval: 5s\n}"},
      {"---\ninterval: 5s\n...\n", "---\nlisten:\n  port: 21991\ninterval: 5s\n...\n"},
  };
  return kRows;
}

TEST(SetConfigValue, ChangesTheValueInItsPlaceAndNothingElse) {
  for (const EditRow& row : rows()) {
    SCOPED_TRACE(row.before);
    if (row.after.starts_with("a.yaml")) {
      EXPECT_THAT(set(row.before, "listen.port", "21991"), StartsWith(row.after));
    } else {
      EXPECT_EQ(set(row.before, "listen.port", "21991"), row.after);
    }
  }
}

TEST(SetConfigValue, SaysWhatWasThereBefore) {
  const auto there = set_config_value("listen: {port: 9182}", "a.yaml", "listen.port", "1");
  ASSERT_TRUE(there) << there.error();
  EXPECT_EQ(there->old_value, "9182");
  const auto quoted =
      set_config_value("listen: {address: '::1'}", "a.yaml", "listen.address", "::");
  ASSERT_TRUE(quoted) << quoted.error();
  EXPECT_EQ(quoted->old_value, "::1");
  const auto missing = set_config_value("listen: {}", "a.yaml", "listen.port", "1");
  ASSERT_TRUE(missing) << missing.error();
  EXPECT_EQ(missing->old_value, std::nullopt);
}

TEST(SetConfigValue, WritesEachKindAsItsReaderWantsIt) {
  EXPECT_EQ(set("{}", "listen.address", "fe80::1%eth0"), "{listen: {address: \"fe80::1%eth0\"}}");
  EXPECT_EQ(set("log: {file: ''}", "log.file", "C:\\logs\\w \xC3\xA9.log"),
            "log: {file: \"C:\\\\logs\\\\w \xC3\xA9.log\"}");
  EXPECT_EQ(set("log: {file: 'it''s'} # x", "log.file", ""), "log: {file: \"\"} # x");
  EXPECT_EQ(set("log: {file: \"a\\\"b\"}", "log.file", "c"), "log: {file: \"c\"}");
  EXPECT_EQ(set("interval: 5s", "interval", "1m30s"), "interval: \"1m30s\"");
  EXPECT_EQ(set("reload:\n  http: true", "reload.http", "false"), "reload:\n  http: false");
  EXPECT_EQ(set("listen: {port: 1}", "listen.port", "080"), "listen: {port: 80}");
  EXPECT_EQ(set("path: auto", "path", "registry"), "path: \"registry\"");
}

TEST(SetConfigValue, AValueThatIsThereAlready_LeavesTheTextAsItIs) {
  for (const char* text : {"listen: {port: 21991}", "listen:\r\n  port: 21991 # ours\r\n"})
    EXPECT_EQ(set(text, "listen.port", "21991"), text);
  EXPECT_EQ(set("interval: 5s", "interval", "5s"), "interval: 5s");
}

TEST(SetConfigValue, RefusesWhatItCannotSet) {
  const auto error = [](std::string_view text, std::string_view key, std::string_view value) {
    const auto edit = set_config_value(text, "a.yaml", key, value);
    return edit ? "accepted: " + edit->text : edit.error();
  };
  EXPECT_EQ(
      error("{}", "listen.port", "70000"),
      "\"listen.port\" must be a whole number from 0 to 65535, not 70000; write, for example, "
      "port: 10182");
  EXPECT_THAT(error("{}", "listen.address", "127.0.0.1:80"), HasSubstr("without a port"));
  EXPECT_THAT(error("{}", "listen.address", "a\nport: 1"), HasSubstr("listen.address"));
  EXPECT_EQ(error("{}", "listen.prot", "1"),
            "unknown key \"listen.prot\"; did you mean \"listen.port\"?");
  EXPECT_EQ(error("{}", "listen", "1"),
            "\"listen\" cannot be set by this command; edit the file instead");
  EXPECT_EQ(error("{}", "countersets", "Memory"),
            "\"countersets\" cannot be set by this command; edit the file instead");
  EXPECT_EQ(error("{}", "countersets[].interval", "5s"),
            "\"countersets[].interval\" cannot be set by this command; edit the file instead");
  EXPECT_EQ(error("{}", "facts[].folders", "a"),
            "\"facts[].folders\" cannot be set by this command; edit the file instead");
  EXPECT_THAT(error("{}", "listen.serve", "metrics,apis"), HasSubstr("write \"api\""));
  EXPECT_THAT(error("{}", "metrics.profiles", ""), HasSubstr("at least one word"));
  EXPECT_THAT(error("{}", "collect", ","), HasSubstr("at least one name"));
  EXPECT_THAT(error("{}", "collect", "cpu,iss"), HasSubstr("did you mean \"iis\"?"));
  // What is wrong in the file already is said with its place.
  EXPECT_THAT(error("listen: {port: 1}\nintervall: 5s", "listen.port", "2"),
              StartsWith("a.yaml:2:1: unknown key \"intervall\""));
  EXPECT_THAT(error("listen: {port: 1, port: 2}", "listen.port", "3"), HasSubstr("given twice"));
  EXPECT_THAT(error("listen: {port: 1", "listen.port", "3"), HasSubstr("is not closed"));
  EXPECT_THAT(error(std::string("listen: {port: 1}\0", 18), "listen.port", "3"),
              HasSubstr("control character"));
  EXPECT_THAT(error("\xFF\xFEl\0i\0", "listen.port", "3"), HasSubstr("UTF-16"));
  // A section whose key is written as nobody does has no place for another key.
  EXPECT_THAT(error("? listen\n: port: 1\n", "listen.address", "::1"),
              HasSubstr("without affecting other parts"));
  // A text over two lines: valid, but where it ends isn't plain to see.
  EXPECT_EQ(error("log:\n  file: a\n    b\n", "log.file", "c"),
            "a.yaml:2:9: \"log.file\" cannot be changed without affecting other parts of this "
            "file; set it to \"c\" by hand");
}

TEST(SetConfigValue, AddsAsManySectionsAsAreMissing) {
  constexpr char kKey[] = "listen.web.tls_server_config.min_version";
  const auto set_version = [&](const std::string& text) { return set(text, kKey, "TLS13"); };
  EXPECT_EQ(set_version(""), "listen: {web: {tls_server_config: {min_version: \"TLS13\"}}}\n");
  EXPECT_EQ(
      set_version("interval: 5s\n"),
      "interval: 5s\nlisten:\n  web:\n    tls_server_config:\n      min_version: \"TLS13\"\n");
  EXPECT_EQ(set_version("listen: {port: 1}"),
            "listen: {web: {tls_server_config: {min_version: \"TLS13\"}}, port: 1}");
  EXPECT_EQ(
      set_version("listen:\n    port: 1\n"),
      "listen:\n    web:\n      tls_server_config:\n        min_version: \"TLS13\"\n    port: "
      "1\n");
  EXPECT_EQ(set_version("listen:\n  web:\n    # tls\n"),
            "listen:\n  web:\n    tls_server_config:\n      min_version: \"TLS13\"\n    # tls\n");
  EXPECT_EQ(set_version("{\"listen\": {\"web\": {\"tls_server_config\": {}}}}"),
            "{\"listen\": {\"web\": {\"tls_server_config\": {\"min_version\": \"TLS13\"}}}}");
  EXPECT_EQ(set_version("listen: {web: {tls_server_config: {min_version: TLS12}}}"),
            "listen: {web: {tls_server_config: {min_version: \"TLS13\"}}}");
  EXPECT_THAT(set_version("listen: [{web: {}}]"), HasSubstr("\"listen\" is a list in this file"));
}

TEST(SetConfigValue, SetsListsOfWords) {
  constexpr char kKey[] = "metrics.profiles";
  constexpr char kNew[] = "windows_exporter, windows_exporter_legacy";
  const std::string list = "[\"windows_exporter\", \"windows_exporter_legacy\"]";
  const std::pair<std::string, std::string> kTexts[] = {
      {"", "metrics: {profiles: " + list + "}\n"},
      {"interval: 5s\n", "interval: 5s\nmetrics:\n  profiles: " + list + "\n"},
      {"metrics: {profiles: winperf} # ours\n", "metrics: {profiles: " + list + "} # ours\n"},
      {"metrics: {profiles: [winperf], created: true}",
       "metrics: {profiles: " + list + ", created: true}"},
      {"{\"metrics\": {\"profiles\": [\r\n  \"winperf\"\r\n]}}",
       "{\"metrics\": {\"profiles\": " + list + "}}"},
      {"metrics:\n  profiles:\n  - winperf\n  - windows_exporter # all\n  created: true\n",
       "metrics:\n  profiles: " + list + " # all\n  created: true\n"},
      {"metrics:\n  # names\n  profiles:\n    - winperf\n",
       "metrics:\n  # names\n  profiles: " + list + "\n"}};
  for (const auto& [before, after] : kTexts) EXPECT_EQ(set(before, kKey, kNew), after);
  for (const char* text :
       {"metrics:\n  profiles: [winperf, # ours\n    windows_exporter]\n",
        "metrics:\n  profiles: # whose\n  - winperf\n",
        "metrics:\n  profiles:\n  - winperf\n  # theirs\n  - windows_exporter\n"})
    EXPECT_THAT(set(text, kKey, kNew), HasSubstr("by hand")) << text;
  EXPECT_EQ(set("workers: {leave_out: ['a]b', c], enabled: true}", "workers.leave_out", "d"),
            "workers: {leave_out: [\"d\"], enabled: true}");
  EXPECT_EQ(set("interval: 5s\n", "collect", "iis,mssql"),
            "interval: 5s\ncollect: [\"iis\", \"mssql\"]\n");
  EXPECT_EQ(set("workers: {leave_out: [a]}", "workers.leave_out", "b,c"),
            "workers: {leave_out: [\"b\", \"c\"]}");
}

TEST(SetConfigValue, AListThatIsThereAlready_StaysAsItIs) {
  for (const char* text : {"collect: [iis, mssql] # both\n", "collect:\n- iis # a\n- mssql\n"}) {
    const auto edit = set_config_value(text, "a.yaml", "collect", "iis, mssql");
    ASSERT_TRUE(edit) << edit.error();
    EXPECT_EQ(edit->text, text);
    EXPECT_EQ(edit->old_value, "iis,mssql");
  }
}

// Each without the other is no valid configuration.
TEST(SetConfigValues, MayNeedOneAnother) {
  const std::string section = "listen.web.tls_server_config.";
  const std::vector<ConfigChange> changes{{section + "cert_file", "C:\\a b.crt"},
                                          {section + "key_file", "C:\\a.key"}};
  const auto edits = set_config_values("listen: {port: 1}\n", "a.yaml", changes);
  ASSERT_TRUE(edits) << edits.error();
  EXPECT_EQ(edits->text,
            "listen: {web: {tls_server_config: {key_file: \"C:\\\\a.key\", cert_file: \"C:\\\\a "
            "b.crt\"}}, port: 1}\n");
  EXPECT_THAT(edits->old_values, ::testing::ElementsAre(std::nullopt, std::nullopt));
  EXPECT_THAT(set_config_values("", "a.yaml", {changes.data(), 1}).error(),
              HasSubstr("lacks key_file"));
  EXPECT_THAT(set_config_values("listen: {web_config_file: a}", "a.yaml", changes).error(),
              HasSubstr("cannot be combined with web_config_file"));
}

TEST(SetConfigValue, RefusesAListOfAddresses) {
  const std::string wanted =
      "\"listen\" is a list in this file, and \"listen.port\" does not say which entry is meant; "
      "edit the file instead";
  EXPECT_EQ(set("interval: 5s\nlisten: [{port: 1}, {port: 2}]", "listen.port", "3"),
            "a.yaml:2:9: " + wanted);
  // Even if only one entry is there, or has this value already.
  EXPECT_EQ(set("listen:\n- port: 1\n", "listen.port", "1"), "a.yaml:2:1: " + wanted);
  // The other keys of such a file can be set.
  EXPECT_EQ(set("listen: [{port: 1}]\ninterval: 5s\n", "interval", "7s"),
            "listen: [{port: 1}]\ninterval: \"7s\"\n");
  EXPECT_EQ(set("listen: [{port: 1}]\n", "metrics.total_instances", "true"),
            "listen: [{port: 1}]\nmetrics:\n  total_instances: true\n");
}

TEST(SetConfigValue, AddsToAnAddressThatServesLists) {
  EXPECT_EQ(set("listen: {serve: [metrics], hosts: [a]}", "listen.port", "21991"),
            "listen: {port: 21991, serve: [metrics], hosts: [a]}");
}

TEST(SetConfigValue, KeepsTheExampleWithAllItsComments) {
  const std::string before(example_config());
  std::string expected = before;
  expected.replace(expected.find("port: 10182"), 11, "port: 21991");
  EXPECT_EQ(set(before, "listen.port", "21991"), expected);
}

// --- whatever the file looks like
// -------------------------------------------------------------------

// One edit, seen in the bytes: everything but one stretch is as it was.
bool is_one_splice(std::string_view before, std::string_view after, std::size_t longest) {
  const auto [b, a] = std::ranges::mismatch(before, after);
  const auto start = static_cast<std::size_t>(b - before.begin());
  std::size_t end = 0;
  while (end < std::min(before.size(), after.size()) - start &&
         before[before.size() - 1 - end] == after[after.size() - 1 - end])
    ++end;
  return before.size() - start - end <= longest;
}

// The configuration with this one value, assigned as the option does it.
Config with(Config config, const Option& option, std::string_view value) {
  ConfigDraft draft{.config = std::move(config), .counterset = {}};
  OptionValue chosen = std::string(value);
  if (option.takes.kind == &OptionKind::kBoolean) chosen = value == "true";
  if (option.takes.kind == &OptionKind::kInteger)
    chosen = std::int64_t{std::stoll(std::string(value))};
  option.assign(draft, chosen);
  return draft.config;
}

const Option& option_of(std::string_view path) {
  return *std::ranges::find(config_options(), path, &Option::path);
}

struct Change {
  std::string_view key;
  std::string_view value;
};
constexpr Change kChanges[] = {
    {"listen.port", "21991"},
    {"listen.port", "1"},
    {"listen.address", "::1"},
    {"listen.address", "localhost"},
    {"reload.http", "true"},
    {"metrics.total_instances", "true"},
    {"log.file", "C:\\a b\\\"c\".log"},
    {"log.max_files", "17"},
};

void check(const std::string& text) {
  const auto before = parse_config(text, "a.yaml");
  ASSERT_TRUE(before) << describe(before.error().front()) << '\n' << text;
  for (const Change& change : kChanges) {
    const auto edit = set_config_value(text, "a.yaml", change.key, change.value);
    ASSERT_TRUE(edit) << edit.error() << '\n' << text;
    const auto after = parse_config(edit->text, "a.yaml");
    ASSERT_TRUE(after) << edit->text;
    EXPECT_EQ(*after, with(*before, option_of(change.key), change.value)) << text;
    EXPECT_TRUE(is_one_splice(text, edit->text, edit->old_value.value_or("").size() + 8))
        << text << "\nbecame\n"
        << edit->text;
    EXPECT_EQ(set_config_value(edit->text, "a.yaml", change.key, change.value)->text, edit->text);
    // Back again, and the text is as long as a person would have made it.
    if (edit->old_value) {
      const auto back = set_config_value(edit->text, "a.yaml", change.key, *edit->old_value);
      ASSERT_TRUE(back);
      EXPECT_EQ(*parse_config(back->text, "a.yaml"), *before);
    }
  }
}

TEST(SetConfigValue, HoldsForEveryShapeAbove) {
  for (const EditRow& row : rows())
    if (!row.after.starts_with("a.yaml") && !row.before.starts_with('?')) check(row.before);
  check(std::string(example_config()));
}

// Texts as people write them, by dice.
class Writer {
 public:
  explicit Writer(unsigned seed) : dice_(seed) {}

  std::string run() {
    newline_ = one_of({"\n", "\r\n"});
    json_ = chance(4);
    flow_ = json_ || chance(2);
    std::string text = chance(6) ? "\xEF\xBB\xBF" : "";
    if (!json_) text += comments("");
    std::vector<std::string> entries = all_entries();
    if (flow_) {
      text += '{' + lines(entries, "  ", true) + '}';
    } else {
      for (const std::string& entry : entries) text += comments("") + entry + trail() + newline_;
    }
    return text + (chance(3) ? "" : newline_);
  }

 private:
  bool chance(unsigned of) { return dice_() % of == 0; }
  std::string one_of(std::vector<std::string> texts) { return texts[dice_() % texts.size()]; }

  std::string comments(const std::string& indent) {
    if (json_) return "";
    std::string text;
    while (chance(3))
      text += indent + one_of({"# port: 1", "// {listen: {", "/* address: [ */"}) + newline_;
    return text;
  }
  std::string trail() { return json_ ? "" : one_of({"", "", " # port: 2", " // }", " /* , */"}); }
  std::string key(const std::string& name) {
    if (json_) return '"' + name + "\": ";
    return one_of({name, name, '"' + name + '"', '\'' + name + '\''}) + one_of({": ", ":  "});
  }
  std::string text_value(const std::string& value) {
    if (json_) return '"' + value + '"';
    return one_of({value, '"' + value + '"', '\'' + value + '\''});
  }

  std::string lines(const std::vector<std::string>& entries, const std::string& indent,
                    bool at_start) {
    const bool is_split = chance(2);
    std::string text = is_split ? (at_start ? trail() : "") + newline_ : "";
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const bool is_last = i + 1 == entries.size();
      if (is_split) text += comments(indent) + indent;
      text += entries[i] + (is_last && (json_ || chance(2)) ? "" : ",");
      text += is_split ? trail() + newline_ : " ";
    }
    return text;
  }

  std::vector<std::string> some_of(std::vector<std::string> entries) {
    std::ranges::shuffle(entries, dice_);
    entries.resize(dice_() % (entries.size() + 1));
    return entries;
  }

  std::string section(const std::string& name, const std::vector<std::string>& entries) {
    if (entries.empty() && !json_ && chance(2)) return flow_ ? key(name) + "{}" : key(name);
    if (flow_ || entries.empty() || chance(2))
      return key(name) + '{' + lines(entries, "    ", true) + '}';
    const std::string indent = one_of({"  ", "    ", " "});
    std::string text = key(name) + trail();
    for (const std::string& entry : entries)
      text += newline_ + comments(indent) + indent + entry + trail();
    return text;
  }

  std::vector<std::string> all_entries() {
    return some_of({
        section("listen", some_of({key("port") + one_of({"0", "9182", "65535"}),
                                   key("address") + text_value("localhost"),
                                   key("serve") + '[' + text_value("page") + ']',
                                   key("hosts") + text_value("a.example.com")})),
        section("log", some_of({key("level") + text_value("warn"),
                                key("file") + text_value("a.log"), key("max_files") + "3"})),
        section("metrics", some_of({key("created") + "false", key("total_instances") + "true"})),
        section("reload", some_of({key("http") + "false", key("on_change") + "true"})),
        key("interval") + text_value("7s"),
        key("countersets") + "[" + text_value("Memory") + ", " + text_value("System") + "]",
    });
  }

  std::mt19937 dice_;
  std::string newline_;
  bool json_ = false;
  bool flow_ = false;
};

TEST(SetConfigValue, HoldsForTextsByDice) {
  for (unsigned seed = 0; seed < testing::tried(25, 300) && !::testing::Test::HasFailure();
       ++seed) {
    SCOPED_TRACE(seed);
    check(Writer(seed).run());
  }
}

}  // namespace
}  // namespace winperf
