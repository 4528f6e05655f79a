// Who the processes of the recent past belonged to.
#include "collectors/recorder/owners.h"

#include <gmock/gmock.h>

#include "tests/collectors/recorder/recorded.h"

namespace winperf::recorder {
namespace {

constexpr std::size_t kAmple = 1'000'000;

SteadyTime at(std::int64_t second) { return SteadyTime(std::chrono::seconds(second)); }

std::string owner_of(const OwnerBook& book, std::uint64_t id, std::int64_t from, std::int64_t to) {
  const ProcessOwner* const found = book.owners().find(id, at(from), at(to));
  return found == nullptr ? "" : found->owner;
}

TEST(Owners, AreThoseOfAReadingWithinTheTime) {
  OwnerBook book;
  EXPECT_EQ(owner_of(book, 7, 0, 100), "");
  book.note({{7, "alice", "a.exe"}, {8, "bob", ""}}, at(10), at(0), kAmple);
  book.note({{7, "alice", "a.exe"}}, at(25), at(0), kAmple);
  book.note({}, at(40), at(0), kAmple);
  EXPECT_EQ(owner_of(book, 7, 12, 30), "alice");
  EXPECT_EQ(owner_of(book, 7, 5, 10), "alice");
  EXPECT_EQ(owner_of(book, 7, 26, 40), "") << "it may have ended at once";
  EXPECT_EQ(owner_of(book, 8, 10, 20), "bob");
  EXPECT_EQ(owner_of(book, 8, 11, 20), "");
  EXPECT_EQ(owner_of(book, 9, 0, 100), "");
}

TEST(Owners, OfAProcessThatIsStillThere_AreKnownUpToTheLastReading) {
  OwnerBook book;
  book.note({{7, "alice", ""}}, at(10), at(0), kAmple);
  EXPECT_EQ(owner_of(book, 7, 9, 100), "alice");
  EXPECT_EQ(owner_of(book, 7, 11, 100), "") << "another one may have its id by now";
  book.note({{7, "alice", ""}}, at(20), at(0), kAmple);
  EXPECT_EQ(owner_of(book, 7, 11, 100), "alice");
}

TEST(Owners, OfAnIdThatWasReused_AreThoseOfMostOfTheTime) {
  OwnerBook book;
  for (std::int64_t second = 0; second < 100; second += 10)
    book.note({{7, second < 40 ? "alice" : "bob", ""}}, at(second), at(0), kAmple);
  EXPECT_EQ(owner_of(book, 7, 0, 30), "alice");
  EXPECT_EQ(owner_of(book, 7, 20, 90), "bob");
  EXPECT_EQ(owner_of(book, 7, 0, 45), "alice");
}

TEST(Owners, OfWhatEndedBeforeTheOldestSample_AreForgotten) {
  OwnerBook book;
  book.note({{7, "alice", ""}}, at(10), at(0), kAmple);
  book.note({{8, "bob", ""}}, at(20), at(0), kAmple);
  EXPECT_EQ(owner_of(book, 7, 0, 100), "alice");
  book.note({{8, "bob", ""}}, at(30), at(11), kAmple);
  EXPECT_EQ(owner_of(book, 7, 0, 100), "");
  EXPECT_EQ(owner_of(book, 8, 0, 100), "bob");
}

TEST(Owners, StayWithinTheirMemory_AndThoseThatEndedFirstGo) {
  constexpr std::size_t kMost = 20'000;
  OwnerBook book;
  for (std::uint64_t second = 0; second < 1'000; ++second) {
    std::vector<ProcessOwner> now{{1, "system", ""}};
    for (std::uint64_t i = 0; i < 3; ++i)
      now.push_back({1'000 + 3 * second + i, "alice", std::string(second % 90, 'x')});
    book.note(std::move(now), at(static_cast<std::int64_t>(second)), at(0), kMost);
    ASSERT_LE(book.memory(), kMost);
  }
  EXPECT_EQ(owner_of(book, 1, 0, 1'000), "system") << "it is still there";
  EXPECT_EQ(owner_of(book, 1'000 + 3 * 998, 998, 998), "alice");
  EXPECT_EQ(owner_of(book, 1'000, 0, 0), "");
  book.note({{5, std::string(kMost, 'x'), ""}}, at(2'000), at(0), kMost);
  EXPECT_LE(book.memory(), kMost) << "one that is too long is left out";
  book.forget();
  EXPECT_EQ(book.memory(), 0U);
}

TEST(Owners, AreInTheHistoryOfTheNextSample_AndInItsMemory) {
  Recorder recorder(kMebibyte);
  testing::Chained chain;
  const auto add = [&](std::int64_t second) {
    testing::record(recorder,
                    chain.append(testing::make_raw_sample(testing::schema_of({{.index = 2}}, true),
                                                          testing::instances_named({"a"}),
                                                          testing::at_second(second))),
                    second);
    return recorder.history();
  };
  const auto before = add(1);
  recorder.note_owners({{7, "alice", std::string(5'000, 'x')}}, at(2));
  const auto after = add(2);
  ASSERT_NE(after->owners.find(7, at(2), at(2)), nullptr);
  EXPECT_EQ(before->owners.find(7, at(2), at(2)), nullptr) << "it stays as it was";
  EXPECT_GE(after->memory, before->memory + 5'000);
  recorder.change_budget(16'000);
  EXPECT_EQ(recorder.history()->owners.find(7, at(2), at(2)), nullptr) << "an eighth at most";
  EXPECT_FALSE(recorder.history()->tracks.empty());
  EXPECT_LE(recorder.history()->memory, 16'000U);
  recorder.change_budget(kMebibyte);
  recorder.note_owners({{7, "alice", ""}}, at(2));
  recorder.forget_owners();
  EXPECT_EQ(add(3)->owners.find(7, at(2), at(2)), nullptr);
  recorder.note_owners({{7, "alice", ""}}, at(4));
  recorder.change_budget(0);
  EXPECT_EQ(recorder.history(), nullptr);
}

}  // namespace
}  // namespace winperf::recorder
