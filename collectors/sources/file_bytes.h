// Reads one whole regular file, never more than a limit.
// Errors: kNoSuchFile, kLimitExceeded (the size against the limit), kNotAFile (a folder, a pipe,
// a device), kOsError. `where` becomes Error::where, static text.
// Thread rule: any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>

#include "collectors/sources/source.h"

namespace winperf {

inline constexpr std::uint64_t kMaxFileBytes = 256ULL << 20;

std::expected<Bytes, Error> read_file(const std::filesystem::path& path, const char* where,
                                      std::uint64_t max_bytes = kMaxFileBytes);

}  // namespace winperf
