#include "collectors/sources/replay.h"

#include <algorithm>
#include <optional>
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
    const std::string why = absent ? "no such file or folder" : system_text(cause);
    return std::unexpected(SourceError{absent ? ErrorCode::kNoSuchFile : ErrorCode::kOsError,
                                       "cannot read the capture " + text() + ": " + why});
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

std::expected<std::unique_ptr<ReplaySource>, SourceError> ReplaySource::open(
    std::shared_ptr<const CaptureFolder> folder) {
  std::unique_ptr<ReplaySource> source(new ReplaySource(std::move(folder)));
  if (auto listed = source->list_samples(); !listed)
    return std::unexpected(std::move(listed.error()));
  if (source->samples_.empty())
    return std::unexpected(SourceError{
        ErrorCode::kNoSuchFile,
        source->folder_->text() +
            " is not a capture: it has no sample-NNNN.perf or sample-NNNN-MM.perf file (a capture "
            "is a directory of such files, counted from 0000, and counter-009.bin)"});
  return source;
}

std::expected<void, SourceError> ReplaySource::list_samples() {
  auto names = folder_->names();
  if (!names) return std::unexpected(std::move(names.error()));
  std::vector<std::pair<SampleFileName, std::string>> files;
  for (std::string& name : *names) {
    if (const std::optional<SampleFileName> sample = parse_sample_file_name(name))
      files.emplace_back(*sample, std::move(name));
  }

  std::ranges::sort(files);
  std::optional<std::uint32_t> previous;
  for (auto& [name, file] : files) {
    const std::uint32_t number = name.sample;
    if (previous != number) {
      const std::uint32_t expected = previous ? *previous + 1 : 0;
      if (number > expected) gaps_.push_back({.first = expected, .last = number - 1});
      samples_.emplace_back();
      previous = number;
    }
    samples_.back().push_back(std::move(file));
  }
  return {};
}

std::string ReplaySource::describe_gaps() const {
  constexpr std::size_t kMaxListed = 5;
  if (gaps_.empty()) return {};
  const std::size_t listed = std::min(gaps_.size(), kMaxListed);
  const bool is_one = gaps_.size() == 1 && gaps_[0].first == gaps_[0].last;
  std::string text = folder_->text() + (is_one ? " lacks sample " : " lacks samples ");
  for (std::size_t i = 0; i < listed; ++i) {
    const auto& [first, last] = gaps_[i];
    if (i != 0) text += i + 1 == gaps_.size() ? " and " : ", ";
    text += std::to_string(first);
    if (last != first) text += " to " + std::to_string(last);
  }
  if (listed < gaps_.size()) text += " and more";
  return text;
}

std::expected<Reply, Error> ReplaySource::query(std::string_view value_name, StopToken stop) {
  const auto position = cursors_.next(value_name, samples_.size(), stop);
  if (!position) return std::unexpected(position.error());
  const Sample& sample = samples_[*position];
  Reply reply;
  for (const std::string& file : sample) {
    std::expected<Bytes, Error> block = folder_->read(file, "capture.sample");
    if (!block) return std::unexpected(block.error());
    reply.blocks.push_back(std::move(*block));
  }
  return reply;
}

std::vector<std::expected<Bytes, Error>> ReplaySource::text_tables(TextTable table,
                                                                   Language language) {
  std::vector<std::expected<Bytes, Error>> candidates;
  if (language != Language::kEnglish) {
    candidates.emplace_back(
        std::unexpected(Error{.code = ErrorCode::kUnsupported, .where = "capture.language"}));
    return candidates;
  }
  const bool counter = table == TextTable::kCounter;
  candidates.push_back(folder_->read(counter ? kCounterTable : kHelpTable,
                                     counter ? "capture.counter_table" : "capture.help_table"));
  return candidates;
}

}  // namespace winperf
