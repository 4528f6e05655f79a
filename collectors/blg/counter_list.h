// The counter list of a log: which counters were asked for. The n-th item of every sample belongs
// to the n-th entry.
//
//   8 bytes | entries: u32 length | u32 wildcard flag | 4 bytes | u32 type | u64 time base |
//   i32 scale | offsets of the path's strings, from byte 52 of the entry | UTF-16 strings
//
// Validated: lengths nest, strings are terminated within their entry. An entry that is unsound is
// an Error and the next one is read, as long as its length leads to one. Offsets of errors are from
// the start of the record. Thread rule: values.
// Source: docs/blg.md, "Counter list".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "collectors/model/error.h"

namespace winperf::blg {

struct Counter {
  std::string path;  // UTF-8: \\machine\object(parent/instance)\counter, "*" for all
  bool wildcard = false;
  std::uint32_t type = 0;       // PERF_*; says nothing about a whole object
  std::uint64_t time_base = 0;  // ticks a second
  std::int32_t default_scale = 0;
};

struct CounterList {
  std::vector<Counter> counters;
  std::vector<Error> problems;
};

CounterList read_counter_list(std::span<const std::byte> record);

}  // namespace winperf::blg
