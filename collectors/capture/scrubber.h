// Takes names out of recorded buffers: of every instance, and of the computer. A name is replaced
// in its place by another one of the same length, so that the buffer stays what it was otherwise;
// the same name always by the same one, without regard to ASCII case, in V1 and V2 buffers alike,
// and different names by different ones.
//
// Kept, because they say nothing about the machine: totals (_Total), Idle, names of digits and
// punctuation, and drive letters. Bytes between a name's end and that of its place are zeroed, for
// providers leave bytes behind; every other occurrence of a name that is known by then is replaced,
// in UTF-16 from 4 characters on, in one byte a character from 6 on. A buffer that can't be
// followed to its end is refused as a whole. Not touched: values, and texts in counters that are
// texts. Thread rule: one thread.
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
  bool is_in_name(std::span<const std::byte> part) const;
  void scrub_leftovers(std::span<std::byte> buffer);
  // `step`: bytes of a character.
  void scrub_leftovers(std::span<std::byte> buffer, std::size_t step, std::size_t shortest) const;

  std::map<std::u16string, std::u16string> replacements_;  // by name in lower case
  std::map<std::size_t, std::size_t> used_;                // names by length
  std::vector<std::span<const std::byte>> names_;          // in the buffer that is being scrubbed
};

// Whether a name says nothing about the machine.
bool is_harmless(std::u16string_view name);

}  // namespace winperf::capture
