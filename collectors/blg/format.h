// The layout of perfmon's binary logs (.blg) of Windows Vista and later: an ETL file whose events
// hold the performance library's records. All integers are little-endian; the offset of each field
// counts from the start of its structure.
//
//   log      buffers, one after another, all of the same size as the first one
//   buffer   header of 72 bytes | events, each at a multiple of 8 | unused bytes
//   event    of the performance library: header of 48 bytes | GUID of the log, part, parts | a
//   piece    the pieces of a record's parts, joined, are the record
//
// None of this is documented, except for the trace header: it was inferred from files
// (docs/blg.md). Source of the trace header: evntrace.h, TRACE_LOGFILE_HEADER; timezoneapi.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "collectors/wire/byte_view.h"

namespace winperf::blg {

namespace buffer_header {
inline constexpr Field<std::uint32_t> kBufferBytes{0};
inline constexpr Field<std::uint32_t> kFilledBytes{48};
inline constexpr std::uint32_t kBytes = 72;
}  // namespace buffer_header

// The largest buffer that Windows lets a trace session have.
inline constexpr std::uint32_t kMaxBuffer = 16U << 20;

namespace event_header {  // what the headers of all events have in common
inline constexpr Field<std::uint16_t> kSize{0};
inline constexpr Field<std::uint8_t> kHeaderKind{2};
inline constexpr Field<std::uint8_t> kHeaderFlags{3};
inline constexpr std::uint32_t kSmallest = 8;
inline constexpr std::uint32_t kAlignment = 8;
inline constexpr std::uint16_t kEndOfEvents = 0xFFFF;  // instead of a size
inline constexpr std::uint8_t kSystemFlags = 0xC0;     // of the system's events, and of others
}  // namespace event_header

namespace system_event {  // header of 32 bytes
inline constexpr Field<std::uint16_t> kSize{4};
inline constexpr Field<std::uint16_t> kType{6};
}  // namespace system_event

namespace library_event {  // of the performance library; the piece follows
inline constexpr Field<std::uint8_t> kType{4};
inline constexpr Field<std::uint64_t> kTime{16};
inline constexpr std::size_t kGuid = 24;
inline constexpr Field<std::uint32_t> kPart{64};
inline constexpr Field<std::uint32_t> kParts{68};
inline constexpr std::uint32_t kBytes = 72;
}  // namespace library_event

namespace trace_header {  // the system's first event; then two pointers and the time zone
inline constexpr Field<std::uint32_t> kLogFileMode{32 + 32};
inline constexpr Field<std::uint32_t> kPointerBytes{32 + 44};
inline constexpr std::size_t kPointers = 32 + 56;
inline constexpr std::uint32_t kCircular = 2;  // EVENT_TRACE_FILE_MODE_CIRCULAR
}  // namespace trace_header

namespace time_zone {  // TIME_ZONE_INFORMATION
inline constexpr Field<std::int32_t> kBias{0};
inline constexpr std::size_t kStandardDate = 68;
inline constexpr Field<std::int32_t> kStandardBias{84};
inline constexpr std::size_t kDaylightDate = 152;
inline constexpr Field<std::int32_t> kDaylightBias{168};
inline constexpr std::size_t kBytes = 172;
}  // namespace time_zone

namespace system_time {  // SYSTEMTIME
inline constexpr Field<std::uint16_t> kYear{0};
inline constexpr Field<std::uint16_t> kMonth{2};
inline constexpr Field<std::uint16_t> kDayOfWeek{4};
inline constexpr Field<std::uint16_t> kDay{6};
inline constexpr Field<std::uint16_t> kHour{8};
inline constexpr Field<std::uint16_t> kMinute{10};
inline constexpr Field<std::uint16_t> kSecond{12};
inline constexpr Field<std::uint16_t> kMilliseconds{14};
inline constexpr std::size_t kBytes = 16;
}  // namespace system_time

enum class RecordType : std::uint8_t {
  kCounterList = 32,
  kSample = 34,
  kSummary = 35,  // of the whole log, at its end; not used
  kNameTable = 36,
  kRegistration = 38,
};

// Larger records are refused; those of real logs have a few ten thousand bytes.
inline constexpr std::size_t kMaxRecord = std::size_t{64} << 20;

// The end of the year 9999 as a FILETIME; what is later is not a time.
inline constexpr std::uint64_t kLatestTime = 2'650'467'744'000'000'000;

namespace listed_counter {  // an entry of the counter list; strings follow
inline constexpr Field<std::uint32_t> kLength{0};
inline constexpr Field<std::uint32_t> kFlags{4};
inline constexpr Field<std::uint32_t> kType{12};
inline constexpr Field<std::uint64_t> kTimeBase{16};
inline constexpr Field<std::int32_t> kScale{24};
// Offsets of strings, from the end of the entry's fixed part.
inline constexpr Field<std::uint32_t> kMachine{28};
inline constexpr Field<std::uint32_t> kObject{32};
inline constexpr Field<std::uint32_t> kInstance{36};
inline constexpr Field<std::uint32_t> kParent{40};
inline constexpr Field<std::uint32_t> kInstanceIndex{44};
inline constexpr Field<std::uint32_t> kCounter{48};
inline constexpr std::uint32_t kBytes = 52;

inline constexpr std::uint64_t kFirstAt = 8;       // in the counter list
inline constexpr std::uint32_t kWildcards = 0x11;  // flags: of all instances, of a whole object
inline constexpr std::uint32_t kNoString = 0xFFFF'FFFF;
inline constexpr std::uint32_t kNoIndex = 0xFFFF'FFFF;
}  // namespace listed_counter

namespace registration_record {  // then the registration, the table of names and the name
inline constexpr Field<std::uint32_t> kLength{0};  // of all, with padding
inline constexpr Field<std::uint32_t> kRegistrationBytes{4};
inline constexpr Field<std::uint32_t> kCounterNamesBytes{8};
inline constexpr Field<std::uint32_t> kNameBytes{12};
inline constexpr std::uint32_t kBytes = 16;
}  // namespace registration_record

namespace item_header {  // of a sample and of each item in it
inline constexpr Field<std::uint32_t> kSignature{0};
inline constexpr Field<std::uint8_t> kKind{3};  // the signature's last byte
inline constexpr Field<std::uint32_t> kLength{4};
inline constexpr std::uint32_t kBytes = 8;
}  // namespace item_header

// What one item of a sample holds.
enum class ItemKind : std::uint8_t {
  kCounter = 1,      // the value of one counter
  kInstances = 2,    // one counter of all instances
  kWholeObject = 5,  // a V1 block
  kV2Reply = 21,     // what PerfQueryCounterData returned for one counterset
};

namespace counter_item {
inline constexpr Field<std::uint32_t> kStatus{0};
inline constexpr Field<std::uint64_t> kTime{4};
inline constexpr Field<std::uint64_t> kFirst{16};
inline constexpr Field<std::uint64_t> kSecond{24};
inline constexpr Field<std::uint32_t> kMultiCount{32};
inline constexpr std::uint32_t kBytes = 36;
}  // namespace counter_item

namespace instances_item {  // then its instances, then their names
inline constexpr Field<std::uint32_t> kCount{4};
inline constexpr Field<std::uint32_t> kStatus{8};
inline constexpr Field<std::uint64_t> kTime{16};
inline constexpr std::uint32_t kBytes = 24;
}  // namespace instances_item

namespace listed_instance {                      // of an instances item
inline constexpr Field<std::uint32_t> kName{0};  // its offset
inline constexpr Field<std::uint32_t> kStatus{4};
inline constexpr Field<std::uint64_t> kFirst{8};
inline constexpr Field<std::uint64_t> kSecond{16};
inline constexpr std::uint32_t kBytes = 24;
}  // namespace listed_instance

}  // namespace winperf::blg
