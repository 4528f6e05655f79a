#include "config/collectors.h"

#include <gmock/gmock.h>

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

TEST(ObjectsOf, ACollector_AreAllThatItMayRead) {
  EXPECT_THAT(objects_of("memory"), Optional(ElementsAre("Memory")));
  EXPECT_THAT(objects_of("ad"), Optional(ElementsAre("DirectoryServices", "NTDS")));
  EXPECT_THAT(objects_of("os"), Optional(IsEmpty())) << "it reads no counters";
  EXPECT_EQ(objects_of("nosuch"), std::nullopt);
  EXPECT_EQ(objects_of(""), std::nullopt);
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
