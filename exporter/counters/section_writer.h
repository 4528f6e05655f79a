// Publishes states in a section (section_layout.h), one after the other.
//
// A state that was being written when its writer died is written over by the next one.
// Thread rule: one thread at a time; a section has one writer.
#pragma once

#include <cstdint>
#include <span>

#include "exporter/counters/own_state.h"
#include "exporter/counters/section_layout.h"

namespace winperf::own {

class SectionWriter {
 public:
  // `words`: kSectionWords, which are all zero, or were written by this version before.
  explicit SectionWriter(std::span<Word> words);

  // The next state has a greater number than this.
  void start_after(std::uint64_t number);
  // The number that the next state has.
  std::uint64_t next_number() const { return newest_ + 1; }
  // Writes the state under that number, which replaces its own.
  void publish(const OwnState& state);

 private:
  std::span<Word> words_;
  std::uint64_t newest_ = 0;
};

}  // namespace winperf::own
