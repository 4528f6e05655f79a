#include "config/migration/settings.h"

#include <gmock/gmock.h>

namespace winperf::migration {
namespace {

using ::testing::ElementsAre;

TEST(Progress, KnowsWhatWasUsed) {
  const Settings settings{{.key = "a", .values = {"1"}, .place = "--a"},
                          {.key = "b", .values = {"2"}, .place = "--b"},
                          {.key = "c", .values = {"3"}, .place = "--c"}};
  Progress progress(settings);
  EXPECT_EQ(progress.use("nothing"), nullptr);
  ASSERT_NE(progress.use("b"), nullptr);
  EXPECT_EQ(progress.use("b")->values.front(), "2");
  EXPECT_THAT(progress.unused(), ElementsAre(&settings[0], &settings[2]));
  EXPECT_EQ(progress.use_any({"x", "c", "a"}), &settings[2]);
  EXPECT_EQ(progress.use_any({"x"}), nullptr);
  EXPECT_THAT(progress.unused(), ElementsAre(&settings[0])) << "only the first one was used";
}

TEST(Progress, CountsWhatIsLost_AndTellsEachOnOneLineAndOnce) {
  const Settings none;
  Progress progress(none);
  progress.note(
      "a\nb\x1F"
      "c d\x7F");
  progress.lose("e");
  progress.lose("e");
  EXPECT_THAT(progress.messages(),
              ElementsAre(Message{.text = "a b c d "}, Message{.text = "e", .is_loss = true}));
  EXPECT_EQ(progress.lost(), 1U);
}

}  // namespace
}  // namespace winperf::migration
