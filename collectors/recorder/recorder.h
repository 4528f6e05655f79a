// Remembers the raw samples of the recent past, thinned out with age, within a budget of memory
// (docs/adr/0025-raw-samples-are-remembered.md).
//
// A reload of the configuration changes nothing: a counterset that is sampled again continues, and
// one that isn't is remembered until it is too old. What can't be allocated is forgotten, with
// everything else.
// Thread rule: history() from any thread; all else from one. No reader holds up another thread: it
// takes a pointer.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "collectors/base/changes.h"
#include "collectors/model/sample.h"
#include "collectors/recorder/chunk.h"
#include "collectors/recorder/history.h"
#include "collectors/recorder/owners.h"
#include "collectors/recorder/thinning.h"

namespace winperf::recorder {

inline constexpr std::size_t kMebibyte = std::size_t{1} << 20U;

// 16 MiB; 4 where the machine has less than 2 GiB.
constexpr std::size_t default_budget(std::uint64_t machine_memory) {
  constexpr std::uint64_t kSmallMachine = std::uint64_t{2} << 30U;
  return (machine_memory < kSmallMachine ? 4 : 16) * kMebibyte;
}

// The age from which only one sample of a minute is kept, and one of five minutes.
inline constexpr std::chrono::minutes kAllFor{15};
inline constexpr std::chrono::hours kMinutesFor{2};

class Recorder {
 public:
  // 0: nothing is recorded.
  explicit Recorder(std::size_t budget_bytes) : budget_(budget_bytes) {}

  // What is more than that is forgotten at once; 0 forgets all.
  void change_budget(std::size_t bytes) noexcept;

  // What is new in a published sample.
  void add(const Sample& sample) noexcept;

  // A reading of all processes, for the histories from the next sample on.
  void note_owners(std::vector<ProcessOwner> processes, SteadyTime at) noexcept;
  void forget_owners() noexcept { owners_.forget(); }

  // Null while there is nothing.
  std::shared_ptr<const History> history() const { return slot_.latest(); }

 private:
  // A counterset, as the writer continues it.
  struct Line {
    std::shared_ptr<const Track> track;  // that was published
    std::shared_ptr<const CountersetSample> last;
    Frame frame;  // of `last`
    std::shared_ptr<const Shape> shape;
    std::chrono::milliseconds stale_after{};
    std::size_t memory = 0;
  };
  using Lines = std::map<std::pair<std::string, std::string>, Line>;

  void record(const Sample& sample);
  void append(Line& line, const CountersetState& state);
  [[nodiscard]] static Frame next_frame(const Line& line, const CountersetState& state);
  // At most one chunk is made anew.
  void tidy(Line& line, SteadyTime now);
  bool should_seal(const Line& line, const Instant& next) const;
  void seal(Line& line);
  bool thin(Line& line, Level level);
  void replace(Line& line, std::size_t first, std::size_t count, std::size_t kept, Level level);
  void set_chunks(Line& line, std::vector<std::shared_ptr<const Chunk>> chunks);
  void keep_budget();
  void publish();
  void forget() noexcept;
  void forget_scratch();

  // Of the budget, what owners may take at most.
  static constexpr std::size_t kOwnersOfBudget = 8;

  std::size_t budget_;
  Lines lines_;
  std::size_t memory_ = 0;
  ChunkWriter writer_;
  Thinning thinning_;
  OwnerBook owners_;
  Latest<History> slot_;
};

}  // namespace winperf::recorder
