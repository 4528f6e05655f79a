#include "collectors/blg/log_reader.h"

#include <algorithm>
#include <utility>

#include "collectors/blg/format.h"

namespace winperf::blg {

void Record::append(const ByteView& piece) {
  pieces_.push_back({bytes_.size(), piece.offset()});
  bytes_.insert(bytes_.end(), piece.bytes().begin(), piece.bytes().end());
}

Error Record::in_file(Error error) const {
  const auto after = std::ranges::upper_bound(
      pieces_, error.offset, {}, [](const Piece& piece) { return std::uint64_t{piece.start}; });
  if (after == pieces_.begin()) return error;
  const Piece& piece = *(after - 1);
  error.offset = piece.file_offset + (error.offset - piece.start);
  return error;
}

void RecordJoiner::add(const Part& part, std::uint64_t buffer, std::deque<JoinedRecord>& out) {
  if (part.part == 1 && part.parts >= 1) return start(part, buffer, out);
  const RecordKey key{part.type, part.time, part.parts};
  if (!joining_ || joining_->key != key) {
    if (lost_ == key) return;
    if (is_damaged_part(part)) {
      ++joining_->next_part;
      if (!joining_->record) return;
      return drop(part, ErrorCode::kBadCount, "log.record.part", part.parts, joining_->key.parts,
                  out);
    }
    finish(out);
    joining_ = Joining{key, 1, std::nullopt};
    if (part.parts == 0) return drop(part, ErrorCode::kBadCount, "log.record.parts", 0, 1, out);
    return drop(part, ErrorCode::kBadCount, "log.record.part_order", part.part, 1, out);
  }
  if (!joining_->record) {
    joining_->next_part = part.part + 1;
    return;
  }
  if (part.part != joining_->next_part)
    return drop(part, ErrorCode::kBadCount, "log.record.part_order", part.part, joining_->next_part,
                out);
  const std::uint64_t size = joining_->record->bytes().size() + part.piece.size();
  if (size > kMaxRecord)
    return drop(part, ErrorCode::kLimitExceeded, "log.record", size, kMaxRecord, out);
  joining_->record->append(part.piece);
  if (joining_->next_part++ < part.parts) return;
  out.push_back({part.type, *std::move(joining_->record)});
  joining_.reset();
}

void RecordJoiner::start(const Part& part, std::uint64_t buffer, std::deque<JoinedRecord>& out) {
  finish(out);
  lost_.reset();
  Record record(part, buffer);
  record.append(part.piece);
  if (part.parts == 1) {
    out.push_back({part.type, std::move(record)});
  } else {
    joining_ = Joining{{part.type, part.time, part.parts}, 2, std::move(record)};
  }
}

void RecordJoiner::drop(const Part& part, ErrorCode code, const char* where, std::uint64_t actual,
                        std::uint64_t limit, std::deque<JoinedRecord>& out) {
  joining_->record.reset();
  lost_ = joining_->key;
  out.push_back({joining_->key.type, std::unexpected(Error{.code = code,
                                                           .where = where,
                                                           .offset = part.offset,
                                                           .actual = actual,
                                                           .limit = limit})});
}

void RecordJoiner::finish(std::deque<JoinedRecord>& out) {
  if (joining_ && joining_->record) {
    lost_ = joining_->key;
    const std::uint32_t met = joining_->next_part - 1;
    out.push_back(
        {joining_->key.type, std::unexpected(Error{.code = ErrorCode::kBadCount,
                                                   .where = "log.record.missing_parts",
                                                   .offset = joining_->record->place().event,
                                                   .actual = joining_->key.parts,
                                                   .limit = met})});
  }
  joining_.reset();
}

void SampleRuns::note(std::uint64_t local_100ns, const Place& place) {
  if (local_100ns > kLatestTime) return;
  if (!first_) first_ = local_100ns;
  if (local_100ns == last_) return;
  if (local_100ns < last_ && last_ - local_100ns > depth_) {
    depth_ = last_ - local_100ns;
    second_ = local_100ns;
    fall_ = place;
    before_fall_ = times_;
  }
  ++times_;
  last_ = local_100ns;
}

std::optional<Place> SampleRuns::oldest() const {
  // Times that go on falling are no second run.
  if (depth_ == 0 || last_ > *first_ || last_ < second_) return std::nullopt;
  const bool is_outlier = before_fall_ == 1 && *first_ - last_ > last_ - second_;
  return is_outlier ? std::nullopt : std::optional(fall_);
}

namespace {

constexpr const char* kWhere = "log.buffer";

std::uint64_t length_of(std::istream& stream) {
  stream.clear();
  stream.seekg(0, std::ios::end);
  const std::streamoff end = stream.tellg();
  return end < 0 ? 0 : static_cast<std::uint64_t>(end);
}

bool all_zero(const std::vector<std::byte>& bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

}  // namespace

std::expected<LogReader, Error> LogReader::open(std::istream& log) {
  LogReader reader(log);
  reader.log_bytes_ = length_of(log);
  const std::vector<std::byte> bytes = reader.head(buffer_header::kBytes);
  const auto header = ByteView(bytes, kWhere).first(buffer_header::kBytes, kWhere);
  if (!header) return std::unexpected(header.error());
  const auto size = header->get(buffer_header::kBufferBytes);
  const auto filled = header->get(buffer_header::kFilledBytes);
  if (size < buffer_header::kBytes || size % event_header::kAlignment != 0)
    return std::unexpected(header->error(ErrorCode::kBadLength, size, buffer_header::kBytes));
  if (size > kMaxBuffer)
    return std::unexpected(header->error(ErrorCode::kLimitExceeded, size, kMaxBuffer));
  if (filled < buffer_header::kBytes || filled > size)
    return std::unexpected(header->error(ErrorCode::kBadLength, filled, size));
  reader.buffer_bytes_ = size;
  return reader;
}

std::vector<std::byte> LogReader::read(std::uint64_t offset, std::uint64_t length) {
  const std::uint64_t left = offset < log_bytes_ ? log_bytes_ - offset : 0;
  std::vector<std::byte> bytes(static_cast<std::size_t>(std::min(length, left)));
  log_->clear();
  log_->seekg(static_cast<std::streamoff>(offset));
  log_->read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  // The file may have become shorter since it was measured.
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(log_->gcount(), 0)));
  return bytes;
}

void LogReader::report(ErrorCode code, std::uint64_t actual, std::uint64_t limit) {
  ready_.push_back({std::nullopt, std::unexpected(Error{.code = code,
                                                        .where = kWhere,
                                                        .offset = this_buffer_,
                                                        .actual = actual,
                                                        .limit = limit})});
}

void LogReader::read_buffer(std::uint64_t first_event) {
  foreign_events_ += std::exchange(events_, {}).foreign_events();
  this_buffer_ = next_buffer_;
  next_buffer_ += buffer_bytes_;
  const std::vector<std::byte> bytes = read(this_buffer_, buffer_header::kBytes);
  if (bytes.size() < buffer_header::kBytes || all_zero(bytes)) return pass_gap(bytes);
  const ByteView header(bytes, kWhere, this_buffer_);
  const auto size = header.get(buffer_header::kBufferBytes);
  const auto filled = header.get(buffer_header::kFilledBytes);
  if (size != buffer_bytes_) return report(ErrorCode::kBadLength, size, buffer_bytes_);
  if (filled < buffer_header::kBytes || filled > size)
    return report(ErrorCode::kBadLength, filled, size);
  buffer_ = read(this_buffer_, filled);
  if (buffer_.size() < filled) report(ErrorCode::kTruncated, filled, buffer_.size());
  if (went_around_ && this_buffer_ == oldest_->buffer)
    buffer_.resize(std::min<std::size_t>(buffer_.size(), oldest_->event - oldest_->buffer));
  events_ = EventWalk(ByteView(buffer_, "log.event", this_buffer_), first_event);
}

void LogReader::read_next_buffer() {
  if (!went_around_ || next_buffer_ <= oldest_->buffer) return read_buffer(buffer_header::kBytes);
  over_ = true;
  joiner_.finish(ready_);
}

void LogReader::pass_gap(const std::vector<std::byte>& header) {
  const bool is_end = header.size() < buffer_header::kBytes;
  if (!all_zero(header)) report(ErrorCode::kTruncated, buffer_header::kBytes, header.size());
  const auto next = is_end ? std::nullopt : find_buffer();
  if (next) {
    report(ErrorCode::kBadLength, 0, buffer_bytes_);
    next_buffer_ = *next;
  } else if (oldest_ && !went_around_) {
    went_around_ = true;
    next_buffer_ = 0;
  } else {
    over_ = true;
    joiner_.finish(ready_);
  }
}

std::optional<std::uint64_t> LogReader::find_buffer() {
  for (std::uint64_t at = next_buffer_; at < log_bytes_; at += buffer_bytes_) {
    const std::vector<std::byte> header = read(at, buffer_header::kBytes);
    if (header.size() == buffer_header::kBytes && !all_zero(header)) return at;
  }
  return std::nullopt;
}

std::optional<JoinedRecord> LogReader::next() {
  while (ready_.empty() && !over_) {
    const auto part = events_.next();
    if (!part) {
      read_next_buffer();
    } else if (*part) {
      if ((*part)->type == static_cast<std::uint8_t>(RecordType::kSample))
        runs_.note((*part)->time, {this_buffer_, (*part)->offset});
      joiner_.add(**part, this_buffer_, ready_);
    } else {
      ready_.push_back({std::nullopt, std::unexpected(part->error())});
    }
  }
  if (ready_.empty()) return std::nullopt;
  JoinedRecord record = std::move(ready_.front());
  ready_.pop_front();
  return record;
}

void LogReader::seek(const Place& place) {
  joiner_ = {};
  ready_.clear();
  over_ = false;
  went_around_ = oldest_ && place.event < oldest_->event;
  next_buffer_ = place.buffer;
  read_buffer(place.event - place.buffer);
}

void LogReader::start_at(const Place& oldest) {
  oldest_ = oldest;
  seek(oldest);
}

}  // namespace winperf::blg
