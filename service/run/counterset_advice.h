// What the doctor says about a counterset that fails, from what the running service knows of it:
// its state and its configuration. Nothing is read for it, so findings about the machine, such as a
// disabled provider, are missing: those are in a whole diagnosis. Thread rule: pure function.
#pragma once

#include "collectors/model/sample.h"
#include "config/config.h"
#include "exporter/api/counterset_documents.h"
#include "service/plan/setup.h"

namespace winperf {

// Empty if nothing has failed, or what is missing comes by itself.
[[nodiscard]] api::Advice advice_on(const CountersetState& state, const Config& config,
                                    const SourceChoice& source);

}  // namespace winperf
