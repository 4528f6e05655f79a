// PerfLib's functions from recorded files.
#include "collectors/capture/replay_perflib.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectors/base/os_code.h"
#include "collectors/capture/store.h"
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
  ReplayPerflib& replay() {
    if (!replay_) {
      replay_ = ReplayPerflib::open(folder_, 3);
      EXPECT_EQ(replay_->open_query({}, query_), 0U);
    }
    return *replay_;
  }
  std::uint32_t add(const Guid& counterset) {
    const v2::CounterRequest request = request_for(counterset);
    auto block = v2::build_identifiers(std::span(&request, 1));
    EXPECT_EQ(replay().add_counters(query_, block), 0U);
    return v2::parse_identifiers(block).all.at(0).status;
  }
  // The status of each result of the next answer, or of the call itself.
  std::vector<std::uint32_t> next() {
    Bytes buffer(4'096);
    std::uint32_t actual = 0;
    const std::uint32_t code = replay().query_counter_data(query_, buffer, actual);
    if (code != 0) return {code};
    buffer.resize(actual);
    const auto data = v2::DataView::parse(buffer);
    if (!data) return {};
    std::vector<std::uint32_t> statuses;
    v2::ResultWalk walk = data->results();
    while (const auto result = walk.next()) statuses.push_back((*result)->status());
    return statuses;
  }
  std::vector<std::uint32_t> positions() {
    Bytes buffer(4'096);
    std::uint32_t actual = 0;
    EXPECT_EQ(replay().query_counter_info(query_, buffer, actual), 0U);
    buffer.resize(actual);
    std::vector<std::uint32_t> indices;
    for (const auto& identifier : v2::parse_identifiers(buffer).all)
      indices.push_back(identifier.index);
    return indices;
  }

  static constexpr std::uint32_t kMissing = value_of(OsCode::kInvalidData);
  std::shared_ptr<testing::MemoryFolder> folder_ = std::make_shared<testing::MemoryFolder>();
  std::unique_ptr<ReplayPerflib> replay_;
  PerflibHandle query_{};
};

TEST_F(ReplayPerflibTest, EachCallGivesTheNextSampleAndThenTheEnd) {
  EXPECT_EQ(add(kShop), 0U);
  EXPECT_THAT(next(), ElementsAre(100, 200));
  EXPECT_THAT(next(), ElementsAre(101, 201));
  EXPECT_THAT(next(), ElementsAre(102, 202));
  EXPECT_THAT(next(), ElementsAre(ReplayPerflib::kEndOfData));
  EXPECT_THAT(next(), ElementsAre(ReplayPerflib::kEndOfData));
}

TEST_F(ReplayPerflibTest, ARequestThatIsAddedGetsTheSampleThatTheOthersHave) {
  add(kShop);
  EXPECT_THAT(next(), ElementsAre(100, 200));
  EXPECT_THAT(next(), ElementsAre(101, 201));
  add(kBakery);
  EXPECT_THAT(next(), ElementsAre(101, 201));
  EXPECT_THAT(next(), ElementsAre(102, 202));
}

TEST_F(ReplayPerflibTest, ABufferThatIsTooSmallCostsNoSample) {
  add(kShop);
  Bytes buffer(48 + 2 * 16 - 1);
  std::uint32_t actual = 0;
  EXPECT_EQ(replay().query_counter_data(query_, buffer, actual),
            value_of(OsCode::kNotEnoughMemory));
  EXPECT_EQ(actual, 48U + 2 * 16);
  buffer.resize(actual);
  EXPECT_EQ(replay().query_counter_data(query_, buffer, actual), 0U);
  EXPECT_THAT(next(), ElementsAre(101, 201));
}

TEST_F(ReplayPerflibTest, ResultsHaveTheirRecordedPlacesAndOthersComeAfterThem) {
  add(kShop);
  add(kMarket);
  add(kBakery);
  EXPECT_THAT(positions(), ElementsAre(1, 2, 0));
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
  Bytes buffer(4'096);
  std::uint32_t actual = 0;
  EXPECT_EQ(replay().query_counter_data(query_, buffer, actual), 0U);
  EXPECT_EQ(actual, 100U);
  EXPECT_THAT(next(), ElementsAre(101, 201));
}

TEST_F(ReplayPerflibTest, WhatTheCaptureDoesNotHaveIsRefused) {
  EXPECT_EQ(add(Guid{{9}}), value_of(OsCode::kGuidNotFound));
  EXPECT_THAT(positions(), ElementsAre());
  Bytes buffer(100);
  std::uint32_t actual = 0;
  EXPECT_EQ(
      replay().query_registration({}, Guid{{9}}, RegistrationInfo::kCounterset, 0, buffer, actual),
      value_of(OsCode::kGuidNotFound));
  EXPECT_EQ(
      replay().query_registration({}, kShop, RegistrationInfo::kCounterset, 0, buffer, actual),
      value_of(OsCode::kNotFound));
  folder_->files[registration_file(kShop, RegistrationInfo::kCounterset, 0)] = Bytes(7);
  EXPECT_EQ(
      replay().query_registration({}, kShop, RegistrationInfo::kCounterset, 0, buffer, actual), 0U);
  EXPECT_EQ(actual, 7U);
  EXPECT_EQ(
      replay().query_registration({}, kShop, RegistrationInfo::kCounterset, 1, buffer, actual),
      value_of(OsCode::kNotFound));
  // A text that nobody needs is one that its provider doesn't have.
  for (const auto& [info, bytes] : {std::pair(RegistrationInfo::kCountersetHelp, 2U),
                                    std::pair(RegistrationInfo::kProviderName, 2U),
                                    std::pair(RegistrationInfo::kCounterHelps, 8U),
                                    std::pair(RegistrationInfo::kProviderGuid, 16U)}) {
    EXPECT_EQ(replay().query_registration({}, kShop, info, 0, buffer, actual), 0U);
    EXPECT_EQ(actual, bytes);
  }
  EXPECT_EQ(replay().enumerate_instances({}, kShop, buffer, actual),
            value_of(OsCode::kNotSupported));
}

TEST_F(ReplayPerflibTest, ListsItsCountersets) {
  std::vector<Guid> guids(3);
  std::uint32_t actual = 0;
  EXPECT_EQ(replay().enumerate_countersets({}, guids, actual), 0U);
  EXPECT_THAT(guids, ElementsAre(kShop, kBakery, kMarket));
  EXPECT_EQ(replay().enumerate_countersets({}, std::span(guids).first(2), actual),
            value_of(OsCode::kNotEnoughMemory));
  EXPECT_EQ(actual, 3U);
}

TEST_F(ReplayPerflibTest, AWithdrawnRequestIsForgotten) {
  add(kShop);
  add(kMarket);
  const v2::CounterRequest market = request_for(kMarket);
  auto block = v2::build_identifiers(std::span(&market, 1));
  EXPECT_EQ(replay().delete_counters(query_, block), 0U);
  EXPECT_THAT(positions(), ElementsAre(1));
  EXPECT_THAT(next(), ElementsAre(100, 200));
}

TEST_F(ReplayPerflibTest, EveryQueryHasItsOwnPlaceAndAClosedOneHasNone) {
  add(kShop);
  next();
  PerflibHandle other{};
  EXPECT_EQ(replay().open_query({}, other), 0U);
  std::swap(query_, other);
  add(kShop);
  EXPECT_THAT(next(), ElementsAre(100, 200));
  EXPECT_EQ(replay().close_query(query_), 0U);
  constexpr std::uint32_t kInvalid = value_of(OsCode::kInvalidParameter);
  EXPECT_EQ(replay().close_query(query_), kInvalid);
  EXPECT_THAT(next(), ElementsAre(kInvalid));
  Bytes buffer(100);
  std::uint32_t actual = 0;
  EXPECT_EQ(replay().query_counter_info(query_, buffer, actual), kInvalid);
  EXPECT_EQ(replay().add_counters(query_, buffer), kInvalid);
  EXPECT_EQ(replay().delete_counters(query_, buffer), kInvalid);
  query_ = other;
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
  EXPECT_THAT(positions(), ElementsAre(2, 0));
  // An index that no reply can have.
  replay_.reset();
  order.at(kBlock + kIndexAt) = std::byte{2};
  folder_->files[std::string(kOrder)] = order;
  add(kShop);
  EXPECT_THAT(positions(), ElementsAre(2));
  EXPECT_THAT(next(), ElementsAre(100, 200, kMissing));
}

TEST_F(ReplayPerflibTest, WithoutCountersetsThereIsNoPerflib) {
  folder_->files[std::string(kCountersets)].resize(Guid::kBytes - 1);
  EXPECT_EQ(ReplayPerflib::open(folder_, 3), nullptr);
  folder_->files.erase(std::string(kCountersets));
  EXPECT_EQ(ReplayPerflib::open(folder_, 3), nullptr);
  folder_->files[std::string(kCountersets)] = simulator::guid_bytes(kShop);
  EXPECT_NE(ReplayPerflib::open(folder_, 3), nullptr);
}

}  // namespace
}  // namespace winperf::capture
