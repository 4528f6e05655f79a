#include "collectors/worker/frame.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace winperf::worker {
namespace {

using Memory = std::vector<std::byte>;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

constexpr std::uint64_t kSequence = 0x0123'4567'89AB'CDEF;
constexpr std::uint64_t kHighBit = std::uint64_t{1} << 63;
constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint32_t kHuge32 = std::numeric_limits<std::uint32_t>::max();

// Where the fields are, for what only a broken or hostile process would write.
constexpr std::uint32_t kMagic = 0x46575057;

namespace at {
constexpr std::size_t kRequest = 0;
constexpr std::size_t kRequestVersion = 4;
constexpr std::size_t kOperation = 24;
constexpr std::size_t kTextBytes = 36;
constexpr std::size_t kWhoseBytes = 40;
constexpr std::size_t kReply = 64;
constexpr std::size_t kReplyVersion = kReply + 4;
constexpr std::size_t kReplySequence = kReply + 8;
constexpr std::size_t kNanoseconds = kReply + 24;
constexpr std::size_t kPartCount = kReply + 32;
constexpr std::size_t part(std::size_t i) { return kReply + 40 + i * 96; }
constexpr std::size_t failed(std::size_t i) { return part(i) + 8; }
constexpr std::size_t error_code(std::size_t i) { return part(i) + 16; }
constexpr std::size_t kMarker = part(kMaxParts);
constexpr std::size_t kMarkerOperation = kMarker + 4;
constexpr std::size_t kMarkerTextBytes = kMarker + 16;
}  // namespace at

template <class Number>
void overwrite(Memory& memory, std::size_t where, Number value) {
  std::memcpy(memory.data() + where, &value, sizeof value);
}

template <class Number>
Number get(const Memory& memory, std::size_t where) {
  Number value{};
  std::memcpy(&value, memory.data() + where, sizeof value);
  return value;
}

Memory memory_with(std::size_t room) { return Memory(kHeadBytes + room); }

Memory counting_bytes(std::size_t size, int first = 1) {
  Memory all(size);
  for (std::size_t i = 0; i < size; ++i)
    all[i] = static_cast<std::byte>(static_cast<std::size_t>(first) + i);
  return all;
}

std::size_t place_of(std::span<const std::byte> part, const Memory& memory) {
  return static_cast<std::size_t>(part.data() - memory.data());
}

Error wrong_reply(std::uint64_t offset, std::uint64_t actual, std::uint64_t limit) {
  return {.code = ErrorCode::kWorkerReply,
          .where = "worker.reply",
          .offset = offset,
          .actual = actual,
          .limit = limit};
}

Error wrong_request(std::uint64_t offset, std::uint64_t actual, std::uint64_t limit) {
  return {.code = ErrorCode::kWorkerReply,
          .where = "worker.request",
          .offset = offset,
          .actual = actual,
          .limit = limit};
}

std::string text_of(const Memory& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Request full_request(std::string_view text, const Memory& input) {
  return {.operation = Operation::kOpenSet,
          .sequence = kSequence,
          .time_ms = kHuge,
          .numbers = {kHuge32, 7},
          .guid = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}},
          .text = std::string(text),
          .whose = text_of(input)};
}

TEST(Request, ArrivesWhole) {
  Memory memory = memory_with(64);
  const Memory input = counting_bytes(5, 200);
  const Request sent = full_request("238 2", input);
  ASSERT_TRUE(write_request(memory, sent));
  const auto request = read_request(memory);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->text, "238 2");
  EXPECT_EQ(request->whose, text_of(input));
  EXPECT_EQ(request->operation, sent.operation);
  EXPECT_EQ(request->sequence, sent.sequence);
  EXPECT_EQ(request->time_ms, sent.time_ms);
  EXPECT_EQ(request->numbers, sent.numbers);
  EXPECT_EQ(request->guid, sent.guid);
}

TEST(Request, IsOwnedByWhoReadIt) {
  Memory memory = memory_with(64);
  ASSERT_TRUE(write_request(memory, full_request("238", counting_bytes(3))));
  const auto request = read_request(memory);
  std::ranges::fill(memory, std::byte{0xEE});
  ASSERT_TRUE(request);
  EXPECT_EQ(request->text, "238");
  EXPECT_EQ(request->whose, text_of(counting_bytes(3)));
}

TEST(Request, MayBeEmpty) {
  Memory memory = memory_with(0);
  ASSERT_TRUE(write_request(memory, {.operation = Operation::kEnd}));
  const auto request = read_request(memory);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->text, "");
  EXPECT_EQ(request->whose, "");
  EXPECT_EQ(request->operation, Operation::kEnd);
}

TEST(Request, MayHaveAnyBytesAsItsText) {
  Memory memory = memory_with(8);
  const std::string_view text("a\0\xff\n", 4);
  ASSERT_TRUE(write_request(memory, {.operation = Operation::kQuery, .text = std::string(text)}));
  const auto request = read_request(memory);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->text, text);
}

TEST(Request, MayFillTheMemoryAndNotMore) {
  Memory memory = memory_with(100);
  const std::string text(60, 't');
  ASSERT_TRUE(write_request(memory, full_request(text, counting_bytes(40))));
  const auto request = read_request(memory);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->text, text);
  EXPECT_EQ(request->whose, text_of(counting_bytes(40)));

  const Memory before = memory;
  const auto written = write_request(memory, full_request(text + 't', counting_bytes(40)));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error(), (Error{.code = ErrorCode::kLimitExceeded,
                                    .where = "worker.request",
                                    .actual = 101,
                                    .limit = 100}));
  EXPECT_EQ(memory, before);
}

TEST(Request, MayHaveOneMebibyteOfTexts) {
  EXPECT_EQ(kMaxRequestBytes, 1'048'576U);
  Memory memory = memory_with(kMaxRequestBytes + 100);
  const std::string text(kMaxRequestBytes, 't');
  ASSERT_TRUE(write_request(memory, full_request(text, {})));
  const auto request = read_request(memory);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->text, text);

  const auto written = write_request(memory, full_request(text, counting_bytes(1)));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error(), (Error{.code = ErrorCode::kLimitExceeded,
                                    .where = "worker.request",
                                    .actual = 1'048'577,
                                    .limit = 1'048'576}));

  overwrite(memory, at::kTextBytes, std::uint32_t{1'048'577});
  const auto falsified = read_request(memory);
  ASSERT_FALSE(falsified);
  EXPECT_EQ(falsified.error(), wrong_request(kHeadBytes, 1'048'577, 1'048'576));
}

TEST(Request, MayBeOfEachOperation) {
  Memory memory = memory_with(8);
  for (std::uint32_t number = 1; number <= kLastOperation; ++number) {
    ASSERT_TRUE(write_request(memory, {.operation = static_cast<Operation>(number)}));
    const auto request = read_request(memory);
    ASSERT_TRUE(request) << number;
    EXPECT_EQ(static_cast<std::uint32_t>(request->operation), number);
  }
  EXPECT_EQ(kLastOperation, 15U);
}

TEST(Request, IsRefusedIfItIsNone) {
  const Memory nothing = memory_with(8);
  const auto request = read_request(nothing);
  ASSERT_FALSE(request);
  EXPECT_EQ(request.error(), wrong_request(at::kRequest, 0, kMagic));
}

TEST(Request, IsRefusedIfAFieldIsWrong) {
  struct Row {
    std::size_t where;
    std::uint32_t value;
    Error error;
  };
  // Ten bytes of text and six of input, in a memory that has room for twenty.
  for (const Row& row :
       {Row{at::kRequestVersion, 0, wrong_request(at::kRequest, 0, 4)},
        Row{at::kRequestVersion, 1, wrong_request(at::kRequest, 1, 4)},
        Row{at::kRequestVersion, 3, wrong_request(at::kRequest, 3, 4)},
        Row{at::kOperation, 0, wrong_request(at::kRequest, 0, 15)},
        Row{at::kOperation, 16, wrong_request(at::kRequest, 16, 15)},
        Row{at::kOperation, kHuge32, wrong_request(at::kRequest, kHuge32, 15)},
        Row{at::kTextBytes, 15, wrong_request(kHeadBytes, 21, 20)},
        Row{at::kTextBytes, kHuge32, wrong_request(kHeadBytes, std::uint64_t{kHuge32} + 6, 20)},
        Row{at::kWhoseBytes, 11, wrong_request(kHeadBytes, 21, 20)},
        Row{at::kWhoseBytes, kHuge32 - 9,
            wrong_request(kHeadBytes, std::uint64_t{kHuge32} + 1, 20)}}) {
    Memory memory = memory_with(20);
    ASSERT_TRUE(write_request(memory, full_request("0123456789", counting_bytes(6))));
    overwrite(memory, row.where, row.value);
    const auto request = read_request(memory);
    ASSERT_FALSE(request) << row.where << ' ' << row.value;
    EXPECT_EQ(request.error(), row.error) << row.where << ' ' << row.value;
  }
}

TEST(Request, IsRefusedIfItsMagicIsWrong) {
  Memory memory = memory_with(8);
  ASSERT_TRUE(write_request(memory, {.operation = Operation::kQuery}));
  overwrite(memory, at::kRequest, get<std::uint32_t>(memory, at::kRequest) ^ 1U);
  const auto request = read_request(memory);
  ASSERT_FALSE(request);
  EXPECT_EQ(request.error().code, ErrorCode::kWorkerReply);
  EXPECT_STREQ(request.error().where, "worker.request");
  EXPECT_EQ(request.error().offset, at::kRequest);
}

TEST(Request, TakesTheReplyBeforeAway) {
  Memory memory = memory_with(8);
  ReplyWriter(memory, kSequence).finish();
  ASSERT_TRUE(read_reply(memory, kSequence));
  ASSERT_TRUE(write_request(memory, {.operation = Operation::kQuery, .sequence = kSequence}));
  const auto reply = read_reply(memory, kSequence);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error(), wrong_reply(at::kReply, 0, kMagic));
}

TEST(Reply, ArrivesWhole) {
  Memory memory = memory_with(64);
  const Error error{.code = ErrorCode::kTimedOut,
                    .where = "registry.query",
                    .offset = 1,
                    .actual = 2,
                    .limit = kHuge,
                    .os_code = 170};
  ReplyWriter writer(memory, kSequence);
  writer.add(counting_bytes(3));
  writer.add(error);
  writer.add(Memory{});
  std::ranges::copy(counting_bytes(8, 50), writer.room().first(8).begin());
  writer.add_filled(8);
  writer.add(counting_bytes(1, 90));
  writer.finish(kHuge);

  const auto reply = read_reply(memory, kSequence);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->number, kHuge);
  const auto& parts = reply->parts;
  ASSERT_EQ(parts.size(), 5U);
  ASSERT_TRUE(parts[0] && parts[2] && parts[3] && parts[4]);
  EXPECT_THAT(*parts[0], ElementsAreArray(counting_bytes(3)));
  ASSERT_FALSE(parts[1]);
  EXPECT_EQ(parts[1].error(), error);
  EXPECT_THAT(*parts[2], IsEmpty());
  EXPECT_THAT(*parts[3], ElementsAreArray(counting_bytes(8, 50)));
  EXPECT_THAT(*parts[4], ElementsAreArray(counting_bytes(1, 90)));
  // Each begins at a multiple of eight.
  EXPECT_EQ(place_of(*parts[0], memory), kHeadBytes);
  EXPECT_EQ(place_of(*parts[3], memory), kHeadBytes + 8);
  EXPECT_EQ(place_of(*parts[4], memory), kHeadBytes + 16);
}

TEST(Reply, HasTheTimeThatItsWorkerSays) {
  Memory memory = memory_with(16);
  ReplyWriter writer(memory, kSequence);
  writer.add(counting_bytes(3));
  writer.finish(7);
  EXPECT_EQ(read_reply(memory, kSequence)->took, std::chrono::nanoseconds(0));
  write_time(memory, std::chrono::nanoseconds(1'234'567'890'123));
  const auto reply = read_reply(memory, kSequence);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->took, std::chrono::nanoseconds(1'234'567'890'123));
  EXPECT_EQ(reply->number, 7U);
  EXPECT_THAT(reply->parts, ::testing::SizeIs(1));
}

TEST(Reply, MayHaveNoParts) {
  Memory memory = memory_with(0);
  ReplyWriter(memory, 0).finish();
  const auto reply = read_reply(memory, 0);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->number, 0U);
  EXPECT_THAT(reply->parts, IsEmpty());
}

TEST(Reply, IsNoneBeforeItIsFinished) {
  Memory memory = memory_with(8);
  ReplyWriter writer(memory, kSequence);
  writer.add(counting_bytes(8));
  const auto reply = read_reply(memory, kSequence);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error(), wrong_reply(at::kReply, 0, kMagic));
}

TEST(Reply, PartMayFillTheMemoryAndNotMore) {
  for (const std::size_t room : {16U, 15U, 9U, 1U}) {
    Memory memory = memory_with(room);
    ReplyWriter writer(memory, kSequence);
    writer.add(counting_bytes(room + 1));
    writer.add(counting_bytes(room));
    EXPECT_EQ(writer.room().size(), 0U);
    writer.add(counting_bytes(1));
    writer.finish();
    const auto reply = read_reply(memory, kSequence);
    ASSERT_TRUE(reply) << room;
    ASSERT_EQ(reply->parts.size(), 3U);
    ASSERT_FALSE(reply->parts[0]);
    EXPECT_EQ(reply->parts[0].error(), (Error{.code = ErrorCode::kBufferLimit,
                                              .where = "worker.reply",
                                              .actual = room + 1,
                                              .limit = room}));
    ASSERT_TRUE(reply->parts[1]);
    EXPECT_THAT(*reply->parts[1], ElementsAreArray(counting_bytes(room)));
    ASSERT_FALSE(reply->parts[2]);
    EXPECT_EQ(
        reply->parts[2].error(),
        (Error{.code = ErrorCode::kBufferLimit, .where = "worker.reply", .actual = 1, .limit = 0}));
  }
}

TEST(Reply, SecondPartMayFillTheRest) {
  Memory memory = memory_with(20);
  ReplyWriter writer(memory, kSequence);
  writer.add(counting_bytes(1));
  EXPECT_EQ(writer.room().size(), 12U);
  writer.add(counting_bytes(13));
  writer.add(counting_bytes(12));
  writer.finish();
  const auto reply = read_reply(memory, kSequence);
  ASSERT_TRUE(reply);
  ASSERT_EQ(reply->parts.size(), 3U);
  ASSERT_FALSE(reply->parts[1]);
  EXPECT_EQ(reply->parts[1].error().actual, 13U);
  EXPECT_EQ(reply->parts[1].error().limit, 12U);
  ASSERT_TRUE(reply->parts[2]);
  EXPECT_THAT(*reply->parts[2], ElementsAreArray(counting_bytes(12)));
}

TEST(Reply, EmptyPartBehindAFullMemoryLiesWithinIt) {
  for (const std::size_t room : {16U, 13U}) {
    Memory memory = memory_with(room);
    ReplyWriter writer(memory, kSequence);
    writer.add(counting_bytes(room));
    writer.add(Memory{});
    writer.finish();
    const auto reply = read_reply(memory, kSequence);
    ASSERT_TRUE(reply);
    ASSERT_EQ(reply->parts.size(), 2U);
    ASSERT_TRUE(reply->parts[1]);
    EXPECT_THAT(*reply->parts[1], IsEmpty());
    EXPECT_LE(place_of(*reply->parts[1], memory), memory.size()) << room;
  }
}

TEST(Reply, HasAtMostEightParts) {
  EXPECT_EQ(kMaxParts, 8U);
  Memory memory = memory_with(128);
  ReplyWriter writer(memory, kSequence);
  for (int i = 0; i < 10; ++i) writer.add(counting_bytes(4, i));
  writer.finish(3);
  const auto reply = read_reply(memory, kSequence);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->number, 3U);
  ASSERT_EQ(reply->parts.size(), 8U);
  for (int i = 0; i < 8; ++i) {
    const auto& part = reply->parts.at(static_cast<std::size_t>(i));
    ASSERT_TRUE(part);
    EXPECT_THAT(*part, ElementsAreArray(counting_bytes(4, i))) << i;
  }
}

// A sound reply in 32 bytes: five bytes, an error, seven bytes.
class FalsifiedReply : public ::testing::Test {
 protected:
  FalsifiedReply() {
    ReplyWriter writer(memory_, kSequence);
    writer.add(counting_bytes(5));
    writer.add(Error{.code = ErrorCode::kBusy, .where = "registry.query"});
    writer.add(counting_bytes(7));
    writer.finish();
  }
  // What comes of the reply with one field changed.
  template <class Number>
  std::expected<Reply, Error> with(std::size_t where, Number value) {
    const Memory sound = memory_;
    overwrite(memory_, where, value);
    auto reply = read_reply(memory_, kSequence);
    falsified_ = std::exchange(memory_, sound);
    return reply;
  }
  template <class Number>
  Error error_with(std::size_t where, Number value) {
    const auto reply = with(where, value);
    EXPECT_FALSE(reply) << where << ' ' << value;
    return reply ? Error{} : reply.error();
  }

  Memory memory_ = memory_with(32);
  Memory falsified_;  // keeps the parts' bytes
};

TEST_F(FalsifiedReply, IsSoundAtFirst) {
  const auto reply = read_reply(memory_, kSequence);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->parts.size(), 3U);
}

TEST_F(FalsifiedReply, TookNoLongerThanATimeCan) {
  constexpr auto kLongest = std::chrono::nanoseconds::max();
  constexpr auto kMost = static_cast<std::uint64_t>(kLongest.count());
  EXPECT_EQ(with(at::kNanoseconds, kMost)->took, kLongest);
  EXPECT_EQ(with(at::kNanoseconds, kMost + 1)->took, kLongest);
  EXPECT_EQ(with(at::kNanoseconds, kMost - 1)->took.count(), kLongest.count() - 1);
}

TEST_F(FalsifiedReply, IsRefusedForItsMagic) {
  const auto magic = get<std::uint32_t>(memory_, at::kReply);
  for (const std::uint32_t other : {0U, magic + 1, magic ^ 0x80000000U}) {
    const Error error = error_with(at::kReply, other);
    EXPECT_EQ(error.code, ErrorCode::kWorkerReply);
    EXPECT_STREQ(error.where, "worker.reply");
    EXPECT_EQ(error.offset, at::kReply);
  }
}

TEST_F(FalsifiedReply, IsRefusedForItsVersion) {
  for (const std::uint32_t version : {0U, 1U, 3U, 5U, kHuge32})
    EXPECT_EQ(error_with(at::kReplyVersion, version), wrong_reply(at::kReply, version, 4));
}

TEST_F(FalsifiedReply, IsRefusedForItsSequence) {
  for (const std::uint64_t sequence :
       {std::uint64_t{0}, kSequence - 1, kSequence + 1, kSequence & kHuge32, kHuge})
    EXPECT_EQ(error_with(at::kReplySequence, sequence),
              wrong_reply(at::kReply, sequence, kSequence));
}

TEST_F(FalsifiedReply, IsRefusedForTooManyParts) {
  for (const std::uint32_t count : {9U, 0x80000000U, kHuge32})
    EXPECT_EQ(error_with(at::kPartCount, count), wrong_reply(at::kReply, count, 8));
  const auto reply = with(at::kPartCount, std::uint32_t{8});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->parts.size(), 8U);
  EXPECT_EQ(with(at::kPartCount, std::uint32_t{1})->parts.size(), 1U);
  EXPECT_EQ(with(at::kPartCount, std::uint32_t{0})->parts.size(), 0U);
}

TEST_F(FalsifiedReply, IsRefusedForAPartThatIsTooLarge) {
  for (const std::uint64_t size : {std::uint64_t{33}, std::uint64_t{kHuge32} + 1, kHighBit - 1,
                                   kHighBit, kHuge - kHeadBytes, kHuge - 7, kHuge})
    EXPECT_EQ(error_with(at::part(0), size), wrong_reply(kHeadBytes, size, 32));
  for (const std::uint64_t size :
       {std::uint64_t{25}, kHighBit, kHuge - kHeadBytes - 8, kHuge - 7, kHuge})
    EXPECT_EQ(error_with(at::part(2), size), wrong_reply(kHeadBytes + 8, size, 24));
}

TEST_F(FalsifiedReply, IsTakenWithPartsThatJustFit) {
  const auto last = with(at::part(2), std::uint64_t{24});
  ASSERT_TRUE(last);
  ASSERT_TRUE(last->parts[2]);
  EXPECT_EQ(last->parts[2]->size(), 24U);
  const auto first = with(at::part(0), std::uint64_t{24});
  ASSERT_TRUE(first);
  ASSERT_TRUE(first->parts[2]);
  EXPECT_EQ(place_of(*first->parts[2], falsified_), kHeadBytes + 24);
}

TEST_F(FalsifiedReply, IsRefusedForPartsThatAreTooLargeTogether) {
  EXPECT_EQ(error_with(at::part(0), std::uint64_t{32}), wrong_reply(kHeadBytes + 32, 7, 0));
  EXPECT_EQ(error_with(at::part(0), std::uint64_t{31}), wrong_reply(kHeadBytes + 32, 7, 0));
  // Rounded up to 32.
  EXPECT_EQ(error_with(at::part(0), std::uint64_t{25}), wrong_reply(kHeadBytes + 32, 7, 0));
}

TEST_F(FalsifiedReply, IsRefusedForAnErrorThatDoesNotExist) {
  constexpr auto kCount = static_cast<std::uint32_t>(kErrorCodeCount);
  for (const std::uint32_t code : {kCount, kCount + 1, 0x100U, kHuge32})
    EXPECT_EQ(error_with(at::error_code(1), code), wrong_reply(at::kReply, code, kCount));
  const auto reply = with(at::error_code(1), kCount - 1);
  ASSERT_TRUE(reply);
  ASSERT_FALSE(reply->parts[1]);
  EXPECT_EQ(reply->parts[1].error().code, ErrorCode::kOsError);
}

TEST_F(FalsifiedReply, HasAnErrorWhereAPartIsSaidToHaveFailed) {
  const auto reply = with(at::failed(0), std::uint32_t{1});
  ASSERT_TRUE(reply);
  ASSERT_FALSE(reply->parts[0]);
  EXPECT_EQ(reply->parts[0].error(), Error{.code = ErrorCode::kTruncated});
  ASSERT_TRUE(reply->parts[2]);
  EXPECT_EQ(place_of(*reply->parts[2], falsified_), kHeadBytes);
}

class MarkerTest : public ::testing::Test {
 protected:
  static constexpr Ticks100ns kNow{133'000'000'000'000'000};

  Marker marker_of(std::string_view text) {
    write_marker(memory_, {.operation = Operation::kQuery, .text = std::string(text)}, kNow);
    return read_marker(memory_);
  }
  void expect_idle() {
    const Marker marker = read_marker(memory_);
    EXPECT_FALSE(marker.busy);
    EXPECT_EQ(marker.operation, Operation{});
    EXPECT_EQ(marker.text, "");
    EXPECT_EQ(marker.since, Ticks100ns{});
  }

  Memory memory_ = memory_with(64);
};

TEST_F(MarkerTest, IsIdleAtFirst) { expect_idle(); }

TEST_F(MarkerTest, SaysWhatIsDoneAndSinceWhen) {
  const Marker marker = marker_of("238 2");
  EXPECT_TRUE(marker.busy);
  EXPECT_EQ(marker.operation, Operation::kQuery);
  EXPECT_EQ(marker.text, "238 2");
  EXPECT_EQ(marker.since, kNow);
}

TEST_F(MarkerTest, IsIdleAfterItIsCleared) {
  ASSERT_TRUE(marker_of("238").busy);
  clear_marker(memory_);
  expect_idle();
}

TEST_F(MarkerTest, StaysThroughRequestAndReply) {
  ASSERT_TRUE(marker_of("238").busy);
  ReplyWriter writer(memory_, kSequence);
  for (std::size_t i = 0; i < kMaxParts; ++i)
    writer.add(Error{.code = ErrorCode::kBusy, .actual = kHuge});
  writer.finish(kHuge);
  EXPECT_EQ(read_marker(memory_).text, "238");
  ASSERT_TRUE(write_request(memory_, full_request("230", counting_bytes(8))));
  EXPECT_EQ(read_marker(memory_).text, "238");
}

TEST_F(MarkerTest, LeavesRequestAndReplyAsTheyAre) {
  ASSERT_TRUE(write_request(memory_, full_request("230", counting_bytes(8))));
  ReplyWriter(memory_, kSequence).finish(5);
  Memory before = memory_;
  ASSERT_EQ(marker_of(std::string(300, 'x')).text.size(), 200U);
  clear_marker(memory_);
  EXPECT_EQ(memory_, before);
}

TEST_F(MarkerTest, HasTheFirst200BytesOfALongText) {
  const std::string text = std::string(199, 'x') + "yz";
  EXPECT_EQ(marker_of(text.substr(0, 199)).text, text.substr(0, 199));
  EXPECT_EQ(marker_of(text.substr(0, 200)).text, text.substr(0, 200));
  EXPECT_EQ(marker_of(text).text, text.substr(0, 200));
}

TEST_F(MarkerTest, HasAQuestionMarkForWhatIsNotPrintable) {
  EXPECT_EQ(marker_of(std::string_view("\0a\n\x1f ~\x7f\xc3\xa9\xff", 10)).text, "?a?? ~????");
}

TEST_F(MarkerTest, IsIdleIfItIsFalsified) {
  struct Row {
    std::size_t where;
    std::uint32_t value;
  };
  for (const Row& row : {Row{at::kMarker, 0}, Row{at::kMarker, 2}, Row{at::kMarker, kHuge32},
                         Row{at::kMarkerOperation, 0}, Row{at::kMarkerOperation, 17},
                         Row{at::kMarkerOperation, kHuge32}, Row{at::kMarkerTextBytes, 201},
                         Row{at::kMarkerTextBytes, kHuge32}}) {
    ASSERT_TRUE(marker_of("238").busy);
    overwrite(memory_, row.where, row.value);
    SCOPED_TRACE(std::to_string(row.where) + ' ' + std::to_string(row.value));
    expect_idle();
  }
}

TEST_F(MarkerTest, IsBelievedUpToItsLimits) {
  ASSERT_TRUE(marker_of("238").busy);
  overwrite(memory_, at::kMarkerTextBytes, std::uint32_t{200});
  overwrite(memory_, at::kMarkerOperation, std::uint32_t{15});
  const Marker marker = read_marker(memory_);
  EXPECT_TRUE(marker.busy);
  EXPECT_EQ(marker.operation, Operation::kPdh);
  EXPECT_EQ(marker.text, "238" + std::string(197, '?'));
}

TEST(WhereOf, NamesEachOperation) {
  struct Row {
    Operation operation;
    const char* name;
  };
  for (const Row& row :
       {Row{Operation{}, "worker"}, Row{Operation::kQuery, "registry.query"},
        Row{Operation::kTextTables, "registry.text_tables"}, Row{Operation::kEnd, "worker.end"},
        Row{Operation::kEnumerateCountersets, "perflib.enumerate_countersets"},
        Row{Operation::kEnumerateInstances, "perflib.enumerate_instances"},
        Row{Operation::kQueryRegistration, "perflib.query_registration"},
        Row{Operation::kOpenSet, "perflib.open_query"},
        Row{Operation::kCollectSet, "perflib.query_counter_data"},
        Row{Operation::kCloseSet, "perflib.close_query"}, Row{Operation::kFacts, "facts.read"},
        Row{Operation::kInspect, "remote.inspect"}, Row{Operation::kRelease, "remote.release"},
        Row{Operation::kReadFile, "facts.read_file"}, Row{Operation::kDiagnose, "doctor.diagnose"},
        Row{Operation::kPdh, "pdh.ask"}})
    EXPECT_STREQ(where_of(row.operation), row.name);
}

TEST(Reply, TakesMemoryOnlyAsFarAsItIsFilled) {
  Memory memory = memory_with(1'000);
  std::vector<std::size_t> committed;
  ReplyWriter writer(memory, kSequence, [&](std::size_t bytes) {
    committed.push_back(bytes);
    return bytes <= kHeadBytes + 100;
  });
  writer.add(counting_bytes(8));
  EXPECT_EQ(writer.room().first(24).size(), 24U);
  EXPECT_THROW(static_cast<void>(writer.room().first(93)), std::bad_alloc);
  writer.add(counting_bytes(93));
  writer.finish();
  EXPECT_EQ(committed, (std::vector<std::size_t>{kHeadBytes + 8, kHeadBytes + 32, kHeadBytes + 101,
                                                 kHeadBytes + 101}));
  const auto reply = read_reply(memory, kSequence);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->end, kHeadBytes + 8);
  EXPECT_EQ(reply->parts.at(1).error().code, ErrorCode::kBufferLimit);
}

TEST(Trace, ArrivesWithTheInnermostFirst) {
  Memory memory = memory_with(0);
  EXPECT_TRUE(read_trace(memory).empty());
  TraceWriter writer(memory);
  for (const char* const module : {"ntdll.dll", "faulty.dll", "", "ntdll.dll", "a\nb.dll"})
    writer.add(module);
  EXPECT_TRUE(read_trace(memory).empty()) << "nothing is published";
  writer.publish();
  EXPECT_FALSE(read_trace(memory).empty());
  EXPECT_FALSE(is_trace_whole(memory)) << "the module that counts may follow";
  writer.finish();
  EXPECT_TRUE(is_trace_whole(memory));
  EXPECT_EQ(read_trace(memory), (std::vector<std::string>{"ntdll.dll", "faulty.dll", "a?b.dll"}));
  clear_trace(memory);
  EXPECT_TRUE(read_trace(memory).empty());
  EXPECT_FALSE(is_trace_whole(memory));
}

TEST(Trace, HasFewAndShortNames) {
  Memory memory = memory_with(0);
  TraceWriter writer(memory);
  for (std::size_t i = 0; i < 2 * kMaxModules; ++i)
    writer.add(std::to_string(i) + std::string(100, 'x'));
  writer.finish();
  const auto modules = read_trace(memory);
  ASSERT_EQ(modules.size(), kMaxModules);
  EXPECT_EQ(modules.back(), "7" + std::string(kMaxModuleName - 1, 'x'));
}

TEST(Trace, ThatMakesNoSenseIsNone) {
  Memory memory = memory_with(0);
  std::ranges::fill(std::span(memory).subspan(kTraceAt), std::byte{0xFF});
  EXPECT_TRUE(read_trace(memory).empty()) << "no name ends";
  std::ranges::fill(std::span(memory).subspan(kTraceAt + 4), std::byte{});
  EXPECT_TRUE(read_trace(memory).empty()) << "no name begins";
}

}  // namespace
}  // namespace winperf::worker
