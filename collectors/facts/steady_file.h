// A file that somebody else may be writing: its content is taken only if it did not change while it
// was read. Never waits for another program. Thread rule: any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <vector>

#include "collectors/base/whole_file.h"

namespace winperf {

inline constexpr int kSteadyTries = 3;

struct SteadyFile {
  FileState state;
  std::vector<std::byte> bytes;
};

// `after_reading`: called after each try, for tests. If it changes each time: kSystem.
[[nodiscard]] std::expected<SteadyFile, FileFailure> read_steady_file(
    const std::filesystem::path& file, std::uint64_t max_bytes,
    const std::function<void()>& after_reading = {});

}  // namespace winperf
