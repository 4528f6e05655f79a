// GET /api/v1/discovery: the countersets that this machine has, and which of them are sampled.
// Thread rule: any thread.
#pragma once

#include <string>

#include "collectors/model/inventory.h"

namespace winperf::json {

// {"found_at", "supports_metadata", "asked": ["OLD_MetadataGlobal", ...], "duration_seconds",
//  "reply_bytes", "error", "incomplete", "problems": ["..."],
//  "absent": ["..."],
//  "countersets": [{"name", "key", "costly", "active", "sampled"}]}
// found_at and what follows from a look are null or empty before the first one that succeeded. key:
// the title index, or the GUID. error: why the last look failed; null if it did not. incomplete:
// why there may be countersets that the last one that succeeded has not found; null if there is no
// reason to think so. absent: what the configuration names and a whole look has not found.
std::string discovery_document(const DiscoveryReport& report);

}  // namespace winperf::json
