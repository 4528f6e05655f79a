#include "collectors/sources/platform.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace winperf {
namespace {

TEST(RegistrySource, SaysWhatToDoWhereThereIsNoRegistry) {
  const auto source = make_registry_source();
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(source.error().text, ::testing::HasSubstr("--source replay:DIR"));
}

}  // namespace
}  // namespace winperf
