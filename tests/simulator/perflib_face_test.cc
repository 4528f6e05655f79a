// The simulated PerfLib keeps the contract of the real one, or it would prove nothing.
#include "tests/simulator/perflib_face.h"

#include <gtest/gtest.h>

#include <cstring>

#include "collectors/sources/perflib_client.h"
#include "collectors/wire/v2/data_view.h"
#include "tests/simulator/codes.h"
#include "tests/simulator/every_type.h"
#include "tests/simulator/processor_information.h"
#include "tests/simulator/standard_machine.h"

namespace winperf::simulator {
namespace {

const Guid kUnknown = *parse_guid("99999999-9999-9999-9999-999999999999");

class PerflibContract : public ::testing::Test {
 protected:
  PerflibContract() : face_(machine_) {
    furnish(machine_);
    face_.open_query({}, query_);
  }

  std::uint32_t status_of_adding(const v2::CounterRequest& request) {
    auto bytes = v2::build_identifiers({&request, 1});
    EXPECT_EQ(face_.add_counters(query_, bytes), kSuccess);
    return v2::parse_identifiers(bytes).all.at(0).status;
  }

  std::vector<std::byte> data() {
    PerflibClient client(face_, "");
    std::uint32_t needed = 0;
    face_.query_counter_data(query_, {}, needed);
    std::vector<std::byte> bytes(needed);
    EXPECT_EQ(face_.query_counter_data(query_, bytes, needed), kSuccess);
    bytes.resize(needed);
    return bytes;
  }

  v2::ResultKind kind_after_adding(const v2::CounterRequest& request) {
    EXPECT_EQ(status_of_adding(request), kSuccess);
    const auto bytes = data();
    auto results = v2::DataView::parse(bytes)->results();
    return (*results.next())->kind();
  }

  Machine machine_;
  PerflibFace face_;
  PerflibHandle query_{};
};

TEST_F(PerflibContract, ABufferThatIsTooSmallTellsWhatIsNeeded) {
  std::uint32_t actual = 0;
  EXPECT_EQ(face_.enumerate_countersets({}, {}, actual), kNotEnoughMemory);
  EXPECT_EQ(actual, 6u);
  std::vector<Guid> guids(actual);
  EXPECT_EQ(face_.enumerate_countersets({}, guids, actual), kSuccess);
  EXPECT_EQ(guids.front(), kProcessorInformation);

  EXPECT_EQ(face_.enumerate_instances({}, kProcessorInformation, {}, actual), kNotEnoughMemory);
  std::vector<std::byte> buffer(actual - 1);
  EXPECT_EQ(face_.enumerate_instances({}, kProcessorInformation, buffer, actual), kNotEnoughMemory);
  EXPECT_EQ(actual, buffer.size() + 1);
}

TEST_F(PerflibContract, IdentifiersHaveAStatusEach) {
  EXPECT_EQ(status_of_adding({.counterset = kProcessorInformation, .instance_name = u"*"}),
            kSuccess);
  EXPECT_EQ(status_of_adding({.counterset = kProcessorInformation, .instance_name = u"*"}),
            kAlreadyExists);
  EXPECT_EQ(status_of_adding({.counterset = kUnknown, .instance_name = u"*"}), kGuidNotFound);
  EXPECT_EQ(status_of_adding(
                {.counterset = kProcessorInformation, .counter_id = 33, .instance_name = u"*"}),
            kItemNotFound);
  EXPECT_EQ(status_of_adding({.counterset = kProcessorInformation}), kInvalidParameter)
      << "a counterset with instances needs a name";
  const Guid single = every_type_set(v2::InstanceType::kSingle).definition.guid;
  EXPECT_EQ(status_of_adding({.counterset = single, .instance_name = u"*"}), kInvalidParameter)
      << "one without has none";
}

TEST_F(PerflibContract, CorruptIdentifiersAreRefusedAsAWhole) {
  const v2::CounterRequest request{.counterset = kProcessorInformation, .instance_name = u"*"};
  for (const std::uint32_t size : {0u, 39u, 47u, 56u}) {
    auto bytes = v2::build_identifiers({&request, 1});
    std::memcpy(bytes.data() + 20, &size, sizeof size);
    EXPECT_EQ(face_.add_counters(query_, bytes), kInvalidParameter) << size;
  }
  EXPECT_EQ(face_.add_counters(query_, {}), kInvalidParameter);
  EXPECT_TRUE(face_.masks().empty());
}

TEST_F(PerflibContract, TheKindOfAResultFollowsFromTheRequest) {
  const Guid single = every_type_set(v2::InstanceType::kSingle).definition.guid;
  EXPECT_EQ(kind_after_adding({.counterset = single}), v2::ResultKind::kMultipleCounters);
  face_.close_query(query_);
  face_.open_query({}, query_);
  EXPECT_EQ(kind_after_adding({.counterset = single, .counter_id = 10}),
            v2::ResultKind::kSingleCounter);
  face_.close_query(query_);
  face_.open_query({}, query_);
  EXPECT_EQ(kind_after_adding({.counterset = kProcessorInformation, .instance_name = u"*"}),
            v2::ResultKind::kCounterset);
  face_.close_query(query_);
  face_.open_query({}, query_);
  EXPECT_EQ(kind_after_adding(
                {.counterset = kProcessorInformation, .counter_id = 3, .instance_name = u"0,*"}),
            v2::ResultKind::kMultipleInstances);
  face_.close_query(query_);
  face_.open_query({}, query_);
  EXPECT_EQ(kind_after_adding({.counterset = kProcessorInformation, .instance_name = u"nobody"}),
            v2::ResultKind::kError);
}

TEST_F(PerflibContract, InstancesAreMatchedByWildcardAndId) {
  status_of_adding(
      {.counterset = kProcessorInformation, .counter_id = 0, .instance_name = u"?,_TOTAL"});
  const auto bytes = data();
  auto results = v2::DataView::parse(bytes)->results();
  const auto result = results.next();
  v2::RowWalk walk = (*result)->rows();
  v2::RowWalk::Row row;
  std::vector<std::string> names;
  while (*walk.next(row)) names.push_back(row.instance->name());
  EXPECT_EQ(names, (std::vector<std::string>{"1,_Total", "0,_Total"}));
}

TEST_F(PerflibContract, WhatIsNotInTheQueryCanNotBeDeleted) {
  const v2::CounterRequest request{.counterset = kProcessorInformation, .instance_name = u"*"};
  auto bytes = v2::build_identifiers({&request, 1});
  EXPECT_EQ(face_.delete_counters(query_, bytes), kSuccess);
  EXPECT_EQ(v2::parse_identifiers(bytes).all.at(0).status, kInvalidParameter);
  status_of_adding(request);
  EXPECT_EQ(face_.delete_counters(query_, bytes), kSuccess);
  EXPECT_EQ(v2::parse_identifiers(bytes).all.at(0).status, kSuccess);
  EXPECT_TRUE(face_.masks().empty());
}

TEST_F(PerflibContract, AClosedQueryIsNoQuery) {
  EXPECT_EQ(face_.close_query(query_), kSuccess);
  EXPECT_EQ(face_.close_query(query_), kInvalidHandle);
  std::uint32_t actual = 0;
  EXPECT_EQ(face_.query_counter_data(query_, {}, actual), kInvalidHandle);
  EXPECT_EQ(face_.query_counter_info(query_, {}, actual), kInvalidHandle);
}

TEST_F(PerflibContract, RegistrationsHaveEveryPart) {
  PerflibClient client(face_, "");
  for (std::uint32_t code = 1; code <= 10; ++code)
    EXPECT_TRUE(client.registration(kProcessorInformation, RegistrationInfo{code}).has_value())
        << code;
  EXPECT_EQ(client.registration(kProcessorInformation, RegistrationInfo{0}).error().os_code,
            kInvalidParameter);
  EXPECT_EQ(client.registration(kProcessorInformation, RegistrationInfo{11}).error().os_code,
            kInvalidParameter);
  EXPECT_EQ(client.registration(kUnknown, RegistrationInfo::kCounterset).error().code,
            ErrorCode::kNotRegistered);
  EXPECT_EQ(client.registration(kProcessorInformation, RegistrationInfo::kCounter, 33).error().code,
            ErrorCode::kNotRegistered);
  EXPECT_EQ(client.registration(kProcessorInformation, RegistrationInfo::kCountersetName, 0x40C)
                .error()
                .os_code,
            kResourceLanguageNotFound);
}

// What the client makes of the buffer protocol.
TEST_F(PerflibContract, TheClientGrowsItsBufferAndGivesUpInTheEnd) {
  PerflibClient client(face_, "");
  machine_.faults.spoil(Point::kRegistration, Damage::kGrowing, 1, 3);
  EXPECT_TRUE(
      client.registration(kProcessorInformation, RegistrationInfo::kCounterset).has_value());
  machine_.faults.spoil(Point::kRegistration, Damage::kGrowing, 1, 100);
  EXPECT_EQ(client.registration(kProcessorInformation, RegistrationInfo::kCounterset).error().code,
            ErrorCode::kBusy);
  machine_.faults.clear();
  machine_.faults.spoil(Point::kRegistration, Damage::kOverrun, 1, 1);
  EXPECT_EQ(client.registration(kProcessorInformation, RegistrationInfo::kCounterset).error().code,
            ErrorCode::kBadLength);
  PerflibClient small(face_, "", {.max_bytes = 512});
  EXPECT_EQ(small.registration(kProcessorInformation, RegistrationInfo::kCounterset).error().code,
            ErrorCode::kBufferLimit);
}

TEST_F(PerflibContract, AReplyMayFillTheBufferExactly) {
  PerflibClient client(face_, "");
  const std::size_t bytes =
      client.registration(kProcessorInformation, RegistrationInfo::kCounterset)->size();
  EXPECT_EQ(bytes, 32u + 33 * 48);
  PerflibClient exact(face_, "", {.max_bytes = bytes});
  EXPECT_TRUE(exact.registration(kProcessorInformation, RegistrationInfo::kCounterset));
  PerflibClient short_by_one(face_, "", {.max_bytes = bytes - 1});
  EXPECT_EQ(
      short_by_one.registration(kProcessorInformation, RegistrationInfo::kCounterset).error().code,
      ErrorCode::kBufferLimit);
}

}  // namespace
}  // namespace winperf::simulator
