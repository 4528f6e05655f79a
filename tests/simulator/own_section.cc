#include "tests/simulator/own_section.h"

#include <cstddef>
#include <utility>

#include "exporter/counters/section_view.h"

namespace winperf::simulator {
namespace {

own::OwnState state_of(const own::SectionView& view, const own::SectionView::Copy& copy) {
  own::OwnState state{.number = copy.number(), .written_at = copy.written_at()};
  for (std::size_t i = 0; i < view.exporter_values(); ++i)
    if (copy.is_known(i)) state.exporter[i] = copy.exporter_value(i);
  for (std::size_t row = 0; row < copy.rows(); ++row) {
    own::CountersetRow& added = state.countersets.emplace_back();
    for (std::size_t i = 0; i < copy.name_length(row); ++i)
      added.name.push_back(copy.name_unit(row, i));
    for (std::size_t i = 0; i < view.counterset_values(); ++i) added.values[i] = copy.value(row, i);
  }
  return state;
}

// A copy that is being read is written over by the second state from now at the earliest.
constexpr int kMostAttempts = 100;

void read_newest(void* of_use, std::span<const own::Word> words) {
  auto& found = *static_cast<std::optional<own::OwnState>*>(of_use);
  const own::SectionView view(words);
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    const auto copy = view.newest();
    if (!copy) continue;
    own::OwnState state = state_of(view, *copy);
    if (!copy->is_whole()) continue;
    found = std::move(state);
    return;
  }
}

}  // namespace

std::optional<own::OwnState> state_in(const std::filesystem::path& file, std::int64_t now) {
  std::optional<own::OwnState> found;
  if (with_section_file(file, read_newest, &found) != 0) return std::nullopt;
  const bool is_fresh = found && found->written_at <= now + own::kOldestState &&
                        found->written_at >= now - own::kOldestState;
  return is_fresh ? std::move(found) : std::nullopt;
}

}  // namespace winperf::simulator
