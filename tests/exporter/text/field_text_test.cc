#include "exporter/text/page_format.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> items(std::string_view text) {
  std::vector<std::string> all;
  while (!text.empty()) all.emplace_back(take_item(text, ','));
  return all;
}

TEST(FieldText, TrimmedLacksBlanksAndTabsAroundIt) {
  EXPECT_EQ(trimmed(" \ta\t b \t"), "a\t b");
  EXPECT_EQ(trimmed(" \t "), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(FieldText, ItemsAreTakenOneByOne) {
  EXPECT_THAT(items(""), IsEmpty());
  EXPECT_THAT(items("a"), ElementsAre("a"));
  EXPECT_THAT(items(" a ,b"), ElementsAre("a", "b"));
  EXPECT_THAT(items(",a,, b c,"), ElementsAre("", "a", "", "b c"));
}

TEST(FieldText, AParameterIsFoundByItsName) {
  EXPECT_EQ(parameter_of("text/plain; version=0.0.4 ;q=1", "version"), "0.0.4");
  EXPECT_EQ(parameter_of("VERSION = \"1.0\"", "version"), "1.0");
  EXPECT_EQ(parameter_of("a=1;b=2;a=3", "a"), "1") << "the first one";
  EXPECT_EQ(parameter_of("a=\"", "a"), "\"");
  EXPECT_EQ(parameter_of("a=\"\"", "a"), "");
  EXPECT_EQ(parameter_of("a=b=c", "a"), "b=c");
  for (const char* const without : {"", ";", "aa=1", "a", "a=", "b=a=1"})
    EXPECT_EQ(parameter_of(without, "a"), "") << without;
}

TEST(FieldText, AWeightIsFrom0To1) {
  for (const auto& [parameters, weight] :
       {std::pair("q=0", 0.0), std::pair("q=0.000", 0.0), std::pair("Q=0.25", 0.25),
        std::pair("a=1; q = 1", 1.0), std::pair("q=1.001", 1.0), std::pair("q=-0.1", 1.0),
        std::pair("q=nan", 1.0), std::pair("q=", 1.0), std::pair("", 1.0), std::pair("a=0", 1.0)})
    EXPECT_EQ(weight_of(parameters), weight) << parameters;
}

}  // namespace
}  // namespace winperf
