#include "service/plan/setup.h"

#include <gmock/gmock.h>

#include <fstream>

#include "tests/service/run/temp_folder.h"
#include "tests/support/sample_logs.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SetupTest : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& content) {
    std::ofstream(folder_.path() / name, std::ios::binary) << content;
    return (folder_.path() / name).string();
  }

  SetupOptions recorded_by(const std::string& choice, const std::string& config = "") {
    return {.config_file = config, .source = parse_source_choice(choice).value()};
  }

  testing::TempFolder folder_;
};

TEST_F(SetupTest, WithoutAFile_TheConfigurationIsTheBuiltInOne) {
  EXPECT_EQ(load_config("").value().config.countersets, default_config().countersets);
  const std::string file = write("w.yaml", "countersets: [Memory]");
  EXPECT_EQ(load_config(file).value().config.countersets.at(0).label, "Memory");
}

TEST_F(SetupTest, EverythingThatIsWrongWithTheFileIsALineWithItsPlace) {
  const std::string file = write("w.yaml", "interval: x\npath: y\n");
  const auto setup = open_setup({.config_file = file, .source = {}});
  ASSERT_FALSE(setup);
  EXPECT_EQ(setup.error().exit_code, kExitUsage);
  EXPECT_TRUE(setup.error().names_its_file);
  const std::string& lines = setup.error().message;
  EXPECT_THAT(lines, ::testing::StartsWith(file + ":1:11: "));
  EXPECT_THAT(lines, HasSubstr("\n" + file + ":2:7: "));
  EXPECT_NE(lines.back(), '\n');
}

TEST_F(SetupTest, OnAMachine_SaysWhyItHasNoPerflib) {
  const auto setup = open_setup({});
  ASSERT_TRUE(setup);
  EXPECT_FALSE(setup->is_replay);
  EXPECT_EQ(setup->perflib, nullptr);
  EXPECT_EQ(setup->perflib_missing, "there is no PerfLib here");
  EXPECT_THAT(setup->notices, IsEmpty());
}

TEST_F(SetupTest, OfAnotherMachine_HasItsRegistryAndPerflibOnlyIfWanted) {
  SetupOptions options{.config_file = "", .source = {}, .target = "SQL01"};
  const auto setup = open_setup(options);
  ASSERT_TRUE(setup);
  EXPECT_EQ(setup->target, "SQL01");
  EXPECT_TRUE(setup->source->is_live());
  EXPECT_EQ(setup->perflib, nullptr);
  options.target_by_perflib = true;
  EXPECT_NE(open_setup(options)->perflib, nullptr);
  for (const char* const text : {"path: perflib", "countersets: [{name: Memory, path: perflib}]"}) {
    const SetupOptions configured{
        .config_file = write("w.yaml", text), .source = {}, .target = "SQL01"};
    EXPECT_NE(open_setup(configured)->perflib, nullptr) << text;
  }
}

TEST_F(SetupTest, AnotherMachineHasNoRecording) {
  SetupOptions options = recorded_by("replay:" + folder_.path().string());
  options.target = "SQL01";
  const auto setup = open_setup(options);
  ASSERT_FALSE(setup);
  EXPECT_EQ(setup.error().exit_code, kExitUsage);
  EXPECT_THAT(setup.error().message, HasSubstr("--target"));
}

TEST_F(SetupTest, OfARecording_HasItsNoticeAndAsksForNoPerflib) {
  write("sample-0001.perf", "one");
  const auto setup = open_setup(recorded_by("replay:" + folder_.path().string()));
  ASSERT_TRUE(setup);
  EXPECT_TRUE(setup->is_replay);
  EXPECT_EQ(setup->perflib_missing, "");
  EXPECT_THAT(setup->notices, ElementsAre(HasSubstr("lacks sample 0")));
  write("sample-0000.perf", "zero");
  EXPECT_THAT(open_setup(recorded_by("replay:" + folder_.path().string()))->notices, IsEmpty());
}

TEST_F(SetupTest, ARecordingThatCanNotBeOpenedIsAFailureOfTheCommand) {
  const auto setup = open_setup(recorded_by("blg:" + (folder_.path() / "none.blg").string()));
  ASSERT_FALSE(setup);
  EXPECT_EQ(setup.error().exit_code, kExitFailure);
  EXPECT_FALSE(setup.error().names_its_file);
  EXPECT_THAT(setup.error().message, HasSubstr("none.blg"));
}

TEST_F(SetupTest, EachMachineOfALogIsASource) {
  std::string file;
  for (const auto& [name, log] : testing::sample_logs())
    if (name == "counters") file = write("counters.blg", log.text());
  const auto setup = open_setup(recorded_by(
      "blg:" + file, write("w.yaml", "{language: machine, limits: {max_reply_bytes: 1MiB}}")));
  ASSERT_TRUE(setup) << setup.error().message;
  ASSERT_EQ(setup->other_machines.size(), 1u);
  CounterSource* const other = setup->other_machines[0].get();
  EXPECT_THAT(all_sources(*setup), ElementsAre(setup->source.get(), other));
  const SamplerSources sources = sampler_sources(*setup);
  EXPECT_EQ(&sources.registry, setup->source.get());
  EXPECT_THAT(sources.other_machines, ElementsAre(other));
  EXPECT_EQ(sources.perflib, nullptr);
  EXPECT_EQ(sources.names, Language::kMachine);
}

}  // namespace
}  // namespace winperf
