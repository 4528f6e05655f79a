// A day in a monitor's process: the extension is asked each second, by virtual time, while the
// service publishes, restarts and once leaves a damaged section behind. Nothing is allocated, and
// the event log gets no more than it should.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "exporter/counters/extension.h"
#include "exporter/counters/own_state.h"
#include "exporter/counters/section_writer.h"
#include "tests/exporter/counters/section_builder.h"
#include "tests/support/allocations.h"
#include "tests/support/thorough.h"

namespace winperf::own {
namespace {

constexpr std::uint32_t kMoreRoom = 234;  // ERROR_MORE_DATA
constexpr std::uint32_t kNoSection = 2;   // ERROR_FILE_NOT_FOUND
constexpr std::int64_t kMidnight = 133'716'612'800'000'000;
constexpr std::size_t kSecondsOfHour = 3600;
// Seconds of each hour: the service doesn't run before the first, and between the others its
// section is damaged.
constexpr std::size_t kStarts = 600;
constexpr std::size_t kBreaks = 1200;
constexpr std::size_t kIsRepaired = 1800;
constexpr std::size_t kDayRows = 60;  // countersets

// The service, and the process that reads what it publishes. It allocates while it is made only.
class DayOfQueries {
 public:
  DayOfQueries() {
    for (std::size_t number = 0; number < states_.size(); ++number)
      states_[number] = testing::numbered_state(number + 1, 0, kDayRows);
    extension_.open();
  }

  void pass_second() {
    ++second_;
    runs_ = of_hour() >= kStarts;
    head(Head::kRows).store(is_damaged() ? 5 : kMaxRows, std::memory_order_release);
    if (runs_ && second_ % 5 == 0) {
      OwnState& state = states_[second_ / 5 % states_.size()];
      state.written_at = now();
      writer_.publish(state);
    }
  }

  // What one consumer asks in a second. Fails the test where an answer is wrong.
  void ask() {
    if (second_ % 60 == 0) {  // a second consumer comes for a query, and goes
      extension_.open();
      collect(u"MetadataGlobal", room_.size());
      extension_.close();
    }
    collect(u"Costly", room_.size());
    EXPECT_EQ(answer_.bytes, 0U);
    collect(second_ % 2 == 0 ? nullptr : u"238 4068 4000", 1024);
    EXPECT_EQ(answer_.code, has_objects() ? kMoreRoom : 0U) << second_;
    collect(second_ % 2 == 0 ? u"Global" : u"4000 238 4068", room_.size());
    EXPECT_EQ(answer_.code, 0U);
    EXPECT_EQ(answer_.objects, has_objects() ? 2U : 0U) << second_;
    EXPECT_EQ(answer_.bytes != 0, has_objects()) << second_;
    with_objects_ += has_objects() ? 1 : 0;
  }

  std::size_t seconds_with_objects() const { return with_objects_; }
  const std::array<std::uint64_t, kTroubleCount>& reports() const { return reports_; }

 private:
  struct Answer {
    std::uint32_t code = 0;
    std::uint32_t bytes = 0;
    std::uint32_t objects = 0;
  };

  std::int64_t now() const { return kMidnight + static_cast<std::int64_t>(second_) * 10'000'000; }
  Word& head(Head word) { return memory_.words()[static_cast<std::size_t>(word)]; }
  std::size_t of_hour() const { return second_ % kSecondsOfHour; }
  bool is_damaged() const { return of_hour() >= kBreaks && of_hour() < kIsRepaired; }
  bool has_objects() const { return runs_ && !is_damaged(); }

  void collect(const char16_t* query, std::size_t room) {
    void* data = room_.data();
    answer_ = {.bytes = static_cast<std::uint32_t>(room)};
    answer_.code = extension_.collect(query, &data, &answer_.bytes, &answer_.objects);
  }

  static DayOfQueries& of(void* context) { return *static_cast<DayOfQueries*>(context); }
  Surroundings surroundings() {
    return {
        .read_indices = [](void*, TitleIndices& indices) -> std::uint32_t {
          indices = {.first_counter = 4000, .first_help = 4001};
          return 0;
        },
        .with_section = [](void* context, void (*use)(void*, std::span<const Word>),
                           void* of_use) -> std::uint32_t {
          if (!of(context).runs_) return kNoSection;
          use(of_use, of(context).memory_.words());
          return 0;
        },
        .now = [](void* context) { return of(context).now(); },
        .tick = [](void* context) { return std::uint64_t{1000} * of(context).second_; },
        .report = [](void* context, Trouble trouble,
                     std::uint32_t) { ++of(context).reports_[static_cast<std::size_t>(trouble)]; },
        .context = this,
    };
  }

  std::size_t second_ = 0;
  bool runs_ = false;
  Answer answer_;
  std::size_t with_objects_ = 0;
  std::array<std::uint64_t, kTroubleCount> reports_{};
  std::array<OwnState, 7> states_;
  std::vector<std::byte> room_ = std::vector<std::byte>(std::size_t{1} << 18);
  testing::SectionMemory memory_{kSectionWords};
  SectionWriter writer_{memory_.words()};
  Extension extension_{surroundings()};
};

TEST(ExtensionDay, AllocatesNothing) {
  ASSERT_EQ(title_offset(kCountersetObject), 68U) << "adapt the queries above";
  DayOfQueries day;
  const std::size_t hours = winperf::testing::tried(2, 24);
  const winperf::testing::Allocations before = winperf::testing::allocations();
  const std::uint64_t bytes_before = winperf::testing::allocated_bytes();
  for (std::size_t second = 0; second < hours * kSecondsOfHour; ++second) {
    day.pass_second();
    day.ask();
  }
  EXPECT_EQ((winperf::testing::allocations() - before).count, 0U);
  EXPECT_EQ(winperf::testing::allocated_bytes(), bytes_before);
  EXPECT_EQ(day.seconds_with_objects(),
            hours * (kSecondsOfHour - kStarts - (kIsRepaired - kBreaks)));
  // One each five minutes, in ten minutes of each hour.
  EXPECT_EQ(day.reports(), (std::array<std::uint64_t, kTroubleCount>{0, 0, 0, 2 * hours}));
}

}  // namespace
}  // namespace winperf::own
