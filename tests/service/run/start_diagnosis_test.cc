#include "service/run/start_diagnosis.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "exporter/http/http_server.h"
#include "service/scm/service_definition.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(CommandLine, IsTakenApartAsTheRuntimeDoes) {
  EXPECT_THAT(split_command_line(R"("C:\Program Files\w\w.exe" run --config "C:\a b\c.yaml")"),
              ElementsAre(R"(C:\Program Files\w\w.exe)", "run", "--config", R"(C:\a b\c.yaml)"));
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

TEST(Listen, IsTheAddressAndThePortOrThePortAlone) {
  const ListenConfig configured{.address = "127.0.0.1", .port = 1};
  const auto parsed = [&](const std::string& text) { return parse_listen(text, configured); };
  EXPECT_EQ(parsed("localhost:8080"), (ListenConfig{.address = "localhost", .port = 8080}));
  EXPECT_EQ(parsed("[::1]:65535"), (ListenConfig{.address = "[::1]", .port = 65535}));
  EXPECT_EQ(parsed(":0"), (ListenConfig{.address = "127.0.0.1", .port = 0}));
  for (const std::string text : {"", "8080", "a:", "a:x", "a:65536", "a:80x", "a:-1", "a: 80"}) {
    ASSERT_FALSE(parsed(text)) << text;
    EXPECT_EQ(parsed(text).error(),
              "--listen must be ADDRESS:PORT, such as 127.0.0.1:10182, not \"" + text + "\"");
  }
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
  Router router{slot, registry, {build, {}, [] { return Ticks100ns{}; }}};
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

}  // namespace
}  // namespace winperf
