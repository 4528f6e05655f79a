// How the steps of the benchmark are measured. Thread rule: one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>

namespace winperf::testing {

// Returns the number of bytes that it has read or written; 0 if it has not done its work.
using Step = std::function<std::size_t()>;

// Repeats the step for so long, at least once, and prints what it took. Whether it has done its
// work.
bool measure(const char* name, std::chrono::milliseconds least, const Step& step);

// Of a machine with a thousand objects: finding them, with metadata and without, and sampling them.
bool measure_discovery(std::chrono::milliseconds least);
// Of a page of 20,000 series: what windows_exporter's names cost beside our own.
bool measure_profiles(std::chrono::milliseconds least);

}  // namespace winperf::testing
