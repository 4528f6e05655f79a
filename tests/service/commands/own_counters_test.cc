// The exporter's own counters are registered by `service` and `doctor`, on a machine in memory.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "collectors/sources/source.h"
#include "exporter/counters/own_counters.h"
#include "service/commands/counter_road.h"
#include "service/commands/doctor_checks.h"
#include "tests/service/commands/service_machine.h"
#include "tests/support/name_table_bytes.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::ServiceCommandTest;

class OwnCountersTest : public ServiceCommandTest {
 protected:
  void TearDown() override {
    std::filesystem::remove(config_);
    ServiceCommandTest::TearDown();
  }
  void configure(const std::string& text) { std::ofstream(config_) << text; }
  std::string configured() const {
    std::stringstream text;
    text << std::ifstream(config_).rdbuf();
    return text.str();
  }
  int install(const std::string& road) {
    return service({"install", "--config", config_.string(), "--counters", road});
  }

  const std::filesystem::path config_ =
      std::filesystem::temp_directory_path() / "winperf-own-counters-test.yaml";
};

TEST_F(OwnCountersTest, Install_RegistersWhatTheConfigurationSays) {
  ASSERT_EQ(service({"install"}), 0);
  EXPECT_EQ(roads_text(registrar_.now), "v1") << "the default";
  EXPECT_THAT(output_, HasSubstr("  own counters: v1: winperf_exporter_perf.dll, indices 5000"));
  configure("own_counters: v2");
  ASSERT_EQ(service({"install", "--config", config_.string()}), 0);
  EXPECT_EQ(roads_text(registrar_.now), "v2");
  configure("own_counters: none");
  ASSERT_EQ(service({"install", "--config", config_.string()}), 0);
  EXPECT_EQ(roads_text(registrar_.now), "none");
}

TEST_F(OwnCountersTest, Install_ChangesTheConfigurationToWhatIsGiven) {
  configure("interval: 7s  # seven\n");
  ASSERT_EQ(install("v1"), 0);
  EXPECT_EQ(configured(), "interval: 7s  # seven\n") << "v1 is the default";
  ASSERT_EQ(install("v2"), 0);
  EXPECT_THAT(configured(), HasSubstr("interval: 7s  # seven\n"));
  EXPECT_THAT(configured(), HasSubstr("own_counters: \"v2\""));
  EXPECT_THAT(output_, HasSubstr("own_counters set to v2 in "));
  EXPECT_EQ(roads_text(registrar_.now), "v2");
  ASSERT_EQ(install("none"), 0);
  EXPECT_THAT(configured(), HasSubstr("own_counters: \"none\""));
  EXPECT_EQ(roads_text(registrar_.now), "none");
}

TEST_F(OwnCountersTest, InstallThatFails_LeavesTheConfiguration) {
  configure("own_counters: v1\n");
  manager_.failing["put"] = {5, "no"};
  EXPECT_EQ(install("v2"), 5);
  EXPECT_EQ(configured(), "own_counters: v1\n");
}

TEST_F(OwnCountersTest, Install_NeedsAFileForWhatIsNotTheDefault) {
  EXPECT_EQ(service({"install", "--counters", "v2"}), 2);
  EXPECT_TRUE(manager_.services.empty());
  EXPECT_EQ(service({"install", "--counters", "v1"}), 0);
}

TEST_F(OwnCountersTest, Install_OfAnotherName_HasNone) {
  EXPECT_EQ(service({"install", "--name", "other", "--counters", "v1"}), 2);
  EXPECT_TRUE(manager_.services.empty());
  EXPECT_EQ(service({"install", "--name", "other"}), 0);
  EXPECT_THAT(output_, HasSubstr("own counters: none; only the service winperf_exporter"));
  EXPECT_TRUE(registrar_.calls.empty());
  EXPECT_EQ(service({"uninstall", "--name", "other"}), 0);
  EXPECT_TRUE(registrar_.calls.empty());
}

TEST_F(OwnCountersTest, RegistrationThatFails_LeavesTheServiceInstalled) {
  registrar_.failing = {{"load_titles", 1009}};
  EXPECT_EQ(service({"install"}), 1);
  EXPECT_TRUE(manager_.services.contains("winperf_exporter"));
  EXPECT_EQ(roads_text(registrar_.now), "none");
  manager_.failing["put"] = {5, "no"};
  manager_.services.clear();
  registrar_.calls.clear();
  EXPECT_EQ(service({"install"}), 5);
  EXPECT_TRUE(registrar_.calls.empty()) << "there is no service";
}

TEST_F(OwnCountersTest, Install_NamesALibraryThatOthersMayChange) {
  manager_.open_to_others["winperf_exporter_perf.dll"] = "C:\\T can be changed by everyone";
  const auto errors_of = [this](const std::vector<std::string>& words) {
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(service(words), 0);
    return ::testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(errors_of({"install"}),
            "winperf_exporter: winperf_exporter_perf.dll runs in each program that reads counters, "
            "but C:\\T can be changed by everyone; allow only administrators to write there\n");
  EXPECT_EQ(errors_of({"install", "--name", "other"}), "") << "which doesn't register it";
  configure("own_counters: v2");
  EXPECT_EQ(errors_of({"install", "--config", config_.string()}), "");
}

TEST_F(OwnCountersTest, Repair_RegistersThemAgain) {
  ASSERT_EQ(service({"install"}), 0);
  registrar_.now.key->first_counter.reset();
  EXPECT_EQ(service({"repair"}), 0);
  EXPECT_TRUE(is_v1_complete(registrar_.now, "winperf_exporter_perf.dll"));
}

TEST_F(OwnCountersTest, Uninstall_RemovesThemFirst) {
  ASSERT_EQ(service({"install"}), 0);
  registrar_.calls.clear();
  EXPECT_EQ(service({"uninstall"}), 0);
  EXPECT_THAT(registrar_.calls, ElementsAre("unload_titles unlodctr winperf_exporter", "remove_key",
                                            "remove_event_source"));
  EXPECT_THAT(output_,
              ::testing::StartsWith("winperf_exporter: its own counters are unregistered"));
  registrar_.set_v1("old\\winperf_exporter_perf.dll");
  EXPECT_EQ(service({"uninstall"}), 0) << "without a service";
  EXPECT_EQ(roads_text(registrar_.now), "none");
  registrar_.set_v1("winperf_exporter_perf.dll");
  manager_.services["winperf_exporter"].facts.command_line = "C:\\other.exe --run";
  EXPECT_EQ(service({"uninstall"}), 1);
  EXPECT_EQ(roads_text(registrar_.now), "v1") << "another program's service";
}

TEST_F(OwnCountersTest, UninstallThatLeavesThem_SaysSo) {
  ASSERT_EQ(service({"install"}), 0);
  registrar_.failing = {{"unload_titles", 1009}};
  EXPECT_EQ(service({"uninstall"}), 1);
  EXPECT_FALSE(manager_.services.contains("winperf_exporter"));
}

TEST_F(OwnCountersTest, Status_ShowsThem) {
  ASSERT_EQ(service({"install"}), 0);
  EXPECT_EQ(service({"status", "--format", "json"}), 3);
  EXPECT_EQ(nlohmann::json::parse(output_)["own_counters"], "v1");
  EXPECT_EQ(nlohmann::json::parse(output_)["own_counters_first_index"], 5000);
  EXPECT_EQ(service({"status"}), 3);
  EXPECT_THAT(output_, HasSubstr("own counters  v1: winperf_exporter_perf.dll, indices 5000"));
  ASSERT_EQ(service({"install", "--name", "other"}), 0);
  EXPECT_EQ(service({"status", "--name", "other", "--format", "json"}), 3);
  EXPECT_TRUE(nlohmann::json::parse(output_)["own_counters"].is_null());
}

TEST_F(OwnCountersTest, Repair_ShowsWhatIsThereAndRegistersItAnew) {
  configure("own_counters: v1");
  ASSERT_EQ(install("v1"), 0);
  registrar_.calls.clear();
  EXPECT_EQ(command({"doctor", "--repair", "counters", "--yes"}), 0);
  EXPECT_THAT(output_, HasSubstr("own counters now: v1: winperf_exporter_perf.dll, indices 5000"));
  EXPECT_THAT(output_, HasSubstr("register them again (lodctr) by v1, from the files beside "));
  EXPECT_THAT(output_, HasSubstr("  own counters: v1"));
  EXPECT_EQ(registrar_.calls.size(), 6U) << "all of them are removed and made";
  EXPECT_EQ(registrar_.calls.front(), "unload_titles unlodctr winperf_exporter");
  EXPECT_TRUE(is_v1_complete(registrar_.now, "winperf_exporter_perf.dll"));
}

TEST_F(OwnCountersTest, Repair_TakesTheRoadAndTheFilesOfTheService) {
  configure("own_counters: v2");
  manager_.services["winperf_exporter"].facts.command_line =
      R"("C:\Program Files\w\winperf_exporter.exe" run --config )" + config_.string();
  registrar_.set_v1("winperf_exporter_perf.dll");
  EXPECT_EQ(command({"doctor", "--repair", "counters", "--yes"}), 0);
  EXPECT_EQ(registrar_.calls.back(),
            R"(lodctr.exe/M "C:\Windows\system32\lodctr.exe" )"
            R"(/M:"C:\Program Files\w\winperf_exporter.man" "C:\Program Files\w")");
  EXPECT_EQ(roads_text(registrar_.now), "v2");
  configure("own_counters: none");
  EXPECT_EQ(command({"doctor", "--repair", "counters", "--yes"}), 0);
  EXPECT_THAT(output_, HasSubstr("because own_counters is none"));
  EXPECT_EQ(roads_text(registrar_.now), "none");
}

TEST_F(OwnCountersTest, Repair_ThatFailsOrHasNothingToRegister_SaysSo) {
  EXPECT_EQ(command({"doctor", "--repair", "counters", "--yes"}), 1) << "without a service";
  EXPECT_TRUE(registrar_.calls.empty());
  ASSERT_EQ(service({"install"}), 0);
  registrar_.failing = {{"unload_titles", 5}};
  EXPECT_EQ(command({"doctor", "--repair", "counters", "--yes"}), 1);
  EXPECT_EQ(command({"doctor", "--repair", "others"}), 2);
  EXPECT_EQ(command({"doctor", "--yes"}), 2);
}

// A source that has name tables alone.
class TitleSource final : public CounterSource {
 public:
  std::expected<Reply, Error> query(std::string_view, StopToken) override {
    return std::unexpected(Error{.code = ErrorCode::kUnsupported, .where = "query"});
  }
  std::vector<std::expected<Bytes, Error>> text_tables(TextTable, Language) override {
    return {std::unexpected(Error{.code = ErrorCode::kOsError, .where = "table"}), table_};
  }
  void add(std::uint32_t index, const char* name) {
    for (const std::string& text : {std::to_string(index), std::string(name)}) {
      for (const char c : text) {
        table_.push_back(static_cast<std::byte>(c));
        table_.push_back(std::byte{0});
      }
      table_.insert(table_.end(), 2, std::byte{0});
    }
  }

 private:
  Bytes table_{};
};

class CounterSubjectTest : public OwnCountersTest {
 protected:
  // As Windows has them after the registration from index 5000 on.
  void add_titles() {
    for (const own::ObjectRow* const object : own::kObjects) {
      titles_.add(5000 + own::title_offset(*object), object->english.name);
      for (std::size_t row = 0; row < object->counters.size(); ++row)
        titles_.add(5000 + own::title_offset(*object, row), object->counters[row].english.name);
    }
  }
  std::vector<CheckSubject> subjects() {
    Config config;
    config.listen.clear();
    config.facts.clear();
    return check_subjects(config, "", {}, TokenFacts(), titles_);
  }
  CounterCheck subject() { return std::get<CounterCheck>(subjects().at(0)); }

  TitleSource titles_;
};

TEST_F(CounterSubjectTest, WithoutAService_ThereIsNone) { EXPECT_TRUE(subjects().empty()); }

TEST_F(CounterSubjectTest, SoundRegistration_IsOk) {
  add_titles();
  ASSERT_EQ(service({"install"}), 0);
  EXPECT_EQ(check(subject()).status, Severity::kOk);
  EXPECT_EQ(subject().road, CounterRoad::kV1);
  EXPECT_EQ(subject().library, "winperf_exporter_perf.dll");
}

TEST_F(CounterSubjectTest, WhatTheTablesSay_IsCompared) {
  titles_.add(5000, "Theirs");
  ASSERT_EQ(service({"install"}), 0);
  const CheckResult result = check(subject());
  EXPECT_EQ(result.cause.reason, Reason::kCountersNamesForeign);
  EXPECT_EQ(result.cause.evidence.size(), 5U);
  EXPECT_EQ(result.cause.evidence.at(0),
            "index 5000 is \"Theirs\" instead of \"winperf_exporter\"");
}

TEST_F(CounterSubjectTest, MissingFile_IsNoticed) {
  add_titles();
  ASSERT_EQ(service({"install"}), 0);
  registrar_.missing_files = {"winperf_exporter_perf.dll"};
  EXPECT_EQ(check(subject()).cause.reason, Reason::kCountersLibraryMissing);
}

TEST_F(CounterSubjectTest, TheServicesConfigurationCounts) {
  configure("own_counters: none");
  ASSERT_EQ(service({"install", "--config", config_.string()}), 0);
  EXPECT_EQ(subject().road, CounterRoad::kNone);
  EXPECT_EQ(check(subject()).status, Severity::kOk);
  registrar_.now.v2_countersets = 2;
  EXPECT_EQ(check(subject()).cause.reason, Reason::kCountersUnwanted);
  configure("interval: 7x");
  EXPECT_TRUE(subjects().empty()) << "other checks say that";
}

TEST_F(CounterSubjectTest, WhatAServiceHasLeft_IsUnwanted) {
  registrar_.set_v1("winperf_exporter_perf.dll");
  add_titles();
  EXPECT_EQ(check(subject()).cause.reason, Reason::kCountersUnwanted);
  EXPECT_FALSE(subject().is_installed);
}

}  // namespace
}  // namespace winperf
