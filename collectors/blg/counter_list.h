// The counter list of a log: which counters were asked for. The n-th item of every sample belongs
// to the n-th entry.
//
//   8 bytes | entries: u32 length | u32 flags | 4 bytes | u32 type | u64 time base |
//   i32 scale | the path's elements: offsets of strings, from byte 52 of the entry, and the index
//   of the instance | UTF-16 strings
//
// Validated: lengths nest, strings are terminated within their entry. An entry with a bad string is
// an Error, keeps its place, and the next one is read; a length that no entry has ends the list.
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
  std::string machine;  // without the backslashes in front of it; may be empty
  std::string object;
  std::string parent;                // of the instance; usually empty
  std::string instance;              // "*" for all; empty for an object without instances
  std::uint32_t instance_index = 0;  // of several with one name, counted from 0: perfmon's "#1"
  std::string name;                  // "*" for all: the whole object
  bool wildcard = false;             // one of the two is "*"
  std::uint32_t type = 0;            // PERF_*; says nothing about a whole object
  std::uint64_t time_base = 0;       // ticks a second
  std::int32_t default_scale = 0;
};

struct CounterList {
  std::vector<std::optional<Counter>> counters;  // nothing in the place of an unsound one
  std::vector<Error> problems;
};

// Whether it asks for all counters of the object, as V1 blocks.
inline bool names_whole_object(const Counter& counter) { return counter.name == "*"; }

// "\\machine\object(parent/instance#index)\counter"
std::string path_of(const Counter& counter);

CounterList read_counter_list(std::span<const std::byte> record);

}  // namespace winperf::blg
