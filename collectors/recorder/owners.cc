#include "collectors/recorder/owners.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace winperf::recorder {
namespace {

std::size_t memory_of(const OwnedTime& time) {
  return sizeof time + sizeof *time.owner + time.owner->owner.capacity() +
         time.owner->command_line.capacity();
}

std::size_t memory_of(const std::vector<OwnedTime>& times) {
  return std::accumulate(
      times.begin(), times.end(), std::size_t{0},
      [](std::size_t bytes, const OwnedTime& one) { return bytes + memory_of(one); });
}

// Adds those that are new, and notes which have ended. Whether anything has changed.
bool note_readings(std::vector<OwnedTime>& times, std::vector<ProcessOwner> processes,
                   SteadyTime at, SteadyTime before) {
  std::unordered_map<std::uint64_t, ProcessOwner*> now;
  for (ProcessOwner& one : processes) now[one.process_id] = &one;
  bool has_changed = false;
  for (OwnedTime& time : times) {
    if (!time.is_there) continue;
    const auto found = now.find(time.owner->process_id);
    if (found != now.end() && *found->second == *time.owner) {
      now.erase(found);
      continue;
    }
    time.is_there = false;
    time.last = before;
    has_changed = true;
  }
  for (auto& [id, process] : now)
    times.push_back({.first = at,
                     .last = at,
                     .is_there = true,
                     .owner = std::make_shared<const ProcessOwner>(std::move(*process))});
  return has_changed || !now.empty();
}

// Those that are still there come last.
void keep_within(std::vector<OwnedTime>& times, std::size_t most_bytes) {
  std::size_t bytes = memory_of(times);
  std::ranges::stable_sort(times, {}, [](const OwnedTime& one) {
    return std::pair(one.is_there, one.is_there ? one.first : one.last);
  });
  auto kept = times.begin();
  for (; kept != times.end() && bytes > most_bytes; ++kept) bytes -= memory_of(*kept);
  times.erase(times.begin(), kept);
}

}  // namespace

const ProcessOwner* ProcessOwners::find(std::uint64_t process_id, SteadyTime from,
                                        SteadyTime to) const {
  if (processes == nullptr) return nullptr;
  const OwnedTime* best = nullptr;
  SteadyTime::duration longest{-1};
  for (const OwnedTime& time : *processes) {
    if (time.owner->process_id != process_id) continue;
    const SteadyTime last = time.is_there ? read_at : time.last;
    const auto together = std::min(last, to) - std::max(time.first, from);
    if (together <= longest) continue;
    longest = together;
    best = &time;
  }
  return longest < SteadyTime::duration::zero() ? nullptr : best->owner.get();
}

void OwnerBook::note(std::vector<ProcessOwner> processes, SteadyTime at, SteadyTime oldest,
                     std::size_t most_bytes) {
  auto times = owners_.processes == nullptr
                   ? std::make_shared<std::vector<OwnedTime>>()
                   : std::make_shared<std::vector<OwnedTime>>(*owners_.processes);
  bool has_changed = note_readings(*times, std::move(processes), at, owners_.read_at);
  has_changed |= std::erase_if(*times, [&](const OwnedTime& one) {
                   return !one.is_there && one.last < oldest;
                 }) != 0;
  if (has_changed) owners_.processes = std::move(times);
  if (has_changed) memory_ = memory_of(*owners_.processes);
  owners_.read_at = at;
  limit(most_bytes);
}

void OwnerBook::limit(std::size_t most_bytes) {
  if (memory_ <= most_bytes) return;
  auto times = std::make_shared<std::vector<OwnedTime>>(*owners_.processes);
  keep_within(*times, most_bytes);
  memory_ = memory_of(*times);
  owners_.processes = std::move(times);
}

void OwnerBook::forget() noexcept {
  owners_ = {};
  memory_ = 0;
}

}  // namespace winperf::recorder
