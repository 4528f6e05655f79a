#include "collectors/blg/trace_header.h"

#include "collectors/blg/format.h"

namespace winperf::blg {
namespace {
constexpr std::uint16_t kTraceHeaderType = 0;
}  // namespace

std::optional<TraceHeader> TraceHeader::find(std::span<const std::byte> bytes) {
  const auto event = ByteView(bytes, "log.trace_header").from(buffer_header::kBytes, "log.event");
  if (!event || !event->holds(trace_header::kPointerBytes)) return std::nullopt;
  const auto pointer_bytes = event->get(trace_header::kPointerBytes);
  if ((event->get(event_header::kHeaderFlags) & event_header::kSystemFlags) !=
          event_header::kSystemFlags ||
      event->get(system_event::kType) != kTraceHeaderType ||
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

}  // namespace winperf::blg
