// Words that no command has, on a program of the test's own.
#include "service/commands/command_line.h"

#include <gmock/gmock.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class UnknownWordsTest : public ::testing::Test {
 protected:
  UnknownWordsTest() {
    CLI::App& query = *program_.add_subcommand("query");
    query.add_option("-c,--config", text_)->type_name("FILE");
    query.add_option("--listen", text_)->type_name("ADDRESS:PORT");
    query.add_flag("-q,--quiet");
    query.add_option("names", names_)->expected(0, 2);
    program_.add_subcommand("quit");
  }
  std::vector<std::string> unknown(const std::vector<std::string>& words) {
    return unknown_words(program_, words);
  }

  CLI::App program_{"text", "program"};
  std::string text_;
  std::vector<std::string> names_;
};

TEST_F(UnknownWordsTest, OfKnownOnesThereIsNone) {
  EXPECT_THAT(unknown({}), IsEmpty());
  EXPECT_THAT(unknown({"query"}), IsEmpty());
  EXPECT_THAT(unknown({"query", "-c", "-9", "--config", "x", "--config=y", "-cz", "-q", "a", "b"}),
              IsEmpty());
}

TEST_F(UnknownWordsTest, ANegativeNumberAndADashAreArguments) {
  for (const char* word : {"-0", "-9", "-", "-1.5"})
    EXPECT_THAT(unknown({"query", word}), IsEmpty()) << word;
  for (const char* word : {"-/", "-:", "-x"})
    EXPECT_THAT(unknown({"query", word}), ElementsAre(HasSubstr("unknown option"))) << word;
}

TEST_F(UnknownWordsTest, ALongOptionWithOneDashIsUnknown) {
  EXPECT_THAT(unknown({"query", "-config", "x"}),
              ElementsAre("unknown option \"-config\" of \"query\"; did you mean "
                          "\"--config\"? see \"program query --help\""));
  EXPECT_THAT(unknown({"query", "-q"}), IsEmpty());
  EXPECT_THAT(unknown({"query", "-cx"}), IsEmpty()) << "a value";
}

TEST_F(UnknownWordsTest, AnArgumentTooManyIsNamed) {
  EXPECT_THAT(unknown({"query", "a", "b", "c", "d"}),
              ElementsAre("unexpected argument \"c\"; see \"program query --help\"",
                          "unexpected argument \"d\"; see \"program query --help\""));
  EXPECT_THAT(unknown({"quit", "a"}), ElementsAre(HasSubstr("unexpected argument \"a\"")));
}

TEST_F(UnknownWordsTest, AfterAnUnknownCommandNothingHasAMeaning) {
  EXPECT_THAT(
      unknown({"qury", "--config", "--what"}),
      ElementsAre("unknown command \"qury\"; did you mean \"query\"? see \"program --help\""));
  EXPECT_THAT(unknown({"xyzzy"}), ElementsAre("unknown command \"xyzzy\"; see \"program --help\""));
}

TEST_F(UnknownWordsTest, WhatFollowsAnUnknownOptionMayBeItsValue) {
  EXPECT_THAT(unknown({"--nothing", "value", "--other"}), ElementsAre(HasSubstr("\"--nothing\"")));
  EXPECT_THAT(unknown({"query", "--nothing", "value", "a"}),
              ElementsAre(HasSubstr("\"--nothing\"")));
  EXPECT_THAT(unknown({"query", "--nothing=value", "a", "b", "c"}),
              ElementsAre(HasSubstr("\"--nothing\""), HasSubstr("\"c\"")));
}

TEST_F(UnknownWordsTest, TheOptionThatIsMeantIsFoundByLetterNameTypeOrCommand) {
  EXPECT_THAT(unknown({"query", "--confg"}), ElementsAre(HasSubstr("mean \"--config\"?")));
  EXPECT_THAT(unknown({"query", "--c"}), ElementsAre(HasSubstr("mean \"-c\"?")));
  EXPECT_THAT(unknown({"query", "--z"}), ElementsAre(HasSubstr("see \"program query --help\"")));
  EXPECT_THAT(unknown({"query", "--port"}), ElementsAre(HasSubstr("mean \"--listen\"?")));
  EXPECT_THAT(unknown({"query", "--address"}), ElementsAre(HasSubstr("mean \"--listen\"?")));
  EXPECT_THAT(unknown({"--listen", "x"}),
              ElementsAre(HasSubstr("write it after its command: \"program query --listen\"")));
}

TEST_F(UnknownWordsTest, WindowsExportersOptionsAreRecognised) {
  EXPECT_THAT(unknown({"--telemetry.addr=:1"}),
              ElementsAre(HasSubstr("write \"run --listen ADDRESS:PORT\", or convert")));
  EXPECT_THAT(unknown({"--telemetry.path=/x"}),
              ElementsAre(HasSubstr("--web.telemetry-path PATH")));
  EXPECT_THAT(unknown({"--config.file=x"}), ElementsAre(HasSubstr("run --config FILE")));
  EXPECT_THAT(unknown({"--collector.cpu.x"}),
              ElementsAre(HasSubstr("this is a windows_exporter option: convert its settings")));
  EXPECT_THAT(unknown({"--other.x"}), ElementsAre(HasSubstr("see \"program --help\"")));
}

TEST_F(UnknownWordsTest, TheVersionIsShownWhateverElseIsWritten) {
  program_.set_version_flag("--version", "1.0");
  EXPECT_THAT(unknown({"--what", "--version"}), IsEmpty());
}

TEST_F(UnknownWordsTest, HelpAndTwoDashesEndTheSearch) {
  EXPECT_THAT(unknown({"query", "--what", "--help"}), IsEmpty());
  EXPECT_THAT(unknown({"query", "--", "--what", "a", "b", "c"}), IsEmpty());
}

}  // namespace
}  // namespace winperf
