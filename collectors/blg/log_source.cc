#include "collectors/blg/log_source.h"

#include <algorithm>
#include <fstream>
#include <optional>

#include "collectors/blg/counter_list.h"
#include "collectors/blg/format.h"
#include "collectors/blg/name_record.h"
#include "collectors/blg/sample_record.h"
#include "system/path_text.h"
#include "system/whole_file.h"

namespace winperf {
namespace {

constexpr std::size_t kMaxNameTableBytes = std::size_t{64} << 20;

SourceError cannot_replay(ErrorCode code, const std::string& name, const std::string& reason) {
  return {code, "can't replay the log " + name + ": " + reason};
}

// Why the file is none that could be a log; nothing where it could.
std::optional<SourceError> refuse_file(const std::filesystem::path& file) {
  const std::string name = path_text(file);
  const auto size = readable_size(file);
  if (!size) {
    const bool absent = size.error().problem == FileProblem::kAbsent;
    const bool is_file = size.error().problem != FileProblem::kNotAFile;
    return cannot_replay(absent    ? ErrorCode::kNoSuchFile
                         : is_file ? ErrorCode::kOsError
                                   : ErrorCode::kNotAFile,
                         name, size.error().reason);
  }
  if (*size == 0) return cannot_replay(ErrorCode::kTruncated, name, "it is empty");
  if (*size > kMaxLogBytes)
    return cannot_replay(ErrorCode::kLimitExceeded, name,
                         "its " + std::to_string(*size) + " bytes are more than the limit of " +
                             std::to_string(kMaxLogBytes));
  return std::nullopt;
}

// The error's offset is from the start of the record.
std::expected<blg::ItemCounts, Error> count_items(std::span<const std::byte> record) {
  blg::ItemCounts counts;
  auto items = blg::ItemWalk::over(record);
  if (!items) return std::unexpected(items.error());
  while (const auto item = items->next()) {
    if (!*item) return std::unexpected(item->error());
    switch (static_cast<blg::ItemKind>((*item)->kind)) {
      case blg::ItemKind::kCounter:
        ++counts.single_counters;
        break;
      case blg::ItemKind::kInstances:
        ++counts.wildcard_counters;
        break;
      case blg::ItemKind::kWholeObject:
        ++counts.whole_objects;
        break;
      default:
        ++counts.unknown;
    }
  }
  return counts;
}

bool is_type(std::uint8_t type, blg::RecordType expected) {
  return type == static_cast<std::uint8_t>(expected);
}

}  // namespace

std::expected<std::unique_ptr<BlgSource>, SourceError> BlgSource::open(
    const std::filesystem::path& file) {
  if (auto refused = refuse_file(file)) return std::unexpected(*std::move(refused));
  auto log = std::make_unique<std::ifstream>(file, std::ios::binary);
  if (!*log)
    return std::unexpected(
        cannot_replay(ErrorCode::kOsError, path_text(file), "it can't be opened"));
  return open(std::move(log), path_text(file));
}

std::expected<std::unique_ptr<BlgSource>, SourceError> BlgSource::open(
    std::unique_ptr<std::istream> log, const std::string& name) {
  auto reader = blg::LogReader::open(*log);
  if (!reader)
    return std::unexpected(cannot_replay(
        ErrorCode::kBadSignature, name,
        "it is not a binary log of Windows Vista or later (" + describe(reader.error()) + ')'));
  std::unique_ptr<BlgSource> source(new BlgSource(std::move(log), *std::move(reader)));
  source->find_samples();
  const blg::LogSummary& summary = source->summary_;
  if (summary.items.whole_objects > 0) return source;
  if (summary.samples == 0)
    return std::unexpected(
        cannot_replay(ErrorCode::kNoSuchObject, name,
                      "there is no sample in it that can be read; it holds " + describe(summary)));
  return std::unexpected(
      cannot_replay(ErrorCode::kUnsupported, name,
                    "only logs of whole objects can be replayed, and it holds none; " +
                        std::to_string(summary.items.skipped()) + " values were skipped, in " +
                        describe(summary)));
}

void BlgSource::find_samples() {
  while (const auto read = reader_.next()) take(*read);
  summary_.foreign_events = reader_.foreign_events();
}

void BlgSource::take(const blg::ReadRecord& read) {
  if (!read.record) {
    summary_.note_damage(read.record.error());
    if (read.type && is_type(*read.type, blg::RecordType::kSample))
      add_sample(std::unexpected(read.record.error()), read.record.error().offset);
    return;
  }
  switch (static_cast<blg::RecordType>(read.record->type())) {
    case blg::RecordType::kSample:
      return take_sample(*read.record);
    case blg::RecordType::kCounterList:
      return take_counters(*read.record);
    case blg::RecordType::kNameTable:
      return take_names(*read.record);
  }
  ++summary_.other_records;
}

void BlgSource::take_sample(const blg::Record& record) {
  const auto items = count_items(record.bytes());
  if (!items) {
    const Error error = record.in_file(items.error());
    summary_.note_damage(error);
    return add_sample(std::unexpected(error), record.place().event);
  }
  ++summary_.samples;
  summary_.items += *items;
  if (items->whole_objects > 0) add_sample(record.place(), record.place().event);
}

void BlgSource::add_sample(const Sample& sample, std::uint64_t offset) {
  if (samples_.size() < kMaxLogSamples) return samples_.push_back(sample);
  summary_.note_damage({.code = ErrorCode::kLimitExceeded,
                        .where = "log.sample",
                        .offset = offset,
                        .actual = samples_.size() + 1,
                        .limit = kMaxLogSamples});
}

void BlgSource::take_counters(const blg::Record& record) {
  const blg::CounterList list = blg::read_counter_list(record.bytes());
  for (const Error& problem : list.problems) summary_.note_damage(record.in_file(problem));
  if (summary_.counters == 0 && !list.counters.empty())
    summary_.first_counter = list.counters.front().path;
  summary_.counters += list.counters.size();
}

void BlgSource::take_names(const blg::Record& record) {
  const auto names = blg::read_name_record(record.bytes());
  if (!names) return summary_.note_damage(record.in_file(names.error()));
  if (machine_.empty()) machine_ = names->machine;
  if (names->machine != machine_) {
    ++summary_.foreign_names;
    return;
  }
  const std::size_t size = names_.size() + names->pairs.size();
  if (size > kMaxNameTableBytes)
    return summary_.note_damage({.code = ErrorCode::kLimitExceeded,
                                 .where = "log.name_table",
                                 .offset = record.place().event,
                                 .actual = size,
                                 .limit = kMaxNameTableBytes});
  names_.insert(names_.end(), names->pairs.begin(), names->pairs.end());
}

std::expected<blg::Record, Error> BlgSource::read_sample(const blg::Place& place) {
  reader_.seek(place);
  while (auto read = reader_.next()) {
    // What is wrong with a buffer was counted when the log was opened.
    if (!read->type) continue;
    if (!read->record) return std::unexpected(read->record.error());
    if (read->record->place().event != place.event) break;
    return *std::move(read->record);
  }
  // Only where the file has changed since it was opened.
  return std::unexpected(
      Error{.code = ErrorCode::kBadSignature, .where = "log.sample", .offset = place.event});
}

std::expected<Reply, Error> BlgSource::query(std::string_view value_name, std::stop_token stop) {
  if (stop.stop_requested())
    return std::unexpected(Error{.code = ErrorCode::kCancelled, .where = "log"});
  auto cursor = cursors_.find(value_name);
  if (cursor == cursors_.end()) cursor = cursors_.emplace(value_name, 0).first;
  if (cursor->second >= samples_.size())
    return std::unexpected(Error{.code = ErrorCode::kEndOfCapture, .where = "log"});

  // The cursor moves on first: a sample that can't be read is reported once, not for ever.
  const Sample& sample = samples_[cursor->second++];
  if (!sample) return std::unexpected(sample.error());
  const auto record = read_sample(*sample);
  if (!record) return std::unexpected(record.error());
  auto items = blg::ItemWalk::over(record->bytes());
  if (!items) return std::unexpected(record->in_file(items.error()));
  Reply reply;
  while (const auto item = items->next()) {
    if (!*item) return std::unexpected(record->in_file(item->error()));
    if ((*item)->kind != static_cast<std::uint8_t>(blg::ItemKind::kWholeObject)) continue;
    const std::span<const std::byte> block = blg::block_of((*item)->body);
    reply.blocks.emplace_back(block.begin(), block.end());
  }
  return reply;
}

std::vector<std::expected<Bytes, Error>> BlgSource::text_tables(TextTable table, Language) {
  std::vector<std::expected<Bytes, Error>> candidates;
  if (table == TextTable::kHelp || names_.empty()) {
    candidates.emplace_back(std::unexpected(
        Error{.code = ErrorCode::kNoSuchFile,
              .where = table == TextTable::kHelp ? "log.help_table" : "log.name_table"}));
    return candidates;
  }
  Bytes closed = names_;
  closed.resize(closed.size() + sizeof(char16_t));
  candidates.emplace_back(std::move(closed));
  return candidates;
}

}  // namespace winperf
