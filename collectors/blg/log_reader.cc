#include "collectors/blg/log_reader.h"

#include <algorithm>
#include <utility>

#include "collectors/blg/format.h"

namespace winperf::blg {

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
