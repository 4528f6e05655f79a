#include "exporter/http/page_query.h"

#include <gmock/gmock.h>

#include <optional>

#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Query = std::multimap<std::string, std::string>;

std::expected<CollectorParts, std::string> find_collector(std::string_view name) {
  if (name == "cpu") return CollectorParts{.countersets = {"Processor Information", "Processor"}};
  if (name == "iis") return CollectorParts{.countersets = {"Web Service"}};
  if (name == "os") return CollectorParts{.topics = {FactTopic::kOs, FactTopic::kTime}};
  if (name == "net")
    return CollectorParts{.countersets = {"Network Interface"}, .topics = {FactTopic::kAdapters}};
  if (name == "container") return CollectorParts{};
  return std::unexpected(name == "cpus" ? "cpu" : "");
}

PageFilter good(const Query& query, const std::shared_ptr<const Sample>& sample,
                const FactSnapshot* facts = nullptr) {
  const auto index = sample ? std::optional<CountersetIndex>(sample) : std::nullopt;
  const auto filter = page_filter(query, index ? &*index : nullptr, facts, find_collector);
  EXPECT_TRUE(filter) << filter.error();
  return filter.value_or(PageFilter{});
}

std::string error(const Query& query) {
  FactSnapshot facts;
  facts.topics.push_back({.topic = FactTopic::kOs});
  const CountersetIndex index(typical_sample(1));
  const auto filter = page_filter(query, &index, &facts, find_collector);
  return filter ? "" : filter.error();
}

TEST(PageQuery, ThatIsEmpty_AdmitsEverything) {
  EXPECT_TRUE(good({}, typical_sample(1)).admits_all());
  EXPECT_TRUE(good({}, nullptr).admits_all());
}

TEST(PageQuery, CollectsWhatEachParameterNames) {
  const PageFilter filter = good(
      {{"counterset[]", "memory"}, {"name[]", "a"}, {"name", "b"}, {"counterset", "Processor"}},
      typical_sample(1));
  EXPECT_THAT(filter.countersets, ElementsAre("Processor", "memory"));
  EXPECT_THAT(filter.names, ElementsAre("b", "a"));
}

TEST(PageQuery, ThatNamesSomethingTwice_AsksForItOnce) {
  int calls = 0;
  const CountersetIndex index(typical_sample(1));
  Query query;
  for (int i = 0; i < 100; ++i)
    for (const char* const key : {"counterset", "counterset[]"}) query.emplace(key, "Memory");
  for (int i = 0; i < 100; ++i) {
    query.emplace("collect[]", "cpu");
    query.emplace("facts", "os");
  }
  const auto filter = page_filter(query, &index, nullptr, [&](std::string_view name) {
    ++calls;
    return find_collector(name);
  });
  ASSERT_TRUE(filter) << filter.error();
  EXPECT_EQ(calls, 1);
  EXPECT_THAT(filter->countersets, ElementsAre("Processor Information", "Processor", "Memory"));
  EXPECT_THAT(filter->topics, ElementsAre(FactTopic::kOs));
}

TEST(PageQuery, TakesCollectorsForWhatTheyRead) {
  const PageFilter filter = good({{"collect[]", "cpu"}}, typical_sample(1));
  EXPECT_THAT(filter.countersets, ElementsAre("Processor Information", "Processor"));
  EXPECT_THAT(filter.names, IsEmpty());
}

TEST(PageQuery, TakesTopicsOfFacts) {
  EXPECT_THAT(good({{"facts[]", "services"}}, nullptr).topics, ElementsAre(FactTopic::kServices));
  EXPECT_THAT(good({{"collect[]", "os"}}, typical_sample(1)).topics,
              ElementsAre(FactTopic::kOs, FactTopic::kTime));
}

TEST(PageQuery, SaysWhatIsWrong) {
  EXPECT_EQ(error({{"counterset[]", "Nope"}}), "counterset 'Nope' is not sampled");
  EXPECT_EQ(error({{"collect[]", "nope"}}), "windows_exporter has no collector called 'nope'");
  EXPECT_EQ(error({{"counterset[]", "Procesor"}}),
            "counterset 'Procesor' is not sampled; did you mean 'Processor'?");
  EXPECT_EQ(error({{"collect[]", "cpus"}}),
            "windows_exporter has no collector called 'cpus'; did you mean 'cpu'?");
  EXPECT_EQ(error({{"collect[]", "iis"}}), "no data of the collector 'iis' is sampled");
  EXPECT_EQ(error({{"collect", "container"}}), "the collector 'container' is not supported");
  EXPECT_EQ(error({{"collect", "net"}}), "no data of the collector 'net' is sampled");
  EXPECT_EQ(error({{"collect", "os"}}), "");
  EXPECT_EQ(error({{"facts[]", "services"}}), "the topic 'services' is not read");
  EXPECT_EQ(error({{"facts[]", "service"}}), "unknown topic 'service'; did you mean 'services'?");
  EXPECT_EQ(error({{"name[]", ""}}), "name[] is empty");
}

TEST(PageQuery, IgnoresWhatIsNotItsOwn) {
  for (const char* const key :
       {"module", "format", "time", "debug", "match[]", "timeout", "_", "", "auth", "x[]", "limit"})
    EXPECT_TRUE(good({{key, "nope"}}, typical_sample(1)).admits_all()) << key;
  EXPECT_TRUE(good({{std::string(5000, 'x'), ""}}, typical_sample(1)).admits_all());
  EXPECT_THAT(good({{"format", "x"}, {"name[]", "a"}}, typical_sample(1)).names, ElementsAre("a"));
}

TEST(PageQuery, NamesTheParameterThatIsMeant) {
  EXPECT_EQ(error({{"name[]", "a"}, {"colect[]", "cpu"}}),
            "unknown parameter 'colect[]'; did you mean 'collect[]'?");
  const std::pair<const char*, const char*> misspelt[] = {{"collects[]", "'collect[]'"},
                                                          {"Collect[]", "'collect[]'"},
                                                          {"collector", "'collect[]'"},
                                                          {"collect[0]", "'collect[]'"},
                                                          {"include[]", "'collect[]'"},
                                                          {"collect[", "'collect[]'"},
                                                          {"excude[]", "'exclude[]'"},
                                                          {"excludes", "'exclude[]'"},
                                                          {"counterset []", "'counterset[]'"},
                                                          {"countersets", "'counterset[]'"},
                                                          {"conterset[]", "'counterset[]'"},
                                                          {"fact[]", "'facts[]'"},
                                                          {"names[]", "'name[]'"},
                                                          {"traget", "'target'"},
                                                          {"modul", "'module'"}};
  for (const auto& [key, meant] : misspelt)
    EXPECT_THAT(error({{key, "cpu"}}), ::testing::HasSubstr(std::string("did you mean ") + meant))
        << key;
  for (const char* other : {"namespace", "nameserver", "names", "mode", "model", "market",
                            "connect", "include_metadata", "fast", "collection_interval"})
    EXPECT_EQ(error({{other, "x"}}), "") << other;
  EXPECT_EQ(error({{"target", "SRV01"}}),
            "this page serves this machine only; use /probe?target=HOST for others");
}

TEST(PageQuery, LeavesOutWhatIsExcluded) {
  const PageFilter filter = good({{"exclude[]", "cpu"}, {"exclude", "os"}}, typical_sample(1));
  EXPECT_THAT(filter.without_countersets, ElementsAre("Processor Information", "Processor"));
  EXPECT_THAT(filter.without_topics, ElementsAre(FactTopic::kOs, FactTopic::kTime));
  EXPECT_THAT(filter.countersets, IsEmpty());
  EXPECT_FALSE(filter.admits_all());
  EXPECT_EQ(error({{"exclude[]", "iis"}}), "") << "what isn't sampled is left out anyway";
  EXPECT_EQ(error({{"exclude[]", "container"}}), "");
  EXPECT_EQ(error({{"exclude[]", "cpus"}}),
            "windows_exporter has no collector called 'cpus'; did you mean 'cpu'?");
  EXPECT_EQ(error({{"exclude[]", ""}}), "windows_exporter has no collector called ''");
  EXPECT_EQ(error({{"collect[]", "cpu"}, {"exclude[]", "os"}}),
            "collect[] and exclude[] cannot be combined; use one of them");
  EXPECT_EQ(error({{"counterset[]", "Memory"}, {"exclude[]", "cpu"}}), "");
}

TEST(PageQuery, ShowsOfWhatAnybodySendsOnlyWhatMayBeShown) {
  const std::string message = error({{"counterset[]", "a\n\x1b\xff"}});
  for (const char c : message) EXPECT_TRUE(c >= ' ' || c < 0) << message;
  EXPECT_EQ(message.find('\xff'), std::string::npos);
  EXPECT_EQ(error({{"counterset[]", std::string(5000, 'x')}}),
            "counterset '" + std::string(100, 'x') + "...' is not sampled");
}

TEST(PageQuery, BeforeTheFirstSample_AdmitsAnyCounterset) {
  EXPECT_THAT(good({{"counterset[]", "Nope"}, {"collect[]", "iis"}}, nullptr).countersets,
              ElementsAre("Web Service", "Nope"));
}

TEST(PageQuery, WithoutCollectors_KnowsNone) {
  const auto filter = page_filter(Query{{"collect[]", "cpu"}}, nullptr, nullptr, {});
  ASSERT_FALSE(filter);
  EXPECT_EQ(filter.error(), "windows_exporter has no collector called 'cpu'");
}

}  // namespace
}  // namespace winperf
