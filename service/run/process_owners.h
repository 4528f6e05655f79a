// From the facts about processes to what the recorder remembers of them. Thread rule: the thread
// that samples.
#pragma once

#include <memory>
#include <vector>

#include "collectors/facts/fact_state.h"
#include "collectors/recorder/recorder.h"

namespace winperf {

class OwnerNotes {
 public:
  // Both must outlive this object.
  OwnerNotes(const FactSlot& facts, recorder::Recorder& recorder)
      : facts_(facts), recorder_(recorder) {}

  // What was read since the last call. `are_kept`: as recorder.owners has it. Without memory for
  // it, owners are forgotten.
  void note(bool are_kept, SteadyTime now) noexcept;

 private:
  void note_reading(SteadyTime now);

  const FactSlot& facts_;
  recorder::Recorder& recorder_;
  std::shared_ptr<const FactTable> noted_;  // null: nothing is kept
  SteadyTime noted_at_{};
};

// The rows that have an owner or a command line.
[[nodiscard]] std::vector<recorder::ProcessOwner> process_owners(const FactTable& processes);

}  // namespace winperf
