// The faulty provider's Collect, for the DLL and for the simulated machine: honest, unless the
// control file says otherwise. Thread rule: any thread. Source: Learn, PM_COLLECT_PROC.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "tests/providers/faulty/device.h"

namespace faulty {

struct Call {
  std::u16string_view query;  // the value name
  Titles titles;
  std::uint64_t tenths = 0;  // of a second, since whenever
  std::filesystem::path control_file;
};

// As a provider: `data` moves past what was written, at most `bytes`; these become what is reported
// to have been written. The result is a Win32 code.
std::uint32_t collect(const Call& call, std::byte*& data, std::uint32_t& bytes,
                      std::uint32_t& objects);

}  // namespace faulty
