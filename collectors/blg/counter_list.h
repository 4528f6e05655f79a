// The counter list of a log: which counters were requested. The n-th item of each sample belongs to
// the n-th entry.
//
//   8 bytes | entries: u32 length | u32 flags | 4 bytes | u32 type | u64 time base |
//   i32 scale | the path's elements: offsets of strings, from byte 52 of the entry, and the
//   instance's index | UTF-16 strings
//
// Validated: lengths nest, strings are terminated within their entry. An entry with a bad string is
// an Error and keeps its place, and the next entry is read; an impossible length ends the list.
// Offsets of errors are from the start of the record. Thread rule: values.
// Source: docs/blg.md, "Counter list".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectors/model/error.h"

namespace winperf::blg {

// Names are UTF-8.
struct Counter {
  std::string machine;  // without the leading backslashes; may be empty
  std::string object;
  std::string parent;                // of the instance; usually empty
  std::string instance;              // "*" for all; empty for an object without instances
  std::uint32_t instance_index = 0;  // of several with one name, counted from 0: perfmon's "#1"
  std::string name;                  // "*" for all: the whole object
  bool wildcard = false;             // instance or name is "*"
  std::uint32_t type = 0;            // PERF_*; meaningless for a whole object
  std::uint64_t time_base = 0;       // ticks per second
  std::int32_t default_scale = 0;
  bool operator==(const Counter&) const = default;
};

struct CounterList {
  std::vector<std::optional<Counter>> counters;  // empty in the place of an unsound entry
  std::vector<Error> problems;
};

// Whether it requests all counters of the object, as V1 blocks.
inline bool names_whole_object(const Counter& counter) { return counter.name == "*"; }

// "\\machine\object(parent/instance#index)\counter"
std::string path_of(const Counter& counter);

CounterList read_counter_list(std::span<const std::byte> record);

}  // namespace winperf::blg
