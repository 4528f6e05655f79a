// PerfLib's functions from recorded files.
#include "collectors/capture/replay_perflib.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectors/base/os_code.h"
#include "collectors/capture/recorder.h"
#include "collectors/wire/v2/data_view.h"
#include "tests/collectors/capture/memory_folder.h"
#include "tests/simulator/v2_bytes.h"

namespace winperf::capture {
namespace {

using ::testing::ElementsAre;

constexpr Guid kShop{{1}}, kBakery{{2}}, kMarket{{3}};

v2::CounterRequest request_for(const Guid& counterset) { return {.counterset = counterset}; }

// A capture of three countersets, of which the data of two was recorded: the bakery's result
// comes first.
class ReplayPerflibTest : public ::testing::Test {
 protected:
  ReplayPerflibTest() {
    Bytes guids;
    for (const Guid& guid : {kShop, kBakery, kMarket}) {
      const auto bytes = simulator::guid_bytes(guid);
      guids.insert(guids.end(), bytes.begin(), bytes.end());
    }
    folder_->files[std::string(kCountersets)] = guids;
    const std::vector requests{request_for(kBakery), request_for(kShop)};
    folder_->files[std::string(kOrder)] = simulator::identifier_list(requests);
    for (std::uint32_t sample = 0; sample < 3; ++sample) record(sample, {100, 200});
  }
  // Results with the number of the sample added to their status.
  void record(std::uint32_t sample, const std::vector<std::uint32_t>& statuses) {
    std::vector<simulator::Bytes> results;
    for (const std::uint32_t status : statuses)
      results.push_back(simulator::error_result(status + sample));
    folder_->files[v2_data_file(sample)] = simulator::data_reply({}, results);
  }
  PerflibSource& replay() {
    if (!replay_) replay_ = replay_perflib(folder_, 3);
    return *replay_;
  }
  // To the requests of the set.
  void add(const Guid& counterset) {
    wanted_.push_back(request_for(counterset));
    places();
  }
  std::vector<ResultPlace> places() { return replay().open(set_, wanted_).value(); }
  // The status of each result of the next answer, or why there is none.
  std::vector<std::uint32_t> next() {
    const auto reply = replay().collect(set_);
    if (!reply) return {reply.error().os_code};
    const auto data = v2::DataView::parse(*reply);
    if (!data) return {};
    std::vector<std::uint32_t> statuses;
    v2::ResultWalk walk = data->results();
    while (const auto result = walk.next()) statuses.push_back((*result)->status());
    return statuses;
  }

  static constexpr std::uint32_t kMissing = value_of(OsCode::kInvalidData);
  static constexpr std::uint32_t kNotOpen = value_of(OsCode::kInvalidHandle);
  std::shared_ptr<testing::MemoryFolder> folder_ = std::make_shared<testing::MemoryFolder>();
  std::unique_ptr<PerflibSource> replay_;
  std::vector<v2::CounterRequest> wanted_;
  PerflibSet set_{7};
};

TEST_F(ReplayPerflibTest, EachCallGivesTheNextSampleAndThenTheEnd) {
  add(kShop);
  EXPECT_THAT(next(), ElementsAre(100, 200));
  EXPECT_THAT(next(), ElementsAre(101, 201));
  EXPECT_THAT(next(), ElementsAre(102, 202));
  EXPECT_THAT(next(), ElementsAre(kEndOfData));
  EXPECT_THAT(next(), ElementsAre(kNotOpen));
}

TEST_F(ReplayPerflibTest, ARequestThatIsAddedGetsTheSampleThatTheOthersHave) {
  add(kShop);
  EXPECT_THAT(next(), ElementsAre(100, 200));
  EXPECT_THAT(next(), ElementsAre(101, 201));
  add(kBakery);
  EXPECT_THAT(next(), ElementsAre(101, 201));
  EXPECT_THAT(next(), ElementsAre(102, 202));
}

TEST_F(ReplayPerflibTest, ResultsHaveTheirRecordedPlacesAndOthersComeAfterThem) {
  add(kShop);
  add(kMarket);
  add(kBakery);
  EXPECT_THAT(places(), ElementsAre(ResultPlace(1U), ResultPlace(2U), ResultPlace(0U)));
  EXPECT_THAT(next(), ElementsAre(100, 200, kMissing));
}

TEST_F(ReplayPerflibTest, WhatASampleLacksIsAnErrorOfThatResult) {
  record(0, {100});
  record(1, {});
  folder_->files.erase(v2_data_file(2));
  add(kShop);
  EXPECT_THAT(next(), ElementsAre(100, kMissing));
  EXPECT_THAT(next(), ElementsAre(kMissing, kMissing));
  EXPECT_THAT(next(), ElementsAre(kMissing, kMissing));
}

TEST_F(ReplayPerflibTest, ASampleWithMoreThanWasAskedForStaysAsItIs) {
  record(0, {100, 200, 300});
  add(kShop);
  EXPECT_THAT(next(), ElementsAre(100, 200, 300));
}

TEST_F(ReplayPerflibTest, AReplyThatCannotBeParsedIsDeliveredAsItIs) {
  folder_->files[v2_data_file(0)] = Bytes(100);
  add(kShop);
  EXPECT_EQ(replay().collect(set_), Bytes(100));
  EXPECT_THAT(next(), ElementsAre(101, 201));
}

TEST_F(ReplayPerflibTest, WhatTheCaptureDoesNotHaveIsRefused) {
  add(Guid{{9}});
  EXPECT_EQ(places().at(0).error(), (Error{.code = ErrorCode::kNotRegistered,
                                           .where = "perflib.add_counters",
                                           .os_code = value_of(OsCode::kGuidNotFound)}));
  const auto code = [this](const Guid& counterset, std::uint32_t argument = 0) {
    const auto reply = replay().registration(counterset, RegistrationInfo::kCounterset, argument);
    return reply ? 0 : reply.error().os_code;
  };
  EXPECT_EQ(code(Guid{{9}}), value_of(OsCode::kGuidNotFound));
  EXPECT_EQ(code(kShop), value_of(OsCode::kNotFound));
  folder_->files[registration_file(kShop, RegistrationInfo::kCounterset, 0)] = Bytes(7);
  EXPECT_EQ(replay().registration(kShop, RegistrationInfo::kCounterset), Bytes(7));
  EXPECT_EQ(code(kShop, 1), value_of(OsCode::kNotFound));
  // A text that nobody needs is one that its provider doesn't have.
  for (const auto& [info, bytes] : {std::pair(RegistrationInfo::kCountersetHelp, 2U),
                                    std::pair(RegistrationInfo::kProviderName, 2U),
                                    std::pair(RegistrationInfo::kCounterHelps, 8U),
                                    std::pair(RegistrationInfo::kProviderGuid, 16U)})
    EXPECT_EQ(replay().registration(kShop, info), Bytes(bytes));
  EXPECT_EQ(replay().instances(kShop).error().code, ErrorCode::kUnsupported);
}

TEST_F(ReplayPerflibTest, WhatIsRefusedTimeAfterTimeHoldsNoSampleBack) {
  add(kShop);
  add(Guid{{9}});
  EXPECT_THAT(next(), ElementsAre(100, 200));
  places();
  EXPECT_THAT(next(), ElementsAre(101, 201));
}

TEST_F(ReplayPerflibTest, ListsItsCountersets) {
  EXPECT_THAT(replay().countersets().value(), ElementsAre(kShop, kBakery, kMarket));
}

TEST_F(ReplayPerflibTest, AWithdrawnRequestIsForgotten) {
  add(kShop);
  add(kMarket);
  wanted_.pop_back();
  EXPECT_THAT(places(), ElementsAre(ResultPlace(1U)));
  EXPECT_THAT(next(), ElementsAre(100, 200));
}

TEST_F(ReplayPerflibTest, EverySetHasItsOwnPlaceAndAClosedOneHasNone) {
  add(kShop);
  next();
  const PerflibSet other = std::exchange(set_, replay().new_set());
  EXPECT_NE(set_, replay().new_set());
  places();
  EXPECT_THAT(next(), ElementsAre(100, 200));
  replay().close(set_);
  EXPECT_THAT(next(), ElementsAre(kNotOpen));
  set_ = other;
  EXPECT_THAT(next(), ElementsAre(101, 201));
}

TEST_F(ReplayPerflibTest, OfAResultThatSeveralClaimTheFirstHasIt) {
  std::vector<v2::CounterRequest> requests{request_for(kBakery), request_for(kShop)};
  auto order = simulator::identifier_list(requests);
  constexpr std::size_t kIndexAt = 32, kBlock = 40;
  order.at(kBlock + kIndexAt) = std::byte{0};
  folder_->files[std::string(kOrder)] = order;
  add(kShop);
  add(kBakery);
  EXPECT_THAT(places(), ElementsAre(ResultPlace(2U), ResultPlace(0U)));
  // An index that no reply can have.
  replay_.reset();
  order.at(kBlock + kIndexAt) = std::byte{2};
  folder_->files[std::string(kOrder)] = order;
  wanted_.clear();
  add(kShop);
  EXPECT_THAT(places(), ElementsAre(ResultPlace(2U)));
  EXPECT_THAT(next(), ElementsAre(100, 200, kMissing));
}

TEST_F(ReplayPerflibTest, WithoutCountersetsThereIsNoPerflib) {
  folder_->files[std::string(kCountersets)].resize(Guid::kBytes - 1);
  EXPECT_EQ(replay_perflib(folder_, 3), nullptr);
  folder_->files.erase(std::string(kCountersets));
  EXPECT_EQ(replay_perflib(folder_, 3), nullptr);
  folder_->files[std::string(kCountersets)] = simulator::guid_bytes(kShop);
  EXPECT_NE(replay_perflib(folder_, 3), nullptr);
}

}  // namespace
}  // namespace winperf::capture
