#include "collectors/blg/log_source.h"

#include <algorithm>
#include <fstream>
#include <set>

#include "collectors/base/os_code.h"
#include "collectors/base/path_text.h"
#include "collectors/base/whole_file.h"
#include "collectors/blg/format.h"
#include "collectors/blg/log_index.h"
#include "collectors/blg/log_reader.h"
#include "collectors/blg/log_records.h"
#include "collectors/blg/sample_values.h"
#include "collectors/wire/text.h"
#include "collectors/wire/v2/data_view.h"
#include "collectors/wire/v2/identifier.h"

namespace winperf::blg {

// An opened log: its bytes, and its index. The sources of its machines and its V2 countersets share
// it.
struct OpenLog {
  std::unique_ptr<std::istream> stream;
  LogReader reader;
  LogIndex index{};
  std::vector<SampleReader> readers{};  // of each machine
  std::optional<Record> last_read{};    // V1 objects and V2 countersets are read from the same one

  // The n-th sample; the error says why it can't be read. The record lives until the next call.
  [[nodiscard]] std::expected<const Record*, Error> read_sample(std::size_t number) {
    const auto& sample = index.samples[number];
    if (!sample) return std::unexpected(sample.error());
    if (last_read && last_read->place().event == sample->place.event) return &*last_read;
    last_read.reset();
    auto record = read(sample->place);
    if (!record) return std::unexpected(record.error());
    return &last_read.emplace(*std::move(record));
  }

 private:
  [[nodiscard]] std::expected<Record, Error> read(const Place& place) {
    reader.seek(place);
    while (auto read = reader.next()) {
      // Errors of buffers were counted when the log was opened.
      if (!read->type) continue;
      if (!read->record) return std::unexpected(read->record.error());
      if (read->record->place().event != place.event) break;
      return *std::move(read->record);
    }
    // This happens only if the file has changed since it was opened.
    return std::unexpected(
        Error{.code = ErrorCode::kBadSignature, .where = "log.sample", .offset = place.event});
  }
};

namespace {

Bytes owned(std::span<const std::byte> bytes) { return {bytes.begin(), bytes.end()}; }

void append(Bytes& bytes, std::span<const std::byte> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

Bytes error_result(OsCode status) { return v2::error_result(value_of(status)); }

// The results of one sample, combined to a reply.
class ReplyBuilder {
 public:
  explicit ReplyBuilder(std::size_t countersets) : results_(countersets) {}

  void add(std::size_t counterset, const std::expected<V2Reply, Error>& reply) {
    Bytes& result = results_[counterset];
    if (!result.empty()) return;
    result = reply ? owned(reply->result) : error_result(OsCode::kInvalidData);
    if (reply && header_.empty()) header_ = owned(reply->header);
  }

  Bytes finish() && {
    Bytes reply = std::move(header_);
    reply.resize(v2::data_header::kBytes);
    for (const Bytes& result : results_)
      append(reply, result.empty() ? error_result(OsCode::kGuidNotFound) : result);
    put(reply, v2::data_header::kTotalSize, static_cast<std::uint32_t>(reply.size()));
    put(reply, v2::data_header::kNumCounters, static_cast<std::uint32_t>(results_.size()));
    return reply;
  }

 private:
  Bytes header_;
  std::vector<Bytes> results_;
};

// The whole V2 countersets of a log, in the form that Windows' PerfLib functions have: one reply
// for each sample, with a result for each counterset.
//
// Each item of a sample is a separate reply, of one counterset; their results are combined under
// the header of the first one, since all of them were collected at one time. A counterset that is
// missing in a sample becomes kGuidNotFound, and one with an unsound item kInvalidData, both as
// PERF_ERROR_RETURN. The log has no descriptions of counters and doesn't name the provider, so
// these texts are empty; its names are those of the recording machine's language. Source:
// docs/blg.md, "Registrations".
class LogV2 final : public V2Recording {
 public:
  explicit LogV2(std::shared_ptr<OpenLog> log)
      : log_(std::move(log)), countersets_(log_->index.countersets) {}

  std::uint32_t samples() const override {
    return static_cast<std::uint32_t>(log_->index.samples.size());
  }

  std::expected<Bytes, Error> countersets() override {
    Bytes guids;
    for (const RegistrationRecord& counterset : countersets_)
      append(guids, std::as_bytes(std::span(counterset.guid.bytes)));
    return guids;
  }

  std::expected<Bytes, Error> order() override {
    Bytes identifiers;
    std::uint32_t index = 0;
    for (const RegistrationRecord& counterset : countersets_) {
      const v2::CounterRequest request{.counterset = counterset.guid};
      Bytes block = v2::build_identifiers(std::span(&request, 1));
      put(block, v2::identifier::kIndex, index++);
      append(identifiers, block);
    }
    return identifiers;
  }

  std::expected<Bytes, Error> registration(const Guid& counterset, RegistrationInfo info,
                                           std::uint32_t) override {
    const auto found = std::ranges::find(countersets_, counterset, &RegistrationRecord::guid);
    if (found != countersets_.end()) {
      switch (info) {
        case RegistrationInfo::kCounterset:
          return found->registration;
        case RegistrationInfo::kCounterNames:
        case RegistrationInfo::kCounterEnglishNames:
          return found->counter_names;
        case RegistrationInfo::kCountersetName:
        case RegistrationInfo::kCountersetEnglishName:
          return found->name_bytes;
        default:
          break;
      }
    }
    return std::unexpected(Error{.code = ErrorCode::kNoSuchFile, .where = "log.registration"});
  }

  std::expected<Bytes, Error> reply(std::uint32_t sample) override {
    const auto record = log_->read_sample(sample);
    if (!record) return std::unexpected(record.error());
    const LogLayout& layout = log_->index.layouts[log_->index.samples[sample]->layout];
    auto items = ItemWalk::over((*record)->bytes());
    if (!items) return std::unexpected(items.error());
    ReplyBuilder reply(countersets_.size());
    for (std::size_t number = 0; const auto item = items->next(); ++number) {
      if (!*item) return std::unexpected(item->error());
      if ((*item)->kind != static_cast<std::uint8_t>(ItemKind::kV2Reply)) continue;
      const auto counterset = layout.counterset_of(number);
      if (counterset) reply.add(*counterset, read_v2_reply((*item)->body));
    }
    return std::move(reply).finish();
  }

 private:
  std::shared_ptr<OpenLog> log_;
  const std::vector<RegistrationRecord>& countersets_;  // of the log
};

SourceError cannot_replay(ErrorCode code, const std::string& name, const std::string& reason) {
  return {code, "cannot replay the log " + name + ": " + reason};
}

// Why the file can't be a log; empty if it can.
std::optional<SourceError> refuse_file(const std::filesystem::path& file) {
  const std::string name = path_text(file);
  const auto state = state_of_file(file);
  if (!state) {
    const bool absent = state.error().problem == FileProblem::kAbsent;
    const bool is_file = state.error().problem != FileProblem::kNotAFile;
    return cannot_replay(absent    ? ErrorCode::kNoSuchFile
                         : is_file ? ErrorCode::kOsError
                                   : ErrorCode::kNotAFile,
                         name, state.error().reason);
  }
  if (state->bytes == 0) return cannot_replay(ErrorCode::kTruncated, name, "it is empty");
  return std::nullopt;
}

// Why nothing in the log can be replayed; empty if something can.
std::optional<SourceError> refuse_content(const LogSummary& summary, const std::string& name) {
  if (summary.samples == 0)
    return cannot_replay(ErrorCode::kNoSuchObject, name,
                         "none of its samples can be read; it holds " + describe(summary));
  if (summary.holds_nothing_known())
    return cannot_replay(
        ErrorCode::kUnsupported, name,
        "none of its values belongs to a known counter; it holds " + describe(summary));
  return std::nullopt;
}

// Appends a pair to a name table.
void append_name(Bytes& table, std::uint32_t index, std::string_view name) {
  append_utf16le(table, std::to_string(index));
  append_utf16le(table, name);
}

// Appends the names of objects that a machine's table can't contain, because they came without
// index.
void append_logged_names(Bytes& table, const LogIndex& index, std::size_t machine) {
  std::set<ObjectIndex> added;
  for (const LogLayout& layout : index.layouts) {
    for (const LogLayout::Object& object : layout.objects) {
      const CountersetSchema& schema = *object.schema;
      if (object.machine == machine && added.insert(schema.index).second)
        append_name(table, value_of(schema.index), schema.name);
    }
  }
}

}  // namespace

std::expected<BlgSource::Sources, SourceError> BlgSource::open(const std::filesystem::path& file) {
  if (auto refused = refuse_file(file)) return std::unexpected(*std::move(refused));
  auto log = std::make_unique<std::ifstream>(file, std::ios::binary);
  if (!*log)
    return std::unexpected(
        cannot_replay(ErrorCode::kOsError, path_text(file), "it cannot be opened"));
  return open(std::move(log), path_text(file));
}

std::expected<BlgSource::Sources, SourceError> BlgSource::open(std::unique_ptr<std::istream> stream,
                                                               const std::string& name) {
  auto reader = LogReader::open(*stream);
  if (!reader)
    return std::unexpected(cannot_replay(
        ErrorCode::kBadSignature, name,
        "it is not a binary log of Windows Vista or later (" + describe(reader.error()) + ')'));
  const auto log = std::make_shared<OpenLog>(std::move(stream), *std::move(reader));
  log->index = index_log(log->reader);
  if (auto refused = refuse_content(log->index.summary, name))
    return std::unexpected(*std::move(refused));
  Sources sources;
  for (std::size_t machine = 0; machine < log->index.machines.size(); ++machine) {
    log->readers.emplace_back(machine);
    sources.push_back(std::unique_ptr<BlgSource>(new BlgSource(log, machine)));
  }
  return sources;
}

std::unique_ptr<V2Recording> BlgSource::v2_countersets() const {
  return log_->index.countersets.empty() ? nullptr : std::make_unique<LogV2>(log_);
}

std::size_t BlgSource::sample_count() const { return log_->index.samples.size(); }

const LogSummary& BlgSource::summary() const { return log_->index.summary; }

std::string BlgSource::machine() const {
  const auto& machines = log_->index.machines;
  return machines.size() > 1 ? machines[machine_] : std::string();
}

std::expected<Reply, Error> BlgSource::query(std::string_view value_name, StopToken stop) {
  const auto position = cursors_.next(value_name, sample_count(), stop);
  if (!position) return std::unexpected(position.error());
  const auto record = log_->read_sample(*position);
  if (!record) return std::unexpected(record.error());
  const IndexedSample& sample = *log_->index.samples[*position];
  auto reply =
      log_->readers[machine_].read(**record, log_->index.layouts[sample.layout], sample.time);
  if (reply) reply->host = log_->index.machines[machine_];
  return reply;
}

std::vector<std::expected<Bytes, Error>> BlgSource::text_tables(TextTable table, Language) {
  std::vector<std::expected<Bytes, Error>> candidates;
  Bytes names;
  if (table == TextTable::kCounter) {
    names = log_->index.names[machine_];
    append_logged_names(names, log_->index, machine_);
  }
  if (names.empty()) {
    candidates.emplace_back(std::unexpected(
        Error{.code = ErrorCode::kNoSuchFile,
              .where = table == TextTable::kHelp ? "log.help_table" : "log.name_table"}));
    return candidates;
  }
  names.resize(names.size() + sizeof(char16_t));
  candidates.emplace_back(std::move(names));
  return candidates;
}

}  // namespace winperf::blg
