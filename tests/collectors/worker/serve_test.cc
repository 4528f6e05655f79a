#include "collectors/worker/serve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <clocale>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "collectors/base/os_code.h"
#include "collectors/wire/text.h"
#include "collectors/worker/worker_source.h"

namespace winperf::worker {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

constexpr std::size_t kRoom = 1'024;
constexpr Guid kCounterset{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};
constexpr Error kFailure{.code = ErrorCode::kOsError,
                         .where = "fake.query",
                         .offset = 1,
                         .actual = 2,
                         .limit = 3,
                         .os_code = 4};

Bytes numbered_bytes(std::size_t size, int first = 1) {
  Bytes all(size);
  for (std::size_t i = 0; i < size; ++i)
    all[i] = static_cast<std::byte>(static_cast<std::size_t>(first) + i);
  return all;
}

// Answers everything alike, and notes what it was asked.
class FakeRegistry final : public CounterSource {
 public:
  std::expected<winperf::Reply, Error> reply = winperf::Reply{{numbered_bytes(5)}};
  std::vector<std::expected<Bytes, Error>> tables;
  std::function<void()> provider = [] {};  // runs in every query

  std::vector<std::string> asked;
  std::vector<std::pair<TextTable, Language>> tables_asked;
  std::vector<milliseconds> limits;
  int releases = 0;

  std::expected<winperf::Reply, Error> query(std::string_view value_name, StopToken) override {
    asked.emplace_back(value_name);
    provider();
    return reply;
  }
  void limit_time(milliseconds limit) override { limits.push_back(limit); }
  std::vector<std::expected<Bytes, Error>> text_tables(TextTable table,
                                                       Language language) override {
    tables_asked.emplace_back(table, language);
    return tables;
  }
  bool supports_metadata() override { return true; }
  std::uint64_t provider_generation() override { return 1; }
  void release() override { ++releases; }
};

// Notes which functions are called. Added requests are accepted unless their counter's id has a
// status, and their results come in the reverse of the order of adding.
class FakePerflib final : public PerflibApi {
 public:
  std::uint32_t code = 0;  // of everything but adding
  winperf::Bytes stored;   // what fills a buffer
  std::map<std::uint32_t, std::uint32_t> statuses;
  std::function<void()> during_add = [] {};
  std::vector<std::string> calls;
  std::map<std::uint64_t, std::vector<v2::CounterRequest>> queries;

  std::uint32_t enumerate_countersets(const std::u16string& machine, std::span<Guid> guids,
                                      std::uint32_t& actual) override {
    calls.push_back("enumerate_countersets " + to_utf8(machine));
    const std::uint32_t result = answer(stored, std::as_writable_bytes(guids), actual);
    actual /= std::uint32_t{Guid::kBytes};
    return result;
  }
  std::uint32_t enumerate_instances(const std::u16string& machine, const Guid& counterset,
                                    Bytes buffer, std::uint32_t& actual) override {
    calls.push_back("enumerate_instances " + to_utf8(machine) + to_string(counterset));
    return answer(stored, buffer, actual);
  }
  std::uint32_t query_registration(const std::u16string& machine, const Guid& counterset,
                                   RegistrationInfo info, std::uint32_t argument, Bytes buffer,
                                   std::uint32_t& actual) override {
    calls.push_back("query_registration " + to_utf8(machine) + to_string(counterset) + ' ' +
                    std::to_string(static_cast<std::uint32_t>(info)) + ' ' +
                    std::to_string(argument));
    return answer(stored, buffer, actual);
  }
  std::uint32_t open_query(const std::u16string& machine, PerflibHandle& query) override {
    calls.push_back("open_query " + to_utf8(machine));
    query = PerflibHandle{++opened_};
    if (code == 0) queries[opened_];
    return code;
  }
  std::uint32_t close_query(PerflibHandle query) override {
    note("close_query", query);
    queries.erase(static_cast<std::uint64_t>(query));
    return code;
  }
  std::uint32_t query_counter_info(PerflibHandle query, Bytes buffer,
                                   std::uint32_t& actual) override {
    note("query_counter_info", query);
    winperf::Bytes list;
    auto& requests = queries[static_cast<std::uint64_t>(query)];
    for (std::size_t i = 0; i < requests.size(); ++i) {
      auto block = v2::build_identifiers({&requests[i], 1});
      put(block, v2::identifier::kIndex, static_cast<std::uint32_t>(requests.size() - 1 - i));
      list.insert(list.end(), block.begin(), block.end());
    }
    return answer(list, buffer, actual);
  }
  std::uint32_t query_counter_data(PerflibHandle query, Bytes buffer,
                                   std::uint32_t& actual) override {
    note("query_counter_data", query);
    return answer(stored, buffer, actual);
  }
  std::uint32_t add_counters(PerflibHandle query, Bytes identifiers) override {
    note("add_counters", query);
    during_add();
    const auto request = v2::parse_identifiers(identifiers).all.at(0).request;
    const auto status = statuses.find(request.counter_id);
    if (status == statuses.end()) {
      queries[static_cast<std::uint64_t>(query)].push_back(request);
    } else {
      put(identifiers, v2::identifier::kStatus, status->second);
    }
    return 0;
  }
  std::uint32_t delete_counters(PerflibHandle query, Bytes identifiers) override {
    note("delete_counters", query);
    std::erase(queries[static_cast<std::uint64_t>(query)],
               v2::parse_identifiers(identifiers).all.at(0).request);
    return 0;
  }

 private:
  void note(const char* function, PerflibHandle query) {
    calls.push_back(function + (' ' + std::to_string(static_cast<std::uint64_t>(query))));
  }
  std::uint32_t answer(const winperf::Bytes& bytes, Bytes buffer, std::uint32_t& actual) const {
    actual = static_cast<std::uint32_t>(bytes.size());
    if (code != 0) return code;
    if (bytes.size() > buffer.size()) return value_of(OsCode::kNotEnoughMemory);
    std::ranges::copy(bytes, buffer.begin());
    return 0;
  }

  std::uint64_t opened_ = 6;
};

class ServeTest : public ::testing::Test {
 protected:
  // The reply to a request, which must be an answer to it.
  Reply ask(Request request) {
    request.sequence = ++sequence_;
    EXPECT_TRUE(write_request(memory_, request));
    goes_on_ = service_.answer(memory_);
    EXPECT_FALSE(read_marker(memory_).busy);
    auto reply = read_reply(memory_, sequence_);
    EXPECT_TRUE(reply);
    return reply ? *std::move(reply) : Reply{};
  }
  Error only_error(const Request& request) {
    const Reply reply = ask(request);
    EXPECT_EQ(reply.parts.size(), 1U);
    if (reply.parts.size() != 1 || reply.parts.front()) return {};
    return reply.parts.front().error();
  }
  Bytes only_bytes(const Request& request) { return only_bytes(ask(request)); }
  static Bytes only_bytes(const Reply& reply) {
    EXPECT_EQ(reply.parts.size(), 1U);
    if (reply.parts.size() != 1 || !reply.parts.front()) return numbered_bytes(1, 255);
    return {reply.parts.front()->begin(), reply.parts.front()->end()};
  }
  // The places of requests for these counters.
  std::vector<ResultPlace> open(std::uint32_t set, const std::vector<std::uint32_t>& counters,
                                const std::string& machine = "") {
    std::vector<v2::CounterRequest> requests;
    for (const std::uint32_t counter : counters)
      requests.push_back({.counterset = kCounterset, .counter_id = counter});
    const Reply reply = ask({.operation = Operation::kOpenSet,
                             .time_ms = 8'000,
                             .numbers = {set},
                             .text = as_text(v2::build_identifiers(requests)),
                             .whose = machine});
    EXPECT_EQ(reply.parts.size(), 1U);
    if (reply.parts.size() != 1) return {};
    if (!reply.parts.front()) return {std::unexpected(reply.parts.front().error())};
    return read_places(*reply.parts.front(), counters.size()).value_or(std::vector<ResultPlace>{});
  }
  static std::string as_text(const Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  std::vector<std::string> take_calls() { return std::exchange(perflib_.calls, {}); }

  std::vector<std::byte> memory_ = std::vector<std::byte>(kHeadBytes + kRoom);
  std::uint64_t sequence_ = 100;
  bool goes_on_ = false;
  FakeRegistry registry_;
  FakePerflib perflib_;
  WorkerService service_{&registry_, &perflib_};
};

TEST_F(ServeTest, Query_GivesTheBlockOfTheSource) {
  const Reply reply = ask({.operation = Operation::kQuery, .text = "238 2"});
  EXPECT_EQ(only_bytes(reply), numbered_bytes(5));
  EXPECT_EQ(reply.number, 0U);
  EXPECT_THAT(registry_.asked, ElementsAre("238 2"));
  EXPECT_TRUE(goes_on_);
}

TEST_F(ServeTest, Query_GivesTheErrorOfTheSource) {
  registry_.reply = std::unexpected(kFailure);
  EXPECT_EQ(only_error({.operation = Operation::kQuery, .text = "238"}), kFailure);
  EXPECT_TRUE(goes_on_);
}

TEST_F(ServeTest, Query_MayFillTheMemoryAndNotMore) {
  registry_.reply = winperf::Reply{{numbered_bytes(kRoom)}};
  EXPECT_EQ(only_bytes({.operation = Operation::kQuery}), numbered_bytes(kRoom));
  registry_.reply = winperf::Reply{{numbered_bytes(kRoom + 1)}};
  EXPECT_EQ(only_error({.operation = Operation::kQuery}), (Error{.code = ErrorCode::kBufferLimit,
                                                                 .where = "source.query_in",
                                                                 .actual = kRoom + 1,
                                                                 .limit = kRoom}));
}

TEST_F(ServeTest, Query_IsOfOneBlock) {
  registry_.reply = winperf::Reply{{numbered_bytes(5), numbered_bytes(6)}};
  EXPECT_EQ(only_error({.operation = Operation::kQuery}),
            (Error{.code = ErrorCode::kUnsupported, .where = "source.query_in"}));
}

TEST_F(ServeTest, Query_MayTakeSevenEighthsOfTheParentsTime) {
  for (const std::uint64_t time :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{8}, std::uint64_t{15},
        std::uint64_t{8'000}, std::uint64_t{3'599'999}, std::uint64_t{3'600'000},
        std::uint64_t{3'600'001}, std::numeric_limits<std::uint64_t>::max()})
    ask({.operation = Operation::kQuery, .time_ms = time});
  EXPECT_THAT(registry_.limits, ElementsAre(milliseconds(0), milliseconds(1), milliseconds(7),
                                            milliseconds(7), milliseconds(14), milliseconds(7'000),
                                            milliseconds(3'150'000), milliseconds(3'150'000),
                                            milliseconds(3'150'000), milliseconds(3'150'000)));
}

TEST_F(ServeTest, TextTables_GivesEachCandidate) {
  registry_.tables = {numbered_bytes(3), std::unexpected(kFailure), Bytes{}, numbered_bytes(9, 50)};
  const Reply reply = ask({.operation = Operation::kTextTables,
                           .time_ms = 8'000,
                           .numbers = {static_cast<std::uint32_t>(TextTable::kHelp),
                                       static_cast<std::uint32_t>(Language::kMachine)}});
  ASSERT_EQ(reply.parts.size(), 4U);
  ASSERT_TRUE(reply.parts[0] && reply.parts[2] && reply.parts[3]);
  EXPECT_THAT(*reply.parts[0], ElementsAreArray(numbered_bytes(3)));
  ASSERT_FALSE(reply.parts[1]);
  EXPECT_EQ(reply.parts[1].error(), kFailure);
  EXPECT_THAT(*reply.parts[2], IsEmpty());
  EXPECT_THAT(*reply.parts[3], ElementsAreArray(numbered_bytes(9, 50)));
  EXPECT_THAT(registry_.limits, ElementsAre(milliseconds(7'000)));
  ask({.operation = Operation::kTextTables, .numbers = {0, 0}});
  EXPECT_THAT(registry_.tables_asked,
              ElementsAre(std::pair(TextTable::kHelp, Language::kMachine),
                          std::pair(TextTable::kCounter, Language::kEnglish)));
}

TEST_F(ServeTest, TextTables_MayBeNone) {
  EXPECT_THAT(ask({.operation = Operation::kTextTables}).parts, IsEmpty());
}

TEST_F(ServeTest, TextTables_WithoutAPlaceIsAnErrorOfThatCandidate) {
  registry_.tables = {numbered_bytes(kRoom + 1), numbered_bytes(8)};
  const Reply reply = ask({.operation = Operation::kTextTables});
  ASSERT_EQ(reply.parts.size(), 2U);
  ASSERT_FALSE(reply.parts[0]);
  EXPECT_EQ(reply.parts[0].error(), (Error{.code = ErrorCode::kBufferLimit,
                                           .where = "worker.reply",
                                           .actual = kRoom + 1,
                                           .limit = kRoom}));
  ASSERT_TRUE(reply.parts[1]);
  EXPECT_THAT(*reply.parts[1], ElementsAreArray(numbered_bytes(8)));
}

TEST_F(ServeTest, WithoutTheSource_IsUnsupported) {
  WorkerService other(nullptr, nullptr);
  for (std::uint32_t number = 1; number <= kLastOperation; ++number) {
    const auto operation = static_cast<Operation>(number);
    if (operation == Operation::kEnd) continue;
    ASSERT_TRUE(write_request(memory_, {.operation = operation, .sequence = number}));
    EXPECT_TRUE(other.answer(memory_));
    const auto reply = read_reply(memory_, number);
    ASSERT_TRUE(reply) << number;
    ASSERT_EQ(reply->parts.size(), 1U);
    ASSERT_FALSE(reply->parts[0]);
    EXPECT_EQ(reply->parts[0].error(),
              (Error{.code = ErrorCode::kUnsupported, .where = where_of(operation)}));
  }
}

TEST_F(ServeTest, End_ReleasesTheRegistryAndIsTheLast) {
  ask({.operation = Operation::kQuery});
  EXPECT_EQ(registry_.releases, 0);
  EXPECT_THAT(ask({.operation = Operation::kEnd}).parts, IsEmpty());
  EXPECT_FALSE(goes_on_);
  EXPECT_EQ(registry_.releases, 1);
}

TEST_F(ServeTest, End_NeedsNoSource) {
  WorkerService other(nullptr, nullptr);
  ASSERT_TRUE(write_request(memory_, {.operation = Operation::kEnd, .sequence = 1}));
  EXPECT_FALSE(other.answer(memory_));
  EXPECT_TRUE(read_reply(memory_, 1));
}

TEST_F(ServeTest, RequestThatIsNone_IsAnsweredWithoutItsSequence) {
  for (const std::size_t spoiled : {0U, 4U, 24U}) {  // magic, version, operation
    ASSERT_TRUE(write_request(memory_, {.operation = Operation::kEnd, .sequence = 77}));
    memory_[spoiled] ^= std::byte{0x80};
    EXPECT_TRUE(service_.answer(memory_));
    const auto reply = read_reply(memory_, 77);
    ASSERT_FALSE(reply) << spoiled;
    EXPECT_EQ(reply.error().code, ErrorCode::kWorkerReply);
    EXPECT_STREQ(reply.error().where, "worker.reply");
    EXPECT_EQ(reply.error().actual, 0U);
    EXPECT_EQ(reply.error().limit, 77U);
    EXPECT_FALSE(read_marker(memory_).busy);
  }
  EXPECT_EQ(registry_.releases, 0);
}

TEST_F(ServeTest, WhatIsRegistered_IsAskedOfTheMachine) {
  perflib_.stored = numbered_bytes(2 * Guid::kBytes);
  EXPECT_EQ(only_bytes({.operation = Operation::kEnumerateCountersets, .whose = "server"}),
            numbered_bytes(2 * Guid::kBytes));
  EXPECT_EQ(
      only_bytes(
          {.operation = Operation::kEnumerateInstances, .guid = kCounterset, .whose = "\u20ac"}),
      numbered_bytes(2 * Guid::kBytes));
  EXPECT_EQ(
      only_bytes(
          {.operation = Operation::kQueryRegistration, .numbers = {3, 1033}, .guid = kCounterset}),
      numbered_bytes(2 * Guid::kBytes));
  const std::string guid = to_string(kCounterset);
  EXPECT_THAT(perflib_.calls,
              ElementsAre("enumerate_countersets server", "enumerate_instances \u20ac" + guid,
                          "query_registration " + guid + " 3 1033"));
}

TEST_F(ServeTest, PerflibsErrors_CrossWithTheirPlace) {
  perflib_.code = value_of(OsCode::kAccessDenied);
  for (const Operation operation :
       {Operation::kEnumerateCountersets, Operation::kEnumerateInstances,
        Operation::kQueryRegistration, Operation::kOpenSet}) {
    EXPECT_EQ(
        only_error({.operation = operation}),
        (Error{.code = ErrorCode::kAccessDenied, .where = where_of(operation), .os_code = 5}));
  }
}

TEST_F(ServeTest, PerflibsReply_MayFillTheMemoryAndNotMore) {
  open(1, {1});
  for (const Request& request : {Request{.operation = Operation::kEnumerateInstances},
                                 Request{.operation = Operation::kQueryRegistration},
                                 Request{.operation = Operation::kCollectSet, .numbers = {1}}}) {
    perflib_.stored = numbered_bytes(kRoom);
    EXPECT_EQ(only_bytes(request), numbered_bytes(kRoom));
    perflib_.stored = numbered_bytes(kRoom + 1);
    EXPECT_EQ(only_error(request), (Error{.code = ErrorCode::kBufferLimit,
                                          .where = where_of(request.operation),
                                          .actual = kRoom + 1,
                                          .limit = kRoom}));
  }
}

TEST_F(ServeTest, ASet_IsOpenedWithAPlaceForEachRequest) {
  perflib_.statuses[2] = value_of(OsCode::kGuidNotFound);
  const auto places = open(1, {1, 2, 3}, "server");
  ASSERT_EQ(places.size(), 3U);
  EXPECT_EQ(places[0], 1U);
  EXPECT_EQ(places[1].error(), (Error{.code = ErrorCode::kNotRegistered,
                                      .where = "perflib.add_counters",
                                      .os_code = value_of(OsCode::kGuidNotFound)}));
  EXPECT_EQ(places[2], 0U);
  EXPECT_THAT(take_calls(), ElementsAre("open_query server", "add_counters 7", "add_counters 7",
                                        "add_counters 7", "query_counter_info 7"));
  perflib_.stored = numbered_bytes(9);
  EXPECT_EQ(only_bytes({.operation = Operation::kCollectSet, .numbers = {1}, .whose = "server"}),
            numbered_bytes(9));
  EXPECT_THAT(take_calls(), ElementsAre("query_counter_data 7"));
}

TEST_F(ServeTest, ASet_ThatIsOpenedAgainIsChanged) {
  perflib_.statuses[2] = value_of(OsCode::kGuidNotFound);
  open(1, {1, 2});
  take_calls();
  open(1, {1, 2});
  EXPECT_THAT(take_calls(), ElementsAre("add_counters 7")) << "what was refused is tried again";
  perflib_.statuses.clear();
  EXPECT_THAT(open(1, {2, 3}), ElementsAre(ResultPlace(1U), ResultPlace(0U)));
  EXPECT_THAT(take_calls(), ElementsAre("delete_counters 7", "add_counters 7", "add_counters 7",
                                        "query_counter_info 7"));
  EXPECT_THAT(open(1, {3, 2}), ElementsAre(ResultPlace(0U), ResultPlace(1U)));
  EXPECT_THAT(take_calls(), IsEmpty());
}

TEST_F(ServeTest, Sets_AreNamedByTheParentAndOfOneMachineEach) {
  open(5, {1});
  open(6, {1});
  open(5, {1}, "server");
  take_calls();
  for (const auto& [set, machine] : {std::pair(5U, ""), {6U, ""}, {5U, "server"}})
    ask({.operation = Operation::kCollectSet, .numbers = {set}, .whose = machine});
  EXPECT_THAT(take_calls(),
              ElementsAre("query_counter_data 7", "query_counter_data 8", "query_counter_data 9"));
  EXPECT_THAT(ask({.operation = Operation::kCloseSet, .numbers = {5}}).parts, IsEmpty());
  EXPECT_THAT(take_calls(), ElementsAre("close_query 7"));
  EXPECT_THAT(perflib_.queries, ::testing::SizeIs(2));
  ask({.operation = Operation::kEnd});
  EXPECT_THAT(perflib_.queries, IsEmpty()) << "the end closes the others";
}

TEST_F(ServeTest, Sets_OfAMachineEndWithItsRelease) {
  open(1, {1}, "server");
  open(2, {1}, "other");
  ask({.operation = Operation::kRelease, .whose = "server"});
  EXPECT_THAT(perflib_.queries, ::testing::SizeIs(1));
}

TEST_F(ServeTest, ASet_ThatIsUnknownOrClosedOrHasFailedIsNotOpen) {
  open(1, {1});
  ask({.operation = Operation::kCloseSet, .numbers = {1}});
  open(2, {1});
  perflib_.code = value_of(OsCode::kAccessDenied);
  EXPECT_EQ(only_error({.operation = Operation::kCollectSet, .numbers = {2}}).code,
            ErrorCode::kAccessDenied);
  EXPECT_EQ(open(3, {1}).at(0).error().code, ErrorCode::kAccessDenied);
  perflib_.code = 0;
  EXPECT_THAT(perflib_.queries, IsEmpty());
  take_calls();
  for (const std::uint32_t set : {0U, 1U, 2U, 3U, 4U}) {
    const Error error = only_error({.operation = Operation::kCollectSet, .numbers = {set}});
    EXPECT_TRUE(is_not_open(error)) << set;
    EXPECT_EQ(
        error,
        (Error{.code = ErrorCode::kOsError, .where = "perflib.query_counter_data", .os_code = 6}));
    EXPECT_THAT(ask({.operation = Operation::kCloseSet, .numbers = {set}}).parts, IsEmpty());
  }
  EXPECT_THAT(perflib_.calls, IsEmpty());
}

TEST_F(ServeTest, ASet_MayBeOfNothing) {
  EXPECT_THAT(open(1, {}), IsEmpty());
  EXPECT_THAT(take_calls(), ElementsAre("open_query "));
}

// Whose adding takes so long that the parent would end the worker.
TEST_F(ServeTest, ASet_ThatTakesLongToOpenIsOpenedInPart) {
  std::vector<v2::CounterRequest> requests{{.counter_id = 1}, {.counter_id = 2}};
  perflib_.during_add = [] { std::this_thread::sleep_for(milliseconds(2)); };
  const Request request{.operation = Operation::kOpenSet,
                        .time_ms = 1,
                        .numbers = {1},
                        .text = as_text(v2::build_identifiers(requests))};
  const auto places = read_places(only_bytes(request), 2);
  ASSERT_TRUE(places);
  EXPECT_EQ(places->at(0), 0U);
  EXPECT_EQ(places->at(1).error(),
            (Error{.code = ErrorCode::kPending, .where = "perflib.add_counters"}));
  const auto others = read_places(only_bytes(request), 2);
  ASSERT_TRUE(others);
  EXPECT_EQ(others->at(0), 1U);
  EXPECT_EQ(others->at(1), 0U);
}

TEST_F(ServeTest, Identifiers_ThatAreNoneOpenNothing) {
  EXPECT_EQ(only_error({.operation = Operation::kOpenSet, .text = std::string(41, 'x')}).where,
            std::string_view("v2.identifier"));
  EXPECT_THAT(perflib_.calls, IsEmpty());
}

TEST_F(ServeTest, Marker_SaysWhatIsDoneAsLongAsItIsDone) {
  Marker during;
  registry_.provider = [&] { during = read_marker(memory_); };
  ask({.operation = Operation::kQuery, .text = "238 2"});
  EXPECT_TRUE(during.busy);
  EXPECT_EQ(during.operation, Operation::kQuery);
  EXPECT_EQ(during.text, "238 2");
  EXPECT_GT(during.since, Ticks100ns{});
  EXPECT_FALSE(read_marker(memory_).busy);
}

TEST_F(ServeTest, Reply_SaysHowLongItTook) {
  using Clock = std::chrono::steady_clock;
  Clock::duration in_provider{};
  registry_.provider = [&] {
    const auto began = Clock::now();
    while (Clock::now() - began < std::chrono::microseconds(100)) continue;
    in_provider = Clock::now() - began;
  };
  const auto before = Clock::now();
  const Reply reply = ask({.operation = Operation::kQuery});
  EXPECT_GE(reply.took, in_provider);
  EXPECT_LE(reply.took, Clock::now() - before);
}

TEST_F(ServeTest, Provider_CanNotLeaveAnotherRoundingMode) {
  const int before = std::fegetround();
  int during = before;
  registry_.provider = [&] {
    std::fesetround(FE_UPWARD);
    during = std::fegetround();
  };
  ask({.operation = Operation::kQuery});
  EXPECT_EQ(during, FE_UPWARD);
  EXPECT_NE(before, FE_UPWARD);
  EXPECT_EQ(std::fegetround(), before);
}

TEST_F(ServeTest, Provider_CanNotLeaveAnotherWorkingFolder) {
  const auto before = std::filesystem::current_path();
  auto during = before;
  registry_.provider = [&] {
    std::filesystem::current_path(before.root_path());
    during = std::filesystem::current_path();
  };
  ask({.operation = Operation::kQuery});
  EXPECT_NE(during, before);
  EXPECT_EQ(std::filesystem::current_path(), before);
}

TEST_F(ServeTest, Provider_CanNotLeaveAnotherLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  std::string during = before;
  registry_.provider = [&] {
    for (const char* const name : {"C.UTF-8", "en-US", "English"})
      if (std::setlocale(LC_ALL, name) != nullptr) break;
    during = std::setlocale(LC_ALL, nullptr);
  };
  ask({.operation = Operation::kQuery});
  EXPECT_NE(during, before) << "this machine has no other locale";
  EXPECT_EQ(std::setlocale(LC_ALL, nullptr), before);
}

TEST_F(ServeTest, Provider_IsCleanedUpAfterWhenItFails) {
  const int before = std::fegetround();
  registry_.provider = [] { std::fesetround(FE_DOWNWARD); };
  registry_.reply = std::unexpected(kFailure);
  EXPECT_EQ(only_error({.operation = Operation::kQuery}), kFailure);
  EXPECT_EQ(std::fegetround(), before);
}

// A parent that asks for a number of queries and then for the end, or is gone.
class FakeLink final : public ParentLink {
 public:
  int queries = 0;
  bool asks_for_the_end = false;
  int listens_to = 1'000;  // answers

  int answered = 0;

  std::span<std::byte> shared() override { return memory_; }
  bool wait() override {
    if (queries == 0 && !asks_for_the_end) return false;
    const auto operation = queries == 0 ? Operation::kEnd : Operation::kQuery;
    asks_for_the_end = asks_for_the_end && queries > 0;
    if (queries > 0) --queries;
    return write_request(memory_, {.operation = operation, .sequence = ++sequence_}).has_value();
  }
  bool answer() override {
    if (answered == listens_to) return false;
    ++answered;
    if (answered == 1) {
      EXPECT_TRUE(is_up(memory_)) << "it says so before it is asked";
      return true;
    }
    EXPECT_TRUE(read_reply(memory_, sequence_));
    return true;
  }

 private:
  std::vector<std::byte> memory_ = std::vector<std::byte>(kHeadBytes + kRoom);
  std::uint64_t sequence_ = 0;
};

TEST_F(ServeTest, Serve_GoesOnUntilTheEndIsAskedFor) {
  FakeLink link;
  link.queries = 3;
  link.asks_for_the_end = true;
  EXPECT_TRUE(service_.serve(link));
  EXPECT_EQ(link.answered, 5);
  EXPECT_EQ(registry_.asked.size(), 3U);
  EXPECT_EQ(registry_.releases, 1);
}

TEST_F(ServeTest, Serve_EndsWithTheParent) {
  FakeLink link;
  link.queries = 3;
  EXPECT_FALSE(service_.serve(link));
  EXPECT_EQ(link.answered, 4);
  EXPECT_EQ(registry_.asked.size(), 3U);
  EXPECT_EQ(registry_.releases, 0);
}

TEST_F(ServeTest, Serve_EndsWhenTheParentCannotBeTold) {
  FakeLink link;
  link.queries = 3;
  link.asks_for_the_end = true;
  link.listens_to = 2;
  EXPECT_FALSE(service_.serve(link));
  EXPECT_EQ(link.answered, 2);
  EXPECT_EQ(registry_.asked.size(), 2U);
  FakeLink deaf;
  deaf.queries = 1;
  deaf.listens_to = 0;
  EXPECT_FALSE(service_.serve(deaf));
  EXPECT_EQ(registry_.asked.size(), 2U) << "not even that it is up";
}

}  // namespace
}  // namespace winperf::worker
