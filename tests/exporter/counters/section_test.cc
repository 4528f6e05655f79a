// The section of the exporter's own counters: what one side publishes, the other one reads.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>

#include "exporter/counters/own_state.h"
#include "exporter/counters/section_layout.h"
#include "exporter/counters/section_view.h"
#include "exporter/counters/section_writer.h"

namespace winperf::own {
namespace {

class OwnSection : public ::testing::Test {
 protected:
  // All values follow from the number, so that a mixture of two states shows.
  static OwnState state_of(std::uint64_t number) {
    OwnState state{.written_at = static_cast<std::int64_t>(number * 3)};
    for (std::size_t i = 0; i < kExporterValues; ++i) state.exporter[i] = number * 1000 + i;
    for (std::size_t row = 0; row < number % 5; ++row) {
      CountersetRow added{.name = u"Set " + std::u16string(row + 1, u'x')};
      for (std::size_t i = 0; i < kCountersetValues; ++i) added.values[i] = number * 100 + row + i;
      state.countersets.push_back(added);
    }
    return state;
  }

  std::span<Word> words() { return {memory_.get(), kSectionWords}; }

  std::unique_ptr<Word[]> memory_ = std::make_unique<Word[]>(kSectionWords);
};

TEST_F(OwnSection, HasTheNewestState) {
  SectionWriter writer(words());
  EXPECT_FALSE(SectionView(words()).newest());
  for (std::uint64_t number = 1; number < 10; ++number) {
    ASSERT_EQ(writer.next_number(), number);
    const OwnState state = state_of(number);
    writer.publish(state);
    const SectionView view(words());
    ASSERT_EQ(view.state(), SectionState::kSound);
    const auto copy = view.newest();
    ASSERT_TRUE(copy);
    EXPECT_EQ(copy->number(), number);
    EXPECT_EQ(copy->written_at(), state.written_at);
    EXPECT_EQ(copy->exporter_value(0), number);
    for (std::size_t i = 1; i < kExporterValues; ++i) {
      EXPECT_TRUE(copy->is_known(i));
      EXPECT_EQ(copy->exporter_value(i), state.exporter[i]);
    }
    ASSERT_EQ(copy->rows(), state.countersets.size());
    for (std::size_t row = 0; row < copy->rows(); ++row) {
      std::u16string name;
      for (std::size_t i = 0; i < copy->name_length(row); ++i)
        name.push_back(copy->name_unit(row, i));
      EXPECT_EQ(name, state.countersets[row].name);
      for (std::size_t i = 0; i < kCountersetValues; ++i)
        EXPECT_EQ(copy->value(row, i), state.countersets[row].values[i]);
    }
  }
}

TEST_F(OwnSection, NumbersGoOnAfterAnyOther_InThePlaceOfTheOlderState) {
  for (std::uint64_t number = 0; number < 6; ++number) {
    memory_ = std::make_unique<Word[]>(kSectionWords);
    SectionWriter first(words());
    first.publish(state_of(1));
    first.publish(state_of(2));
    SectionWriter writer(words());
    writer.start_after(number);
    const std::uint64_t next = writer.next_number();
    EXPECT_GT(next, std::max<std::uint64_t>(number, 2));
    EXPECT_EQ(next % 2, 1U) << "2 is the newest one, and stays while " << next << " is written";
    writer.publish(state_of(next));
    EXPECT_EQ(SectionView(words()).newest()->number(), next);
  }
  memory_ = std::make_unique<Word[]>(kSectionWords);
  SectionWriter fresh(words());
  fresh.start_after(7);
  EXPECT_EQ(fresh.next_number(), 8U);
}

}  // namespace
}  // namespace winperf::own
