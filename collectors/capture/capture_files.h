// The names of a capture's files. collectors/sources/replay.h describes the V1 blocks and name
// tables; the others are:
//
//   sample-NNNN.v2             the reply of PerfQueryCounterData for all V2 countersets, raw
//   v2-order.bin               the reply of PerfQueryCounterInfo: which counterset each result
//                              is for
//   v2-countersets.bin         the GUIDs that PerfEnumerateCounterSet returned, 16 bytes each
//   v2-GUID-INFO-ARGUMENT.bin  a reply of PerfQueryCounterSetRegistrationInfo, raw; GUID has no
//                              braces, INFO is the number of the PerfRegInfoType
//   capture.json               for people: machine, versions, what is missing
// Source: docs/capture.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "collectors/model/guid.h"
#include "collectors/sources/perflib_api.h"

namespace winperf::capture {

inline constexpr std::string_view kCounterTable = "counter-009.bin";
inline constexpr std::string_view kHelpTable = "help-009.bin";
inline constexpr std::string_view kManifest = "capture.json";
inline constexpr std::string_view kCountersets = "v2-countersets.bin";
inline constexpr std::string_view kOrder = "v2-order.bin";

std::string block_file(std::uint32_t sample, std::uint32_t part);
std::string v2_data_file(std::uint32_t sample);
std::string registration_file(const Guid& counterset, RegistrationInfo info,
                              std::uint32_t argument);

}  // namespace winperf::capture
