#include "service/plan/setup.h"

#include <gmock/gmock.h>

#include <fstream>

#include "tests/service/run/fake_platform.h"
#include "tests/service/run/temp_folder.h"
#include "tests/support/sample_logs.h"

namespace winperf {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(SourceChoice, IsTheRegistryOrWhatFollowsThePrefix) {
  const SourceChoice registry = parse_source_choice("registry").value();
  EXPECT_EQ(registry.text, "registry");
  EXPECT_FALSE(registry.is_recorded());
  const SourceChoice replay = parse_source_choice("replay:a:b").value();
  EXPECT_EQ(replay.text, "replay:a:b");
  EXPECT_EQ(replay.replay, "a:b");
  EXPECT_EQ(replay.blg, std::nullopt);
  EXPECT_TRUE(replay.is_recorded());
  const SourceChoice blg = parse_source_choice("blg:the.blg").value();
  EXPECT_EQ(blg.replay, std::nullopt);
  EXPECT_EQ(blg.blg, "the.blg");
  EXPECT_TRUE(blg.is_recorded());
}

TEST(SourceChoice, OfAnythingElse_SaysWhatToWrite) {
  for (const std::string text : {"", "Registry", "replay", "replay:", "blg:", "xreplay:a"}) {
    const auto choice = parse_source_choice(text);
    ASSERT_FALSE(choice) << text;
    EXPECT_EQ(choice.error(),
              "write \"registry\", \"replay:DIR\", \"replay:FILE.zip\" or \"blg:FILE\", not \"" +
                  text + "\"");
  }
}

class OpenSource : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& content) {
    std::ofstream(folder_.path() / name, std::ios::binary) << content;
    return (folder_.path() / name).string();
  }

  static auto open(const std::string& choice) {
    return open_source(parse_source_choice(choice).value(), {});
  }

  static std::string failure(const std::string& choice) {
    const auto opened = open(choice);
    EXPECT_FALSE(opened) << choice;
    return opened ? "" : opened.error();
  }

  std::string log(const std::string& wanted) {
    for (const auto& [name, log] : testing::sample_logs())
      if (name == wanted) return write(name + ".blg", log.text());
    ADD_FAILURE() << wanted;
    return {};
  }

  testing::TempFolder folder_;
};

TEST_F(OpenSource, ACaptureIsReplayedAndSaysWhatItLacks) {
  write("sample-0001.perf", "one");
  const auto opened = open("replay:" + folder_.path().string());
  ASSERT_TRUE(opened) << opened.error();
  EXPECT_EQ(opened->source->query("4", {})->blocks.size(), 1u);
  EXPECT_THAT(opened->notice, HasSubstr("lacks sample 0"));
  EXPECT_TRUE(opened->other_machines.empty());
}

TEST_F(OpenSource, ALogIsReadForEachOfItsMachines) {
  const auto two = open("blg:" + log("counters"));
  ASSERT_TRUE(two) << two.error();
  ASSERT_EQ(two->other_machines.size(), 1u);
  EXPECT_NE(two->source->machine(), two->other_machines[0]->machine());
  const auto one = open("blg:" + log("whole_objects"));
  ASSERT_TRUE(one) << one.error();
  EXPECT_TRUE(one->other_machines.empty());
  EXPECT_EQ(one->notice, "");
}

TEST_F(OpenSource, TheWrongKindOfRecording_IsSaidWithTheRightOne) {
  EXPECT_THAT(failure("replay:" + log("counters")),
              HasSubstr("; use blg:FILE for a perfmon binary log"));
  EXPECT_THAT(failure("blg:" + write("capture.zip", "PK")),
              HasSubstr("; use replay:FILE.zip for a capture in an archive"));
  const std::string text = write("notes.txt", "neither");
  EXPECT_THAT(failure("replay:" + text), Not(HasSubstr("; read")));
  EXPECT_THAT(failure("blg:" + text), Not(HasSubstr("; read")));
}

TEST_F(OpenSource, WithoutARegistry_SaysSo) {
  const testing::MissingRegistry missing;
  EXPECT_EQ(failure("registry"), "there is no registry here");
}

TEST_F(OpenSource, ACaptureWithoutASampleIsNone) {
  write("counter-009.bin", "");
  EXPECT_THAT(failure("replay:" + folder_.path().string()), HasSubstr(folder_.path().string()));
}

}  // namespace
}  // namespace winperf
