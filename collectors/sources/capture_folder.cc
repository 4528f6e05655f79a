#include "collectors/sources/capture_folder.h"

#include <system_error>
#include <utility>

#include "collectors/base/decimal.h"
#include "collectors/base/path_text.h"
#include "collectors/base/system_text.h"

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
    auto bytes = read_whole_file(path_ / path_of(name), kMaxFileBytes);
    if (!bytes) return std::unexpected(file_error(bytes.error(), where, kMaxFileBytes));
    return *std::move(bytes);
  }

  std::string text() const override { return path_text(path_); }

 private:
  const std::filesystem::path path_;
};

ErrorCode code_of(FileProblem problem) {
  if (problem == FileProblem::kAbsent) return ErrorCode::kNoSuchFile;
  if (problem == FileProblem::kNotAFile) return ErrorCode::kNotAFile;
  return problem == FileProblem::kTooLarge ? ErrorCode::kLimitExceeded : ErrorCode::kOsError;
}

constexpr std::string_view kPrefix = "sample-";
constexpr std::string_view kSuffix = ".perf";
constexpr std::size_t kMaxDigits = 9;  // fits 32 bits

std::optional<std::uint32_t> parse_digits(std::string_view text, std::size_t min_digits) {
  if (text.size() < min_digits || text.size() > kMaxDigits) return std::nullopt;
  return whole_decimal<std::uint32_t>(text);
}

}  // namespace

std::unique_ptr<CaptureFolder> open_directory(std::filesystem::path directory) {
  return std::make_unique<Directory>(std::move(directory));
}

Error file_error(const FileFailure& failure, const char* where, std::uint64_t max_bytes) {
  const bool too_large = failure.problem == FileProblem::kTooLarge;
  return {.code = code_of(failure.problem),
          .where = where,
          .actual = too_large ? failure.bytes : 0,
          .limit = too_large ? max_bytes : 0,
          .os_code = static_cast<std::uint32_t>(failure.cause.value())};
}

std::optional<SampleFileName> parse_sample_file_name(std::string_view name) {
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return std::nullopt;
  if (name.size() < kPrefix.size() + kSuffix.size()) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  name.remove_suffix(kSuffix.size());

  const std::size_t dash = name.find('-');
  const std::optional<std::uint32_t> sample = parse_digits(name.substr(0, dash), 4);
  if (!sample) return std::nullopt;
  if (dash == std::string_view::npos) return SampleFileName{*sample, std::nullopt};

  const std::optional<std::uint32_t> part = parse_digits(name.substr(dash + 1), 2);
  if (!part) return std::nullopt;
  return SampleFileName{*sample, part};
}

}  // namespace winperf
