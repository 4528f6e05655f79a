// The files of a capture, wherever they are: a folder, or an archive with the same files.
// Thread rule: one thread at a time.
#pragma once

#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/sources/source.h"
#include "collectors/sources/source_error.h"

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

}  // namespace winperf
