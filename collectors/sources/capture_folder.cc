#include "collectors/sources/capture_folder.h"

#include <charconv>
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

constexpr std::string_view kPrefix = "sample-";
constexpr std::string_view kSuffix = ".perf";
constexpr std::size_t kMaxDigits = 9;  // fits 32 bits

std::optional<std::uint32_t> parse_digits(std::string_view text, std::size_t min_digits) {
  if (text.size() < min_digits || text.size() > kMaxDigits) return std::nullopt;
  std::uint32_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

}  // namespace

std::unique_ptr<CaptureFolder> open_directory(std::filesystem::path directory) {
  return std::make_unique<Directory>(std::move(directory));
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
