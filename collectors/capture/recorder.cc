#include "collectors/capture/recorder.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/path_text.h"
#include "collectors/base/system_text.h"
#include "collectors/base/whole_file.h"
#include "collectors/catalog/v2_catalog.h"
#include "collectors/sampling/perflib/perflib_reader.h"
#include "collectors/wire/name_table.h"
#include "collectors/wire/v2/identifier.h"

namespace winperf::capture {
namespace {

std::string digits(std::uint32_t number, std::size_t least) {
  std::string text = std::to_string(number);
  return std::string(text.size() < least ? least - text.size() : 0, '0') + text;
}

}  // namespace

std::string block_file(std::uint32_t sample, std::uint32_t part) {
  return "sample-" + digits(sample, 4) + '-' + digits(part, 2) + ".perf";
}

std::string v2_data_file(std::uint32_t sample) { return "sample-" + digits(sample, 4) + ".v2"; }

std::string registration_file(const Guid& counterset, RegistrationInfo info,
                              std::uint32_t argument) {
  const std::string guid = to_string(counterset);
  return "v2-" + guid.substr(1, guid.size() - 2) + '-' +
         std::to_string(static_cast<std::uint32_t>(info)) + '-' + std::to_string(argument) + ".bin";
}

namespace fs = std::filesystem;

namespace {

// In lower case.
std::string extension_of(const fs::path& path) { return ascii_lower(path_text(path.extension())); }

// Such a name asks for a single file, but would become a folder.
bool is_other_archive(std::string_view extension) {
  static constexpr std::string_view kOthers[] = {".7z",  ".bz2", ".cab", ".gz", ".rar",
                                                 ".tar", ".tgz", ".xz",  ".zst"};
  return std::ranges::find(kOthers, extension) != std::end(kOthers);
}

}  // namespace

std::expected<Store, std::string> Store::create(const fs::path& wanted, std::uint64_t max_bytes) {
  // "folder/" means the folder.
  const fs::path out = wanted.has_filename() ? wanted : wanted.parent_path();
  if (!out.has_filename())
    return std::unexpected(std::string("a capture needs a file or folder name"));
  const std::string extension = extension_of(out);
  if (is_other_archive(extension))
    return std::unexpected(path_text(out) + " would become a folder: for a capture in one file, " +
                           "choose a name that ends in .zip");
  std::error_code error;
  if (fs::exists(out, error))
    return std::unexpected(path_text(out) + " already exists: choose another name");
  fs::path partial = out;
  partial += ".partial";
  if (fs::exists(partial, error))
    return std::unexpected(path_text(partial) +
                           " already exists; remove it if no capture is running, or choose "
                           "another name");
  Store store(out, std::move(partial), max_bytes);
  if (extension == ".zip") {
    store.archive_.emplace();
    if (auto writable = write(store.partial_, {}); !writable)
      return std::unexpected(writable.error());
  } else if (!fs::create_directory(store.partial_, error)) {
    const bool absent = error == std::errc::no_such_file_or_directory;
    return std::unexpected(path_text(store.partial_) + " cannot be created: " +
                           (absent ? "its folder does not exist" : system_text(error)));
  }
  return store;
}

Store::Store(fs::path out, fs::path partial, std::uint64_t max_bytes)
    : out_(std::move(out)), partial_(std::move(partial)), max_bytes_(max_bytes) {}

Store::Store(Store&& other) noexcept
    : out_(std::move(other.out_)),
      partial_(std::exchange(other.partial_, {})),
      archive_(std::move(other.archive_)),
      max_bytes_(other.max_bytes_),
      bytes_(other.bytes_) {}

Store::~Store() {
  std::error_code ignored;
  if (!partial_.empty()) fs::remove_all(partial_, ignored);
}

std::string Store::no_room() const {
  return "the capture would be larger than " + std::to_string(max_bytes_) + " bytes";
}

std::expected<void, std::string> Store::put(std::string_view name,
                                            std::span<const std::byte> bytes) {
  if (!has_room_for(bytes.size())) return std::unexpected(no_room());
  if (archive_) {
    if (!archive_->has_room_for(bytes.size()))
      return std::unexpected(
          std::string("the capture does not fit into a ZIP archive: choose a folder name"));
    archive_->add(name, bytes);
  } else if (auto written = write(partial_ / path_of(name), bytes); !written) {
    return written;
  }
  bytes_ += bytes.size();
  return {};
}

std::expected<void, std::string> Store::write(const fs::path& file,
                                              std::span<const std::byte> bytes) {
  const auto written = write_whole_file(file, bytes);
  if (written) return {};
  return std::unexpected(path_text(file) + " cannot be written: " + written.error().reason);
}

std::expected<void, std::string> Store::finish() {
  if (archive_) {
    if (auto written = write(partial_, archive_->finish()); !written) return written;
  }
  if (const auto renamed = rename_file(partial_, out_); !renamed)
    return std::unexpected(path_text(partial_) + " cannot be renamed to " + path_text(out_) + ": " +
                           renamed.error().reason);
  partial_.clear();
  return {};
}

namespace {

[[nodiscard]] std::expected<NamePlaces, Error> places_in(BufferKind kind,
                                                         std::span<std::byte> bytes) {
  return kind == BufferKind::kBlock ? places_in_block(bytes) : places_in_v2_data(bytes);
}

}  // namespace

void HeldBuffers::add(std::string file, BufferKind kind, Bytes bytes) {
  bytes_ += bytes.size();
  all_.push_back({std::move(file), kind, std::move(bytes)});
}

std::expected<void, std::string> HeldBuffers::store(Scrubber& scrubber, Store& store,
                                                    const std::function<void(std::string)>& note) {
  std::vector<Held> all = std::exchange(all_, {});
  bytes_ = 0;
  std::vector<std::optional<NamePlaces>> places;
  for (Held& held : all) {
    auto found = places_in(held.kind, held.bytes);
    if (!found) {
      note(held.file +
           ": left out, because its names cannot be removed: " + describe(found.error()));
      places.emplace_back();
      continue;
    }
    for (const Error& damage : found->damage)
      note(held.file + ": a part that cannot be parsed was cleared: " + describe(damage));
    scrubber.learn(*found);
    places.emplace_back(*std::move(found));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!places[i]) continue;
    scrubber.scrub(all[i].bytes, *places[i]);
    if (auto stored = store.put(all[i].file, all[i].bytes); !stored) return stored;
    all[i].bytes = {};
  }
  return {};
}

namespace {

// Wine's registry has a table that is almost empty and comes before the real one.
constexpr std::size_t kStubEntries = 2;

}  // namespace

Recorder::Recorder(CounterSource& registry, PerflibSource* perflib,
                   std::vector<std::string> queries, Store& store, Scrubber* scrubber)
    : registry_(registry),
      perflib_(perflib),
      queries_(std::move(queries)),
      store_(store),
      scrubber_(scrubber) {}

Recorder::~Recorder() {
  if (set_) perflib_->close(*set_);
}

std::expected<void, std::string> Recorder::record_names() {
  if (auto stored = record_table(TextTable::kCounter, kCounterTable); !stored) return stored;
  if (auto stored = record_table(TextTable::kHelp, kHelpTable); !stored) return stored;
  return perflib_ == nullptr ? std::expected<void, std::string>() : record_registrations();
}

std::expected<bool, std::string> Recorder::record_sample(StopToken stop) {
  const auto more = record_blocks(stop);
  if (!more || !*more) return more;
  if (set_) {
    if (const auto stored = record_v2_data(); !stored) return std::unexpected(stored.error());
  }
  ++samples_;
  return true;
}

// Readers use the first candidate that contains names.
std::expected<void, std::string> Recorder::record_table(TextTable table, std::string_view file) {
  for (const auto& candidate : registry_.text_tables(table, Language::kEnglish)) {
    if (!candidate) {
      note(std::string(file) + ": " + describe(candidate.error()));
      continue;
    }
    if (NameTable::parse(*candidate).entries().size() > kStubEntries)
      return store_.put(file, *candidate);
  }
  note(std::string(file) + ": no name table");
  return {};
}

std::expected<void, std::string> Recorder::record_registrations() {
  std::expected<void, std::string> stored;
  std::set<std::string> seen;  // some are read twice
  const auto keep = [&](const Guid& counterset, RegistrationInfo info, std::uint32_t argument,
                        std::span<const std::byte> reply) {
    const std::string file = registration_file(counterset, info, argument);
    if (stored && seen.insert(file).second) stored = store_.put(file, reply);
  };
  V2Catalog catalog(*perflib_, Language::kMachine, Language::kEnglish, keep);
  if (const auto refreshed = catalog.refresh(); !refreshed) {
    note("V2 countersets: " + describe(refreshed.error()));
    return {};
  }
  std::vector<std::byte> guids;
  std::vector<v2::CounterRequest> wanted;
  for (const V2Catalog::Entry& entry : catalog.entries()) {
    const auto bytes = std::as_bytes(std::span(entry.guid.bytes));
    guids.insert(guids.end(), bytes.begin(), bytes.end());
    const auto counterset = catalog.counterset(entry.guid);
    if (counterset) {
      wanted.push_back(make_request(**counterset, {}));
    } else {
      note(to_string(entry.guid) + ": " + describe(counterset.error()));
    }
  }
  if (stored) stored = store_.put(kCountersets, guids);
  if (!stored || wanted.empty()) return stored;
  v2_countersets_ = wanted.size();
  return open_set(wanted);
}

std::expected<void, std::string> Recorder::open_set(const std::vector<v2::CounterRequest>& wanted) {
  const PerflibSet set = perflib_->new_set();
  const auto places = perflib_->open(set, wanted);
  if (!places) {
    note("V2 data: " + describe(places.error()));
    return {};
  }
  // In the form of PerfQueryCounterInfo's answer: the accepted requests, with their places.
  std::vector<std::byte> order;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const ResultPlace& place = (*places)[i];
    if (!place)
      note(to_string(wanted[i].counterset) + ": not added, error " +
           std::to_string(place.error().os_code));
    if (!place || !*place) continue;
    auto identifier = v2::build_identifiers({&wanted[i], 1});
    put(identifier, v2::identifier::kIndex, **place);
    order.insert(order.end(), identifier.begin(), identifier.end());
  }
  set_ = set;
  wanted_ = wanted;
  places_ = *places;
  return store_.put(kOrder, order);
}

std::expected<bool, std::string> Recorder::record_blocks(const StopToken& stop) {
  std::uint32_t part = 0;
  for (const std::string& query : queries_) {
    auto reply = registry_.query(query, stop);
    if (!reply && reply.error().code == ErrorCode::kEndOfCapture) return false;
    if (!reply) {
      note(query + ": " + describe(reply.error()));
      continue;
    }
    if (reply->blocks.empty() && !reply->logged.empty() && !set_)
      return std::unexpected(
          "a log of single counters has no performance data blocks, so it cannot become a capture");
    if (!reply->logged.empty())
      note("values of single counters, because a capture consists of performance data blocks");
    for (const MissingObject& missing : reply->missing)
      note(query + ": " + describe(missing.reason));
    std::expected<void, std::string> stored;
    reply->blocks.give([&](Bytes block) {
      if (stored)
        stored = store(block_file(samples_, part++), BufferKind::kBlock, std::move(block));
    });
    if (!stored) return std::unexpected(stored.error());
  }
  return true;
}

// A set that was lost with an earlier sample is opened again. Its results must be in the recorded
// order.
std::expected<Bytes, Error> Recorder::collect_set() {
  auto data = perflib_->collect(*set_);
  if (data || !is_not_open(data.error())) return data;
  const auto places = perflib_->open(*set_, wanted_);
  if (!places) return std::unexpected(places.error());
  if (*places == places_) return perflib_->collect(*set_);
  // Otherwise the next sample would find it open with another order of results.
  perflib_->close(*set_);
  return data;
}

std::expected<void, std::string> Recorder::record_v2_data() {
  auto data = collect_set();
  if (!data) {
    note("V2 data: " + describe(data.error()));
    return {};
  }
  return store(v2_data_file(samples_), BufferKind::kV2Data, Bytes(data->begin(), data->end()));
}

std::expected<void, std::string> Recorder::store(std::string file, BufferKind kind, Bytes bytes) {
  if (scrubber_ == nullptr) return store_.put(file, bytes);
  if (!store_.has_room_for(held_.bytes() + bytes.size())) return std::unexpected(store_.no_room());
  held_.add(std::move(file), kind, std::move(bytes));
  return {};
}

std::expected<void, std::string> Recorder::finish() {
  if (scrubber_ == nullptr) return {};
  return held_.store(*scrubber_, store_, [this](std::string problem) { note(std::move(problem)); });
}

void Recorder::note(std::string problem) {
  if (std::ranges::find(problems_, problem) == problems_.end())
    problems_.push_back(std::move(problem));
}

}  // namespace winperf::capture
