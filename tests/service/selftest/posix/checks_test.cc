// Checks that ask a program: here it is a script, which answers what a case says.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "service/selftest/check.h"
#include "service/selftest/command_answer.h"
#include "service/selftest/journal.h"
#include "tests/service/run/temp_folder.h"

namespace winperf::selftest {

SelfCheck paths_check();
SelfCheck providers_check();
SelfCheck pdh_check();
SelfCheck captures_check();
SelfCheck workers_check();

namespace {

class NoJournal final : public JournalFile {
 public:
  std::expected<std::string, std::string> text() override { return std::string(); }
  std::expected<void, std::string> append(std::string_view) override { return {}; }
  std::expected<void, std::string> clear() override { return {}; }
};

class Checks : public ::testing::Test {
 protected:
  // `script`: the body of a shell script; $* is the command line.
  CheckReport run(const SelfCheck& check, const std::string& script, bool scrub = false) {
    const std::filesystem::path program = folder_.path() / "program";
    std::ofstream(program) << "#!/bin/sh\n" << script;
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    const std::filesystem::path own = folder_.path() / "own";
    std::filesystem::create_directories(own);
    Journal journal = Journal::of(std::make_unique<NoJournal>());
    const SelftestSettings settings{.scrub = scrub};
    CheckRun checked{.settings = settings,
                     .program = program,
                     .folder = own,
                     .is_administrator = is_administrator_,
                     .journal = journal,
                     .stop = stop_.token(),
                     .tell = [](const std::string&) {},
                     .why_others_may_change =
                         [](const std::filesystem::path& file) {
                           return std::optional(file.string() + " can be changed by everyone");
                         }};
    return check.run(checked);
  }

  static bool has(const CheckReport& report, const std::string& words) {
    return std::ranges::any_of(report.findings, [&](const Finding& finding) {
      return finding.sentence.find(words) != std::string::npos;
    });
  }
  static std::string detail(const Finding& finding, const std::string& name) {
    for (const auto& [key, value] : finding.details)
      if (key == name) return value;
    return "no " + name;
  }

  testing::TempFolder folder_;
  StopSource stop_;
  bool is_administrator_ = false;
};

TEST_F(Checks, OfWorkersLoadsNothingWithRightsThatOthersMayHavePutThere) {
  const std::filesystem::path library = folder_.path() / "winperf_exporter_trial.dll";
  std::ofstream(library) << "no library";
  const auto provider = [&] {
    return run(workers_check(), "exit 1").data["trial_provider"].get<std::string>();
  };
  EXPECT_FALSE(provider().contains("can be changed")) << "it has no rights that others lack";
  is_administrator_ = true;
  EXPECT_EQ(provider(), "winperf_exporter_trial.dll is not used with an administrator's rights: " +
                            library.string() + " can be changed by everyone");
  std::filesystem::remove(library);
  EXPECT_EQ(provider(), "winperf_exporter_trial.dll is not beside the program");
}

constexpr char kList[] =
    R"({"countersets":[{"name":"Process","path":"perflib","multi_instance":true,"instance_names":["anna","_Total"]},)"
    R"({"name":"System","path":"registry","multi_instance":false},)"
    R"({"name":"Empty","path":"perflib","multi_instance":true,"instance_names":[]}]})";
constexpr char kValues[] =
    R"({"values":[{"object":"Process","reason":null},{"object":"System","reason":"first_sample"}]})";

std::string script_of(const std::string& query, const std::string& verify) {
  return "case \"$*\" in\nlist*) echo '" + std::string(kList) + "';;\nquery*) " + query +
         ";;\nverify*) " + verify + ";;\n*) exit 9;;\nesac\n";
}
std::string echo(const std::string& text) { return "echo '" + text + "'"; }

TEST_F(Checks, PathsPassIfNothingDiffers) {
  const auto report =
      run(paths_check(),
          script_of(echo(kValues), echo(R"({"countersets":[{"name":"Process","agrees":true,)"
                                        R"("compared":7,"moving":2,"differences":[]}]})")));
  EXPECT_EQ(report.verdict, Verdict::kPassed) << report.findings.front().sentence;
  EXPECT_EQ(report.summary, "3 countersets");
  EXPECT_EQ(report.data["countersets"]["V2"], 2);
  EXPECT_EQ(report.data["read through registry"]["without a number"]["first_sample"], 1);
  EXPECT_EQ(report.data["registry and perflib"]["values"], 7);
  EXPECT_EQ(report.data["registry and hosts"]["moving"], 2);
}

TEST_F(Checks, PathsNameEachDifference) {
  const std::string difference =
      R"({"countersets":[{"name":"Process","differences":[{"instance":"anna","counter":"Threads",)"
      R"("difference":"raw value","registry":"7","perflib":"8"}]},)"
      R"({"name":"System","registry_error":"it is gone","perflib_error":null}]})";
  const auto report = run(paths_check(), script_of(echo(kValues), echo(difference)));
  EXPECT_EQ(report.verdict, Verdict::kFindings);
  // With hosts it is the same document, which has no side of this name.
  ASSERT_EQ(report.findings.size(), 4U);
  EXPECT_EQ(report.findings[0].sentence,
            "Process Threads differs between the registry and perflib: raw value");
  EXPECT_EQ(detail(report.findings[0], "instance"), "anna");
  EXPECT_EQ(detail(report.findings[0], "registry"), "7");
  EXPECT_EQ(detail(report.findings[0], "perflib"), "8");
  EXPECT_EQ(report.findings[1].sentence, "System is there through one path only");
  EXPECT_EQ(report.data["registry and perflib"]["differences"], 2);
}

TEST_F(Checks, PathsNameWhatIsLost) {
  const std::string said = "echo 'System: it has failed' >&2; ";
  const auto report = run(paths_check(), script_of(said + echo(R"({"values":[]})"), echo("{}")));
  ASSERT_EQ(report.findings.size(), 3U);
  EXPECT_EQ(report.findings[0].sentence, "Process has no values through registry");
  EXPECT_EQ(report.findings[1].sentence, "System has no values through registry");
  EXPECT_EQ(detail(report.findings[1], "said"), "System: it has failed");
  EXPECT_EQ(report.findings[2].sentence, "Process has no values through perflib");
}

TEST_F(Checks, PathsGoOnOneByOneAfterACrash) {
  const std::string verify = "case \"$*\" in *Process*|*System*) " +
                             echo(R"({"countersets":[{"name":"Process","compared":5}]})") +
                             ";; *) kill -9 $$;; esac";
  const std::string query =
      "case \"$*\" in *Process*|*System*) " + echo(kValues) + ";; *) kill -9 $$;; esac";
  const auto report = run(paths_check(), script_of(query, verify));
  EXPECT_EQ(report.verdict, Verdict::kFindings);
  EXPECT_TRUE(has(report, "query * --path registry --format json: exit code 137"));
  EXPECT_TRUE(has(report, "verify --format json: exit code 137"));
  EXPECT_TRUE(has(report, "verify Empty --format json: exit code 137"));
  EXPECT_EQ(report.data["registry and perflib"]["values"], 5);
  EXPECT_EQ(report.data["registry and hosts"]["values"], 5);
}

TEST_F(Checks, PathsRepeatARefusalOnce) {
  const std::string refuse = "echo \"$*\" >> " + (folder_.path() / "asked").string() +
                             "; echo 'there is only one path' >&2; exit 1";
  const auto report = run(paths_check(), script_of(echo(kValues), refuse));
  EXPECT_TRUE(has(report, "there is only one path"));
  EXPECT_EQ(folder_.read("asked"),
            "verify --format json\nverify Process --format json\n"
            "verify --format json --hosts\nverify System --format json --hosts\n");
}

TEST_F(Checks, PathsShowNoNameWhenScrubbed) {
  const std::string difference =
      R"({"countersets":[{"name":"Process","differences":[{"instance":"anna","counter":"Threads",)"
      R"("difference":"raw value"}]}]})";
  const auto report = run(paths_check(), script_of(echo(kValues), echo(difference)), true);
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(detail(report.findings[0], "instance"), "instance-1");
  EXPECT_EQ(report.names, std::vector<std::string>{"anna"});
}

TEST_F(Checks, ThatAreStoppedKnowNothing) {
  stop_.request_stop();
  for (const SelfCheck& check : {paths_check(), providers_check(), pdh_check(), captures_check()}) {
    EXPECT_EQ(run(check, "exit 0").verdict, Verdict::kBroken) << check.id;
  }
}

TEST_F(Checks, OfAnyJsonThrowNothing) {
  for (const char* const json : {"{}", "[]", "7", "{\"countersets\": 5}", "{\"providers\": [1]}",
                                 "{\"countersets\": [7, {\"differences\": [\"x\", null]}]}",
                                 "{\"checks\": [{\"status\": \"failed\", \"also\": {}}]}",
                                 "{\"countersets\": [{\"name\": 7, \"compared\": -1}]}", ""}) {
    for (const SelfCheck& check : {paths_check(), providers_check(), pdh_check()}) {
      EXPECT_NE(run(check, echo(json)).verdict, Verdict::kSkipped) << check.id << ' ' << json;
    }
  }
}

constexpr char kProviders[] =
    R"({"providers":[{"name":"PerfOS","state":"works","tried":true,"error":null,"first_query_seconds":0.25},)"
    R"({"name":"Bad","state":"crashed","tried":true,"error":"it has crashed","library_path":"C:\\bad.dll"},)"
    R"({"name":"Old","state":"32-bit","tried":false,"error":null},)"
    R"({"name":"Off","state":"disabled","tried":false,"error":null,"disabled":true}]})";
constexpr char kDiagnosis[] =
    R"({"summary":{"ok":1,"failed":1},"countersets":[{"name":"Web","status":"failed","reason":"provider_disabled",)"
    R"("sentence":"it is disabled","repair":[{"command":"lodctr /E:W3","text":"enables it"}],"evidence":["one","two"],)"
    R"("also":[{"severity":"warning","reason":"other","sentence":"and old"},{"severity":"note","sentence":"a note"}]},)"
    R"({"name":"Memory","status":"ok","reason":"healthy"}],)"
    R"("checks":[{"name":"address","subject":"[::]:1","status":"warning","reason":"exporter_not_running"},)"
    R"({"name":"facts","subject":"os","status":"absent"}]})";

TEST_F(Checks, ProvidersThatFailAreNamedWithTheirRepair) {
  const auto report =
      run(providers_check(), "case \"$*\" in providers*) cat <<'E'\n" + std::string(kProviders) +
                                 "\nE\n;;\n*) cat <<'E'\n" + kDiagnosis + "\nE\n;;\nesac\n");
  ASSERT_EQ(report.findings.size(), 4U);
  EXPECT_EQ(report.findings[0].sentence, "the provider Bad failed");
  EXPECT_EQ(detail(report.findings[0], "error"), "it has crashed");
  EXPECT_EQ(detail(report.findings[0], "library"), "C:\\bad.dll");
  EXPECT_EQ(report.findings[1].sentence, "the provider Old is 32-bit");
  EXPECT_EQ(report.findings[2].sentence, "Web: it is disabled");
  EXPECT_EQ(detail(report.findings[2], "repair"), "lodctr /E:W3");
  EXPECT_EQ(detail(report.findings[2], "evidence"), "one; two");
  EXPECT_EQ(report.findings[3].sentence, "Web: and old");
  EXPECT_EQ(report.data["providers"]["tried"], 2);
  EXPECT_EQ(report.data["providers"]["seconds of the first query"]["PerfOS"], 0.25);
  EXPECT_EQ(report.data["doctor"]["failed"], 1);
}

TEST_F(Checks, EqualProblemsAreOneFinding) {
  const auto entry = [](const std::string& name, const std::string& evidence) {
    return R"({"name":")" + name +
           R"(","status":"failed","reason":"gap","sentence":"the table has gaps; \")" + name +
           R"(\" is not in it","repair":[{"command":"lodctr /R"}],"evidence":[")" + evidence +
           R"("]})";
  };
  const auto report =
      run(providers_check(),
          "case \"$*\" in providers*) echo '{}';;\n*) cat <<'E'\n{\"countersets\":[" +
              entry("Memory", "one") + ',' + entry("Disk", "one") + ',' + entry("Odd", "two") +
              ',' + entry("TCP", "one") + ',' + entry("UDP", "one") + "]}\nE\n;;\nesac\n");
  ASSERT_EQ(report.findings.size(), 2U);
  EXPECT_EQ(report.findings[0].sentence, "Memory, Disk, TCP and 1 more: the table has gaps");
  EXPECT_EQ(detail(report.findings[0], "countersets"), "Memory, Disk, TCP, UDP");
  EXPECT_EQ(detail(report.findings[0], "repair"), "lodctr /R");
  EXPECT_EQ(report.findings[1].sentence, "Odd: the table has gaps; \"Odd\" is not in it");
}

// The argument after --raw.
constexpr char kWriteRaw[] =
    R"(while [ $# -gt 0 ]; do [ "$1" = --raw ] && raw=$2; shift; done
printf '{"format":"x"}\n{"items":{"instances":["anna"]}}\n' > "$raw"
)";

TEST_F(Checks, PdhNamesEachDifferenceByItsType) {
  const std::string script =
      kWriteRaw +
      echo(R"({"only_pdh":["Other"],"countersets":[{"name":"Process","compared":9,"moving":1,)"
           R"("known":[{"type":"PERF_DOUBLE_RAW","reason":"no word","values":3}],)"
           R"("differences":[{"instance":"anna","counter":"Threads",)"
           R"("type":"PERF_COUNTER_RAWCOUNT","difference":"raw value",)"
           R"("registry":"7","pdh":"8","moments":[{"before":{"value":7,"base":0},)"
           R"("pdh":{"first":8,"second":0},"number":{"status":0,"value":8.5},"after":null}]}]},)"
           R"({"name":"Web","registry_error":null,"pdh_error":"it crashed","not_compared":null},)"
           R"({"name":"Twice","not_compared":"there are two"}]})");
  const auto report = run(pdh_check(), script);
  EXPECT_EQ(report.verdict, Verdict::kFindings);
  EXPECT_EQ(report.summary, "compared 3 countersets with PDH");
  ASSERT_EQ(report.findings.size(), 2U);
  EXPECT_EQ(report.findings[0].sentence,
            "Process Threads (PERF_COUNTER_RAWCOUNT) differs from PDH's: raw value");
  EXPECT_EQ(detail(report.findings[0], "instance"), "anna");
  EXPECT_EQ(detail(report.findings[0], "registry"), "7");
  EXPECT_EQ(detail(report.findings[0], "pdh"), "8");
  EXPECT_EQ(detail(report.findings[0], "moment 1, registry before"),
            "value 7, base 0, reason none, perf_time none, time_100ns none, object_time none");
  EXPECT_EQ(detail(report.findings[0], "moment 1, registry after"), "none");
  EXPECT_EQ(detail(report.findings[0], "moment 1, PDH"),
            "status none, first 8, second 0, multi_count none");
  EXPECT_EQ(detail(report.findings[0], "moment 1, PDH's number"), "status 0, value 8.5");
  EXPECT_EQ(report.findings[1].sentence, "Web could be read by one side only");
  EXPECT_EQ(report.data["known to differ"][0]["values"], 3);
  EXPECT_EQ(report.data["not compared"]["Twice"], "there are two");
  EXPECT_EQ(report.data["known to PDH alone"][0], "Other");
  EXPECT_EQ(report.data["values"], 9);
  ASSERT_EQ(report.files.size(), 1U);
  EXPECT_EQ(report.files[0].name, "pdh.jsonl");
  EXPECT_EQ(report.files[0].bytes.size(), 48U);
  const auto scrubbed = run(pdh_check(), script, true);
  EXPECT_EQ(detail(scrubbed.findings.at(0), "instance"), "instance-1");
  const auto& bytes = scrubbed.files.at(0).bytes;
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  EXPECT_EQ(text, "{\"format\":\"x\"}\n{\"items\":{\"instances\":[\"instance-1\"]}}\n");
}

TEST_F(Checks, PdhSaysHowManyCountersetsHadTime) {
  const auto report = run(
      pdh_check(),
      kWriteRaw + echo(R"({"without_time":["Web"],"countersets":[{"name":"Process","compared":9},)"
                       R"({"name":"Web","not_compared":"no time"}]})"));
  EXPECT_EQ(report.verdict, Verdict::kPassed);
  EXPECT_EQ(report.summary,
            "compared 1 of 2 countersets with PDH in 8 minutes; verify --with pdh compares all");
  EXPECT_EQ(report.data["without time"], nlohmann::json({"Web"}));
}

TEST_F(Checks, PdhsRawValuesAreKeptOfACommandThatHasNoAnswer) {
  const std::string head = R"({"format":"winperf_exporter pdh record","version":1})";
  const auto report = run(pdh_check(), "for file; do :; done\nprintf '%s\\n%s' '" + head +
                                           "' '{\"counterset' > \"$file\"\nexit 3");
  EXPECT_EQ(report.verdict, Verdict::kBroken);
  EXPECT_TRUE(report.findings.empty());
  ASSERT_EQ(report.files.size(), 1U);
  const auto& bytes = report.files.front().bytes;
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), head + '\n')
      << "of whole lines";
}

TEST_F(Checks, PdhIsBrokenWithoutAnAnswer) {
  const auto report = run(pdh_check(), "echo 'no pdh.dll' >&2; exit 1");
  EXPECT_EQ(report.verdict, Verdict::kBroken);
  EXPECT_NE(report.summary.find("no pdh.dll"), std::string::npos) << report.summary;
}

TEST_F(Checks, CapturesThatAreNoArchiveAreFindings) {
  const auto report =
      run(captures_check(), "case \"$1\" in capture) echo no > \"$3\";; *) exit 1;; esac");
  EXPECT_TRUE(has(report, "the capture is no archive"));
  EXPECT_TRUE(has(report, "the capture cannot be replayed"));
  EXPECT_EQ(run(captures_check(), "exit 1").verdict, Verdict::kBroken);
}

TEST(Findings, ThatAreTooManyAreCounted) {
  CheckReport report;
  for (std::size_t i = 0; i < kMostFindings + 3; ++i) add_finding(report, {.sentence = "x"});
  ASSERT_EQ(report.findings.size(), kMostFindings + 1);
  EXPECT_EQ(report.findings.back().details.front().second, "3");
}

}  // namespace
}  // namespace winperf::selftest
