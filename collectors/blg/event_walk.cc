#include "collectors/blg/event_walk.h"

#include <algorithm>
#include <array>

#include "collectors/blg/format.h"

namespace winperf::blg {
namespace {

constexpr std::uint16_t kTraceHeaderType = 0;

bool has_system_flags(const ByteView& event) {
  return (event.get(event_header::kHeaderFlags) & event_header::kSystemFlags) ==
         event_header::kSystemFlags;
}

}  // namespace

std::optional<TraceHeader> TraceHeader::find(std::span<const std::byte> bytes) {
  const auto event = ByteView(bytes, "log.trace_header").from(buffer_header::kBytes, "log.event");
  if (!event || !event->holds(trace_header::kPointerBytes)) return std::nullopt;
  const auto pointer_bytes = event->get(trace_header::kPointerBytes);
  if (!has_system_flags(*event) || event->get(system_event::kType) != kTraceHeaderType ||
      (pointer_bytes != 4 && pointer_bytes != 8))
    return std::nullopt;
  return TraceHeader(*event);
}

bool TraceHeader::is_circular() const {
  return (event_.get(trace_header::kLogFileMode) & trace_header::kCircular) != 0;
}

std::optional<ByteView> TraceHeader::time_zone() const {
  const std::size_t pointers = std::size_t{2} * event_.get(trace_header::kPointerBytes);
  const auto zone =
      event_.slice(trace_header::kPointers + pointers, time_zone::kBytes, "log.time_zone");
  return zone ? std::optional(*zone) : std::nullopt;
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

}  // namespace winperf::blg
