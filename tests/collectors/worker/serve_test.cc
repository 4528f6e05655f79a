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
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/base/os_code.h"

namespace winperf::worker {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

constexpr std::size_t kRoom = 256;
constexpr Guid kCounterset{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};
constexpr Error kFailure{.code = ErrorCode::kOsError,
                         .where = "fake.query",
                         .offset = 1,
                         .actual = 2,
                         .limit = 3,
                         .os_code = 4};

Bytes counting_bytes(std::size_t size, int first = 1) {
  Bytes all(size);
  for (std::size_t i = 0; i < size; ++i)
    all[i] = static_cast<std::byte>(static_cast<std::size_t>(first) + i);
  return all;
}

// Answers everything alike, and notes what it was asked.
class FakeRegistry final : public CounterSource {
 public:
  std::expected<winperf::Reply, Error> reply = winperf::Reply{{counting_bytes(5)}};
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

// One call, with all arguments that its function has.
struct Call {
  std::string function;
  std::u16string machine{};
  Guid counterset{};
  std::uint32_t info = 0, argument = 0;
  std::uint64_t query = 0;
  std::size_t room = 0;  // what was offered: bytes, or GUIDs
  Bytes identifiers{};
  bool operator==(const Call&) const = default;
};

void PrintTo(const Call& call, std::ostream* out) {
  *out << call.function << " query " << call.query << " room " << call.room << " info " << call.info
       << " argument " << call.argument << " identifiers " << call.identifiers.size();
}

class FakePerflib final : public PerflibApi {
 public:
  std::uint32_t code = 0;
  std::uint32_t reported = 0;
  winperf::Bytes stored;     // as many of them as there is room for
  std::uint64_t opened = 7;  // the next handle
  std::vector<Call> calls;

  std::uint32_t enumerate_countersets(const std::u16string& machine, std::span<Guid> guids,
                                      std::uint32_t& actual) override {
    calls.push_back({.function = "enumerate_countersets", .machine = machine});
    return answer(std::as_writable_bytes(guids), guids.size(), actual);
  }
  std::uint32_t enumerate_instances(const std::u16string& machine, const Guid& counterset,
                                    Bytes buffer, std::uint32_t& actual) override {
    calls.push_back(
        {.function = "enumerate_instances", .machine = machine, .counterset = counterset});
    return answer(buffer, buffer.size(), actual);
  }
  std::uint32_t query_registration(const std::u16string& machine, const Guid& counterset,
                                   RegistrationInfo info, std::uint32_t argument, Bytes buffer,
                                   std::uint32_t& actual) override {
    calls.push_back({.function = "query_registration",
                     .machine = machine,
                     .counterset = counterset,
                     .info = static_cast<std::uint32_t>(info),
                     .argument = argument});
    return answer(buffer, buffer.size(), actual);
  }
  std::uint32_t open_query(const std::u16string& machine, PerflibHandle& query) override {
    calls.push_back({.function = "open_query", .machine = machine});
    query = PerflibHandle{opened++};
    return code;
  }
  std::uint32_t close_query(PerflibHandle query) override { return note("close_query", query); }
  std::uint32_t query_counter_info(PerflibHandle query, Bytes buffer,
                                   std::uint32_t& actual) override {
    note("query_counter_info", query);
    return answer(buffer, buffer.size(), actual);
  }
  std::uint32_t query_counter_data(PerflibHandle query, Bytes buffer,
                                   std::uint32_t& actual) override {
    note("query_counter_data", query);
    return answer(buffer, buffer.size(), actual);
  }
  std::uint32_t add_counters(PerflibHandle query, Bytes identifiers) override {
    return change("add_counters", query, identifiers);
  }
  std::uint32_t delete_counters(PerflibHandle query, Bytes identifiers) override {
    return change("delete_counters", query, identifiers);
  }

 private:
  std::uint32_t note(const char* function, PerflibHandle query) {
    calls.push_back({.function = function, .query = static_cast<std::uint64_t>(query)});
    return code;
  }
  std::uint32_t answer(Bytes buffer, std::size_t room, std::uint32_t& actual) {
    calls.back().room = room;
    std::copy_n(stored.begin(), std::min(stored.size(), buffer.size()), buffer.begin());
    actual = reported;
    return code;
  }
  std::uint32_t change(const char* function, PerflibHandle query, Bytes identifiers) {
    note(function, query);
    calls.back().identifiers.assign(identifiers.begin(), identifiers.end());
    std::ranges::reverse(identifiers);
    return code;
  }
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
    if (reply.parts.size() != 1 || !reply.parts.front()) return counting_bytes(1, 255);
    return {reply.parts.front()->begin(), reply.parts.front()->end()};
  }
  std::uint64_t open() {
    const Reply reply = ask({.operation = Operation::kOpenQuery});
    EXPECT_EQ(reply.os_code, 0U);
    return reply.number;
  }

  std::vector<std::byte> memory_ = std::vector<std::byte>(kHeadBytes + kRoom);
  std::uint64_t sequence_ = 100;
  bool goes_on_ = false;
  FakeRegistry registry_;
  FakePerflib perflib_;
  WorkerService service_{&registry_, &perflib_};
};

std::string as_bytes(std::u16string_view text) {
  return {reinterpret_cast<const char*>(text.data()), text.size() * sizeof(char16_t)};
}

std::string as_bytes(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST_F(ServeTest, Query_GivesTheBlockOfTheSource) {
  const Reply reply = ask({.operation = Operation::kQuery, .text = "238 2"});
  EXPECT_EQ(only_bytes(reply), counting_bytes(5));
  EXPECT_EQ(reply.number, 0U);
  EXPECT_EQ(reply.os_code, 0U);
  EXPECT_THAT(registry_.asked, ElementsAre("238 2"));
  EXPECT_TRUE(goes_on_);
}

TEST_F(ServeTest, Query_GivesTheErrorOfTheSource) {
  registry_.reply = std::unexpected(kFailure);
  EXPECT_EQ(only_error({.operation = Operation::kQuery, .text = "238"}), kFailure);
  EXPECT_TRUE(goes_on_);
}

TEST_F(ServeTest, Query_MayFillTheMemoryAndNotMore) {
  registry_.reply = winperf::Reply{{counting_bytes(kRoom)}};
  EXPECT_EQ(only_bytes({.operation = Operation::kQuery}), counting_bytes(kRoom));
  registry_.reply = winperf::Reply{{counting_bytes(kRoom + 1)}};
  EXPECT_EQ(only_error({.operation = Operation::kQuery}), (Error{.code = ErrorCode::kBufferLimit,
                                                                 .where = "source.query_in",
                                                                 .actual = kRoom + 1,
                                                                 .limit = kRoom}));
}

TEST_F(ServeTest, Query_IsOfOneBlock) {
  registry_.reply = winperf::Reply{{counting_bytes(5), counting_bytes(6)}};
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
  registry_.tables = {counting_bytes(3), std::unexpected(kFailure), Bytes{}, counting_bytes(9, 50)};
  const Reply reply = ask({.operation = Operation::kTextTables,
                           .time_ms = 8'000,
                           .numbers = {static_cast<std::uint32_t>(TextTable::kHelp),
                                       static_cast<std::uint32_t>(Language::kMachine)}});
  ASSERT_EQ(reply.parts.size(), 4U);
  ASSERT_TRUE(reply.parts[0] && reply.parts[2] && reply.parts[3]);
  EXPECT_THAT(*reply.parts[0], ElementsAreArray(counting_bytes(3)));
  ASSERT_FALSE(reply.parts[1]);
  EXPECT_EQ(reply.parts[1].error(), kFailure);
  EXPECT_THAT(*reply.parts[2], IsEmpty());
  EXPECT_THAT(*reply.parts[3], ElementsAreArray(counting_bytes(9, 50)));
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
  registry_.tables = {counting_bytes(kRoom + 1), counting_bytes(8)};
  const Reply reply = ask({.operation = Operation::kTextTables});
  ASSERT_EQ(reply.parts.size(), 2U);
  ASSERT_FALSE(reply.parts[0]);
  EXPECT_EQ(reply.parts[0].error(), (Error{.code = ErrorCode::kBufferLimit,
                                           .where = "worker.reply",
                                           .actual = kRoom + 1,
                                           .limit = kRoom}));
  ASSERT_TRUE(reply.parts[1]);
  EXPECT_THAT(*reply.parts[1], ElementsAreArray(counting_bytes(8)));
}

TEST_F(ServeTest, WithoutTheSource_IsUnsupported) {
  for (std::uint32_t number = 1; number <= kLastOperation; ++number) {
    const auto operation = static_cast<Operation>(number);
    if (operation == Operation::kEnd) continue;
    const bool of_registry = !is_perflib(operation);
    WorkerService other(of_registry ? nullptr : &registry_, of_registry ? &perflib_ : nullptr);
    ASSERT_TRUE(write_request(memory_, {.operation = operation, .sequence = number, .room = 16}));
    EXPECT_TRUE(other.answer(memory_));
    const auto reply = read_reply(memory_, number);
    ASSERT_TRUE(reply) << number;
    EXPECT_EQ(reply->os_code, 50U) << number;  // ERROR_NOT_SUPPORTED
    ASSERT_EQ(reply->parts.size(), 1U);
    ASSERT_FALSE(reply->parts[0]);
    EXPECT_EQ(reply->parts[0].error(),
              (Error{.code = ErrorCode::kUnsupported, .where = where_of(operation)}));
  }
  EXPECT_THAT(registry_.asked, IsEmpty());
  EXPECT_THAT(registry_.tables_asked, IsEmpty());
  EXPECT_THAT(perflib_.calls, IsEmpty());
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
  for (const std::size_t spoiled : {0U, 4U, 40U}) {  // magic, version, operation
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

TEST_F(ServeTest, EnumerateCountersets_GivesTheGuids) {
  perflib_.reported = 2;
  perflib_.stored = counting_bytes(2 * Guid::kBytes);
  const Reply reply = ask({.operation = Operation::kEnumerateCountersets,
                           .room = 3 * Guid::kBytes,
                           .text = as_bytes(u"server")});
  EXPECT_EQ(reply.os_code, 0U);
  EXPECT_EQ(reply.number, 2U);
  EXPECT_EQ(only_bytes(reply), counting_bytes(2 * Guid::kBytes));
  EXPECT_THAT(
      perflib_.calls,
      ElementsAre(Call{.function = "enumerate_countersets", .machine = u"server", .room = 3}));
}

TEST_F(ServeTest, EnumerateCountersets_OffersWholeGuids) {
  for (const std::uint64_t room : {0U, 15U, 16U, 31U, 32U, 256U, 272U})
    ask({.operation = Operation::kEnumerateCountersets, .room = room});
  std::vector<std::size_t> offered;
  for (const Call& call : perflib_.calls) offered.push_back(call.room);
  EXPECT_THAT(offered, ElementsAre(0, 0, 1, 1, 2, 16, 16));
}

TEST_F(ServeTest, EnumerateInstances_GivesTheBytes) {
  perflib_.reported = 11;
  perflib_.stored = counting_bytes(11);
  const Reply reply = ask({.operation = Operation::kEnumerateInstances,
                           .room = 20,
                           .guid = kCounterset,
                           .text = as_bytes(u"\u20ac")});
  EXPECT_EQ(reply.os_code, 0U);
  EXPECT_EQ(reply.number, 11U);
  EXPECT_EQ(only_bytes(reply), counting_bytes(11));
  EXPECT_THAT(perflib_.calls, ElementsAre(Call{.function = "enumerate_instances",
                                               .machine = u"\u20ac",
                                               .counterset = kCounterset,
                                               .room = 20}));
}

TEST_F(ServeTest, QueryRegistration_GivesTheBytes) {
  perflib_.reported = 20;
  perflib_.stored = counting_bytes(20);
  const Reply reply = ask({.operation = Operation::kQueryRegistration,
                           .room = 20,
                           .numbers = {3, 1033},
                           .guid = kCounterset});
  EXPECT_EQ(reply.os_code, 0U);
  EXPECT_EQ(reply.number, 20U);
  EXPECT_EQ(only_bytes(reply), counting_bytes(20));
  EXPECT_THAT(perflib_.calls, ElementsAre(Call{.function = "query_registration",
                                               .counterset = kCounterset,
                                               .info = 3,
                                               .argument = 1033,
                                               .room = 20}));
}

TEST_F(ServeTest, PerflibsErrors_ComeWithTheSizeAndWithoutBytes) {
  const std::uint64_t query = open();
  perflib_.code = value_of(OsCode::kNotEnoughMemory);
  perflib_.reported = 5'000;
  perflib_.stored = counting_bytes(16);
  for (const Operation operation : {Operation::kEnumerateCountersets,
                                    Operation::kEnumerateInstances, Operation::kQueryRegistration,
                                    Operation::kQueryCounterInfo, Operation::kQueryCounterData}) {
    const Reply reply = ask({.operation = operation, .handle = query, .room = 16});
    EXPECT_EQ(reply.os_code, 8U);
    EXPECT_EQ(reply.number, 5'000U);
    EXPECT_EQ(only_bytes(reply), Bytes{});
  }
}

TEST_F(ServeTest, PerflibsBuffer_IsNoLargerThanRequestedAndThanTheMemory) {
  const std::uint64_t query = open();
  for (const Operation operation : {Operation::kEnumerateInstances, Operation::kQueryRegistration,
                                    Operation::kQueryCounterInfo, Operation::kQueryCounterData}) {
    perflib_.calls.clear();
    for (const std::uint64_t room :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{kRoom - 1}, std::uint64_t{kRoom},
          std::uint64_t{kRoom + 1}, std::numeric_limits<std::uint64_t>::max()})
      ask({.operation = operation, .handle = query, .room = room});
    std::vector<std::size_t> offered;
    for (const Call& call : perflib_.calls) offered.push_back(call.room);
    EXPECT_THAT(offered, ElementsAre(0, 1, kRoom - 1, kRoom, kRoom, kRoom));
  }
}

TEST_F(ServeTest, Perflib_ThatStoresMoreThanTheMemoryIsNotBelieved) {
  perflib_.reported = kRoom + 1;
  ASSERT_TRUE(write_request(
      memory_, {.operation = Operation::kEnumerateInstances, .sequence = 5, .room = kRoom}));
  EXPECT_TRUE(service_.answer(memory_));
  const auto reply = read_reply(memory_, 5);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error(), (Error{.code = ErrorCode::kWorkerReply,
                                  .where = "worker.reply",
                                  .offset = kHeadBytes,
                                  .actual = kRoom + 1,
                                  .limit = kRoom}));
}

TEST_F(ServeTest, Handles_AreNumbersThatLeadToPerflibsOwn) {
  const std::uint64_t first = open();
  const std::uint64_t second = open();
  EXPECT_NE(first, second);
  EXPECT_NE(first, 0U);
  perflib_.calls.clear();
  perflib_.reported = 6;
  perflib_.stored = counting_bytes(6);
  const Reply info = ask({.operation = Operation::kQueryCounterInfo, .handle = second, .room = 8});
  EXPECT_EQ(info.number, 6U);
  EXPECT_EQ(only_bytes(info), counting_bytes(6));
  const Reply data = ask({.operation = Operation::kQueryCounterData, .handle = first, .room = 9});
  EXPECT_EQ(data.number, 6U);
  EXPECT_EQ(only_bytes(data), counting_bytes(6));
  EXPECT_THAT(perflib_.calls,
              ElementsAre(Call{.function = "query_counter_info", .query = 8, .room = 8},
                          Call{.function = "query_counter_data", .query = 7, .room = 9}));
}

TEST_F(ServeTest, Handles_AreStableAndNotGivenAgain) {
  const std::uint64_t first = open();
  const std::uint64_t second = open();
  EXPECT_EQ(ask({.operation = Operation::kCloseQuery, .handle = first}).os_code, 0U);
  EXPECT_EQ(perflib_.calls.back(), (Call{.function = "close_query", .query = 7}));
  const std::uint64_t third = open();
  EXPECT_NE(third, first);
  EXPECT_NE(third, second);
  ask({.operation = Operation::kQueryCounterData, .handle = second});
  EXPECT_EQ(perflib_.calls.back().query, 8U);
  ask({.operation = Operation::kQueryCounterData, .handle = third});
  EXPECT_EQ(perflib_.calls.back().query, 9U);
}

TEST_F(ServeTest, Handles_ThatAreUnknownOrClosedAreInvalid) {
  const std::uint64_t closed = open();
  const std::uint64_t other = open();
  ask({.operation = Operation::kCloseQuery, .handle = closed});
  perflib_.calls.clear();
  const Bytes identifiers = counting_bytes(24);
  for (const std::uint64_t handle :
       {std::uint64_t{0}, closed, other + 1, std::numeric_limits<std::uint64_t>::max(),
        other + (std::uint64_t{1} << 32)}) {
    for (const Operation operation :
         {Operation::kCloseQuery, Operation::kQueryCounterInfo, Operation::kQueryCounterData,
          Operation::kAddCounters, Operation::kDeleteCounters}) {
      Request request{.operation = operation, .handle = handle, .room = 8};
      if (operation >= Operation::kAddCounters) request.whose = as_bytes(identifiers);
      const Reply reply = ask(request);
      EXPECT_EQ(reply.os_code, 6U) << handle;  // ERROR_INVALID_HANDLE
      EXPECT_EQ(only_bytes(reply), Bytes{});
    }
  }
  EXPECT_THAT(perflib_.calls, IsEmpty());
}

TEST_F(ServeTest, Handles_OfQueriesThatCouldNotBeOpenedAreInvalid) {
  perflib_.code = value_of(OsCode::kAccessDenied);
  const Reply refused = ask({.operation = Operation::kOpenQuery, .text = as_bytes(u"\\\\server")});
  EXPECT_EQ(refused.os_code, 5U);
  EXPECT_THAT(perflib_.calls,
              ElementsAre(Call{.function = "open_query", .machine = u"\\\\server"}));
  perflib_.code = 0;
  const Reply used = ask({.operation = Operation::kQueryCounterData, .handle = refused.number});
  EXPECT_EQ(used.os_code, 6U);
  EXPECT_NE(open(), refused.number);
}

TEST_F(ServeTest, Handles_AreGoneWithAFailedCloseToo) {
  const std::uint64_t query = open();
  perflib_.code = value_of(OsCode::kInvalidParameter);
  EXPECT_EQ(ask({.operation = Operation::kCloseQuery, .handle = query}).os_code, 87U);
  perflib_.code = 0;
  EXPECT_EQ(ask({.operation = Operation::kCloseQuery, .handle = query}).os_code, 6U);
}

TEST_F(ServeTest, Identifiers_ComeBackChanged) {
  const std::uint64_t query = open();
  Bytes identifiers = counting_bytes(40);
  Bytes changed = identifiers;
  std::ranges::reverse(changed);
  for (const std::uint32_t code : {0U, 87U}) {
    perflib_.code = code;
    perflib_.calls.clear();
    const Reply added = ask(
        {.operation = Operation::kAddCounters, .handle = query, .whose = as_bytes(identifiers)});
    EXPECT_EQ(added.os_code, code);
    EXPECT_EQ(only_bytes(added), changed);
    const Reply deleted = ask(
        {.operation = Operation::kDeleteCounters, .handle = query, .whose = as_bytes(identifiers)});
    EXPECT_EQ(deleted.os_code, code);
    EXPECT_EQ(only_bytes(deleted), changed);
    EXPECT_THAT(
        perflib_.calls,
        ElementsAre(Call{.function = "add_counters", .query = 7, .identifiers = identifiers},
                    Call{.function = "delete_counters", .query = 7, .identifiers = identifiers}));
  }
}

TEST_F(ServeTest, Identifiers_MayBeNone) {
  const std::uint64_t query = open();
  perflib_.calls.clear();
  EXPECT_EQ(ask({.operation = Operation::kAddCounters, .handle = query}).os_code, 0U);
  EXPECT_EQ(ask({.operation = Operation::kDeleteCounters, .handle = query}).os_code, 0U);
  EXPECT_THAT(perflib_.calls, ElementsAre(Call{.function = "add_counters", .query = 7},
                                          Call{.function = "delete_counters", .query = 7}));
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
