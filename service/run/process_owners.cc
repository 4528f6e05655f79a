#include "service/run/process_owners.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace winperf {
namespace {

std::optional<std::uint64_t> process_id_in(const FactRow& row) {
  const std::string text = row.text_of("process_id");
  std::uint32_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || text.empty() || end != text.data() + text.size()) return std::nullopt;
  return id;
}

}  // namespace

std::vector<recorder::ProcessOwner> process_owners(const FactTable& processes) {
  std::vector<recorder::ProcessOwner> owners;
  for (const FactRow& row : processes.rows) {
    const auto id = process_id_in(row);
    if (!id) continue;
    recorder::ProcessOwner process{.process_id = *id,
                                   .owner = row.text_of("owner"),
                                   .command_line = row.text_of("command_line")};
    if (!process.owner.empty() || !process.command_line.empty())
      owners.push_back(std::move(process));
  }
  return owners;
}

void OwnerNotes::note(bool are_kept, SteadyTime now) noexcept {
  if (are_kept) try {
      return note_reading(now);
    } catch (...) {  // std::bad_alloc
    }
  if (std::exchange(noted_, nullptr) != nullptr) recorder_.forget_owners();
}

void OwnerNotes::note_reading(SteadyTime now) {
  // Without new readings, those that are kept only grow older.
  constexpr std::chrono::minutes kBetween{1};
  const auto facts = facts_.latest();
  const FactState* state = nullptr;
  if (facts != nullptr) {
    const auto found = std::ranges::find(facts->topics, FactTopic::kProcesses, &FactState::topic);
    if (found != facts->topics.end() && found->table != nullptr) state = &*found;
  }
  if (state != nullptr && state->table != noted_) {
    noted_ = state->table;
    noted_at_ = now;
    recorder_.note_owners(process_owners(*noted_), state->read_at);
  } else if (state == nullptr && noted_ != nullptr && now - noted_at_ >= kBetween) {
    recorder_.note_owners({}, now);
    noted_at_ = now;
  }
}

}  // namespace winperf
