// Every option of the table is seen to act: written into a file, it changes the member that it
// names and no other, and its limits are the last values that are accepted. An option without a row
// below fails.
#include "config/options.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "config/config.h"
#include "tests/support/option_file.h"

namespace winperf {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using Json = nlohmann::json;

// Its counterset has an interval of its own, so that the general one changes only itself.
Json plain_file() {
  return {{"interval", "1s"}, {"countersets", {{{"name", "Memory"}, {"interval", "1s"}}}}};
}

Json file_with(const Option& option, const Json& value) {
  return testing::with_option(plain_file(), option.path, value);
}

Config good(const Json& file) {
  const auto config = parse_config(file.dump(), "test");
  EXPECT_TRUE(config) << file << describe(config.error().front());
  return config.value_or(Config{});
}

CountersetConfig& first(Config& config) { return config.countersets.at(0); }

// What an option of a number does. Booleans are 0 and 1.
struct NumberRow {
  std::string_view path;
  void (*change)(Config&, std::int64_t);
};

constexpr NumberRow kNumbers[] = {
    {"listen.port",
     [](Config& c, std::int64_t n) { c.listen.front().port = static_cast<std::uint16_t>(n); }},
    {"interval", [](Config& c, std::int64_t n) { c.interval = milliseconds(n); }},
    {"stale_after",
     [](Config& c, std::int64_t n) {
       c.stale_after = milliseconds(n);
       first(c).stale_after = milliseconds(n);
     }},
    {"discovery_interval",
     [](Config& c, std::int64_t n) { c.discovery_interval = milliseconds(n); }},
    {"log.max_bytes",
     [](Config& c, std::int64_t n) { c.log.max_bytes = static_cast<std::size_t>(n); }},
    {"log.max_files",
     [](Config& c, std::int64_t n) { c.log.max_files = static_cast<std::size_t>(n); }},
    {"metrics.total_instances",
     [](Config& c, std::int64_t n) { c.metrics.total_instances = n != 0; }},
    {"metrics.created", [](Config& c, std::int64_t n) { c.metrics.created = n != 0; }},
    {"metrics.cap_percentages",
     [](Config& c, std::int64_t n) { c.metrics.cap_percentages = n != 0; }},
    {"limits.query_timeout",
     [](Config& c, std::int64_t n) { c.limits.query_timeout = milliseconds(n); }},
    {"limits.max_series",
     [](Config& c, std::int64_t n) { c.limits.max_series = static_cast<std::size_t>(n); }},
    {"limits.max_reply_bytes",
     [](Config& c, std::int64_t n) { c.limits.max_reply_bytes = static_cast<std::size_t>(n); }},
    {"workers.enabled", [](Config& c, std::int64_t n) { c.workers.enabled = n != 0; }},
    {"workers.shortest_timeout",
     [](Config& c, std::int64_t n) { c.workers.shortest_timeout = milliseconds(n); }},
    {"workers.max_memory",
     [](Config& c, std::int64_t n) { c.workers.max_memory_bytes = static_cast<std::size_t>(n); }},
    {"workers.max_handles",
     [](Config& c, std::int64_t n) { c.workers.max_handles = static_cast<std::size_t>(n); }},
    {"workers.max_threads",
     [](Config& c, std::int64_t n) { c.workers.max_threads = static_cast<std::size_t>(n); }},
    {"reload.on_change", [](Config& c, std::int64_t n) { c.reload.on_change = n != 0; }},
    {"reload.http", [](Config& c, std::int64_t n) { c.reload.http = n != 0; }},
    {"countersets[].interval",
     [](Config& c, std::int64_t n) {
       first(c).interval = milliseconds(n);
       first(c).stale_after = std::max(milliseconds(10'000), milliseconds(n) * 5 / 2);
     }},
    {"countersets[].stale_after",
     [](Config& c, std::int64_t n) { first(c).stale_after = milliseconds(n); }},
    {"countersets[].instances.id",
     [](Config& c, std::int64_t n) { first(c).instance_id = static_cast<std::uint32_t>(n); }},
    {"countersets[].instances.max",
     [](Config& c, std::int64_t n) { first(c).max_instances = static_cast<std::size_t>(n); }},
};

// What an option of text, words or lists does. Of a choice, every word has a row.
struct TextRow {
  std::string_view path;
  const char* value;  // as in JSON
  void (*change)(Config&);
};

Patterns patterns(std::initializer_list<const char*> texts) {
  Patterns result;
  for (const char* const text : texts) result.push_back(*Pattern::compile(text));
  return result;
}

const TextRow kTexts[] = {
    {"listen.address", "\"::1\"", [](Config& c) { c.listen.front().address = "::1"; }},
    {"listen.serve", "\"metrics\"", [](Config& c) { c.listen.front().serve = {Served::kMetrics}; }},
    {"listen.serve", "\"api\"", [](Config& c) { c.listen.front().serve = {Served::kApi}; }},
    {"listen.serve", "[\"page\"]", [](Config& c) { c.listen.front().serve = {Served::kPage}; }},
    {"listen.serve", "[\"page\", \"api\", \"metrics\"]",
     [](Config& c) { c.listen.front().serve = {Served::kMetrics, Served::kApi, Served::kPage}; }},
    {"listen.hosts", "\"a\"", [](Config& c) { c.listen.front().hosts = {"a"}; }},
    {"listen.hosts", "[\"b\", \"a\"]", [](Config& c) { c.listen.front().hosts = {"b", "a"}; }},
    {"language", "\"english\"", [](Config& c) { c.language = NameLanguage::kEnglish; }},
    {"language", "\"machine\"", [](Config& c) { c.language = NameLanguage::kMachine; }},
    {"path", "\"auto\"", [](Config& c) { c.path = CounterPath::kAuto; }},
    {"path", "\"registry\"", [](Config& c) { c.path = CounterPath::kRegistry; }},
    {"path", "\"perflib\"", [](Config& c) { c.path = CounterPath::kPerflib; }},
    {"log.level", "\"trace\"", [](Config& c) { c.log.level = LogLevel::kTrace; }},
    {"log.level", "\"debug\"", [](Config& c) { c.log.level = LogLevel::kDebug; }},
    {"log.level", "\"info\"", [](Config& c) { c.log.level = LogLevel::kInfo; }},
    {"log.level", "\"warn\"", [](Config& c) { c.log.level = LogLevel::kWarn; }},
    {"log.level", "\"error\"", [](Config& c) { c.log.level = LogLevel::kError; }},
    {"log.format", "\"text\"", [](Config& c) { c.log.format = LogFormat::kText; }},
    {"log.format", "\"json\"", [](Config& c) { c.log.format = LogFormat::kJson; }},
    {"log.file", "\"a.log\"", [](Config& c) { c.log.file = "a.log"; }},
    {"collect", "\"memory\"",
     [](Config& c) {
       c.collect = {"memory"};
       CountersetConfig memory = first(c);
       memory.names = {"Memory"};
       memory.label = "Memory";
       memory.is_optional = true;
       c.countersets.push_back(memory);
     }},
    {"countersets[].except", "[\"A\", \"B*\"]",
     [](Config& c) {
       first(c).names = {"*"};
       first(c).label = "*";
       first(c).except = {"A", "B*"};
     }},
    {"countersets[].name", "[\"A\", \"B\"]",
     [](Config& c) {
       first(c).names = {"A", "B"};
       first(c).label = "A";
     }},
    {"workers.leave_out", "\"A b\"", [](Config& c) { c.workers.leave_out = {"A b"}; }},
    {"workers.leave_out", "[\"B\", \"a\"]", [](Config& c) { c.workers.leave_out = {"B", "a"}; }},
    {"metrics.values", "\"both\"", [](Config& c) { c.metrics.values = MetricValues::kBoth; }},
    {"metrics.values", "\"raw\"", [](Config& c) { c.metrics.values = MetricValues::kRaw; }},
    {"metrics.values", "\"cooked\"", [](Config& c) { c.metrics.values = MetricValues::kCooked; }},
    {"workers.isolation", "\"auto\"", [](Config& c) { c.workers.isolation = Isolation::kAuto; }},
    {"workers.isolation", "\"registry\"",
     [](Config& c) { c.workers.isolation = Isolation::kRegistry; }},
    {"workers.isolation", "\"hosts\"", [](Config& c) { c.workers.isolation = Isolation::kHosts; }},
    {"countersets[].path", "\"auto\"", [](Config& c) { first(c).path = CounterPath::kAuto; }},
    {"countersets[].path", "\"registry\"",
     [](Config& c) { first(c).path = CounterPath::kRegistry; }},
    {"countersets[].path", "\"perflib\"", [](Config& c) { first(c).path = CounterPath::kPerflib; }},
    {"countersets[].instances.include", "[]", [](Config&) {}},
    {"countersets[].instances.include", "\"a\"",
     [](Config& c) { first(c).instances.include = patterns({"a"}); }},
    {"countersets[].instances.include", "[\"a\", \"b\"]",
     [](Config& c) { first(c).instances.include = patterns({"a", "b"}); }},
    {"countersets[].instances.exclude", "[\"a\", \"b\"]",
     [](Config& c) { first(c).instances.exclude = patterns({"a", "b"}); }},
    {"countersets[].instances.by", "\"% Time (a\\\\b)\"",
     [](Config& c) {
       first(c).max_instances = 1;
       first(c).ranked_by = "% Time (a\\b)";
     }},
    {"countersets[].instances.labels", "\"(?<pid>\\\\d+)_(?P<pool>.*)\"",
     [](Config& c) { first(c).label_pattern = *Pattern::compile("(?<pid>\\d+)_(?P<pool>.*)"); }},
    {"countersets[].counters.include", "[\"a\", \"b\"]",
     [](Config& c) { first(c).counters.include = patterns({"a", "b"}); }},
    {"countersets[].counters.exclude", "[\"a\", \"b\"]",
     [](Config& c) { first(c).counters.exclude = patterns({"a", "b"}); }},
};

const Option& option_at(std::string_view path) {
  const auto options = config_options();
  const auto found = std::ranges::find(options, path, &Option::path);
  EXPECT_NE(found, options.end()) << path << " is no option any more";
  return found == options.end() ? options.front() : *found;
}

// A number as a file has it, in the unit of the table.
Json written(const Option& option, std::int64_t number) {
  if (option.kind == OptionKind::kBoolean) return number != 0;
  if (option.kind == OptionKind::kDuration) return std::to_string(number) + "ms";
  if (option.kind == OptionKind::kBytes) return std::to_string(number) + "B";
  return number;
}

TEST(ConfigOptions, EachHasARowHere) {
  for (const Option& option : config_options()) {
    if (option.assign == nullptr) continue;
    const auto rows = std::ranges::count(kNumbers, option.path, &NumberRow::path) +
                      std::ranges::count(kTexts, option.path, &TextRow::path);
    EXPECT_GE(rows, 1) << option.path;
    if (option.kind != OptionKind::kChoice) continue;
    EXPECT_EQ(static_cast<std::size_t>(rows), option.choices.size()) << option.path;
  }
}

TEST(ConfigOptions, OfNumbersChangeTheirMemberAndNoOther) {
  for (const NumberRow& row : kNumbers) {
    const Option& option = option_at(row.path);
    const bool is_flag = option.kind == OptionKind::kBoolean;
    const std::int64_t maximum = is_flag ? 1 : option.maximum;
    for (const std::int64_t number :
         {option.minimum, (option.minimum + maximum) / 2 / 1000 * 1000, maximum}) {
      if (number < option.minimum) continue;
      Config expected = good(plain_file());
      row.change(expected, number);
      EXPECT_EQ(good(file_with(option, written(option, number))), expected)
          << row.path << ' ' << number;
    }
  }
}

TEST(ConfigOptions, OneBeyondALimitIsRefusedAtItsPlace) {
  for (const Option& option : config_options()) {
    if (option.kind != OptionKind::kInteger && option.kind != OptionKind::kDuration &&
        option.kind != OptionKind::kBytes)
      continue;
    for (const std::int64_t number : {option.minimum - 1, option.maximum + 1}) {
      const auto config = parse_config(file_with(option, written(option, number)).dump(), "test");
      ASSERT_FALSE(config) << option.path << ' ' << number;
      EXPECT_THAT(config.error().front().message,
                  HasSubstr('"' + std::string(option.path) + "\" must be "));
    }
  }
}

TEST(ConfigOptions, OfTextChangeTheirMemberAndNoOther) {
  for (const TextRow& row : kTexts) {
    Config expected = good(plain_file());
    row.change(expected);
    EXPECT_EQ(good(file_with(option_at(row.path), Json::parse(row.value))), expected)
        << row.path << ' ' << row.value;
  }
}

TEST(ConfigOptions, OfTextAreAsLongAsTheirLimit) {
  const auto accepted = [](const Option& option, std::int64_t bytes) {
    const Json file = file_with(option, std::string(static_cast<std::size_t>(bytes), 'a'));
    return parse_config(file.dump(), "test").has_value();
  };
  for (const Option& option : config_options()) {
    if (option.kind != OptionKind::kFile && option.kind != OptionKind::kAddress) continue;
    EXPECT_TRUE(accepted(option, option.minimum)) << option.path;
    EXPECT_TRUE(accepted(option, option.maximum)) << option.path;
    EXPECT_FALSE(accepted(option, option.maximum + 1)) << option.path;
    if (option.minimum == 0) continue;
    EXPECT_FALSE(accepted(option, option.minimum - 1)) << option.path;
  }
}

// The defaults of the table, written into a file, are the defaults of the program.
TEST(ConfigOptions, NameTheDefaults) {
  nlohmann::json file = nlohmann::json::object();
  for (const Option& option : config_options()) {
    if (option.default_value.empty() || option.path.starts_with("countersets[]")) continue;
    const auto value = nlohmann::json::parse(option.default_value);
    if (parent_of(option).empty()) {
      file[std::string(option.path)] = value;
    } else {
      file[std::string(parent_of(option))][std::string(key_of(option))] = value;
    }
  }
  const auto config = parse_config(file.dump(), "defaults");
  ASSERT_TRUE(config.has_value()) << describe(config.error().front());
  EXPECT_EQ(*config, default_config());
}

TEST(ConfigOptions, AreComplete) {
  std::set<std::string_view> paths;
  for (const Option& option : config_options()) {
    EXPECT_TRUE(paths.insert(option.path).second) << option.path;
    EXPECT_FALSE(option.description.empty()) << option.path;
    const bool holds_keys = option.kind == OptionKind::kSection ||
                            option.kind == OptionKind::kListen ||
                            option.kind == OptionKind::kCountersets;
    EXPECT_EQ(option.assign == nullptr, holds_keys) << option.path;
    EXPECT_LE(option.minimum, option.maximum) << option.path;
  }
}

}  // namespace
}  // namespace winperf
