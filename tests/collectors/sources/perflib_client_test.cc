// The buffer protocol of PerfLib's functions, and what their error codes mean.
#include "collectors/sources/perflib_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "collectors/base/os_code.h"

namespace winperf {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Every function that fills a buffer does the same: it needs `needed` items.
class Scripted final : public PerflibApi {
 public:
  std::size_t needed = 100;
  std::function<std::uint32_t(std::size_t capacity)> says;  // what it says it needs; `needed`
  OsCode status = OsCode::kSuccess;                         // of every call, if it isn't success
  std::vector<std::size_t> capacities;
  std::vector<PerflibHandle> closed;
  int opened = 0;
  std::u16string machine;
  RegistrationInfo info{};
  std::uint32_t argument = 0;

  std::uint32_t enumerate_countersets(const std::u16string& name, std::span<Guid> guids,
                                      std::uint32_t& actual) override {
    machine = name;
    return answer(guids.size(), actual);
  }
  std::uint32_t enumerate_instances(const std::u16string& name, const Guid&, Bytes buffer,
                                    std::uint32_t& actual) override {
    machine = name;
    return answer(buffer.size(), actual);
  }
  std::uint32_t query_registration(const std::u16string& name, const Guid&, RegistrationInfo asked,
                                   std::uint32_t with, Bytes buffer,
                                   std::uint32_t& actual) override {
    machine = name;
    info = asked;
    argument = with;
    return answer(buffer.size(), actual);
  }
  std::uint32_t open_query(const std::u16string& name, PerflibHandle& query) override {
    machine = name;
    query = PerflibHandle{static_cast<std::uintptr_t>(++opened)};
    return value_of(status);
  }
  std::uint32_t close_query(PerflibHandle query) override {
    closed.push_back(query);
    return 0;
  }
  std::uint32_t query_counter_info(PerflibHandle, Bytes buffer, std::uint32_t& actual) override {
    return answer(buffer.size(), actual);
  }
  std::uint32_t query_counter_data(PerflibHandle, Bytes buffer, std::uint32_t& actual) override {
    return answer(buffer.size(), actual);
  }
  std::uint32_t add_counters(PerflibHandle, Bytes) override { return value_of(status); }
  std::uint32_t delete_counters(PerflibHandle, Bytes) override { return value_of(status); }

 private:
  std::uint32_t answer(std::size_t capacity, std::uint32_t& actual) {
    capacities.push_back(capacity);
    if (status != OsCode::kSuccess) return value_of(status);
    actual = static_cast<std::uint32_t>(needed);
    if (says) actual = says(capacity);
    return value_of(needed > capacity ? OsCode::kNotEnoughMemory : OsCode::kSuccess);
  }
};

class PerflibClientTest : public ::testing::Test {
 protected:
  PerflibClient client() { return {api_, "HOST", limits_}; }
  std::expected<Bytes, Error> registration() {
    api_.capacities.clear();
    return client().registration({}, RegistrationInfo::kCounterset);
  }

  Scripted api_;
  PerflibLimits limits_;
};

TEST_F(PerflibClientTest, AReplyThatFillsTheBufferExactlyIsWhole) {
  for (const std::size_t size : {0U, 1U, 4'095U, 4'096U}) {
    api_.needed = size;
    EXPECT_THAT(registration().value(), SizeIs(size));
    EXPECT_THAT(api_.capacities, ElementsAre(4'096));
  }
  api_.needed = 4'097;
  EXPECT_THAT(registration().value(), SizeIs(4'097));
  EXPECT_THAT(api_.capacities, ElementsAre(4'096, 4'097 + 4'097 / 4));
}

TEST_F(PerflibClientTest, MoreThanWasOfferedIsNoReply) {
  api_.says = [](std::size_t capacity) { return static_cast<std::uint32_t>(capacity + 1); };
  EXPECT_EQ(registration().error(), (Error{.code = ErrorCode::kBadLength,
                                           .where = "perflib.query_registration",
                                           .actual = 4'097,
                                           .limit = 4'096}));
}

TEST_F(PerflibClientTest, ACallThatAsksForMoreWithoutSayingHowMuchGetsAQuarterMore) {
  api_.needed = 8'000;
  api_.says = [this](std::size_t capacity) {
    return capacity < api_.needed ? 0 : static_cast<std::uint32_t>(api_.needed);
  };
  EXPECT_THAT(registration().value(), SizeIs(8'000));
  EXPECT_THAT(api_.capacities, ElementsAre(4'096, 5'120, 6'400, 8'000));
}

TEST_F(PerflibClientTest, TenAttemptsAreEnough) {
  std::size_t attempts = 10;
  const auto grows = [this](std::size_t capacity) {
    // It wants more with each call.
    api_.needed = capacity + 1;
    return static_cast<std::uint32_t>(api_.needed);
  };
  api_.needed = 5'000;
  api_.says = grows;
  EXPECT_EQ(registration().error(),
            (Error{.code = ErrorCode::kBusy, .where = "perflib.query_registration"}));
  EXPECT_THAT(api_.capacities, SizeIs(attempts));
  // The tenth one is answered.
  api_.needed = 5'000;
  api_.says = [&](std::size_t capacity) {
    if (api_.capacities.size() < attempts) return grows(capacity);
    api_.needed = capacity;
    return static_cast<std::uint32_t>(capacity);
  };
  EXPECT_TRUE(registration());
  EXPECT_THAT(api_.capacities, SizeIs(attempts));
}

TEST_F(PerflibClientTest, NoMoreThanTheLimitIsOffered) {
  limits_.max_bytes = 6'000;
  api_.needed = 6'000;
  EXPECT_THAT(registration().value(), SizeIs(6'000));
  EXPECT_THAT(api_.capacities, ElementsAre(4'096, 6'000)) << "not a quarter more";
  api_.needed = 6'001;
  EXPECT_EQ(registration().error(), (Error{.code = ErrorCode::kBufferLimit,
                                           .where = "perflib.query_registration",
                                           .actual = 6'001,
                                           .limit = 6'000}));
  EXPECT_THAT(api_.capacities, ElementsAre(4'096)) << "the next one could not be large enough";
  api_.says = [](std::size_t) { return 0; };
  EXPECT_EQ(registration().error().code, ErrorCode::kBufferLimit);
  EXPECT_THAT(api_.capacities, ElementsAre(4'096, 5'120, 6'000));
  limits_.max_bytes = 100;
  api_.needed = 100;
  api_.says = nullptr;
  EXPECT_TRUE(registration());
  EXPECT_THAT(api_.capacities, ElementsAre(100));
}

TEST_F(PerflibClientTest, CountersetsAreLimitedByTheirNumber) {
  constexpr std::size_t kMax = 65'536;
  for (const std::size_t number : {0U, 1U, 256U, 257U, 65'535U, 65'536U}) {
    api_.needed = number;
    EXPECT_THAT(client().countersets().value(), SizeIs(number));
  }
  api_.needed = kMax + 1;
  EXPECT_EQ(client().countersets().error(), (Error{.code = ErrorCode::kBufferLimit,
                                                   .where = "perflib.enumerate_countersets",
                                                   .actual = kMax + 1,
                                                   .limit = kMax}));
}

TEST_F(PerflibClientTest, TheNextDataBeginsWithTheLastSizeAndAQuarterMore) {
  const auto query = client().open_query().value();
  api_.needed = 10'000;
  ASSERT_TRUE(query->data());
  api_.capacities.clear();
  ASSERT_TRUE(query->data());
  EXPECT_THAT(api_.capacities, ElementsAre(12'500));
  api_.status = OsCode::kAccessDenied;
  EXPECT_FALSE(query->data());
  api_.status = OsCode::kSuccess;
  api_.needed = 10;
  api_.capacities.clear();
  ASSERT_TRUE(query->data());
  ASSERT_TRUE(query->data());
  EXPECT_THAT(api_.capacities, ElementsAre(12'500, 4'096)) << "a failure says nothing about it";
  ASSERT_TRUE(query->info());
  EXPECT_EQ(api_.capacities.back(), 4'096U);
}

TEST_F(PerflibClientTest, EveryCallNamesTheMachineAndItsQuestion) {
  ASSERT_TRUE(client().countersets());
  EXPECT_EQ(std::exchange(api_.machine, u""), u"HOST");
  ASSERT_TRUE(client().instances({}));
  EXPECT_EQ(std::exchange(api_.machine, u""), u"HOST");
  ASSERT_TRUE(client().open_query());
  EXPECT_EQ(std::exchange(api_.machine, u""), u"HOST");
  ASSERT_TRUE(client().registration({}, RegistrationInfo::kCounterNames, 0x407));
  EXPECT_EQ(api_.machine, u"HOST");
  EXPECT_EQ(api_.info, RegistrationInfo::kCounterNames);
  EXPECT_EQ(api_.argument, 0x407U);
  ASSERT_TRUE(client().registration({}, RegistrationInfo::kCounterset));
  EXPECT_EQ(api_.argument, 0U);
}

TEST_F(PerflibClientTest, WithoutAnActiveInstanceTheListIsEmpty) {
  api_.status = OsCode::kInstanceNotFound;
  EXPECT_THAT(client().instances({}).value(), IsEmpty());
  api_.status = OsCode::kAccessDenied;
  EXPECT_EQ(client().instances({}).error().code, ErrorCode::kAccessDenied);
}

TEST_F(PerflibClientTest, ErrorsAreThoseOfTheSystemWithTheirPlace) {
  struct Row {
    OsCode os_code;
    ErrorCode code;
  };
  for (const Row& row : {Row{OsCode::kAccessDenied, ErrorCode::kAccessDenied},
                         Row{OsCode::kNotSupported, ErrorCode::kUnsupported},
                         Row{OsCode::kGuidNotFound, ErrorCode::kNotRegistered},
                         Row{OsCode::kItemNotFound, ErrorCode::kNotRegistered},
                         Row{OsCode::kPathNotFound, ErrorCode::kNotRunning},
                         Row{OsCode::kInstanceNotFound, ErrorCode::kNotRunning},
                         Row{OsCode::kInvalidParameter, ErrorCode::kOsError},
                         Row{OsCode::kFileNotFound, ErrorCode::kOsError}}) {
    api_.status = row.os_code;
    const auto expected = [&](const char* where) {
      return Error{.code = row.code, .where = where, .os_code = value_of(row.os_code)};
    };
    EXPECT_EQ(perflib_error(value_of(row.os_code), "here"), expected("here"));
    EXPECT_EQ(registration().error(), expected("perflib.query_registration"));
    EXPECT_EQ(client().countersets().error(), expected("perflib.enumerate_countersets"));
    EXPECT_EQ(client().open_query().error(), expected("perflib.open_query"));
    PerflibQuery query(api_, PerflibHandle{7}, limits_);
    EXPECT_EQ(query.add({}).error(), expected("perflib.add_counters"));
    EXPECT_EQ(query.remove({}).error(), expected("perflib.delete_counters"));
    EXPECT_EQ(query.info().error(), expected("perflib.query_counter_info"));
    EXPECT_EQ(query.data().error(), expected("perflib.query_counter_data"));
  }
}

TEST_F(PerflibClientTest, AHandleIsClosedOnceByTheQueryThatHasItWhereItWasOpened) {
  Scripted elsewhere;
  auto here = client().open_query().value();
  const auto there = PerflibClient(elsewhere, "", limits_).open_query().value();
  EXPECT_THAT(api_.closed, IsEmpty());
  here.reset();
  EXPECT_THAT(api_.closed, ElementsAre(PerflibHandle{1}));
  EXPECT_THAT(elsewhere.closed, IsEmpty());
}

}  // namespace
}  // namespace winperf
