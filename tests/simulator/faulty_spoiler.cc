#include "tests/simulator/faulty_spoiler.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <string>
#include <utility>

#include "tests/providers/faulty/harm.h"
#include "tests/simulator/codes.h"
#include "tests/simulator/kernel_provider.h"
#include "tests/simulator/v2_bytes.h"
#include "tests/support/block_builder.h"

namespace winperf::simulator {
namespace {

using Rows = std::vector<InstanceValues>;
using ReplyBytes = std::vector<std::byte>;

constexpr std::uint32_t kHuge = 0x7FFFFFF8;
constexpr std::size_t kTornBytes = 401;  // behind the honest V1 providers' names, within one
constexpr std::int64_t kHour100ns = 36'000'000'000;

void set(ReplyBytes& bytes, std::size_t at, std::uint32_t value) {
  bytes = testing::with_field(std::move(bytes), at, value);
}

void add(ReplyBytes& bytes, std::size_t at, std::uint32_t value) {
  set(bytes, at, testing::field_at(bytes, at) + value);
}

// --- instances ---

void multiply(Rows& rows, std::size_t count, bool same_name, std::uint64_t first = 0) {
  if (rows.empty()) return;
  const InstanceValues one = rows.front();
  rows.assign(count, one);
  for (std::size_t i = 0; i < count && !same_name; ++i) {
    const std::string number = std::to_string(first + i);
    rows[i].name = u"wave " + std::u16string(number.begin(), number.end());
    rows[i].id = static_cast<std::uint32_t>(i);
  }
}

void rename_first(Rows& rows, std::u16string name) {
  if (!rows.empty()) rows.front().name = std::move(name);
}

struct RowsHarm {
  std::string_view word;
  void (*act)(Rows&);
};

// As often as it is called.
std::uint64_t turn() {
  static std::atomic<std::uint64_t> turns = 0;
  return ++turns;
}

constexpr RowsHarm kRowsHarms[] = {
    {"newline", [](Rows& rows) { rename_first(rows, u"a\nwinperf_forged 1\r\n"); }},
    {"quotes", [](Rows& rows) { rename_first(rows, u"a\"b\\c'"); }},
    {"control", [](Rows& rows) { rename_first(rows, u"\x1B[31mred\x07\x08\x7F\x9B"); }},
    {"surrogate", [](Rows& rows) { rename_first(rows, {u'a', char16_t{0xD800}, u'b'}); }},
    {"name_32k", [](Rows& rows) { rename_first(rows, std::u16string(16 * 1024, u'n')); }},
    {"name_empty", [](Rows& rows) { rename_first(rows, u""); }},
    {"duplicates", [](Rows& rows) { multiply(rows, 1'000, true); }},
    {"many", [](Rows& rows) { multiply(rows, 50'000, false); }},
    {"churn", [](Rows& rows) { multiply(rows, 500, false, turn() * 1'000); }},
    {"none", [](Rows& rows) { rows.clear(); }},
    {"backwards",
     [](Rows& rows) {
       for (InstanceValues& row : rows)
         for (std::uint64_t& value : row.values) value = 1'000'000'000 - turn() - value % 7;
     }},
    {"still",
     [](Rows& rows) {
       for (InstanceValues& row : rows) std::ranges::fill(row.values, 7);
     }},
};

// --- one result ---

// Offsets in the result of a set with two counters: header, 16 bytes; PERF_MULTI_COUNTERS, 16;
// PERF_MULTI_INSTANCES, 8; the first instance.
constexpr std::size_t kCounters = 16;
constexpr std::size_t kIds = kCounters + 8;
constexpr std::size_t kInstances = kCounters + 16;
constexpr std::size_t kFirst = kInstances + 8;

std::size_t first_value(const ReplyBytes& result) {
  return kFirst + testing::field_at(result, kFirst);
}

void fill_name(ReplyBytes& result) {
  for (std::size_t at = kFirst + 8; at < first_value(result); at += 4) set(result, at, 0x006E'006E);
}

struct BytesHarm {
  std::string_view word;
  void (*act)(ReplyBytes&);
};

constexpr BytesHarm kResultHarms[] = {
    {"status", [](ReplyBytes& result) { set(result, 0, kAccessDenied); }},
    {"refused", [](ReplyBytes& result) { result = error_result(kAccessDenied); }},
    {"type_unknown", [](ReplyBytes& result) { set(result, 4, 9); }},
    {"size_zero", [](ReplyBytes& result) { set(result, 8, 0); }},
    {"size_small", [](ReplyBytes& result) { set(result, 8, 24); }},
    {"size_more", [](ReplyBytes& result) { add(result, 8, 8); }},
    {"size_huge", [](ReplyBytes& result) { set(result, 8, kHuge); }},
    {"counters_huge", [](ReplyBytes& result) { set(result, kCounters + 4, kHuge); }},
    {"counters_zero", [](ReplyBytes& result) { set(result, kCounters + 4, 0); }},
    {"counters_len_zero", [](ReplyBytes& result) { set(result, kCounters, 0); }},
    {"counters_len_huge", [](ReplyBytes& result) { set(result, kCounters, kHuge); }},
    {"ids_unknown", [](ReplyBytes& result) { set(result, kIds, 4'711); }},
    {"ids_same",
     [](ReplyBytes& result) { set(result, kIds + 4, testing::field_at(result, kIds)); }},
    {"insts_huge", [](ReplyBytes& result) { set(result, kInstances + 4, kHuge); }},
    {"insts_neg", [](ReplyBytes& result) { set(result, kInstances + 4, 0xFFFFFFF9); }},
    {"insts_more", [](ReplyBytes& result) { add(result, kInstances + 4, 1); }},
    {"insts_len_zero", [](ReplyBytes& result) { set(result, kInstances, 0); }},
    {"insts_len_huge", [](ReplyBytes& result) { set(result, kInstances, kHuge); }},
    {"inst_len_zero", [](ReplyBytes& result) { set(result, kFirst, 0); }},
    {"inst_len_odd", [](ReplyBytes& result) { add(result, kFirst, 3); }},
    {"inst_len_huge", [](ReplyBytes& result) { set(result, kFirst, kHuge); }},
    {"name_unterminated", [](ReplyBytes& result) { fill_name(result); }},
    {"value_size_zero", [](ReplyBytes& result) { set(result, first_value(result) + 4, 0); }},
    {"value_size_huge", [](ReplyBytes& result) { set(result, first_value(result) + 4, kHuge); }},
    {"value_bytes", [](ReplyBytes& result) { set(result, first_value(result), 3); }},
};

// --- the whole reply ---

void fill_with_noise(ReplyBytes& reply) {
  std::uint32_t state = 12345;
  for (std::byte& byte : reply) {
    state = state * 1'664'525 + 1'013'904'223;
    byte = static_cast<std::byte>(state >> 24);
  }
}

constexpr BytesHarm kReplyHarms[] = {
    {"total_zero", [](ReplyBytes& reply) { set(reply, 0, 0); }},
    {"total_small", [](ReplyBytes& reply) { set(reply, 0, 40); }},
    {"total_huge", [](ReplyBytes& reply) { set(reply, 0, kHuge); }},
    {"results_zero", [](ReplyBytes& reply) { set(reply, 4, 0); }},
    {"results_huge", [](ReplyBytes& reply) { set(reply, 4, kHuge); }},
    {"garbage", [](ReplyBytes& reply) { fill_with_noise(reply); }},
    {"cut", [](ReplyBytes& reply) { reply.resize(reply.size() / 2); }},
    {"empty", [](ReplyBytes& reply) { reply.clear(); }},
    {"freq_zero",
     [](ReplyBytes& reply) {
       set(reply, 24, 0);
       set(reply, 28, 0);
     }},
    {"time_back", [](ReplyBytes& reply) { add(reply, 20, 0xFFFFFFF0); }},
};

template <typename Harm, std::size_t kCount, typename Subject>
void act(const Harm (&harms)[kCount], std::string_view word, Subject& subject) {
  for (const Harm& harm : harms)
    if (harm.word == word) harm.act(subject);
}

class FaultySpoiler final : public Spoiler {
 public:
  explicit FaultySpoiler(std::filesystem::path control_file)
      : control_file_(std::move(control_file)) {}

  void before_perflib_data() override { faulty::fault_at(faulty::Point::kPerflib, control_file_); }
  void instances(const Guid& counterset, Rows& rows) override {
    if (counterset == culprit_) act(kRowsHarms, told(faulty::Point::kV2), rows);
  }
  void perflib_result(const Guid& counterset, ReplyBytes& result) override {
    if (counterset == culprit_) act(kResultHarms, told(faulty::Point::kV2), result);
  }
  std::optional<std::uint32_t> perflib_reply(ReplyBytes& reply) override {
    const std::string word = told(faulty::Point::kV2);
    if (word == "grows") return kNotEnoughMemory;
    act(kReplyHarms, word, reply);
    return std::nullopt;
  }
  void name_table(ReplyBytes& table) override {
    const std::string word = told(faulty::Point::kNames);
    if (word == "torn") table.resize(std::min(table.size(), kTornBytes));
    if (word == "garbage") fill_with_noise(table);
  }
  std::uint32_t generation() const override {
    std::uint32_t sum = 0;
    for (const char letter : told(faulty::Point::kNames)) sum += static_cast<unsigned char>(letter);
    return sum;
  }

 private:
  std::string told(faulty::Point point) const { return faulty::fault_told(point, control_file_); }

  const std::filesystem::path control_file_;
  const Guid culprit_ = geometric_waves().guid;
};

}  // namespace

std::unique_ptr<Spoiler> faulty_spoiler(std::filesystem::path control_file) {
  return std::make_unique<FaultySpoiler>(std::move(control_file));
}

Now spoilt_clocks(Now now, const std::filesystem::path& control_file) {
  static std::mutex mutex;
  static std::optional<Now> frozen;  // when this process first saw that the clocks stand
  const std::string word = faulty::fault_told(faulty::Point::kClock, control_file);
  const std::lock_guard lock(mutex);
  if (word != "still") frozen.reset();
  if (word == "still") return frozen ? *frozen : frozen.emplace(now);
  const bool forward = word == "wall_forward" || word == "clock_forward";
  const bool back = word == "wall_back" || word == "clock_back";
  if (!forward && !back) return now;
  now.time_100ns += forward ? kHour100ns : -kHour100ns;
  if (word.starts_with("clock")) now.perf_time += forward ? kHour100ns : -kHour100ns;
  return now;
}

std::vector<std::string_view> words_of_v2() {
  std::vector<std::string_view> words{"grows"};
  for (const RowsHarm& harm : kRowsHarms) words.push_back(harm.word);
  for (const BytesHarm& harm : kResultHarms) words.push_back(harm.word);
  for (const BytesHarm& harm : kReplyHarms) words.push_back(harm.word);
  return words;
}

}  // namespace winperf::simulator
