#include "collectors/blg/log_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "collectors/blg/format.h"

namespace winperf::blg {
namespace {

constexpr std::uint16_t kTraceHeaderType = 0;

bool has_system_flags(const ByteView& event) {
  return (event.get(event_header::kHeaderFlags) & event_header::kSystemFlags) ==
         event_header::kSystemFlags;
}

using std::chrono::local_days;
using std::chrono::milliseconds;
using LocalTime = std::chrono::local_time<milliseconds>;

// FILETIMEs count from 1601.
constexpr local_days kFirstDay{std::chrono::year{1601} / std::chrono::January / 1};
constexpr std::uint64_t kTicksPerMillisecond = 10'000;

std::chrono::minutes minutes_at(const ByteView& zone, Field<std::int32_t> field) {
  return std::chrono::minutes(zone.get(field));
}

// `at`: of a SYSTEMTIME in the zone, whose size was proved.
Changeover changeover_at(const ByteView& zone, std::size_t at) {
  const ByteView date = *zone.slice(at, system_time::kBytes, "log.time_zone");
  return {.year = date.get(system_time::kYear),
          .month = date.get(system_time::kMonth),
          .weekday = date.get(system_time::kDayOfWeek),
          .day = date.get(system_time::kDay),
          .time = std::chrono::hours(date.get(system_time::kHour)) +
                  std::chrono::minutes(date.get(system_time::kMinute)) +
                  std::chrono::seconds(date.get(system_time::kSecond)) +
                  milliseconds(date.get(system_time::kMilliseconds))};
}

// In the given year; empty if there is no such day.
std::optional<LocalTime> moment_of(const Changeover& change, std::chrono::year year) {
  if (change.month < 1 || change.month > 12 || change.weekday > 6) return std::nullopt;
  const std::chrono::month month(change.month);
  if (change.year != 0) {
    const auto date = std::chrono::year(change.year) / month / int{change.day};
    if (std::chrono::year(change.year) != year || !date.ok()) return std::nullopt;
    return local_days(date) + change.time;
  }
  const std::chrono::weekday weekday(change.weekday);
  if (change.day == 5) return local_days(year / month / weekday[std::chrono::last]) + change.time;
  if (change.day < 1 || change.day > 5) return std::nullopt;
  return local_days(year / month / weekday[change.day]) + change.time;
}

bool in_daylight_time(const TimeZone& zone, LocalTime time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year year = std::chrono::year_month_day(day).year();
  const auto begin = moment_of(zone.daylight, year);
  const auto end = moment_of(zone.standard, year);
  if (!begin || !end) return false;
  if (*begin < *end) return *begin <= time && time < *end;
  return time < *end || *begin <= time;  // south of the equator
}

// Nothing if it isn't complete. `event`: the trace header, whose pointers' size was proved.
std::optional<TimeZone> zone_in(const ByteView& event) {
  const std::size_t pointers = std::size_t{2} * event.get(trace_header::kPointerBytes);
  const auto zone =
      event.slice(trace_header::kPointers + pointers, time_zone::kBytes, "log.time_zone");
  if (!zone) return std::nullopt;
  return TimeZone{.bias = minutes_at(*zone, time_zone::kBias),
                  .standard_bias = minutes_at(*zone, time_zone::kStandardBias),
                  .daylight_bias = minutes_at(*zone, time_zone::kDaylightBias),
                  .standard = changeover_at(*zone, time_zone::kStandardDate),
                  .daylight = changeover_at(*zone, time_zone::kDaylightDate)};
}

}  // namespace

std::int64_t utc_offset(const TimeZone& zone, std::uint64_t local_100ns) {
  if (local_100ns > kLatestTime) return 0;
  const LocalTime time =
      kFirstDay + milliseconds(static_cast<std::int64_t>(local_100ns / kTicksPerMillisecond));
  const bool daylight = in_daylight_time(zone, time);
  const milliseconds offset = zone.bias + (daylight ? zone.daylight_bias : zone.standard_bias);
  return offset.count() * static_cast<std::int64_t>(kTicksPerMillisecond);
}

std::optional<TraceHeader> read_trace_header(std::span<const std::byte> bytes) {
  const auto event = ByteView(bytes, "log.trace_header").from(buffer_header::kBytes, "log.event");
  if (!event || !event->holds(trace_header::kPointerBytes)) return std::nullopt;
  const auto pointer_bytes = event->get(trace_header::kPointerBytes);
  if (!has_system_flags(*event) || event->get(system_event::kType) != kTraceHeaderType ||
      (pointer_bytes != 4 && pointer_bytes != 8))
    return std::nullopt;
  const auto mode = event->get(trace_header::kLogFileMode);
  return TraceHeader{.is_circular = (mode & trace_header::kCircular) != 0, .zone = zone_in(*event)};
}

namespace {

// Kinds of headers that keep the event's size in another place.
constexpr std::array<std::uint8_t, 6> kSystemHeaders{1, 2, 3, 4, 0x10, 0x11};
// Kinds of headers of the performance library's events, for 32 and for 64 bits.
constexpr std::array<std::uint8_t, 2> kLibraryHeaders{0x0A, 0x14};
// 933F3BB3-943E-490D-9CED-3CBB14C14479, as it is stored.
constexpr std::array<std::uint8_t, 16> kLibraryGuid{0xB3, 0x3B, 0x3F, 0x93, 0x3E, 0x94, 0x0D, 0x49,
                                                    0x9C, 0xED, 0x3C, 0xBB, 0x14, 0xC1, 0x44, 0x79};
// Its first 8 bytes as a number.
constexpr std::uint64_t kGuidStart = 0x490D'943E'933F'3BB3;

// `event` has at least its first 8 bytes.
bool is_of_system(const ByteView& event) {
  const auto kind = event.get(event_header::kHeaderKind);
  return has_system_flags(event) && std::ranges::find(kSystemHeaders, kind) != kSystemHeaders.end();
}

std::uint32_t size_of(const ByteView& event) {
  return event.get(is_of_system(event) ? system_event::kSize : event_header::kSize);
}

bool is_of_library(const ByteView& event) {
  const auto kind = event.get(event_header::kHeaderKind);
  if (std::ranges::find(kLibraryHeaders, kind) == kLibraryHeaders.end()) return false;
  const auto guid = event.slice(library_event::kGuid, kLibraryGuid.size(), "log.event");
  return guid && std::ranges::equal(guid->bytes(), kLibraryGuid, {},
                                    [](std::byte byte) { return std::to_integer<int>(byte); });
}

[[nodiscard]] std::expected<Part, Error> part_of(const ByteView& event) {
  if (event.size() < library_event::kBytes)
    return std::unexpected(event.error(ErrorCode::kBadLength, event.size(), library_event::kBytes));
  const auto piece = event.from(library_event::kBytes, "log.record");
  if (!piece) return std::unexpected(piece.error());
  return Part{.type = event.get(library_event::kType),
              .time = event.get(library_event::kTime),
              .part = event.get(library_event::kPart),
              .parts = event.get(library_event::kParts),
              .offset = event.offset(),
              .piece = *piece};
}

}  // namespace

std::expected<std::optional<ByteView>, Error> EventWalk::next_event() {
  const std::uint64_t start = at_;
  at_ = buffer_.size();
  if (start >= buffer_.size()) return std::nullopt;
  const auto first_field = buffer_.read<std::uint16_t>(start);
  if (!first_field) return std::unexpected(first_field.error());
  if (*first_field == event_header::kEndOfEvents) return std::nullopt;
  const auto head = buffer_.slice(start, event_header::kSmallest, "log.event");
  if (!head) return std::unexpected(head.error());
  const std::uint32_t size = size_of(*head);
  if (size < event_header::kSmallest)
    return std::unexpected(head->error(ErrorCode::kBadLength, size, event_header::kSmallest));
  const auto event = buffer_.slice(start, size, "log.event");
  if (!event) return std::unexpected(event.error());
  constexpr std::uint64_t kAlignment = event_header::kAlignment;
  at_ = start + (size + kAlignment - 1) / kAlignment * kAlignment;
  return *event;
}

std::expected<Part, Error> EventWalk::take(const ByteView& event, std::uint64_t start) {
  const std::uint64_t end = start + event.size();
  const std::uint64_t inner = find_event(start + event_header::kAlignment, end);
  if (inner == end) return part_of(event);
  at_ = inner;
  return std::unexpected(event.error(ErrorCode::kBadLength, event.size(), inner - start));
}

std::optional<std::expected<Part, Error>> EventWalk::next() {
  while (true) {
    const std::uint64_t start = at_;
    const auto event = next_event();
    if (event && !*event) return std::nullopt;
    if (event && is_of_library(**event)) return take(**event, start);
    if (event && is_of_system(**event)) {
      ++foreign_events_;
      continue;
    }
    at_ = find_event(start + event_header::kAlignment, buffer_.size());
    if (!event) return std::unexpected(event.error());
    return std::unexpected(Error{.code = ErrorCode::kBadSignature,
                                 .where = "log.event",
                                 .offset = (*event)->offset(),
                                 .actual = (*event)->get(event_header::kHeaderKind),
                                 .limit = kLibraryHeaders.back()});
  }
}

std::uint64_t EventWalk::find_event(std::uint64_t begin, std::uint64_t end) const {
  for (std::uint64_t at = begin; at + library_event::kBytes <= end;
       at += event_header::kAlignment) {
    // Almost all places fail at the first comparison.
    if (buffer_.get<std::uint64_t>(at + library_event::kGuid) != kGuidStart) continue;
    const ByteView head = *buffer_.slice(at, library_event::kBytes, "log.event");
    if (is_of_library(head)) return at;
  }
  return end;
}

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
      return drop(part.offset, ErrorCode::kBadCount, "log.record.part", part.parts,
                  joining_->key.parts, out);
    }
    finish(out);
    joining_ = Joining{key, 1, std::nullopt};
    if (part.parts == 0)
      return drop(part.offset, ErrorCode::kBadCount, "log.record.parts", 0, 1, out);
    return drop(part.offset, ErrorCode::kBadCount, "log.record.part_order", part.part, 1, out);
  }
  if (!joining_->record) {
    joining_->next_part = part.part + 1;
    return;
  }
  if (part.part != joining_->next_part)
    return drop(part.offset, ErrorCode::kBadCount, "log.record.part_order", part.part,
                joining_->next_part, out);
  const std::uint64_t size = joining_->record->bytes().size() + part.piece.size();
  if (size > kMaxRecord)
    return drop(part.offset, ErrorCode::kLimitExceeded, "log.record", size, kMaxRecord, out);
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

void RecordJoiner::drop(std::uint64_t offset, ErrorCode code, const char* where,
                        std::uint64_t actual, std::uint64_t limit, std::deque<JoinedRecord>& out) {
  joining_->record.reset();
  lost_ = joining_->key;
  out.push_back(
      {joining_->key.type,
       std::unexpected(Error{
           .code = code, .where = where, .offset = offset, .actual = actual, .limit = limit})});
}

void RecordJoiner::finish(std::deque<JoinedRecord>& out) {
  if (joining_ && joining_->record)
    drop(joining_->record->place().event, ErrorCode::kBadCount, "log.record.missing_parts",
         joining_->key.parts, joining_->next_part - 1, out);
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
  // Continuously falling times aren't a second run.
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
  std::vector<std::byte> bytes;
  read(offset, length, bytes);
  return bytes;
}

void LogReader::read(std::uint64_t offset, std::uint64_t length, std::vector<std::byte>& bytes) {
  const std::uint64_t left = offset < log_bytes_ ? log_bytes_ - offset : 0;
  bytes.resize(static_cast<std::size_t>(std::min(length, left)));
  log_->clear();
  log_->seekg(static_cast<std::streamoff>(offset));
  log_->read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  // The file may have become shorter since it was measured.
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(log_->gcount(), 0)));
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
  has_whole_buffer_ = false;
  const std::vector<std::byte> bytes = read(this_buffer_, buffer_header::kBytes);
  if (bytes.size() < buffer_header::kBytes || all_zero(bytes)) return pass_gap(bytes);
  const ByteView header(bytes, kWhere, this_buffer_);
  const auto size = header.get(buffer_header::kBufferBytes);
  const auto filled = header.get(buffer_header::kFilledBytes);
  if (size != buffer_bytes_) return report(ErrorCode::kBadLength, size, buffer_bytes_);
  if (filled < buffer_header::kBytes || filled > size)
    return report(ErrorCode::kBadLength, filled, size);
  read(this_buffer_, filled, buffer_);
  if (buffer_.size() < filled) report(ErrorCode::kTruncated, filled, buffer_.size());
  has_whole_buffer_ = buffer_.size() == filled && !oldest_;
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
  const std::uint64_t first_event = place.event - place.buffer;
  // A buffer often holds many samples.
  if (has_whole_buffer_ && place.buffer == this_buffer_) {
    foreign_events_ += events_.foreign_events();
    next_buffer_ = this_buffer_ + buffer_bytes_;
    events_ = EventWalk(ByteView(buffer_, "log.event", this_buffer_), first_event);
    return;
  }
  next_buffer_ = place.buffer;
  read_buffer(first_event);
}

void LogReader::start_at(const Place& oldest) {
  oldest_ = oldest;
  has_whole_buffer_ = false;  // of the first buffer of the log, only a part counts
  seek(oldest);
}

}  // namespace winperf::blg
