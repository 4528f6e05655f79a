// What one sample of a log holds for one machine: blocks as they are, and the values of single and
// wildcard counters put together to the objects that they belong to.
//
// A value belongs to the counter whose place in the list its item has in the sample. Instances are
// those that single counters name and those that the items of wildcard counters hold; where an
// instance lacks a value, that is kNotDelivered. Of several values for one cell, as two entries of
// a list may ask for the same, the first one counts. Each value has the clock that it came with.
// Validated: items, by their readers; one that is unsound costs its values and is a problem of its
// object. Limits: kMaxCells of a machine's sample; instances beyond it are left out, and that is a
// problem too. Errors: a sample record whose items can't be told apart; offsets are in the file.
// Thread rule: any thread. Source: docs/blg.md, "Values".
#pragma once

#include <cstddef>
#include <expected>

#include "collectors/blg/log_layout.h"
#include "collectors/blg/record_joiner.h"
#include "collectors/model/clock.h"
#include "collectors/sources/source.h"

namespace winperf::blg {

inline constexpr std::size_t kMaxCells = std::size_t{1} << 21;

std::expected<Reply, Error> read_sample_of(const Record& record, const LogLayout& layout,
                                           std::size_t machine, Ticks100ns time);

}  // namespace winperf::blg
