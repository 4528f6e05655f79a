// The files of a capture, wherever they are: in a folder, or in an archive with the same files.
// Thread rule: one thread at a time.
#pragma once

#include <compare>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/base/whole_file.h"
#include "collectors/sources/source.h"

namespace winperf {

inline constexpr std::uint64_t kMaxFileBytes = 256ULL << 20;

class CaptureFolder {
 public:
  CaptureFolder() = default;
  CaptureFolder(const CaptureFolder&) = delete;
  CaptureFolder& operator=(const CaptureFolder&) = delete;
  virtual ~CaptureFolder() = default;

  // In no particular order.
  [[nodiscard]] virtual std::expected<std::vector<std::string>, SourceError> names() const = 0;
  // At most kMaxFileBytes. Errors: those of file_error(), and those of an archive; `where` becomes
  // Error::where, so it is static text.
  [[nodiscard]] virtual std::expected<Bytes, Error> read(std::string_view name,
                                                         const char* where) const = 0;
  // For messages.
  virtual std::string text() const = 0;
};

[[nodiscard]] std::unique_ptr<CaptureFolder> open_directory(std::filesystem::path directory);

// A failure of read_whole_file() as an Error: kNoSuchFile, kNotAFile, kLimitExceeded (the size
// against the limit), kOsError. `where` becomes Error::where, so it is static text.
[[nodiscard]] Error file_error(const FileFailure& failure, const char* where,
                               std::uint64_t max_bytes);

// The file names of a capture directory: "sample-NNNN.perf" and "sample-NNNN-MM.perf", NNNN the
// sample counted from 0 (4 to 9 digits), MM the query within it (2 to 9 digits).
// Source: docs/capture.md, "The files".
struct SampleFileName {
  std::uint32_t sample = 0;
  std::optional<std::uint32_t> part;  // absent sorts before every part
  auto operator<=>(const SampleFileName&) const = default;
};

// Nothing for any other name.
[[nodiscard]] std::optional<SampleFileName> parse_sample_file_name(std::string_view name);

}  // namespace winperf
