#include "config/migration/command_words.h"

#include <gmock/gmock.h>

namespace winperf::migration {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The examples of Learn, "Parsing C command-line arguments".
TEST(CommandWords, AreThoseOfTheCRuntime) {
  EXPECT_THAT(words_of(R"("abc" d e)"), ElementsAre("abc", "d", "e"));
  EXPECT_THAT(words_of(R"(a\\\b d"e f"g h)"), ElementsAre(R"(a\\\b)", "de fg", "h"));
  EXPECT_THAT(words_of(R"(a\\\"b c d)"), ElementsAre(R"(a\"b)", "c", "d"));
  EXPECT_THAT(words_of(R"(a\\\\"b c" d e)"), ElementsAre(R"(a\\b c)", "d", "e"));
  EXPECT_THAT(words_of("  "), IsEmpty());
  EXPECT_THAT(words_of(R"("" a\)"), ElementsAre("", "a\\"));
  EXPECT_THAT(words_of(R"(a="b ""c d"" e")"), ElementsAre(R"(a=b "c)", "d", "e"));
  EXPECT_THAT(words_of(R"("a""b" c)"), ElementsAre(R"(a"b c)"));
  EXPECT_THAT(words_of("--x=\"C:\\a b\\c\"\t-y"), ElementsAre("--x=C:\\a b\\c", "-y"));
}

TEST(CommandWords, OfAService_BeginWithItsProgram) {
  EXPECT_THAT(words_of_service(R"("C:\Program Files\w\windows_exporter.exe" --a "b c")"),
              ElementsAre(R"(C:\Program Files\w\windows_exporter.exe)", "--a", "b c"));
  EXPECT_THAT(words_of_service(R"(C:\Program Files\w\windows_exporter.exe --a)"),
              ElementsAre(R"(C:\Program Files\w\windows_exporter.exe)", "--a"));
  EXPECT_THAT(words_of_service(R"(C:\x.executables\W.EXE)"),
              ElementsAre(R"(C:\x.executables\W.EXE)"));
  EXPECT_THAT(words_of_service("exporter --a"), ElementsAre("exporter", "--a"));
  EXPECT_THAT(words_of_service(R"("C:\never ended)"), ElementsAre(R"(C:\never ended)"));
  EXPECT_THAT(words_of_service(" "), IsEmpty());
}

TEST(InstallerWords, BecomeFlags) {
  EXPECT_THAT(flags_of_installer("ENABLED_COLLECTORS=cpu,os"),
              ElementsAre("--collectors.enabled=cpu,os"));
  EXPECT_THAT(flags_of_installer("/enabledcollectors:cpu"),
              ElementsAre("--collectors.enabled=cpu"));
  EXPECT_THAT(flags_of_installer("EXTRA_FLAGS=\"--a b --c\""), ElementsAre("--a", "b", "--c"));
  EXPECT_THAT(flags_of_installer("REMOTE_ADDR=x"), IsEmpty());
  EXPECT_THAT(flags_of_installer("METRICS_PATH="), IsEmpty());
  EXPECT_TRUE(is_installer_word("ADDLOCAL=ALL"));
  for (const char* other : {"cpu", "/", "/:x", "=x", "--a=b", "NAME=x", "/Name:x", "C:\\x"})
    EXPECT_FALSE(is_installer_word(other)) << other;
}

}  // namespace
}  // namespace winperf::migration
