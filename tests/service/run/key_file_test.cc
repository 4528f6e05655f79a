#include "service/run/key_file.h"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "tests/service/run/temp_folder.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;

TEST(KeyFile, OfItsOwnIsReadByNobodyElse) {
  const testing::TempFolder folder;
  const auto file = folder.path() / "a.key";
  ASSERT_TRUE(write_private_file(file, "secret"));
  std::ifstream stream(file);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), "secret");
  EXPECT_THAT(who_else_reads(file).value(), ElementsAre());
  EXPECT_FALSE(write_private_file(file, "other")) << "it is there";
}

TEST(KeyFile, ThatIsntThereIsAnError) {
  const testing::TempFolder folder;
  EXPECT_FALSE(who_else_reads(folder.path() / "none"));
  EXPECT_FALSE(write_private_file(folder.path() / "none" / "a", "x"));
}

}  // namespace
}  // namespace winperf
