// Questions to PDH cross to a worker and back as they are, and what no worker would say is refused.
#include "collectors/pdh/worker_pdh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "collectors/pdh/pdh_record.h"
#include "collectors/pdh/pdh_status.h"
#include "collectors/worker/serve.h"

namespace winperf::testing {
namespace {

using ::testing::ElementsAre;

// Says what it was asked, and extreme values.
class EchoPdh final : public PdhApi {
 public:
  std::expected<std::vector<std::string>, Error> objects() override { return {{"Memory", "\xC3"}}; }
  std::expected<PdhItems, Error> items(const PdhObject& object) override {
    return PdhItems{.object = object.name, .counters = {"a"}, .instances = {}};
  }
  std::expected<std::vector<PdhDefinition>, Error> open(const PdhQuery& query) override {
    std::vector<PdhDefinition> all;
    for (const PdhQuery::Counter& one : query.counters)
      all.push_back({.name = one.name,
                     .local_name = one.name,
                     .add_status = kPdhNoCounter,
                     .type = CounterType{one.index},
                     .default_scale = -7,
                     .time_base = std::numeric_limits<std::int64_t>::min()});
    return all;
  }
  std::expected<PdhCollection, Error> collect() override {
    if (closed) return std::unexpected(Error{.code = ErrorCode::kNotRunning, .where = kPdhCollect});
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    return PdhCollection{
        {{.name = "a",
          .raw = {{"x", {.status = 1, .first = kMost, .second = -1, .multi_count = 9}}},
          .numbers = {{"x", {.value = 0.1}},
                      {"y", {.value = std::numeric_limits<double>::quiet_NaN()}},
                      {"z", {.value = -std::numeric_limits<double>::infinity()}}}}}};
  }
  void close() override { closed = true; }
  bool closed = false;
};

class WorkerPdhTest : public ::testing::Test {
 protected:
  std::string answer(const std::string& question) {
    const auto text = answer_pdh(pdh_, question);
    return text ? *text : describe(text.error());
  }

  EchoPdh pdh_;
};

TEST_F(WorkerPdhTest, AnswersEachQuestion) {
  EXPECT_EQ(answer("objects\n"), "[\"Memory\",\"\xEF\xBF\xBD\"]");
  const auto items =
      read_items(answer("items\n" + write_object({.name = "Memory", .index = 4})), "pdh.reply");
  EXPECT_EQ(items->object, "Memory");
  const auto definitions = read_definitions(
      answer("open\n" + write_query({.object = {}, .counters = {{"a", 0xFFFFFFFF}}})), "pdh.reply");
  ASSERT_TRUE(definitions);
  EXPECT_EQ(definitions->front().add_status, kPdhNoCounter);
  EXPECT_EQ(definitions->front().type, CounterType{0xFFFFFFFF});
  EXPECT_EQ(definitions->front().time_base, std::numeric_limits<std::int64_t>::min());
  const auto collection = read_collection(answer("collect\n"), "pdh.reply");
  ASSERT_TRUE(collection);
  const PdhValues& values = collection->counters.front();
  EXPECT_EQ(values.raw.front().raw, pdh_.collect()->counters.front().raw.front().raw);
  EXPECT_EQ(values.numbers[0].number.value, 0.1);
  EXPECT_TRUE(std::isnan(values.numbers[1].number.value));
  EXPECT_EQ(values.numbers[2].number.value, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(answer("close\n"), "");
  EXPECT_THAT(answer("collect\n"), ::testing::StartsWith("pdh.collect"));
}

TEST_F(WorkerPdhTest, RefusesWhatIsNoQuestion) {
  for (const char* const question :
       {"", "objects", "nothing\n", "items\n", "items\n[]", "open\n{}"})
    EXPECT_THAT(answer(question), ::testing::StartsWith("pdh.question")) << question;
}

TEST_F(WorkerPdhTest, CrossesTheWorkersMemory) {
  std::vector<std::byte> memory(worker::kHeadBytes + 4'096);
  worker::WorkerService service(
      nullptr, nullptr, nullptr, {}, {},
      [this](const std::string& question) { return answer_pdh(pdh_, question); });
  const auto ask = [&](worker::WorkerService& asked, const std::string& question) {
    EXPECT_TRUE(worker::write_request(
        memory, {.operation = worker::Operation::kPdh, .sequence = 3, .text = question}));
    EXPECT_TRUE(asked.answer(memory));
    return worker::read_reply(memory, 3);
  };
  const auto reply = ask(service, "objects\n");
  ASSERT_EQ(reply->parts.size(), 1U);
  EXPECT_EQ(worker::text_of(*reply->parts[0]), answer("objects\n"));
  EXPECT_EQ(ask(service, "nonsense")->parts[0].error().code, ErrorCode::kBadText);
  worker::WorkerService other(nullptr, nullptr);
  EXPECT_EQ(ask(other, "objects\n")->parts[0].error().code, ErrorCode::kUnsupported);
}

TEST(PdhRecords, AreRefusedInAnotherShape) {
  for (const char* const text :
       {"", "{", "[", "1", "[1]", R"([{"name":"a"}])",
        R"([{"name":"a","raw_status":-1,"raw":[],"number_status":0,"numbers":[]}])",
        R"([{"name":"a","raw_status":4294967296,"raw":[],"number_status":0,"numbers":[]}])",
        R"([{"name":"a","raw_status":0,"raw":[["x",0,0,0,0]],"number_status":0,"numbers":[]}])",
        R"([{"name":"a","raw_status":0,"raw":[],"number_status":0,"numbers":[["x",0,"much"]]}])",
        "[[[[[[[[[[[[]]]]]]]]]]]]"}) {
    const auto read = read_collection(text, "pdh.reply");
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, ErrorCode::kBadText);
  }
  const auto large = read_collection(std::string(kMaxPdhText + 1, ' '), "pdh.reply");
  EXPECT_EQ(large.error().code, ErrorCode::kLimitExceeded);
}

TEST(PdhRecords, OfAFileBeginWithItsFormat) {
  const PdhRecord record{.counterset = "Memory", .widths = {{.bytes = 8, .base_bytes = 4}}};
  const auto read = read_records(records_head() + record_line(record) + record_line(record));
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 2U);
  EXPECT_EQ(read->front().counterset, "Memory");
  EXPECT_THAT(read->front().widths, ElementsAre(PdhWidths{.bytes = 8, .base_bytes = 4}));
  EXPECT_FALSE(read_records(""));
  EXPECT_FALSE(read_records(record_line(record)));
  EXPECT_FALSE(read_records(R"({"format":"winperf_exporter pdh record","version":2})"));
  const auto cut = read_records(records_head() + "{\"counterset\"");
  ASSERT_FALSE(cut);
  EXPECT_GT(cut.error().offset, records_head().size());
}

}  // namespace
}  // namespace winperf::testing
