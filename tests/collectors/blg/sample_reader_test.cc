// Samples of counters, one after the other: each is read as by a reader that knows none before it.
#include "collectors/blg/sample_values.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "collectors/blg/log_index.h"
#include "collectors/blg/log_reader.h"
#include "tests/support/blg_builder.h"

namespace winperf::blg {
namespace {

using testing::BlgBuilder;
using testing::ByteVector;
using testing::InstanceValueSpec;
using testing::ItemSpec;
using testing::ListedCounter;

constexpr std::uint32_t kLogRate = 0x1041'0400, kLogFraction = 0x2002'0400, kLogCount = 0x0001'0100;
constexpr std::uint64_t kLogTime = 128'315'796'000'000'000;

ListedCounter listed(std::u16string object, std::optional<std::u16string> instance,
                     std::u16string counter, std::uint32_t type) {
  const std::uint32_t wildcard = instance == u"*" ? 1 : 0;
  return {.object = std::move(object),
          .instance = std::move(instance),
          .counter = std::move(counter),
          .wildcard = wildcard,
          .type = type,
          .time_base = 10};
}

std::vector<ListedCounter> counters_of_log() {
  return {
      listed(u"Disk", u"*", u"Reads/sec", kLogRate), listed(u"Disk", u"*", u"Free", kLogFraction),
      listed(u"Memory", std::nullopt, u"Available", kLogCount),
      listed(u"Disk", u"C:", u"Queue", kLogCount), listed(u"Process", u"*", u"Handles", kLogCount)};
}

// Samples whose instances come, go and repeat, and some of which are damaged.
class RandomSamples {
 public:
  ByteVector next() {
    change(disks_);
    change(processes_);
    std::vector<ItemSpec> items{instances(disks_), instances(disks_), counter(), counter(),
                                instances(processes_)};
    if (one_of(12)) items.pop_back();
    if (one_of(12)) items.push_back(counter());
    if (one_of(12)) items[2].kind = 99;
    if (one_of(12)) items[3].body.resize(20);
    if (one_of(12)) items[4].body.resize(items[4].body.size() - 2);
    if (one_of(12)) std::swap(items[0], items[2]);
    return testing::sample_bytes(items);
  }

 private:
  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }
  bool one_of(std::uint32_t some) { return below(some) == 0; }

  void change(std::vector<std::u16string>& names) {
    if (!one_of(3)) return;
    const std::u16string name(1, static_cast<char16_t>(u'a' + below(6)));
    if (names.empty() || one_of(2))
      names.insert(names.begin() + below(static_cast<std::uint32_t>(names.size()) + 1), name);
    else if (one_of(2))
      names.erase(names.begin() + below(static_cast<std::uint32_t>(names.size())));
    else
      names[below(static_cast<std::uint32_t>(names.size()))] = name;
  }

  testing::RawSpec value() {
    return {.status = one_of(8) ? 0x8000'07D1 : 0, .first = below(1'000), .second = below(1'000)};
  }
  ItemSpec counter() { return {1, testing::counter_body(value(), kLogTime, 1)}; }
  ItemSpec instances(const std::vector<std::u16string>& names) {
    std::vector<InstanceValueSpec> all;
    for (const std::u16string& name : names) all.push_back({name, value()});
    return {2, testing::instances_body(all, kLogTime, true)};
  }

  std::mt19937 random_{7};
  std::vector<std::u16string> disks_{u"C:", u"D:"};
  std::vector<std::u16string> processes_{u"idle", u"svc", u"svc"};
};

void expect_equal(const LoggedObject& a, const LoggedObject& b) {
  EXPECT_EQ(a.problems, b.problems);
  EXPECT_EQ(a.values->schema, b.values->schema);
  EXPECT_EQ(a.values->instances->instances, b.values->instances->instances);
  EXPECT_EQ(a.values->reason, b.values->reason);
  EXPECT_EQ(a.values->clocks, b.values->clocks);
  EXPECT_EQ(a.values->own_clocks, b.values->own_clocks);
  for (std::size_t cell = 0; cell < a.values->reason.size(); ++cell) {
    if (!has_raw(a.values->reason[cell])) continue;
    EXPECT_EQ(a.values->raw[cell], b.values->raw[cell]);
    EXPECT_EQ(a.values->base_at(cell), b.values->base_at(cell));
  }
}

TEST(SampleReader, ReadsEachSampleAsIfItKnewNoneBefore) {
  BlgBuilder log(1 << 16);
  log.record(32, testing::counter_list_bytes(counters_of_log()), 60'000);
  RandomSamples samples;
  for (int i = 0; i < 500; ++i) log.record(34, samples.next(), 60'000);
  std::istringstream stream(log.build().text());
  LogReader reader = LogReader::open(stream).value();
  const LogIndex index = index_log(reader);
  reader.seek({0, 72});
  SampleReader knowing(0);
  std::shared_ptr<const InstanceSet> disks;
  int shared = 0;
  int read = 0;
  for (auto next = reader.next(); next; next = reader.next()) {
    if (!next->record || !is_sample(next->record->bytes())) continue;
    const auto now = knowing.read(*next->record, index.layouts.back(), {++read});
    const auto fresh = SampleReader(0).read(*next->record, index.layouts.back(), {read});
    ASSERT_EQ(now.has_value(), fresh.has_value());
    ASSERT_EQ(now->logged.size(), fresh->logged.size());
    EXPECT_EQ(now->time, fresh->time);
    EXPECT_EQ(now->logged_bytes, fresh->logged_bytes);
    for (std::size_t i = 0; i < now->logged.size(); ++i)
      expect_equal(now->logged[i], fresh->logged[i]);
    shared += now->logged[0].values->instances == disks;
    disks = now->logged[0].values->instances;
  }
  EXPECT_EQ(read, 500);
  EXPECT_GT(shared, 50) << "instances that stay are shared";
}

}  // namespace
}  // namespace winperf::blg
