#include "collectors/model/raw_reading.h"

#include <array>

#include "collectors/base/ascii.h"

namespace winperf {
namespace {

using Fact = KnownReading::Fact;

constexpr std::string_view kSaturates =
    "RFC 2863, ifSpeed: 4,294,967,295 means any speed that does not fit into 32 bits";
constexpr std::string_view kNoSpeed = "ntddndis.h, NDIS_LINK_SPEED_UNKNOWN";
constexpr std::string_view kSeen =
    "delivered by Windows 6.0.6000 for a wireless adapter without a connection";

// No row has Fact::kSigned: no counter of 4 bytes is known from a source to be signed.
constexpr std::array kReadings{
    KnownReading{"Network Interface", "Current Bandwidth", 4, Fact::kUnknown, 0xFFFF'FFFF,
                 kSaturates},
    KnownReading{"Network Interface", "Current Bandwidth", 8, Fact::kUnknown, 0x7FFF'FFFF'FFFF'FFFF,
                 kSeen},
    KnownReading{"Network Interface", "Current Bandwidth", 8, Fact::kUnknown, 0xFFFF'FFFF'FFFF'FFFF,
                 kNoSpeed},
    KnownReading{"Network Adapter", "Current Bandwidth", 8, Fact::kUnknown, 0x7FFF'FFFF'FFFF'FFFF,
                 kSeen},
    KnownReading{"Network Adapter", "Current Bandwidth", 8, Fact::kUnknown, 0xFFFF'FFFF'FFFF'FFFF,
                 kNoSpeed},
};

}  // namespace

std::span<const KnownReading> known_readings() { return kReadings; }

RawReading reading_of(std::string_view object, std::string_view counter, std::uint32_t bytes) {
  RawReading reading;
  for (const KnownReading& known : kReadings) {
    if (known.bytes != bytes || !equal_names(known.object, object) ||
        !equal_names(known.counter, counter))
      continue;
    if (known.fact == Fact::kSigned) reading.is_signed = true;
    if (known.fact == Fact::kUnknown) reading.unknown.push_back(known.value);
  }
  return reading;
}

}  // namespace winperf
