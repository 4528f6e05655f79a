// What can be wrong with the data of the object "Faulty Parts", and with what Collect reports about
// it. The control file of harm.h names it, with the point "data": "total_zero_data". After "all_"
// the provider answers every query with it, whatever was asked for: "all_garbage_data".
//
// What the object says:
//   total_huge, total_zero, total_small, total_more   its TotalByteLength (more: the next object
//   too) definition_huge, header_zero     its other lengths counters_huge, counters_zero     its
//   NumCounters counter_len_zero, counter_len_huge, counter_offset, counter_size, counter_overlap,
//   counter_type, counter_unknown                  a counter's definition (overlap: two counters,
//   one place;
//                                    unknown: a title that has no name)
//   inst_huge, inst_neg, inst_more   its NumInstances
//   inst_len_zero, inst_len_huge, inst_len_odd, inst_overlap
//                                    an instance's ByteLength (overlap: into its own name)
//   name_offset, name_len, name_len_odd, name_unterminated   where an instance's name is
//   block_zero, block_small, block_huge   the ByteLength of a counter block
//   freq_zero, time_back, time_still      the object's clock
//   code_page, parent_huge, index_foreign (the title of "System"), index_zero
// What it is about:
//   name_32k, name_1m, surrogate, newline, quotes, labels, control, name_empty, duplicates,
//   many (50,000 instances), churn (500 new names each time), none (no instances)
//   backwards (values that decrease), jump, still (values that don't change)
//   type_changes, counters_change, single_changes   other definitions each second
// What Collect reports:
//   lie_bytes, lie_4g, lie_pointer, say_less, say_odd   how many bytes there are
//   objects_lie, objects_zero        how many objects there are
//   garbage, tail                    bytes that are no object, instead of it and behind it
//   nothing, more_data, busy, error  success without data, and other codes
//   big40, big300                    so many MiB of data that nobody needs
// Thread rule: any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/providers/faulty/device.h"

namespace faulty {

// What Collect is about to give back.
struct Answer {
  Bytes bytes;
  std::uint32_t objects = 0;
  std::uint32_t status = 0;
  // What it reports, if that isn't the number of bytes.
  std::uint32_t reported = 0;
  std::uint32_t moved = 0;
  // Where the objects begin; "Faulty Parts" may be missing.
  std::size_t parts_at = 0;
  bool has_parts = false;
};

std::vector<std::string_view> data_words();

// Each does nothing where the word is none of its own. The word may begin with "all_".
void spoil_parts(std::string_view word, Parts& parts);
void spoil_bytes(std::string_view word, Answer& answer);
// After `reported` and `moved` have been set.
void spoil_report(std::string_view word, Answer& answer);

// Whether this fault is in the answer to every query.
bool is_everywhere(std::string_view word);

}  // namespace faulty
