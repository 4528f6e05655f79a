#include "exporter/http/page_query.h"

#include <gmock/gmock.h>

#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Query = std::vector<std::pair<std::string, std::string>>;

std::expected<CollectorParts, std::string> find_collector(std::string_view name) {
  if (name == "cpu") return CollectorParts{.countersets = {"Processor Information", "Processor"}};
  if (name == "iis") return CollectorParts{.countersets = {"Web Service"}};
  if (name == "os") return CollectorParts{.topics = {FactTopic::kOs, FactTopic::kTime}};
  if (name == "net")
    return CollectorParts{.countersets = {"Network Interface"}, .topics = {FactTopic::kAdapters}};
  if (name == "container") return CollectorParts{};
  return std::unexpected(name == "cpus" ? "cpu" : "");
}

PageFilter good(const Query& query, const Sample* sample, const FactSnapshot* facts = nullptr) {
  const auto filter = page_filter(query, sample, facts, find_collector);
  EXPECT_TRUE(filter) << filter.error();
  return filter.value_or(PageFilter{});
}

std::string error(const Query& query) {
  FactSnapshot facts;
  facts.topics.push_back({.topic = FactTopic::kOs});
  const auto filter = page_filter(query, typical_sample(1).get(), &facts, find_collector);
  return filter ? "" : filter.error();
}

TEST(PageQuery, ThatIsEmpty_AdmitsEverything) {
  EXPECT_TRUE(good({}, typical_sample(1).get()).admits_all());
  EXPECT_TRUE(good({}, nullptr).admits_all());
}

TEST(PageQuery, CollectsWhatEachParameterNames) {
  const PageFilter filter = good(
      {{"counterset[]", "memory"}, {"name[]", "a"}, {"name", "b"}, {"counterset", "Processor"}},
      typical_sample(1).get());
  EXPECT_THAT(filter.countersets, ElementsAre("memory", "Processor"));
  EXPECT_THAT(filter.names, ElementsAre("a", "b"));
}

TEST(PageQuery, TakesCollectorsForWhatTheyRead) {
  const PageFilter filter = good({{"collect[]", "cpu"}}, typical_sample(1).get());
  EXPECT_THAT(filter.countersets, ElementsAre("Processor Information", "Processor"));
  EXPECT_THAT(filter.names, IsEmpty());
}

TEST(PageQuery, TakesTopicsOfFacts) {
  EXPECT_THAT(good({{"facts[]", "services"}}, nullptr).topics, ElementsAre(FactTopic::kServices));
  EXPECT_THAT(good({{"collect[]", "os"}}, typical_sample(1).get()).topics,
              ElementsAre(FactTopic::kOs, FactTopic::kTime));
}

TEST(PageQuery, SaysWhatIsWrong) {
  EXPECT_EQ(error({{"counterset[]", "Nope"}}), "no counterset called 'Nope' is sampled");
  EXPECT_EQ(error({{"collect[]", "nope"}}), "windows_exporter has no collector called 'nope'");
  EXPECT_EQ(error({{"counterset[]", "Procesor"}}),
            "no counterset called 'Procesor' is sampled: did you mean 'Processor'?");
  EXPECT_EQ(error({{"collect[]", "cpus"}}),
            "windows_exporter has no collector called 'cpus': did you mean 'cpu'?");
  EXPECT_EQ(error({{"collect[]", "iis"}}), "nothing that the collector 'iis' reads is sampled");
  EXPECT_EQ(error({{"collect", "container"}}),
            "nothing that the collector 'container' reads is read by this program");
  EXPECT_EQ(error({{"collect", "net"}}), "nothing that the collector 'net' reads is sampled");
  EXPECT_EQ(error({{"collect", "os"}}), "");
  EXPECT_EQ(error({{"facts[]", "services"}}), "the topic 'services' of facts is not read");
  EXPECT_EQ(error({{"facts[]", "service"}}),
            "there is no topic 'service' of facts: did you mean 'services'?");
  EXPECT_EQ(error({{"name[]", ""}}), "name[] is empty");
  EXPECT_EQ(
      error({{"name[]", "a"}, {"colect[]", "cpu"}}),
      "unknown parameter 'colect': /metrics takes counterset[], collect[], facts[] and name[]");
}

TEST(PageQuery, ShowsOfWhatAnybodySendsOnlyWhatMayBeShown) {
  const std::string message = error({{"counterset[]", "a\n\x1b\xff"}});
  for (const char c : message) EXPECT_TRUE(c >= ' ' || c < 0) << message;
  EXPECT_EQ(message.find('\xff'), std::string::npos);
  EXPECT_EQ(error({{"counterset[]", std::string(5000, 'x')}}),
            "no counterset called '" + std::string(100, 'x') + "...' is sampled");
}

TEST(PageQuery, BeforeTheFirstSample_AdmitsAnyCounterset) {
  EXPECT_THAT(good({{"counterset[]", "Nope"}, {"collect[]", "iis"}}, nullptr).countersets,
              ElementsAre("Nope", "Web Service"));
}

TEST(PageQuery, WithoutCollectors_KnowsNone) {
  const auto filter = page_filter(Query{{"collect[]", "cpu"}}, nullptr, nullptr, {});
  ASSERT_FALSE(filter);
  EXPECT_EQ(filter.error(), "windows_exporter has no collector called 'cpu'");
}

}  // namespace
}  // namespace winperf
