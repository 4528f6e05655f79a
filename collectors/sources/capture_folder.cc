#include "collectors/sources/capture_folder.h"

#include <system_error>
#include <utility>

#include "collectors/base/path_text.h"
#include "collectors/base/system_text.h"
#include "collectors/sources/file_bytes.h"

namespace winperf {
namespace {

class Directory final : public CaptureFolder {
 public:
  explicit Directory(std::filesystem::path path) : path_(std::move(path)) {}

  std::expected<std::vector<std::string>, SourceError> names() const override {
    std::error_code cause;
    std::filesystem::directory_iterator entry(path_, cause);
    std::vector<std::string> names;
    for (; !cause && entry != std::filesystem::directory_iterator(); entry.increment(cause))
      names.push_back(path_text(entry->path().filename()));
    if (!cause) return names;
    const bool absent = cause == std::errc::no_such_file_or_directory;
    const std::string why = absent ? "there is no such file or folder" : system_text(cause);
    return std::unexpected(SourceError{absent ? ErrorCode::kNoSuchFile : ErrorCode::kOsError,
                                       "can't read the capture " + text() + ": " + why});
  }

  std::expected<Bytes, Error> read(std::string_view name, const char* where) const override {
    return read_file(path_ / std::u8string(name.begin(), name.end()), where);
  }

  std::string text() const override { return path_text(path_); }

 private:
  const std::filesystem::path path_;
};

}  // namespace

std::unique_ptr<CaptureFolder> open_directory(std::filesystem::path directory) {
  return std::make_unique<Directory>(std::move(directory));
}

}  // namespace winperf
