// What is recorded of a machine, and what each failure costs.
#include "collectors/capture/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectors/base/stop.h"
#include "collectors/capture/archive.h"
#include "tests/collectors/sampling/fake_source.h"
#include "tests/collectors/sampling/perflib/fake_perflib.h"
#include "tests/collectors/sources/temp_dir.h"
#include "tests/support/block_builder.h"

namespace winperf::capture {
namespace {

using testing::BlockBuilder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ObjectBuilder;

Bytes block_of(std::uint32_t index, std::u16string name = u"a") {
  return BlockBuilder()
      .add(ObjectBuilder(index).counter({.index = 8}).instance({.name = std::move(name)}))
      .bytes();
}

class RecorderTest : public ::testing::Test {
 protected:
  RecorderTest() {
    source_.names = {{2, u"System"}, {4, u"Memory"}, {8, u"Things"}};
    source_.replies["Global"] = {block_of(2)};
    source_.replies["Costly"] = {block_of(4)};
    perflib_.countersets = {{.guid = testing::kShop, .name = u"Shop", .counters = {{.id = 1}}},
                            {.guid = testing::kBakery, .name = u"Bakery", .counters = {{.id = 1}}}};
    perflib_.result = [](const v2::CounterRequest&) { return simulator::error_result(5); };
  }
  Store& store(std::uint64_t max_bytes = 1 << 20) {
    store_.emplace(Store::create(dir_.path() / "capture", max_bytes).value());
    return *store_;
  }
  // The files of the finished capture.
  Bytes stored(std::string_view name) {
    if (!finished_) finished_ = store_->finish().has_value();
    return open_capture(dir_.path() / "capture").value()->read(name, "test").value_or(Bytes{});
  }

  const testing::TempDir dir_;
  std::optional<Store> store_;
  bool finished_ = false;
  testing::FakeSource source_;
  testing::FakePerflib perflib_;
};

TEST_F(RecorderTest, EverySampleHasTheBlocksOfEveryQueryAndTheV2Data) {
  Recorder recorder(source_, &perflib_.source, {"Global", "Costly"}, store());
  ASSERT_TRUE(recorder.record_names());
  EXPECT_EQ(recorder.v2_countersets(), 2U);
  source_.replies["Global"] = {block_of(2), block_of(2, u"later")};
  ASSERT_TRUE(recorder.record_sample({}).value());
  ASSERT_TRUE(recorder.record_sample({}).value());
  ASSERT_TRUE(recorder.finish());
  EXPECT_EQ(recorder.samples(), 2U);
  EXPECT_EQ(stored(block_file(0, 0)), block_of(2));
  EXPECT_EQ(stored(block_file(0, 1)), block_of(4));
  EXPECT_EQ(stored(block_file(1, 0)), block_of(2, u"later"));
  EXPECT_EQ(stored(v2_data_file(0)).size(), 48U + 2 * 16);
  EXPECT_EQ(stored(v2_data_file(1)).size(), 48U + 2 * 16);
  EXPECT_EQ(stored(kCountersets).size(), 2 * Guid::kBytes);
  EXPECT_EQ(v2::parse_identifiers(stored(kOrder)).all.size(), 2U);
  EXPECT_EQ(stored(registration_file(testing::kShop, RegistrationInfo::kCounterset, 0)),
            simulator::counterset_info(perflib_.countersets[0]));
  EXPECT_FALSE(stored(kCounterTable).empty());
  // The source has no table of help texts.
  EXPECT_THAT(recorder.problems(), ElementsAre(HasSubstr("help-009.bin: no name table")));
}

TEST_F(RecorderTest, TheFirstTableThatHoldsNamesIsTaken) {
  for (const std::size_t names : {0U, 1U, 2U, 3U}) {
    store_.reset();
    finished_ = false;
    std::filesystem::remove_all(dir_.path() / "capture");
    source_.names.resize(names, {9, u"Other"});
    for (std::uint32_t i = 0; i < names; ++i) source_.names[i] = {2 + 2 * i, u"Name"};
    Recorder recorder(source_, nullptr, {"Global"}, store());
    ASSERT_TRUE(recorder.record_names());
    EXPECT_EQ(!stored(kCounterTable).empty(), names > 2) << "two names are a stub";
  }
}

TEST_F(RecorderTest, ASourceThatIsAtItsEndHasNoFurtherSample) {
  source_.replies["Global"] = {
      block_of(2), std::unexpected(Error{.code = ErrorCode::kEndOfCapture, .where = "capture"})};
  Recorder recorder(source_, nullptr, {"Global"}, store());
  EXPECT_TRUE(recorder.record_sample({}).value());
  EXPECT_FALSE(recorder.record_sample({}).value());
  EXPECT_EQ(recorder.samples(), 1U);
}

TEST_F(RecorderTest, AQueryThatFailsCostsItselfAloneAndIsNamedOnce) {
  source_.replies["Global"] = {
      std::unexpected(Error{.code = ErrorCode::kTimedOut, .where = "query"})};
  Recorder recorder(source_, nullptr, {"Global", "Costly"}, store());
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(recorder.record_sample({}).value());
  EXPECT_THAT(recorder.problems(), ElementsAre(HasSubstr("Global: ")));
  EXPECT_EQ(stored(block_file(0, 0)), block_of(4)) << "the next part takes its number";
}

TEST_F(RecorderTest, ALogOfCountersCannotBeRecorded) {
  source_.every_reply = {.blocks = {}, .logged = {{}}};
  Recorder recorder(source_, nullptr, {"Global"}, store());
  const auto recorded = recorder.record_sample({});
  ASSERT_FALSE(recorded);
  EXPECT_THAT(recorded.error(),
              HasSubstr("a log of single counters has no performance data blocks"));
}

TEST_F(RecorderTest, V2FailuresAreNamedAndV1IsRecordedNevertheless) {
  struct Row {
    const char* problem;
    void (*set_up)(testing::FakePerflib&);
  };
  for (const Row& row :
       {Row{"V2 countersets: ",
            [](testing::FakePerflib& perflib) { perflib.list_status = OsCode::kAccessDenied; }},
        Row{"V2 data: ",
            [](testing::FakePerflib& perflib) { perflib.open_status = OsCode::kAccessDenied; }},
        Row{": not added, error 5",
            [](testing::FakePerflib& perflib) { perflib.add_status = OsCode::kAccessDenied; }},
        Row{"V2 data: ",
            [](testing::FakePerflib& perflib) { perflib.info_status = OsCode::kAccessDenied; }},
        Row{"V2 data: ",
            [](testing::FakePerflib& perflib) { perflib.data_status = OsCode::kAccessDenied; }},
        Row{": not added, error 5", [](testing::FakePerflib& perflib) {
              perflib.refused[v2::kAllCounters] = OsCode::kAccessDenied;
            }}}) {
    store_.reset();
    finished_ = false;
    std::filesystem::remove_all(dir_.path() / "capture");
    testing::FakePerflib perflib;
    perflib.countersets = {perflib_.countersets[0]};
    row.set_up(perflib);
    Recorder recorder(source_, &perflib.source, {"Global"}, store());
    ASSERT_TRUE(recorder.record_names());
    ASSERT_TRUE(recorder.record_sample({}).value());
    EXPECT_THAT(recorder.problems(), ElementsAre(HasSubstr("help-009"), HasSubstr(row.problem)));
    EXPECT_EQ(stored(block_file(0, 0)), block_of(2));
  }
}

TEST_F(RecorderTest, AfterASampleWithoutV2DataTheNextOneHasIt) {
  Recorder recorder(source_, &perflib_.source, {"Global"}, store());
  ASSERT_TRUE(recorder.record_names());
  perflib_.data_status = OsCode::kAccessDenied;
  ASSERT_TRUE(recorder.record_sample({}).value());
  perflib_.data_status = OsCode::kSuccess;
  ASSERT_TRUE(recorder.record_sample({}).value());
  EXPECT_EQ(perflib_.opened, 2);
  EXPECT_THAT(stored(v2_data_file(0)), IsEmpty());
  EXPECT_FALSE(stored(v2_data_file(1)).empty());
}

TEST_F(RecorderTest, ACountersetThatCannotBeReadIsNamedAndNotAskedFor) {
  perflib_.refused_infos = {{RegistrationInfo::kCounterset, OsCode::kAccessDenied}};
  Recorder recorder(source_, &perflib_.source, {"Global"}, store());
  ASSERT_TRUE(recorder.record_names());
  EXPECT_EQ(recorder.v2_countersets(), 0U);
  EXPECT_THAT(recorder.problems(),
              ElementsAre(HasSubstr("help-009"), HasSubstr(to_string(testing::kShop)),
                          HasSubstr(to_string(testing::kBakery))));
  EXPECT_EQ(perflib_.opened, 0);
  EXPECT_EQ(stored(kCountersets).size(), 2 * Guid::kBytes) << "they exist";
}

TEST_F(RecorderTest, WithoutAScrubberAFullStoreEndsTheCapture) {
  const std::uint64_t one = block_of(2).size();
  Recorder recorder(source_, nullptr, {"Global"}, store(2 * one));
  EXPECT_TRUE(recorder.record_sample({}));
  EXPECT_TRUE(recorder.record_sample({}));
  const auto third = recorder.record_sample({});
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error(), store_->no_room());
  EXPECT_TRUE(recorder.finish());
}

// What waits to be scrubbed is part of the size, too.
TEST_F(RecorderTest, WithAScrubberTheLimitHoldsAsEarly) {
  const std::uint64_t one = block_of(2).size();
  Scrubber scrubber;
  Recorder recorder(source_, nullptr, {"Global"}, store(2 * one), &scrubber);
  EXPECT_TRUE(recorder.record_sample({}));
  EXPECT_TRUE(recorder.record_sample({})) << "to the byte";
  const auto third = recorder.record_sample({});
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error(), store_->no_room());
  EXPECT_EQ(store_->bytes(), 0U) << "nothing is stored before the end";
  ASSERT_TRUE(recorder.finish());
  EXPECT_EQ(store_->bytes(), 2 * one);
}

TEST_F(RecorderTest, AStopIsHandedToTheSource) {
  class Stopping final : public CounterSource {
   public:
    std::expected<Reply, Error> query(std::string_view, StopToken stop) override {
      stopped = stop.stop_requested();
      return Reply{};
    }
    std::vector<std::expected<Bytes, Error>> text_tables(TextTable, Language) override {
      return {};
    }
    bool supports_metadata() override { return false; }
    std::uint64_t provider_generation() override { return 0; }
    void release() override {}
    bool stopped = false;
  };
  Stopping source;
  Recorder recorder(source, nullptr, {"Global"}, store());
  StopSource stop;
  stop.request_stop();
  (void)recorder.record_sample(stop.token());
  EXPECT_TRUE(source.stopped);
}

}  // namespace
}  // namespace winperf::capture
