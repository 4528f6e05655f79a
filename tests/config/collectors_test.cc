#include "config/collectors.h"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <string>

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ObjectsOf, ACollector_AreAllThatItMayRead) {
  EXPECT_THAT(objects_of("memory").value(), ElementsAre("Memory"));
  EXPECT_THAT(objects_of("ad").value(), ElementsAre("DirectoryServices", "NTDS"));
  EXPECT_THAT(objects_of("os").value(), IsEmpty()) << "it reads no counters";
  EXPECT_EQ(objects_of("nosuch").error(), "");
  EXPECT_EQ(objects_of("").error(), "");
  EXPECT_EQ(objects_of("memroy").error(), "memory");
}

TEST(TopicsOf, ACollector_AreThoseThatItReads) {
  EXPECT_THAT(topics_of("os"), ElementsAre(FactTopic::kOs, FactTopic::kTime, FactTopic::kMemory));
  EXPECT_THAT(topics_of("time"), ElementsAre(FactTopic::kTime));
  EXPECT_THAT(topics_of("cpu"), IsEmpty());
  EXPECT_THAT(topics_of("nosuch"), IsEmpty());
}

TEST(Collectors, OfWhichSomethingIsRead_AreListedInTheDocuments) {
  std::ifstream stream(std::string(WINPERF_SOURCE_DIR) + "/docs/countersets.md");
  const std::string page{std::istreambuf_iterator<char>(stream), {}};
  const std::size_t begin = page.find("\nThe sets: ");
  ASSERT_NE(begin, std::string::npos);
  const std::string list = page.substr(begin, page.find("\n\n", begin) - begin);
  for (const Collector& set : collectors())
    EXPECT_EQ(list.contains('`' + std::string(set.name) + '`'),
              !set.objects.empty() || !set.topics.empty())
        << set.name;
}

// docs/facts.md says so.
TEST(TopicsOf, AllCollectors_AreAllTopics) {
  for (const FactTopicInfo& info : kFactTopics) {
    bool found = false;
    for (const Collector& collector : collectors())
      for (const FactTopic topic : topics_of(collector.name)) found = found || topic == info.topic;
    EXPECT_TRUE(found) << info.name;
  }
}

TEST(ObjectsOf, EachCollector_AreNames) {
  for (const Collector& collector : collectors()) {
    const auto names = objects_of(collector.name);
    ASSERT_TRUE(names) << collector.name;
    for (const std::string& name : *names) {
      EXPECT_FALSE(name.empty()) << collector.name;
      EXPECT_EQ(name.find('|'), std::string::npos) << collector.name;
    }
  }
}

}  // namespace
}  // namespace winperf
