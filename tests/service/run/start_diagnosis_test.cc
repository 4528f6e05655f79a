#include "service/run/start_diagnosis.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "collectors/base/plain_value.h"
#include "exporter/http/http_server.h"
#include "exporter/http/socket.h"
#include "service/scm/service_definition.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(CommandLine, IsTakenApartAsTheRuntimeDoes) {
  EXPECT_THAT(split_command_line(R"("C:\Program Files\w\w.exe" run --config "C:\a b\c.yaml")"),
              ElementsAre(R"(C:\Program Files\w\w.exe)", "run", "--config", R"(C:\a b\c.yaml)"));
  for (const std::string option : {"--config C:\\w.yaml", "--config=C:\\w.yaml", "-c C:\\w.yaml"})
    EXPECT_EQ(config_file_in(split_command_line("w.exe run " + option)), "C:\\w.yaml") << option;
  EXPECT_EQ(config_file_in(split_command_line("w.exe run --config")), "");
  EXPECT_THAT(split_command_line("w.exe\t run  "), ElementsAre("w.exe", "run"));
  EXPECT_THAT(split_command_line(R"(w "" "a\"b" c\\"d e"\f\)"),
              ElementsAre("w", "", "a\"b", R"(c\d e\f\)"));
  EXPECT_THAT(split_command_line(R"("C:\" run)"), ElementsAre(R"(C:\)", "run"));
  EXPECT_THAT(split_command_line(""), ElementsAre());
  // In quotes, two quotes are one that doesn't end them.
  EXPECT_THAT(split_command_line(R"(w "a ""b"" c" d)"), ElementsAre("w", R"(a "b" c)", "d"));
  EXPECT_THAT(split_command_line(R"(w """" """ a" b""c d")"),
              ElementsAre("w", "\"", "\" a", "bc", "d"));
  EXPECT_THAT(split_command_line(R"(w "C:\a\\"" b" ")"), ElementsAre("w", R"(C:\a\" b)", ""));
  EXPECT_THAT(split_command_line(R"("w""x" a)"), ElementsAre("wx", "a"));
}

TEST(CommandLine, IsTakenApartIntoWhatWasQuoted) {
  for (const char* text : {"", "a b", R"(C:\)", R"(\\server\share\)", R"(a\"b)", R"(\\\")", "\""})
    EXPECT_THAT(split_command_line("w " + quoted_argument(text)), ElementsAre("w", text));
}

class StartDiagnosis : public ::testing::Test {
 protected:
  std::string diagnose(const std::string& config, const std::string& more = "") {
    const std::filesystem::path file =
        std::filesystem::path(::testing::TempDir()) /
        ("start diagnosis " + std::to_string(std::random_device{}()) + ".yaml");
    std::ofstream(file) << config;
    const std::string result =
        diagnose_start("\"C:\\w.exe\" run --config " + quoted_argument(file.string()) + ' ' + more);
    std::filesystem::remove(file);
    return result;
  }
};

TEST_F(StartDiagnosis, NothingWrong_SaysNothing) {
  EXPECT_EQ(diagnose("listen: {address: '127.0.0.1', port: 0}"), "");
  EXPECT_EQ(diagnose("listen: {address: '127.0.0.1', port: 0}", "--listen"), "")
      << "an option without its value says nothing";
}

TEST_F(StartDiagnosis, AWrongConfigurationIsSaidLineByLine) {
  const std::string lines = diagnose("intervall: 5s\npath: x\n");
  EXPECT_THAT(lines, HasSubstr(".yaml:1:1: unknown key \"intervall\""));
  EXPECT_THAT(lines, HasSubstr("\n"));
  EXPECT_THAT(lines, HasSubstr(".yaml:2:7: \"path\" must be"));
  EXPECT_THAT(diagnose_start("w run --config no-such-file.yaml"),
              StartsWith("no-such-file.yaml: no such file"));
}

TEST_F(StartDiagnosis, ATakenPortIsSaid) {
  const BuildInfo build{"1", "abc", "gcc", "linux", "x86_64"};
  SampleSlot slot;
  ExporterRegistry registry{build, Ticks100ns{}};
  Router router{slot, registry, {build, {}, [] { return SteadyTime{}; }}};
  HttpServer server{router, {"127.0.0.1", 0}};
  ASSERT_TRUE(server.start());
  const std::string port = std::to_string(server.port());
  const std::string start =
      "cannot listen on 127.0.0.1:" + port + ": the address is already in use";
  EXPECT_THAT(diagnose("listen: {address: '127.0.0.1', port: " + port + "}"), StartsWith(start));
  // --listen goes before the file.
  EXPECT_THAT(diagnose("listen: {address: '127.0.0.1', port: 0}", "--listen 127.0.0.1:" + port),
              StartsWith(start));
}

TEST_F(StartDiagnosis, EachTakenPortIsSaid) {
  const auto first = listen_on("127.0.0.1", 0).value();
  const auto second = listen_on("127.0.0.1", 0).value();
  const std::string one = "127.0.0.1:" + std::to_string(local_port(first.front()));
  const std::string two = "127.0.0.1:" + std::to_string(local_port(second.front()));
  const auto entry = [](const std::string& place) {
    return "{address: 127.0.0.1, port: " + place.substr(place.find(':') + 1) + "}";
  };
  const std::string lines = diagnose("listen: [" + entry(one) + ", {port: 0}, " + entry(two) + "]");
  EXPECT_THAT(lines, StartsWith("cannot listen on " + one + ": "));
  EXPECT_THAT(lines, HasSubstr("\ncannot listen on " + two + ": "));
}

}  // namespace
}  // namespace winperf
