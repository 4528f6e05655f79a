// What to do about a topic of facts that can't be read; `facts` and the doctor show it. Thread
// rule: any thread. Source: docs/facts.md, "Rights".
#pragma once

#include "collectors/model/error.h"
#include "collectors/model/fact_topic.h"
#include "service/doctor/rules.h"

namespace winperf {

// Whether the machine doesn't have the topic, which is no fault.
inline bool is_absent(const Error& error) { return error.code == ErrorCode::kUnsupported; }

// Empty if nothing helps: this Windows doesn't have it.
Repair fact_repair(FactTopic topic, const Error& error);

}  // namespace winperf
