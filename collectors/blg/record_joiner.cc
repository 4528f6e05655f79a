#include "collectors/blg/record_joiner.h"

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

}  // namespace winperf::blg
