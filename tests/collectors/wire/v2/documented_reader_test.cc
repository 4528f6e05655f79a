// Our reader beside the one of Microsoft's documentation (tests/simulator/documented_reader.h):
// what that one reads, ours reads too, and the same.
#include "tests/simulator/documented_reader.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "collectors/wire/text.h"
#include "collectors/wire/v2/data_view.h"
#include "tests/simulator/perflib_face.h"
#include "tests/simulator/standard_machine.h"
#include "tests/simulator/v2_replies.h"
#include "tests/support/block_builder.h"

namespace winperf::v2 {
namespace {

using simulator::DocumentedRow;
using simulator::DocumentedSample;
using simulator::Padding;
using Reply = std::vector<std::byte>;

struct OurReading {
  std::vector<DocumentedRow> rows;
  Clocks clocks;
  bool padding_left_out = false;
};

DocumentedRow row_of(const RowWalk::Row& row, const std::vector<std::uint32_t>& ids) {
  DocumentedRow read{.name = to_utf16(row.instance->name()), .values = {}};
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (const auto number = row.values[i].number()) read.values[ids[i]] = *number;
  return read;
}

// Of the only result; empty if anything in it is unsound.
std::optional<OurReading> read_as_we_do(const Reply& reply) {
  const auto data = DataView::parse(reply);
  if (!data) return std::nullopt;
  ResultWalk results = data->results();
  const auto result = results.next();
  if (!result || !*result) return std::nullopt;
  OurReading reading{
      .rows = {}, .clocks = data->clocks(), .padding_left_out = (*result)->padding_left_out()};
  RowWalk rows = (*result)->rows();
  RowWalk::Row row;
  while (true) {
    const auto more = rows.next(row);
    if (!more) return std::nullopt;
    if (!*more) return reading;
    reading.rows.push_back(row_of(row, *(*result)->counter_ids()));
  }
}

// True where the documented reader reads the reply; then ours reads the same.
bool both_read_the_same(const Reply& reply) {
  const auto documented = simulator::read_as_documented(reply);
  if (!documented) return false;
  const auto ours = read_as_we_do(reply);
  EXPECT_TRUE(ours.has_value()) << "the documented program reads it";
  if (!ours) return true;
  EXPECT_EQ(ours->clocks.perf_time.ticks, documented->perf_time);
  EXPECT_EQ(ours->clocks.perf_frequency.ticks_per_second, documented->perf_frequency);
  EXPECT_EQ(ours->clocks.time_100ns.ticks, documented->time_100ns);
  EXPECT_EQ(ours->rows, documented->rows);
  EXPECT_FALSE(ours->padding_left_out) << "what the documented program reads has the exact form";
  return true;
}

// What the simulated machine answers for each of its countersets, all counters and instances.
std::vector<Reply> replies_of_all_countersets(Padding padding) {
  simulator::Machine machine;
  simulator::furnish(machine);
  machine.v2_padding = padding;
  simulator::PerflibFace face(machine);
  std::vector<Reply> replies;
  for (const auto& provider : machine.v2()) {
    for (const auto& counterset : provider->countersets()) {
      const bool single = counterset.instance_type == InstanceType::kSingle;
      const CounterRequest request{.counterset = counterset.guid,
                                   .instance_name = single ? u"" : u"*"};
      Reply identifier = build_identifiers({&request, 1});
      PerflibHandle query{};
      std::uint32_t bytes = 0;
      Reply reply(1U << 20);
      EXPECT_EQ(face.open_query({}, query), 0u);
      EXPECT_EQ(face.add_counters(query, identifier), 0u);
      EXPECT_EQ(face.query_counter_data(query, reply, bytes), 0u);
      EXPECT_EQ(face.close_query(query), 0u);
      reply.resize(bytes);
      replies.push_back(std::move(reply));
    }
  }
  return replies;
}

// Every reply that the simulator makes: of its machine, and the collection that tests spoil.
std::vector<Reply> all_replies(Padding padding) {
  std::vector<Reply> replies = replies_of_all_countersets(padding);
  for (const auto& reply : simulator::v2_data_replies(padding)) replies.push_back(reply.bytes);
  return replies;
}

bool ids_end_off_the_grid(const Reply& reply) {
  const ByteView view(reply, "reply");
  return view.get<std::uint32_t>(data_header::kBytes + counter_header::kBytes + 4) % 2 != 0;
}

class DocumentedReader : public ::testing::TestWithParam<Padding> {};

INSTANTIATE_TEST_SUITE_P(ExactForms, DocumentedReader,
                         ::testing::Values(Padding::kCounted, Padding::kNone));

TEST_P(DocumentedReader, ReadsWhatWeRead) {
  std::size_t read = 0;
  std::size_t off_the_grid = 0;
  for (const Reply& reply : all_replies(GetParam())) {
    if (!both_read_the_same(reply)) continue;
    ++read;
    off_the_grid += ids_end_off_the_grid(reply) ? 1 : 0;
  }
  EXPECT_GE(read, 5u) << "the machine has more countersets with instances";
  EXPECT_GE(off_the_grid, 2u) << "Processor Information has 31 counters";
}

// Whatever a field says: what the documented program still reads, we read, and the same.
TEST_P(DocumentedReader, ReadsWhatWeReadOfSpoiltReplies) {
  constexpr std::uint32_t kValues[] = {0,  1,  2,  3,  4,  6,   7,   8,          12,        16,
                                       20, 24, 28, 32, 40, 132, 136, 0x7FFFFFFF, 0xFFFFFFFF};
  std::size_t read = 0;
  for (const auto& reply : simulator::v2_data_replies(GetParam())) {
    for (std::size_t at = 0; at + 4 <= reply.bytes.size(); at += 4) {
      for (const std::uint32_t value : kValues) {
        SCOPED_TRACE(reply.name + " with " + std::to_string(value) + " at " + std::to_string(at));
        read += both_read_the_same(testing::with_field(reply.bytes, at, value)) ? 1 : 0;
      }
    }
  }
  EXPECT_GT(read, 500u);
}

// Where the documented program has a field of 32 bits and a value of 64 comes, it takes the low
// half. Ours keeps what was delivered: it knows no fields, and the value may have outgrown them.
TEST_P(DocumentedReader, HalvesWhatWeKeepWhole) {
  std::size_t halved = 0;
  for (const Reply& reply : all_replies(GetParam())) {
    const auto wide = simulator::read_as_documented(reply);
    if (!wide) continue;
    const auto ours = read_as_we_do(reply);
    ASSERT_TRUE(ours);
    std::set<std::uint32_t> all;
    for (const DocumentedRow& row : wide->rows)
      for (const auto& [id, value] : row.values) all.insert(id);
    std::vector<DocumentedRow> expected = ours->rows;
    for (DocumentedRow& row : expected) {
      for (auto& [id, value] : row.values) {
        halved += value > UINT32_MAX ? 1 : 0;
        value = static_cast<std::uint32_t>(value);
      }
    }
    EXPECT_EQ(simulator::read_as_documented(reply, all)->rows, expected);
  }
  EXPECT_GT(halved, 0u);
}

// A machine's reply in another form is the same reading.
std::vector<DocumentedRow> rows_in(Padding padding, std::size_t which) {
  const auto reading = read_as_we_do(replies_of_all_countersets(padding)[which]);
  return reading ? reading->rows : std::vector<DocumentedRow>{};
}

TEST(PaddingLeftOut, IsReadAsIfItWereCounted) {
  const std::vector<Reply> counted = replies_of_all_countersets(Padding::kCounted);
  const std::vector<Reply> left_out = replies_of_all_countersets(Padding::kLeftOut);
  std::size_t compared = 0;
  for (std::size_t i = 0; i < counted.size(); ++i) {
    if (!simulator::read_as_documented(counted[i]) || !ids_end_off_the_grid(counted[i])) continue;
    EXPECT_FALSE(simulator::read_as_documented(left_out[i]))
        << "the documented program can't read it";
    const auto ours = read_as_we_do(left_out[i]);
    ASSERT_TRUE(ours.has_value());
    EXPECT_TRUE(ours->padding_left_out);
    EXPECT_EQ(ours->rows, rows_in(Padding::kCounted, i));
    ++compared;
  }
  EXPECT_GE(compared, 1u);
}

// Nothing says that padding is zero: old bytes in it decide nothing.
TEST(PaddingLeftOut, MayHoldAnyBytes) {
  const Reply sound = simulator::v2_data_replies(Padding::kLeftOut)[4].bytes;
  const auto expected = read_as_we_do(sound);
  ASSERT_TRUE(expected && expected->padding_left_out);
  const std::size_t padding = 48 + 16 + 8 + 3 * 4;
  for (std::uint32_t value = 0; value < 400; ++value) {
    SCOPED_TRACE(value);
    const auto reading = read_as_we_do(testing::with_field(sound, padding, value));
    ASSERT_TRUE(reading.has_value());
    EXPECT_EQ(reading->rows, expected->rows);
  }
}

// Results are found by the same rule: exactly one after another, or all at multiples of 8.
TEST(PaddingLeftOut, BetweenResultsIsSkipped) {
  for (const Padding padding : simulator::kEveryPadding) {
    SCOPED_TRACE(static_cast<int>(padding));
    const Reply reply = simulator::v2_data_replies(padding).back().bytes;
    ResultWalk walk = DataView::parse(reply)->results();
    std::vector<ResultKind> kinds;
    while (const auto result = walk.next()) {
      ASSERT_TRUE(result->has_value()) << describe(result->error());
      kinds.push_back((*result)->kind());
    }
    EXPECT_EQ(kinds, (std::vector{ResultKind::kError, ResultKind::kSingleCounter,
                                  ResultKind::kMultipleCounters, ResultKind::kMultipleInstances,
                                  ResultKind::kCounterset}));
    EXPECT_EQ(walk.padding_left_out(), padding == Padding::kBetweenResults);
  }
}

}  // namespace
}  // namespace winperf::v2
