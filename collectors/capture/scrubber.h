// Takes names out of recorded buffers: of every instance, and of the computer. A name is replaced
// in its place by another one of the same length, so that the buffer stays what it was otherwise;
// the same name always by the same one, without regard to ASCII case, in V1 and V2 buffers alike,
// and different names by different ones.
//
// Kept, because they say nothing about the machine: totals (_Total), Idle, names of digits and
// punctuation, and drive letters. Behind the names that the structures point to, every other
// occurrence of a replaced name in the buffer is replaced as well, for providers leave bytes
// behind. A buffer that can't be followed to its end is refused as a whole. Not touched: values,
// and texts in counters that are texts. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "collectors/model/error.h"

namespace winperf::capture {

class Scrubber {
 public:
  // The error says where the buffer can't be followed; then it is partly scrubbed and not to be
  // used.
  std::expected<void, Error> scrub_block(std::span<std::byte> block);
  std::expected<void, Error> scrub_v2_data(std::span<std::byte> data);

  std::size_t names() const { return replacements_.size(); }

 private:
  const std::u16string& replacement_of(const std::u16string& name);
  void scrub_utf16(std::span<std::byte> name);
  void scrub_ansi(std::span<std::byte> name);
  void scrub_leftovers(std::span<std::byte> buffer) const;

  std::map<std::u16string, std::u16string> replacements_;  // by name in lower case
  std::map<std::size_t, std::size_t> used_;                // names by length
};

// Whether a name says nothing about the machine.
bool is_harmless(std::u16string_view name);

}  // namespace winperf::capture
