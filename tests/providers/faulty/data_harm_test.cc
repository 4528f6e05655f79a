// Every word spoils what it names, and leaves the rest of the answer alone.
#include "tests/providers/faulty/data_harm.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "tests/collectors/sources/temp_dir.h"
#include "tests/providers/faulty/provider.h"

namespace faulty {
namespace {

constexpr std::size_t kRoom = std::size_t{4} * 1024 * 1024;

struct Collected {
  std::uint32_t status = 0;
  Bytes bytes{};  // as many as were written
  std::uint32_t reported = 0;
  std::uint32_t objects = 0;
  bool operator==(const Collected&) const = default;
};

class DataHarm : public ::testing::Test {
 protected:
  void tell(const std::string& word) { std::ofstream(file_) << word << "_data\n"; }
  Collected collect(std::u16string_view query = u"3006 3000", std::uint64_t tenths = 123) {
    Bytes room(kRoom);
    std::byte* data = room.data();
    Collected result{.reported = kRoom};
    result.status = faulty::collect(
        {.query = query, .titles = {3000, 3001}, .tenths = tenths, .control_file = file_}, data,
        result.reported, result.objects);
    room.resize(static_cast<std::size_t>(data - room.data()));
    result.bytes = std::move(room);
    return result;
  }
  // Two seconds, one after another: some faults show in one of them only.
  std::pair<Collected, Collected> both() { return {collect(), collect(u"3006 3000", 133)}; }

  const winperf::testing::TempDir folder_;
  const std::filesystem::path file_ = folder_.path() / "faulty.txt";
};

TEST_F(DataHarm, WithoutItBothObjectsAreThere) {
  const Collected honest = collect();
  EXPECT_EQ(honest.status, 0U);
  EXPECT_EQ(honest.objects, 2U);
  EXPECT_EQ(honest.reported, honest.bytes.size());
  EXPECT_EQ(honest.bytes.size(), (64 + 2 * 40 + 16) + (64 + 3 * 40 + 3 * (24 + 16 + 24) - 8U));
  EXPECT_EQ(collect(u"3000").objects, 1U);
  EXPECT_EQ(collect(u"2 2000"), Collected{});
  EXPECT_EQ(collect(u"Foreign host 3000"), Collected{});
  EXPECT_EQ(collect(u"metadataglobal").bytes.size(), 64 + 2 * 40 + 64 + 3 * 40U);
}

TEST_F(DataHarm, EveryWordSpoilsSomethingAndOnlyThere) {
  const auto honest = both();
  const Collected device = collect(u"3000");
  const Collected names = collect(u"MetadataGlobal");
  std::set<std::string_view> seen;
  for (const std::string_view word : data_words()) {
    SCOPED_TRACE(word);
    EXPECT_TRUE(seen.insert(word).second) << "it occurs twice";
    tell(std::string(word));
    EXPECT_NE(both(), honest);
    EXPECT_EQ(collect(u"3000"), device) << "nobody asked for the parts";
    EXPECT_EQ(collect(u"MetadataGlobal"), names);
    EXPECT_EQ(collect(u"2"), Collected{});
  }
}

TEST_F(DataHarm, AllIsInTheAnswerToEveryQuery) {
  tell("all_total_zero");
  EXPECT_EQ(collect(u"2").objects, 1U);
  tell("all_nonsense");
  EXPECT_EQ(collect(u"2").objects, 1U) << "a word that doesn't exist spoils nothing";
  tell("nonsense");
  EXPECT_EQ(collect(u"2"), Collected{});
}

TEST_F(DataHarm, WhatDoesNotFitIsMoreData) {
  tell("big40");
  EXPECT_EQ(collect(), Collected{.status = 234});
}

}  // namespace
}  // namespace faulty
