#include "collectors/facts/printer_jobs.h"

#include <algorithm>

namespace winperf {

void PrinterJobs::add(std::string_view job_name, std::string_view status) {
  std::string kind(status);
  std::ranges::replace(kind, ';', ',');  // which separates them
  ++printers_[std::string(job_name.substr(0, job_name.find(',')))][kind];
}

std::string PrinterJobs::of(std::string_view printer) const {
  std::string jobs;
  const auto found = printers_.find(printer);
  if (found == printers_.end()) return jobs;
  for (const auto& [status, count] : found->second) {
    if (!jobs.empty()) jobs += ';';
    jobs += status + ' ' + std::to_string(count);
  }
  return jobs;
}

}  // namespace winperf
