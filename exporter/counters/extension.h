// The three functions of a V1 performance extension DLL, without Windows: what the DLL exports, and
// what a simulated machine calls.
//
// Any number of threads may call them at the same time, in any order. Collect answers with data
// only while Open has succeeded more often than Close was called; a Close too many does nothing.
// Compiled into the DLL (counter_row.h). Thread rule: any thread.
// Source: Learn, PM_OPEN_PROC, PM_COLLECT_PROC, PM_CLOSE_PROC.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "exporter/counters/section_layout.h"

namespace winperf::own {

// What lodctr assigned: First Counter and First Help.
struct TitleIndices {
  std::uint32_t first_counter = 0;
  std::uint32_t first_help = 0;
};

// What goes to the event log, each at most once in five minutes.
enum class Trouble : std::uint8_t {
  kNotRegistered,  // Open can't read the title indices; the detail is a Win32 error
  kSection,        // the section can't be opened although it exists; a Win32 error
  kOtherLayout,    // the section is of a version that this DLL can't read; its layout
  kDamaged,        // the section contradicts itself
};
inline constexpr std::size_t kTroubleCount = static_cast<std::size_t>(Trouble::kDamaged) + 1;

// What the functions need of the process that they run in. Functions, because the DLL has no
// runtime for virtual ones. They neither allocate nor wait.
struct Surroundings {
  // A Win32 error.
  std::uint32_t (*read_indices)(void* context, TitleIndices& indices);
  // Calls `use` once with the section, which is mapped for as long as that takes, and returns 0;
  // or a Win32 error. ERROR_FILE_NOT_FOUND (2): the service doesn't run.
  std::uint32_t (*with_section)(void* context, void (*use)(void* of_use, std::span<const Word>),
                                void* of_use);
  std::int64_t (*now)(void* context);  // a FILETIME
  // For the limit of events: a clock that is never set, in milliseconds.
  std::uint64_t (*tick)(void* context);
  void (*report)(void* context, Trouble trouble, std::uint32_t detail);
  void* context = nullptr;
};

class Extension {
 public:
  constexpr explicit Extension(const Surroundings& surroundings) : surroundings_(surroundings) {}

  std::uint32_t open();
  // As PM_COLLECT_PROC. `query` may be null, which is "Global".
  std::uint32_t collect(const char16_t* query, void** data, std::uint32_t* bytes,
                        std::uint32_t* objects);
  std::uint32_t close();

 private:
  void report(Trouble trouble, std::uint32_t detail);

  const Surroundings surroundings_;
  std::atomic<std::uint32_t> users_{0};
  std::atomic<std::uint64_t> indices_{0};                 // both, in one word
  std::atomic<std::uint64_t> reported_[kTroubleCount]{};  // tick of the last event, plus one
};

}  // namespace winperf::own
