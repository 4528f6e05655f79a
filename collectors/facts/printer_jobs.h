// Counts print jobs by printer and status, from the rows that WMI has of them.
// Thread rule: one thread. Source: Win32_PrintJob, whose Name is "<printer>, <job>".
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace winperf {

class PrinterJobs {
 public:
  void add(std::string_view job_name, std::string_view status);
  // "Error 1;Printing 2"; empty if the printer has no jobs.
  std::string of(std::string_view printer) const;

 private:
  std::map<std::string, std::map<std::string, std::size_t>, std::less<>> printers_;
};

}  // namespace winperf
