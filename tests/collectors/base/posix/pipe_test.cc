// A pipe has no other end here: whoever opens it as a file waits for ever.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "collectors/base/whole_file.h"
#include "tests/collectors/sources/temp_dir.h"

namespace winperf {
namespace {

TEST(WholeFile, APipeIsNoneAndIsNotWaitedFor) {
  const testing::TempDir folder;
  const auto pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  constexpr const char* kReason = "this is a pipe or a device, not a file";
  EXPECT_EQ(read_whole_file(pipe, 5).error().reason, kReason);
  EXPECT_EQ(state_of_file(pipe).error().reason, kReason);
  EXPECT_EQ(write_whole_file(pipe, {}).error().reason, kReason);
  EXPECT_EQ(never_a_file(pipe), kReason);
}

TEST(WholeFile, ADeviceIsNone) {
  for (const char* device : {"/dev/zero", "/dev/full"}) {
    EXPECT_EQ(read_whole_file(device, 5).error().problem, FileProblem::kNotAFile) << device;
    EXPECT_EQ(write_whole_file(device, {}).error().problem, FileProblem::kNotAFile) << device;
  }
}

}  // namespace
}  // namespace winperf
