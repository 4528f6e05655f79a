// What the soak's driver and its worker processes share, in a file that all of them map: the time
// of the simulated machine, and what is wrong with it at the moment.
//
// The driver, and whoever waits for a worker, moves the time; nobody else writes here.
// Thread rule: any thread of any of these processes.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>

#include "tests/simulator/machine.h"

namespace winperf::soak {

// What the provider of "Faulty Device" does when it is asked, and PerfLib.
enum class Trouble : std::uint32_t {
  kNone,
  kHang,     // acted out by TimedProcess, because a hang takes simulated time alone
  kSlow,     // likewise
  kGarbage,  // its reply is spoilt
  kHarm,     // what tests/providers/faulty/harm.h calls Board::harm
  kRefuse,   // PerfLib answers an error
};

struct Board {
  std::atomic<std::int64_t> elapsed_100ns{0};      // since the machine was started
  std::atomic<std::int64_t> wall_offset_100ns{0};  // by which somebody has set the wall clock
  std::atomic<Trouble> provider{Trouble::kNone};
  std::atomic<Trouble> perflib{Trouble::kNone};
  std::atomic<std::uint32_t> harm{0};               // the index of a word of faulty::words()
  std::atomic<std::uint64_t> installations{0};      // odd: there is a guest
  std::atomic<std::int64_t> restarted_at_100ns{0};  // the service that counts from 0 again
};
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

// The environment variable that names the file.
inline constexpr const char* kBoardVariable = "WINPERF_SOAK_BOARD";

// Makes the file, full of zeros, and tells this process's children of it. It stays mapped until the
// process ends. Errors are exceptions.
Board& make_board(const std::filesystem::path& file);
// That of the environment.
Board& open_board();

// The machine's clocks.
simulator::Now now_of(const Board& board);

}  // namespace winperf::soak
