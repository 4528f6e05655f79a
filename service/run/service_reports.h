// What the running program reports of itself to the API. Thread rule: the functions that are
// returned may be called by any thread.
#pragma once

#include "exporter/api/service_documents.h"
#include "service/log/logging.h"

namespace winperf {

[[nodiscard]] api::ServiceReports service_reports(const Logger& logger, api::ConfigReport config);

}  // namespace winperf
