// A recording as the API sends it: an archive that replays, within its limits.
#include "service/run/recording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "collectors/capture/archive.h"
#include "collectors/recorder/recorder.h"
#include "tests/collectors/recorder/recorded.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

constexpr std::int64_t kFirstSecond = 12'000'000'000;  // in 1981

class Recording : public ::testing::Test {
 protected:
  Recording() {
    auto schema = std::make_shared<CountersetSchema>(
        *testing::schema_of({{.index = 2, .name = "Working Set"}}, true));
    schema->index = ObjectIndex{230};
    schema->name = "Process";
    for (std::int64_t now = 0; now < 60; now += 5) {
      auto raw = testing::make_raw_sample(schema, testing::instances_named({"sqlservr", "agent"}),
                                          testing::at_second(now));
      raw->raw = {1, 2};
      testing::record(recorder_, {testing::state_of(chain_.append(std::move(raw)),
                                                    {.steady = testing::instant_at(now).steady,
                                                     .wall = testing::wall_at(kFirstSecond + now)},
                                                    "Process")});
    }
  }

  std::expected<RecordingFile, api::Problem> make(const api::RecordingQuery& query,
                                                  const RecordingLimits& limits = {}) {
    return make_recording(*recorder_.history(), query, {}, limits);
  }
  static api::RecordingQuery all() {
    return {.since = testing::wall_at(kFirstSecond), .until = testing::wall_at(kFirstSecond + 60)};
  }
  static std::shared_ptr<const CaptureFolder> open(const RecordingFile& file) {
    const std::string text = file.bytes.str();
    const auto bytes = std::as_bytes(std::span(text));
    return capture::open_archive(Bytes(bytes.begin(), bytes.end()), "it").value();
  }
  static nlohmann::json manifest_of(const CaptureFolder& folder) {
    const Bytes text = folder.read("capture.json", "test").value();
    return nlohmann::json::parse(reinterpret_cast<const char*>(text.data()),
                                 reinterpret_cast<const char*>(text.data() + text.size()));
  }

  recorder::Recorder recorder_{testing::kLargeBudget};
  testing::Chained chain_;
};

TEST_F(Recording, IsACaptureWithItsManifest) {
  const auto file = make(all());
  ASSERT_TRUE(file.has_value());
  const std::string end = "-19810407T212100Z.zip";
  EXPECT_THAT(file->name, EndsWith(end));
  EXPECT_GT(file->name.size(), end.size()) << "the machine has a name";
  const auto folder = open(*file);
  EXPECT_EQ(ReplaySource::open(folder).value()->sample_count(), 12u);
  const auto manifest = manifest_of(*folder);
  EXPECT_EQ(manifest["format"], 1);
  EXPECT_EQ(manifest["source"], "recorder");
  EXPECT_EQ(manifest["samples"], 12);
  EXPECT_EQ(manifest["scrubbed"], false);
  EXPECT_EQ(manifest["ended_at"], "1981-04-07T21:21:00.0000000Z");
  EXPECT_EQ(manifest["countersets"][0]["name"], "Process");
  EXPECT_EQ(manifest["countersets"][0]["samples"], 12);
  EXPECT_EQ(manifest["countersets"][0]["last"], "1981-04-07T21:20:55.0000000Z");
}

TEST_F(Recording, IsScrubbedOnRequest) {
  auto query = all();
  query.scrub = true;
  const auto file = make(query);
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->name, "winperf-19810407T212100Z.zip") << "without the machine's name";
  const auto folder = open(*file);
  EXPECT_EQ(manifest_of(*folder)["scrubbed"], true);
  const Bytes block = folder->read("sample-0003-00.perf", "test").value();
  const auto has = [&](std::u16string_view name) {
    return !std::ranges::search(block, std::as_bytes(std::span(name))).empty();
  };
  EXPECT_FALSE(has(u"sqlservr"));
}

TEST_F(Recording, SaysWhatToNarrowIfItIsTooLarge) {
  for (const RecordingLimits& limits :
       {RecordingLimits{.packed_bytes = 1'000}, RecordingLimits{.plain_bytes = 2'000}}) {
    const auto file = make(all(), limits);
    ASSERT_FALSE(file.has_value());
    EXPECT_EQ(file.error().status, 400);
    EXPECT_EQ(file.error().parameter, "since");
    EXPECT_THAT(file.error().detail, HasSubstr("must be later, or select fewer countersets"));
  }
}

TEST_F(Recording, EndsWithTheProgram) {
  StopSource stop;
  stop.request_stop();
  const auto file = make_recording(*recorder_.history(), all(), {}, {}, stop.token());
  ASSERT_FALSE(file.has_value());
  EXPECT_EQ(file.error().status, 503);
}

TEST_F(Recording, SaysWhyThereIsNone) {
  auto query = all();
  query.countersets = {"Proces"};
  const auto unknown = make(query);
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().nearest, "Process");
  query = all();
  query.until = testing::wall_at(kFirstSecond - 10);
  query.since = testing::wall_at(kFirstSecond - 20);
  const auto early = make(query);
  ASSERT_FALSE(early.has_value());
  EXPECT_EQ(early.error().detail, "since must be earlier: nothing was recorded at that time");
}

}  // namespace
}  // namespace winperf
