#include "collectors/provider/provider_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cstdint>

#include "tests/collectors/provider/fake_machine.h"
#include "tests/simulator/codes.h"

namespace winperf {
namespace {

using simulator::kMoreData;
using simulator::kSuccess;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

constexpr std::uint32_t kRoom = 4096;

class HostedProviderTest : public ::testing::Test {
 protected:
  HostedProviderTest() { machine_.reply = {.objects = testing::one_object(2000), .count = 1}; }

  HostedProvider provider(ProviderRegistration registration = {.service = "Thing",
                                                               .collect = "Collect"}) {
    return {machine_, std::move(registration)};
  }
  // What is wrong with a reply.
  Error wrong() {
    HostedProvider thing = provider();
    const auto objects = thing.collect("2000", kRoom);
    EXPECT_FALSE(objects);
    return objects ? Error{} : objects.error();
  }

  testing::FakeMachine machine_;
};

TEST_F(HostedProviderTest, IsLoadedAndOpenedOnceAndClosedAtTheEnd) {
  {
    HostedProvider thing = provider();
    EXPECT_EQ(machine_.calls.loaded, 0);
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(thing.collect("2000", kRoom));
    EXPECT_EQ(machine_.calls.loaded, 1);
    EXPECT_THAT(machine_.calls.opened, ElementsAre(std::nullopt));
    EXPECT_EQ(machine_.calls.closed, 0);
  }
  EXPECT_EQ(machine_.calls.closed, 1);
}

TEST_F(HostedProviderTest, AfterCloseItIsOpenedAgainInTheSameLibrary) {
  HostedProvider thing = provider();
  ASSERT_TRUE(thing.collect("2000", kRoom));
  thing.close();
  thing.close();
  EXPECT_EQ(machine_.calls.closed, 1);
  ASSERT_TRUE(thing.collect("2000", kRoom));
  EXPECT_EQ(machine_.calls.loaded, 1);
  EXPECT_EQ(machine_.calls.opened.size(), 2U);
}

TEST_F(HostedProviderTest, OpenGetsTheDevices) {
  using Devices = std::vector<std::u16string>;
  for (const Devices& devices : {Devices{}, Devices{u"one"}, Devices{u"one", u"two"}}) {
    HostedProvider thing = provider({.service = "Thing", .collect = "Collect", .devices = devices});
    ASSERT_TRUE(thing.collect("2000", kRoom));
  }
  using namespace std::string_literals;
  EXPECT_THAT(machine_.calls.opened, ElementsAre(u"\0\0"s, u"one\0\0"s, u"one\0two\0\0"s));
}

TEST_F(HostedProviderTest, WhoseOpenFails_IsNotAskedUntilItIsClosed) {
  HostedProvider thing = provider();
  machine_.open_code = 5;
  const Error failure{.code = ErrorCode::kOsError, .where = "provider.open", .os_code = 5};
  EXPECT_EQ(thing.collect("2000", kRoom).error(), failure);
  machine_.open_code = 0;
  EXPECT_EQ(thing.collect("2000", kRoom).error(), failure);
  EXPECT_THAT(machine_.calls.queries, IsEmpty());
  thing.close();
  EXPECT_EQ(machine_.calls.closed, 0) << "what wasn't opened isn't closed";
  EXPECT_TRUE(thing.collect("2000", kRoom));
}

TEST_F(HostedProviderTest, WithoutALibraryThereIsAReason) {
  machine_.load_error = Error{.code = ErrorCode::kNoProcedure, .where = "provider.collect"};
  EXPECT_EQ(wrong(), *machine_.load_error);
  EXPECT_THAT(machine_.calls.opened, IsEmpty());
}

TEST_F(HostedProviderTest, GetsTheQueryAsTheSystemPassesIt) {
  for (const bool metadata : {false, true}) {
    HostedProvider thing =
        provider({.service = "Thing", .collect = "Collect", .supports_metadata = metadata});
    for (const char* const name : {"2000 2", "Global", "OLD_Global", "old_costly", "Foreign pc",
                                   "MetadataGlobal", "OLD_metadatacostly"})
      ASSERT_TRUE(thing.collect(name, kRoom));
  }
  EXPECT_THAT(machine_.calls.queries,
              ElementsAre(u"2000 2", u"Global", u"Global", u"costly", u"Foreign pc", u"Global",
                          u"costly", u"2000 2", u"Global", u"Global", u"costly", u"Foreign pc",
                          u"MetadataGlobal", u"metadatacostly"));
}

TEST_F(HostedProviderTest, DeliversWhatItWrote) {
  HostedProvider thing = provider();
  const auto objects = thing.collect("2000", kRoom);
  ASSERT_TRUE(objects);
  EXPECT_THAT(objects->bytes, ElementsAreArray(machine_.reply.objects));
  EXPECT_EQ(objects->count, 1U);
  const auto second = testing::one_object(2010);
  machine_.reply.objects.insert(machine_.reply.objects.end(), second.begin(), second.end());
  machine_.reply.count = 2;
  EXPECT_EQ(thing.collect("2000", kRoom)->bytes.size(), 2 * second.size());
}

TEST_F(HostedProviderTest, MayHaveNothingToDeliver) {
  machine_.reply = {};
  HostedProvider thing = provider();
  const auto objects = thing.collect("2000", kRoom);
  ASSERT_TRUE(objects);
  EXPECT_THAT(objects->bytes, IsEmpty());
  EXPECT_EQ(objects->count, 0U);
  machine_.reply.moved_too_far = 8;
  EXPECT_TRUE(thing.collect("2000", kRoom)) << "nobody reads from there";
}

TEST_F(HostedProviderTest, FindsNoObjectsCounted) {
  HostedProvider thing = provider();
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(thing.collect("2000", kRoom));
  EXPECT_THAT(machine_.calls.counts, ElementsAre(0U, 0U));
}

TEST_F(HostedProviderTest, ItsRoomIsAMultipleOfEightAndExact) {
  HostedProvider thing = provider();
  const std::size_t size = machine_.reply.objects.size();
  ASSERT_EQ(size % 8, 0U);
  EXPECT_TRUE(thing.collect("2000", size));
  EXPECT_TRUE(thing.collect("2000", size + 7));
  EXPECT_EQ(thing.collect("2000", size - 1).error().code, ErrorCode::kBufferLimit);
  const auto rooms = static_cast<std::uint32_t>(size);
  EXPECT_THAT(machine_.calls.rooms, ElementsAre(rooms, rooms, rooms - 8));
}

// A provider that writes nothing must not deliver what another reply has left.
TEST_F(HostedProviderTest, ItsRoomIsEmptyEachTime) {
  HostedProvider thing = provider();
  const std::vector<std::byte> all = machine_.reply.objects;
  ASSERT_TRUE(thing.collect("2000", all.size()));
  machine_.reply = {.objects = {}, .count = 1};
  machine_.reply.bytes = static_cast<std::uint32_t>(all.size());
  machine_.reply.moved_too_far = static_cast<std::ptrdiff_t>(all.size());
  EXPECT_EQ(thing.collect("2000", all.size()).error().code, ErrorCode::kBadLength);
}

TEST_F(HostedProviderTest, MayReturnSuccessAndMoreDataAlone) {
  machine_.reply.code = kMoreData;
  EXPECT_EQ(wrong().code, ErrorCode::kBufferLimit);
  machine_.reply.code = 21;
  EXPECT_EQ(wrong(),
            (Error{.code = ErrorCode::kOsError, .where = "provider.collect", .os_code = 21}));
}

TEST_F(HostedProviderTest, ThePointerMovesByTheSize) {
  const std::uint64_t size = machine_.reply.objects.size();
  machine_.reply.moved_too_far = 8;
  EXPECT_EQ(wrong(), (Error{.code = ErrorCode::kBadLength,
                            .where = "provider.collect.data",
                            .actual = size + 8,
                            .limit = size}));
  machine_.reply.moved_too_far = -static_cast<std::ptrdiff_t>(size);
  EXPECT_EQ(wrong().actual, 0U);
}

TEST_F(HostedProviderTest, TheSizeFitsTheRoom) {
  machine_.reply.bytes = kRoom + 8;
  EXPECT_EQ(wrong(), (Error{.code = ErrorCode::kBadLength,
                            .where = "provider.collect.bytes",
                            .actual = kRoom + 8,
                            .limit = kRoom}));
}

TEST_F(HostedProviderTest, ASizeIsAMultipleOfFour) {
  const auto size = static_cast<std::uint32_t>(machine_.reply.objects.size());
  machine_.reply.bytes = size + 2;
  machine_.reply.moved_too_far = 2;
  EXPECT_EQ(wrong(), (Error{.code = ErrorCode::kBadLength,
                            .where = "provider.collect.bytes",
                            .actual = size + 2,
                            .limit = size}));
  machine_.reply = {.objects = testing::with_field(std::vector<std::byte>(size + 4), 0, size + 4),
                    .count = 1};
  HostedProvider thing = provider();
  EXPECT_TRUE(thing.collect("2000", kRoom));
}

TEST_F(HostedProviderTest, AnObjectMayBeItsHeadAlone) {
  machine_.reply.objects = testing::with_field(std::vector<std::byte>(64), 0, 64);
  HostedProvider thing = provider();
  EXPECT_EQ(thing.collect("2000", kRoom)->count, 1U);
}

TEST_F(HostedProviderTest, TheObjectsLengthsLeadToTheEnd) {
  using testing::with_field;
  const std::vector<std::byte> sound = machine_.reply.objects;
  const auto size = static_cast<std::uint32_t>(sound.size());
  for (const std::uint32_t length : {0U, 63U, size - 8, size - 2, size + 8, 0xFFFF'FFFF}) {
    machine_.reply.objects = with_field(sound, 0, length);
    EXPECT_EQ(wrong().where, std::string("provider.collect.objects")) << length;
  }
}

TEST_F(HostedProviderTest, TheNumberOfObjectsIsRight) {
  for (const std::uint32_t count : {0U, 2U}) {
    machine_.reply.count = count;
    EXPECT_EQ(wrong(), (Error{.code = ErrorCode::kBadCount,
                              .where = "provider.collect.objects",
                              .actual = count,
                              .limit = 1}));
  }
  machine_.reply.objects.clear();
  machine_.reply.count = 1;
  EXPECT_EQ(wrong().limit, 0U) << "objects without bytes";
}

}  // namespace
}  // namespace winperf
