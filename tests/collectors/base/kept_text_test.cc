#include "collectors/base/file_failure.h"

#include <gtest/gtest.h>

#include <string>

namespace winperf {
namespace {

// One test, because the texts are kept for the life of the process.
TEST(KeptText, IsOneCopyOfEachAsLongAsThereAreFew) {
  const std::string text = "provider \"one\"";
  const char* const kept = kept_text(text, "other");
  EXPECT_STREQ(kept, text.c_str());
  EXPECT_NE(kept, text.data());
  EXPECT_EQ(kept_text("provider \"one\"", "other"), kept);
  for (const char* const unprintable : {"a\nb", "\x1b[2J", "\x7f", "\xC3\xA4"})
    EXPECT_STREQ(kept_text(unprintable, "other"), "other");
  for (int i = 1; i < 256; ++i)
    EXPECT_EQ(kept_text("text " + std::to_string(i), "other"), "text " + std::to_string(i));
  EXPECT_STREQ(kept_text("one more", "other"), "other");
  EXPECT_EQ(kept_text(text, "other"), kept) << "what is kept stays";
}

}  // namespace
}  // namespace winperf
