// What a new configuration changes in a server that runs, and that one which can't be had changes
// nothing. Where the server listens is in server_listen_test.cc.
#include "service/run/server.h"

#include <gmock/gmock.h>

#include <fstream>
#include <functional>
#include <string>
#include <thread>

#include "tests/service/run/fake_platform.h"
#include "tests/service/run/running_server.h"
#include "tests/support/block_builder.h"
#include "tests/support/name_table_bytes.h"

namespace winperf {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Config local_config(const std::string& text) {
  Config parsed = parse_config(text, "test").value();
  parsed.listen = {ListenConfig{.address = "127.0.0.1", .port = 0}};
  return parsed;
}

void write(const std::filesystem::path& file, const testing::ByteVector& bytes) {
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

TEST(Server, SamplesOtherCountersetsFromTheSourcesThatItHas) {
  const std::size_t before = testing::opened_registries();
  testing::RunningServer running(local_config("countersets: ['4']"));
  const std::size_t registry = testing::asked_registry(before, "4");
  ASSERT_NE(registry, 0U);
  const Config next = local_config("{countersets: ['5'], interval: 7s, metrics: {values: cooked}}");
  EXPECT_TRUE(running.server().apply(next));
  EXPECT_EQ(running.server().config(), next);
  EXPECT_EQ(testing::asked_registry(before, "5"), registry);
}

TEST(Server, OpensItsSourcesAgainForWhatTheyAreOpenedWith) {
  const std::size_t before = testing::opened_registries();
  testing::RunningServer running(local_config("countersets: ['4']"));
  std::size_t registry = testing::asked_registry(before, "4");
  const char* const all[] = {
      "{countersets: ['5'], limits: {query_timeout: 3s}}",
      "{countersets: ['6'], limits: {query_timeout: 3s, max_reply_bytes: 1MiB}}",
      "{countersets: ['7'], limits: {query_timeout: 3s, max_reply_bytes: 1MiB}, language: machine}",
      "{countersets: ['8'], language: machine}"};
  for (const char* text : all) {
    const Config next = local_config(text);
    EXPECT_TRUE(running.server().apply(next)) << text;
    EXPECT_EQ(running.server().config(), next);
    registry = testing::asked_registry(registry, next.countersets.at(0).label);
    ASSERT_NE(registry, 0U) << text << ": by another source";
    EXPECT_EQ(testing::limits_of(registry).max_time, next.limits.query_timeout);
  }
}

TEST(Server, OfARecordingThatHasGone_StaysAsItIs) {
  const testing::TempFolder folder;
  const auto capture = folder.path() / "capture";
  std::filesystem::create_directory(capture);
  std::ofstream(capture / "sample-0001.perf") << "one";
  const Logger logger =
      make_logger({.file = "w.log"}, {.config_file = (folder.path() / "w.yaml").string()}).value();
  const SetupOptions setup{.config_file = {}, .source = {.replay = capture}};
  const Config before = local_config("countersets: ['4']");
  testing::RunningServer running(before, {.run = {.setup = setup}, .logger = logger});
  EXPECT_THAT(folder.read("w.log"), Not(HasSubstr("lacks sample 0"))) << "run_server() says it";

  // Windows removes no file while the server reads it.
  std::error_code refused;
  while (std::filesystem::exists(capture)) std::filesystem::remove_all(capture, refused);
  const auto applied = running.server().apply(local_config("limits: {max_reply_bytes: 1MiB}"));
  ASSERT_FALSE(applied);
  EXPECT_THAT(applied.error(), HasSubstr("capture"));
  EXPECT_EQ(running.server().config(), before);

  std::filesystem::create_directory(capture);
  std::ofstream(capture / "sample-0001.perf") << "one";
  EXPECT_TRUE(running.server().apply(local_config("limits: {max_reply_bytes: 1MiB}")));
  EXPECT_THAT(folder.read("w.log"), HasSubstr("lacks sample 0"));
}

TEST(Server, ShowsItsMetricsAsTheNewConfigurationSays) {
  const testing::TempFolder folder;
  write(folder.path() / "counter-009.bin",
        testing::name_table_bytes({u"6", u"Interrupts", u"238", u"Processor"}));
  write(folder.path() / "sample-0000.perf",
        testing::BlockBuilder()
            .add(testing::ObjectBuilder(238)
                     .counter({.index = 6})
                     .instance({.name = u"0", .values = {7}})
                     .instance({.name = u"_Total", .values = {7}}))
            .bytes());
  const SetupOptions setup{.config_file = {}, .source = {.replay = folder.path()}};
  testing::RunningServer running(local_config("countersets: [Processor]"),
                                 {.run = {.setup = setup}});
  while (!running.request("GET /-/ready").starts_with("HTTP/1.1 200")) std::this_thread::yield();
  EXPECT_THAT(running.request("GET /metrics"), Not(HasSubstr("_Total")));
  EXPECT_TRUE(running.server().apply(
      local_config("{countersets: [Processor], metrics: {total_instances: true}}")));
  EXPECT_THAT(running.request("GET /metrics"), HasSubstr("_Total"));
}

// As the main thread maintains the server again and again.
void wait_for_metrics(testing::RunningServer& running, const auto& has) {
  while (!has(running.request("GET /metrics"))) {
    running.server().maintain();
    std::this_thread::yield();
  }
}

TEST(Server, RecordsItsSamplesAsTheConfigurationSays) {
  const testing::TempFolder folder;
  write(folder.path() / "counter-009.bin",
        testing::name_table_bytes({u"6", u"Hits", u"4", u"Thing"}));
  write(folder.path() / "sample-0000.perf",
        testing::BlockBuilder()
            .add(testing::ObjectBuilder(4).counter({.index = 6}).single({7}))
            .bytes());
  const SetupOptions setup{.config_file = {}, .source = {.replay = folder.path()}};
  testing::RunningServer running(local_config("countersets: [Thing]"), {.run = {.setup = setup}});
  const auto is_recorded = [](const std::string& page) {
    return page.contains("\nwinperf_exporter_recorder_bytes ");
  };
  wait_for_metrics(running, is_recorded);
  EXPECT_TRUE(
      running.server().apply(local_config("{countersets: [Thing], recorder: {memory: 0}}")));
  wait_for_metrics(running, std::not_fn(is_recorded));
}

TEST(EarlyScraper, IsDescribedInRoundTimes) {
  using std::chrono::milliseconds;
  EarlyScraper scraper{"10.0.0.5", milliseconds(4'996), "Memory", milliseconds(15'000)};
  EXPECT_THAT(describe(scraper),
              StartsWith("10.0.0.5 scrapes every 5s, but Memory is sampled every 15s: rates over"));
  scraper.between = milliseconds(996);
  EXPECT_THAT(describe(scraper), HasSubstr(" every 996ms, "));
  scraper.between = milliseconds(0);
  EXPECT_THAT(describe(scraper), HasSubstr(" every 0s, "));
}

TEST(Server, ReloadsOverHttpWhileTheConfigurationInUseAllowsIt) {
  testing::RunningServer running(local_config(""),
                                 {.reload = [] { return PlainAnswer{200, "reloaded\n"}; }});
  const auto answer = [&] { return running.request("POST /-/reload"); };
  EXPECT_THAT(answer(), StartsWith("HTTP/1.1 403"));
  EXPECT_TRUE(running.server().apply(local_config("reload: {http: true}")));
  EXPECT_THAT(answer(), StartsWith("HTTP/1.1 200"));
  EXPECT_TRUE(running.server().apply(local_config("")));
  EXPECT_THAT(answer(), HasSubstr("set reload.http to true in the configuration"));
}

}  // namespace
}  // namespace winperf
