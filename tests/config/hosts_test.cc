#include "config/hosts.h"

#include <gmock/gmock.h>

namespace winperf {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::SizeIs;

Config parsed_config(const std::string& text) {
  const auto config = parse_config(text, "test");
  EXPECT_TRUE(config) << text << describe(config.error().front());
  return config.value_or(Config{});
}

TEST(HostPattern, StandsForTheNamesThatMatch) {
  struct Row {
    const char* pattern;
    const char* name;
    bool matches;
  };
  for (const Row& row : {Row{"*", "", true},
                         Row{"*", "ab", true},
                         Row{"web-*", "web-1", true},
                         Row{"web-*", "WEB-", true},
                         Row{"web-*", "web", false},
                         Row{"web-?", "web-1", true},
                         Row{"web-?", "web-12", false},
                         Row{"?", "", false},
                         Row{"*.corp", "a.b.corp", false},
                         Row{"*.corp", "a.corp.b", false},
                         Row{"a*b*c", "aXbYbZc", true},
                         Row{"a*b*c", "aXcYb", false},
                         Row{"**", "x", true},
                         Row{"a", "A", true},
                         Row{"a", "b", false},
                         Row{"", "", true},
                         Row{"", "a", false},
                         Row{"*.corp", "a.corp", true},
                         Row{"web-*", "web-1.evil.example", false},
                         Row{"*", "a.b", false},
                         Row{"10.0.0.*", "10.0.0.7", true},
                         Row{"10.0.*", "10.0.0.7", false},
                         Row{"a?b", "a.b", false},
                         Row{"a*", "a:b", false}})
    EXPECT_EQ(matches_host(row.pattern, row.name), row.matches) << row.pattern << ' ' << row.name;
  EXPECT_TRUE(is_host_pattern("a*"));
  EXPECT_TRUE(is_host_pattern("?a"));
  EXPECT_FALSE(is_host_pattern("a"));
}

TEST(HostPattern, ThatBacktracks_TakesNoLongerThanItsSquare) {
  std::string pattern;
  for (int i = 0; i < 100; ++i) pattern += "*a";
  EXPECT_FALSE(matches_host(pattern + "b", std::string(255, 'a')));
}

TEST(HostKey, IsTheNameWithoutCaseBackslashesAndTheDotOfTheRoot) {
  for (const char* const name : {"\\\\SRV-1.Corp", "srv-1.corp", "SRV-1.CORP."})
    EXPECT_EQ(host_key(name), "srv-1.corp");
  EXPECT_EQ(host_key("a"), "a");
}

TEST(TargetName, IsANameOrAnAddressAndNoMore) {
  for (const char* const name :
       {"a", "srv-1.corp.example", "10.0.0.1", "fe80::1", "::1", "web_1", "*", "web-?", "fe80::*"})
    EXPECT_EQ(why_no_target_name(name), std::nullopt) << name;
  for (const char* const name : {"", "a b", "a/b", "a\\b", "\\\\a", "a:445", "a\n", "a\"", "[::1]",
                                 "a@b", "http://a", "a\xFF", ".", "web-*%", "fe80::1%3"})
    EXPECT_NE(why_no_target_name(name), std::nullopt) << name;
  EXPECT_EQ(why_no_target_name(std::string(255, 'a')), std::nullopt);
  EXPECT_EQ(why_no_target_name(std::string(256, 'a')),
            "it has 256 bytes, and a name has at most 255");
}

TEST(Targets, HaveWhatThisMachineHas_WithIntervalsOfTheirOwn) {
  const Config config = parsed_config(
      "targets: [{host: a}, {host: b, interval: 1m}]\n"
      "interval: 5s\n"
      "countersets: [Memory, {name: System, interval: 2s}]");
  ASSERT_THAT(config.targets, SizeIs(2));
  const TargetConfig& target = config.targets[1];
  ASSERT_THAT(target.countersets, SizeIs(2));
  EXPECT_EQ(target.countersets[0].label, "Memory");
  EXPECT_EQ(target.countersets[0].interval, milliseconds(60'000));
  EXPECT_EQ(target.countersets[0].stale_after, milliseconds(150'000));
  EXPECT_EQ(target.countersets[1].interval, milliseconds(2'000));
  EXPECT_EQ(config.targets[0].countersets[0].interval, milliseconds(15'000));
  EXPECT_EQ(config.countersets[0].interval, milliseconds(5'000)) << "this machine's stay";
}

TEST(Targets, WithoutAnyCountersetsAtAll_HaveTheDefaults) {
  const Config config = parsed_config("targets: [{host: a}]");
  EXPECT_THAT(config.targets[0].countersets, SizeIs(default_config().countersets.size()));
  EXPECT_EQ(config.countersets, default_config().countersets);
}

TEST(Targets, WithCountersetsOrSetsOfTheirOwn_HaveThoseAlone) {
  const Config config = parsed_config(
      "collect: [iis]\n"
      "targets: [{host: a, countersets: [Memory]}, {host: b, collect: memory}, {host: c}]");
  ASSERT_THAT(config.targets, SizeIs(3));
  EXPECT_THAT(config.targets[0].countersets, SizeIs(1));
  EXPECT_THAT(config.targets[0].collect, ElementsAre());
  EXPECT_THAT(config.targets[1].collect, ElementsAre("memory"));
  EXPECT_THAT(config.targets[2].collect, ElementsAre("iis"));
}

TEST(Targets, MayNameTheSameCountersets) {
  const Config config = parsed_config(
      "countersets: [Memory]\ntargets: [{host: a, countersets: [Memory]}, {host: b, "
      "countersets: [memory, {name: System, instances: {include: [a]}}]}]");
  EXPECT_THAT(config.targets[1].countersets, SizeIs(2));
  EXPECT_FALSE(parse_config("targets: [{host: a, countersets: [Memory, memory]}]", "test"));
}

TEST(Targets, OfOneHost_DifferByTheirModules) {
  EXPECT_THAT(parsed_config("targets: [{host: a}, {host: A, module: m}]").targets, SizeIs(2));
  EXPECT_FALSE(parse_config("targets: [{host: [a, A]}]", "test"));
  EXPECT_FALSE(parse_config("targets: [{host: [a, a.]}]", "test"));
}

TEST(Targets, TooMany_AreRefused) {
  std::string entries = "targets: [";
  for (std::size_t i = 0; i <= kMaxTargetEntries; ++i)
    entries += "{host: a" + std::to_string(i) + "},";
  const auto config = parse_config(entries + "]", "test");
  ASSERT_FALSE(config);
  EXPECT_THAT(config.error().front().message, ::testing::HasSubstr("write at most 1000"));
}

TEST(RecordedTargets, HaveToBeTargets) {
  const Config config = parsed_config("targets: [{host: Web-1}]\nrecorder: {targets: 'web-*'}");
  EXPECT_THAT(config.recorder.targets, ElementsAre("web-*"));
  for (const char* const text :
       {"targets: [{host: web-1}]\nrecorder: {targets: [web-2]}",
        "targets: [{host: 'web-*'}]\nrecorder: {targets: [web-1]}", "recorder: {targets: '*'}"}) {
    const auto refused = parse_config(text, "test");
    ASSERT_FALSE(refused) << text;
    EXPECT_THAT(refused.error().front().message,
                ::testing::HasSubstr("but no entry of \"targets\" names such a machine"));
  }
  const auto near = parse_config("targets: [{host: web-1}]\nrecorder: {targets: wep-1}", "test");
  EXPECT_THAT(near.error().front().message, ::testing::HasSubstr("did you mean \"web-1\"?"));
}

TEST(ConfigOfATarget, IsThatOfItsMachineAlone) {
  const Config config = parsed_config(
      "limits: {query_timeout: 3s}\nmetrics: {values: raw}\nlog: {level: debug}\n"
      "targets: [{host: a, interval: 30s, path: auto, language: machine, countersets: [Memory]}]");
  const Config own = config_of(config, config.targets.front());
  EXPECT_EQ(own.limits, config.limits);
  EXPECT_EQ(own.metrics, config.metrics);
  EXPECT_EQ(own.path, CounterPath::kAuto);
  EXPECT_EQ(own.language, NameLanguage::kMachine);
  EXPECT_EQ(own.interval, milliseconds(30'000));
  EXPECT_EQ(own.countersets, config.targets.front().countersets);
  EXPECT_TRUE(own.targets.empty());
  EXPECT_TRUE(own.facts.empty());
  EXPECT_EQ(own.log, LogConfig{}) << "another log is no other target";
}

}  // namespace
}  // namespace winperf
