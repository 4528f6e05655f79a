// The files of a capture, wherever they are: a folder, or an archive with the same files.
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

#include "collectors/sources/source.h"

namespace winperf {

class CaptureFolder {
 public:
  CaptureFolder() = default;
  CaptureFolder(const CaptureFolder&) = delete;
  CaptureFolder& operator=(const CaptureFolder&) = delete;
  virtual ~CaptureFolder() = default;

  // In no order.
  virtual std::expected<std::vector<std::string>, SourceError> names() const = 0;
  // At most kMaxFileBytes. Errors as of read_file(), and those of an archive; `where` becomes
  // Error::where, static text.
  virtual std::expected<Bytes, Error> read(std::string_view name, const char* where) const = 0;
  // For messages.
  virtual std::string text() const = 0;
};

std::unique_ptr<CaptureFolder> open_directory(std::filesystem::path directory);

// The file names of a capture directory: "sample-NNNN.perf" and "sample-NNNN-MM.perf", NNNN the
// sample counted from 0 (4 to 9 digits), MM the query within it (2 to 9 digits).
// Source: docs/registry-path.md, "Capture directories".
struct SampleFileName {
  std::uint32_t sample = 0;
  std::optional<std::uint32_t> part;  // absent sorts before every part
  auto operator<=>(const SampleFileName&) const = default;
};

// Nothing for every other name.
std::optional<SampleFileName> parse_sample_file_name(std::string_view name);

}  // namespace winperf
