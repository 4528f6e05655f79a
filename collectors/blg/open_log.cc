#include "collectors/blg/open_log.h"

#include <utility>

namespace winperf::blg {

std::expected<const Record*, Error> OpenLog::read_sample(std::size_t number) {
  const auto& sample = index.samples[number];
  if (!sample) return std::unexpected(sample.error());
  if (last_read && last_read->place().event == sample->place.event) return &*last_read;
  last_read.reset();
  auto record = read(sample->place);
  if (!record) return std::unexpected(record.error());
  return &last_read.emplace(*std::move(record));
}

std::expected<Record, Error> OpenLog::read(const Place& place) {
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

}  // namespace winperf::blg
