#include "collectors/sources/replay.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "collectors/sources/capture_folder.h"

namespace winperf {
namespace {

constexpr const char* kCounterTableFile = "counter-009.bin";
constexpr const char* kHelpTableFile = "help-009.bin";

struct SampleFile {
  SampleFileName name;
  std::string file;
  auto operator<=>(const SampleFile&) const = default;
};

}  // namespace

std::expected<std::unique_ptr<ReplaySource>, SourceError> ReplaySource::open(
    std::shared_ptr<const CaptureFolder> folder) {
  std::unique_ptr<ReplaySource> source(new ReplaySource(std::move(folder)));
  if (auto listed = source->list_samples(); !listed)
    return std::unexpected(std::move(listed.error()));
  if (source->samples_.empty())
    return std::unexpected(SourceError{
        ErrorCode::kNoSuchFile,
        source->folder_->text() +
            " is not a capture: it holds no sample-NNNN.perf or sample-NNNN-MM.perf file (a capture"
            " is a directory of such files, counted from 0000, beside counter-009.bin)"});
  return source;
}

std::expected<void, SourceError> ReplaySource::list_samples() {
  auto names = folder_->names();
  if (!names) return std::unexpected(std::move(names.error()));
  std::vector<SampleFile> files;
  for (std::string& name : *names) {
    if (const std::optional<SampleFileName> sample = parse_sample_file_name(name))
      files.push_back({.name = *sample, .file = std::move(name)});
  }

  std::sort(files.begin(), files.end());
  std::optional<std::uint32_t> previous;
  for (SampleFile& file : files) {
    const std::uint32_t number = file.name.sample;
    if (previous != number) {
      const std::uint32_t expected = previous ? *previous + 1 : 0;
      if (number > expected) gaps_.push_back({.first = expected, .last = number - 1});
      samples_.emplace_back();
      previous = number;
    }
    samples_.back().push_back(std::move(file.file));
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
  candidates.push_back(folder_->read(counter ? kCounterTableFile : kHelpTableFile,
                                     counter ? "capture.counter_table" : "capture.help_table"));
  return candidates;
}

}  // namespace winperf
