// Whole V2 countersets in logs: registrations, and items of kind 21.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <sstream>

#include "collectors/base/os_code.h"
#include "collectors/blg/log_records.h"
#include "collectors/blg/log_source.h"
#include "collectors/wire/v2/data_view.h"
#include "collectors/wire/v2/identifier.h"
#include "collectors/wire/v2/registration.h"
#include "tests/support/blg_v2.h"
#include "tests/support/captures.h"

namespace winperf::blg {
namespace {

using testing::BlgBuilder;
using testing::BuiltLog;
using testing::ByteVector;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::V2CountersetSpec;

const V2CountersetSpec kThings{
    .guid = 1,
    .name = u"Things",
    .counters = {{.id = 1, .name = u"Count"}, {.id = 7, .name = std::nullopt}}};
const V2CountersetSpec kOthers{.guid = 2, .name = u"Others"};

using Machines = std::vector<std::unique_ptr<BlgSource>>;

Machines open_all(const BuiltLog& log) {
  auto machines = BlgSource::open(std::make_unique<std::istringstream>(log.text()), "the.blg");
  EXPECT_TRUE(machines) << machines.error().text;
  return machines ? *std::move(machines) : Machines();
}

// Each result of the n-th reply: its status, or its values in their order.
std::vector<std::string> results_of(V2Recording& recording, std::uint32_t sample) {
  const auto reply = recording.reply(sample);
  if (!reply) return {std::string(name_of(reply.error().code))};
  const auto data = v2::DataView::parse(*reply);
  if (!data) return {describe(data.error())};
  std::vector<std::string> texts;
  v2::ResultWalk results = data->results();
  while (const auto result = results.next()) {
    if (!*result) return {describe(result->error())};
    std::string text = "status " + std::to_string((*result)->status());
    if ((*result)->kind() != v2::ResultKind::kError) text.clear();
    v2::RowWalk rows = (*result)->rows();
    v2::RowWalk::Row row;
    while (rows.next(row).value_or(false)) {
      text += (text.empty() ? "" : " ") + row.instance->name() + ':';
      for (const auto& value : row.values) text += ' ' + std::to_string(value.number().value_or(0));
    }
    texts.push_back(text);
  }
  return texts;
}

// Two countersets, and two samples of both.
BlgBuilder two_samples() {
  BlgBuilder log(4096);
  log.record(38, testing::registration_record_bytes(kThings));
  log.record(38, testing::registration_record_bytes(kOthers));
  log.record(32, testing::counter_list_bytes(
                     {testing::listed_counterset(kOthers), testing::listed_counterset(kThings)}));
  for (const std::uint64_t value : {10U, 20U})
    log.record(34,
               testing::sample_bytes(
                   {{21, testing::v2_reply_bytes(kOthers, {{u"b", {value + 2}}})},
                    {21, testing::v2_reply_bytes(kThings, {{u"a", {value, value + 1}}})}}),
               3000);
  return log;
}

TEST(V2Countersets, GiveOneReplyForEachSampleWithAResultForEachOfThem) {
  const Machines machines = open_all(two_samples().build());
  const auto recording = machines.at(0)->v2_countersets();
  ASSERT_NE(recording, nullptr);
  EXPECT_EQ(recording->samples(), 2U);
  EXPECT_THAT(results_of(*recording, 0), ElementsAre("a: 10 11", "b: 12"));
  EXPECT_THAT(results_of(*recording, 1), ElementsAre("a: 20 21", "b: 22"));
  const LogSummary& summary = machines.at(0)->summary();
  EXPECT_EQ(summary.v2_replies, 4U);
  EXPECT_EQ(summary.v2_values, 6U);
  EXPECT_THAT(describe_losses(summary), IsEmpty());
  EXPECT_EQ(describe(summary),
            "2 samples of 2 counters (such as \\\\HOST-01\\Others(*)\\*): 4 replies of V2 "
            "countersets");
}

TEST(V2Countersets, AreRegisteredWithTheirNames) {
  const Machines machines = open_all(two_samples().build());
  const auto recording = machines.at(0)->v2_countersets();
  const auto guids = recording->countersets();
  ASSERT_TRUE(guids);
  EXPECT_EQ(guids->size(), 32U);
  const Guid things{{1}};
  const auto info = recording->registration(things, RegistrationInfo::kCounterset, 0);
  ASSERT_TRUE(info);
  const auto parsed = v2::parse_counterset(*info);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->guid, things);
  EXPECT_EQ(parsed->counters.size(), 2U);
  for (const auto which :
       {RegistrationInfo::kCountersetName, RegistrationInfo::kCountersetEnglishName})
    EXPECT_EQ(v2::parse_string(*recording->registration(things, which, 0x409)), "Things");
  for (const auto which :
       {RegistrationInfo::kCounterNames, RegistrationInfo::kCounterEnglishNames}) {
    const auto names = v2::parse_string_table(*recording->registration(things, which, 0));
    EXPECT_EQ(names.texts.at(1), "Count");
    EXPECT_FALSE(names.texts.contains(7)) << "it has none";
  }
  for (const auto which : {RegistrationInfo::kCounterHelps, RegistrationInfo::kProviderName})
    EXPECT_FALSE(recording->registration(things, which, 0)) << "a log has none";
  EXPECT_FALSE(recording->registration(Guid{{9}}, RegistrationInfo::kCounterset, 0));
  const auto order = v2::parse_identifiers(*recording->order());
  ASSERT_EQ(order.all.size(), 2U);
  EXPECT_EQ(order.all[1].request.counterset, (Guid{{2}}));
  EXPECT_EQ(order.all[1].index, 1U);
}

TEST(V2Countersets, MayBeListedAndRegisteredBehindTheirSamples) {
  BlgBuilder log(4096);
  for (const std::uint64_t value : {1U, 2U})
    log.record(
        34, testing::sample_bytes({{21, testing::v2_reply_bytes(kThings, {{u"a", {value, 0}}})}}));
  log.record(38, testing::registration_record_bytes(kThings));
  log.record(32, testing::counter_list_bytes({testing::listed_counterset(kThings)}));
  const Machines machines = open_all(log.build());
  const auto recording = machines.at(0)->v2_countersets();
  ASSERT_NE(recording, nullptr);
  EXPECT_THAT(results_of(*recording, 0), ElementsAre("a: 1 0"));
  EXPECT_THAT(results_of(*recording, 1), ElementsAre("a: 2 0"));
  EXPECT_THAT(describe_losses(machines.at(0)->summary()), IsEmpty());
}

TEST(V2Countersets, KeepWhatTheSystemAnsweredAndTellWhatASampleLacks) {
  BlgBuilder log(4096);
  log.record(38, testing::registration_record_bytes(kThings));
  log.record(38, testing::registration_record_bytes(kOthers));
  log.record(32, testing::counter_list_bytes(
                     {testing::listed_counterset(kThings), testing::listed_counterset(kOthers)}));
  log.record(34, testing::sample_bytes({{21, testing::v2_error_bytes(232)}}));
  const Machines machines = open_all(log.build());
  EXPECT_THAT(
      results_of(*machines.at(0)->v2_countersets(), 0),
      ElementsAre("status 232", "status " + std::to_string(value_of(OsCode::kGuidNotFound))));
  EXPECT_FALSE(machines.at(0)->summary().is_incomplete());
}

TEST(V2Countersets, ADamagedReplyCostsOnlyItself) {
  const BuiltLog sound = two_samples().build();
  const std::size_t item = sound.events[3] + 72 + 8;  // of Others in the first sample
  struct Damage {
    std::size_t at;
    std::uint32_t value;
  };
  for (const auto& [at, value] :
       {Damage{0, 0xFFFF}, Damage{0, 20}, Damage{4, 2}, Damage{4, 0}, Damage{48 + 8, 9999},
        Damage{48 + 16, 3}, Damage{48 + 16 + 16, 9999}}) {
    const Machines machines = open_all(sound.with(item + 8 + at, value));
    const LogSummary& summary = machines.at(0)->summary();
    EXPECT_EQ(summary.damaged, 1U) << at;
    EXPECT_TRUE(summary.is_incomplete()) << at;
    EXPECT_GE(summary.first_damage->offset, item) << at;
    const auto recording = machines.at(0)->v2_countersets();
    EXPECT_THAT(results_of(*recording, 0),
                ElementsAre("a: 10 11", "status " + std::to_string(value_of(OsCode::kInvalidData))))
        << at;
    EXPECT_THAT(results_of(*recording, 1), ElementsAre("a: 20 21", "b: 22")) << at;
  }
}

TEST(V2Countersets, RepliesThatNoRegistrationExplainsAreSkippedLoudly) {
  const auto skipped = [](bool registered, bool listed) {
    BlgBuilder log(4096);
    if (registered) log.record(38, testing::registration_record_bytes(kThings));
    log.record(32, testing::counter_list_bytes({{.object = u"A", .counter = u"n", .wildcard = 0},
                                                testing::listed_counterset(kOthers)}));
    std::vector<testing::ItemSpec> items{{1, testing::counter_body({.first = 1}, 0, 0)}};
    if (listed) items.push_back({21, testing::v2_reply_bytes(kOthers, {{u"b", {1}}})});
    if (!listed) items.insert(items.end(), 2, {21, testing::v2_error_bytes(232)});
    const BuiltLog built = log.record(34, testing::sample_bytes(items)).build();
    const Machines machines = open_all(built);
    EXPECT_TRUE(machines.at(0)->summary().is_incomplete());
    return describe_losses(machines.at(0)->summary());
  };
  EXPECT_THAT(skipped(false, true), HasSubstr("1 reply of a V2 counterset without a registration "
                                              "in the log skipped (the first at offset "));
  EXPECT_THAT(skipped(true, true), HasSubstr("1 reply of a V2 counterset"));
  EXPECT_THAT(skipped(true, false), HasSubstr("2 replies of V2 countersets")) << "one too many";
}

TEST(V2Countersets, OfAnotherMachineThanTheFirstAreSkippedLoudly) {
  BlgBuilder log(4096);
  log.record(38, testing::registration_record_bytes(kThings));
  log.record(32, testing::counter_list_bytes({testing::listed_counterset(kThings),
                                              testing::listed_counterset(kThings, u"\\\\TWO")}));
  log.record(34, testing::sample_bytes({{21, testing::v2_reply_bytes(kThings, {{u"a", {1, 0}}})},
                                        {21, testing::v2_reply_bytes(kThings, {{u"a", {2, 0}}})}}));
  const Machines machines = open_all(log.build());
  ASSERT_EQ(machines.size(), 2U);
  EXPECT_THAT(results_of(*machines[0]->v2_countersets(), 0), ElementsAre("a: 1 0"));
  EXPECT_THAT(describe_losses(machines[0]->summary()),
              HasSubstr("1 reply of a V2 counterset of a machine other than the first skipped"));
}

TEST(V2Countersets, ARegistrationThatIsUnsoundIsDamage) {
  const ByteVector sound = testing::registration_record_bytes(kThings);
  EXPECT_TRUE(read_registration(sound));
  for (const std::size_t field : {0U, 4U, 8U, 12U}) {
    ByteVector damaged = sound;
    const std::uint32_t value = 0x7FFF'FFFF;
    std::memcpy(damaged.data() + field, &value, sizeof value);
    EXPECT_FALSE(read_registration(damaged)) << field;
  }
  for (std::size_t size = 0; size < sound.size(); ++size)
    EXPECT_FALSE(read_registration(std::span(sound).first(size))) << size;
  BlgBuilder log(4096);
  log.record(38, ByteVector(sound.begin(), sound.begin() + 40));
  log.record(32, testing::counter_list_bytes({{.object = u"A"}}));
  log.record(34, testing::sample_bytes({{5, ByteVector(40)}}));
  const Machines machines = open_all(log.build());
  EXPECT_EQ(machines.at(0)->summary().damaged, 1U);
  EXPECT_EQ(machines.at(0)->v2_countersets(), nullptr);
}

class RecordedV2Log : public testing::CaptureTest {
 protected:
  void SetUp() override {
    CaptureTest::SetUp();
    if (IsSkipped()) return;
    log_ = captures_ / "blg" / "odd" / "v2-items.blg";
    if (!std::filesystem::exists(log_)) GTEST_SKIP() << "NO RECORDED LOG at " << log_;
  }

  std::filesystem::path log_;
};

TEST_F(RecordedV2Log, IsReadToTheLastByte) {
  auto machines = BlgSource::open(log_);
  ASSERT_TRUE(machines) << machines.error().text;
  EXPECT_EQ(describe(machines->front()->summary()),
            "3 samples of 15 counters (such as \\\\HOST00000\\LogicalDisk(*)\\*): 39 whole "
            "objects, 6 replies of V2 countersets");
  EXPECT_EQ(describe_losses(machines->front()->summary()), "");
}

// The capture beside it was made of a sample of the same log by other means.
TEST_F(RecordedV2Log, HasTheRegistrationsOfTheCapture) {
  auto machines = BlgSource::open(log_);
  ASSERT_TRUE(machines) << machines.error().text;
  const auto recording = machines->front()->v2_countersets();
  ASSERT_NE(recording, nullptr);
  const auto guids = recording->countersets();
  ASSERT_EQ(guids->size(), 2 * Guid::kBytes);
  const std::filesystem::path capture = captures_ / "server-2019-v2";
  for (std::size_t i = 0; i < 2; ++i) {
    Guid guid;
    std::memcpy(guid.bytes.data(), guids->data() + i * Guid::kBytes, Guid::kBytes);
    const std::string text = to_string(guid);
    const auto file = [&](const std::string& info) {
      std::string name = "v2-" + text + '-' + info + ".bin";
      std::erase_if(name, [](char c) { return c == '{' || c == '}'; });
      return testing::read_file(capture / name);
    };
    EXPECT_EQ(*recording->registration(guid, RegistrationInfo::kCounterset, 0), file("1-0"));
    EXPECT_EQ(*recording->registration(guid, RegistrationInfo::kCounterEnglishNames, 0),
              file("10-0"));
    EXPECT_EQ(*recording->registration(guid, RegistrationInfo::kCountersetEnglishName, 0),
              file("9-0"));
  }
}

}  // namespace
}  // namespace winperf::blg
