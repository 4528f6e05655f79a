// What one sample of a log holds for one machine: blocks as they are, and objects assembled from
// the values of single and wildcard counters.
//
// The n-th item of a sample belongs to the n-th entry of the counter list. Instances are those that
// single counters name and those in the items of wildcard counters; a value that an instance lacks
// is kNotDelivered. If two entries request the same value, the first one counts. Each value has the
// clock that came with it.
// Validated: items, by their readers; an unsound item costs its values and is a problem of its
// object. Limits: kMaxCells for a machine's sample; instances beyond that are left out, which is a
// problem, too. Errors: a sample record that can't be split into items; offsets are in the file.
// Thread rule: any thread. Source: docs/blg.md, "Counters" and "Missing values".
#pragma once

#include <cstddef>
#include <expected>

#include "collectors/blg/log_layout.h"
#include "collectors/blg/record_joiner.h"
#include "collectors/model/clock.h"
#include "collectors/sources/source.h"

namespace winperf::blg {

inline constexpr std::size_t kMaxCells = std::size_t{1} << 21;

[[nodiscard]] std::expected<Reply, Error> read_sample_of(const Record& record,
                                                         const LogLayout& layout,
                                                         std::size_t machine, Ticks100ns time);

}  // namespace winperf::blg
