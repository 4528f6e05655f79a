#include "collectors/facts/wmi_rows.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "collectors/base/ascii.h"
#include "collectors/base/decimal.h"
#include "collectors/facts/label_texts.h"

namespace winperf {
namespace {

const std::pair<std::string, FactValue>* find_property(const FactRow& row, std::string_view name) {
  const auto found = std::ranges::find_if(
      row.fields(), [name](const auto& field) { return equal_names(field.first, name); });
  return found == row.fields().end() ? nullptr : &*found;
}

}  // namespace

const FactValue* property(const FactRow& row, std::string_view name) {
  const auto* const found = find_property(row, name);
  return found == nullptr ? nullptr : &found->second;
}

void copy_property(const FactRow& from, std::string_view name, FactRow& to,
                   std::string_view field) {
  const FactValue* const value = property(from, name);
  if (value == nullptr) return;
  if (const auto* const number = std::get_if<double>(value))
    to.number(field, *number);
  else
    to.text(field, std::get<std::string>(*value));
}

void copy_as_text(const FactRow& from, std::string_view name, FactRow& to, std::string_view field) {
  if (const auto* const found = find_property(from, name))
    to.text(field, from.text_of(found->first));
}

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

namespace {

std::string text_of(const FactRow& row, std::string_view name) {
  const FactValue* const value = property(row, name);
  const auto* const text = value != nullptr ? std::get_if<std::string>(value) : nullptr;
  return text != nullptr ? *text : std::string();
}

std::string_view status_of(const FactRow& printer) {
  const FactValue* const value = property(printer, "PrinterStatus");
  const auto* const number = value != nullptr ? std::get_if<double>(value) : nullptr;
  const bool fits = number != nullptr && *number >= 0 && *number <= UINT16_MAX;
  return fits ? printer_status_name(static_cast<std::uint32_t>(*number)) : std::string_view();
}

// A count that WMI has as a number or, as providers of some versions write it, as text.
std::optional<double> count_of(const FactRow& row, std::string_view name) {
  const FactValue* const value = property(row, name);
  if (value == nullptr) return std::nullopt;
  if (const auto* const number = std::get_if<double>(value)) return *number;
  return whole_decimal<std::uint64_t>(std::get<std::string>(*value));
}

}  // namespace

FactTable service_status_rows(const FactTable& services) {
  FactTable table{.problems = services.problems};
  for (const FactRow& service : services.rows) {
    const std::string name = text_of(service, "Name");
    if (name.empty()) continue;
    FactRow& row = table.add();
    row.text("name", name);
    put_known(row, "status", ascii_lower(text_of(service, "Status")));
  }
  return table;
}

FactTable printer_rows(const FactTable& printers, const FactTable& jobs) {
  FactTable table{.problems = printers.problems};
  table.problems.insert(table.problems.end(), jobs.problems.begin(), jobs.problems.end());
  PrinterJobs by_printer;
  for (const FactRow& job : jobs.rows) by_printer.add(text_of(job, "Name"), text_of(job, "Status"));
  for (const FactRow& printer : printers.rows) {
    const std::string name = text_of(printer, "Name");
    if (name.empty()) continue;
    FactRow& row = table.add();
    row.text("printer", name);
    put_known(row, "status", status_of(printer));
    copy_property(printer, "JobCountSinceLastReset", row, "jobs_total");
    put_known(row, "jobs", by_printer.of(name));
  }
  return table;
}

FactTable quota_rows(const FactTable& quotas) {
  constexpr std::pair<std::string_view, std::string_view> kFields[] = {
      {"Template", "template"},
      {"Description", "description"},
      {"PeakUsage", "peak_usage"},
      {"Size", "size"},
      {"Usage", "usage"},
      {"Disabled", "disabled"},
      {"MatchesTemplate", "matches_template"},
      {"SoftLimit", "soft_limit"}};
  FactTable table{.problems = quotas.problems};
  for (const FactRow& quota : quotas.rows) {
    const std::string path = text_of(quota, "Path");
    if (path.empty()) continue;
    FactRow& row = table.add();
    row.text("path", path);
    for (const auto& [property_name, field] : kFields)
      copy_property(quota, property_name, row, field);
  }
  return table;
}

FactTable dns_statistic_rows(const FactTable& statistics) {
  FactTable table{.problems = statistics.problems};
  for (const FactRow& statistic : statistics.rows) {
    const std::string name = text_of(statistic, "Name");
    if (name.empty()) continue;
    FactRow& row = table.add();
    row.text("name", name);
    put_known(row, "collection", text_of(statistic, "CollectionName"));
    put_known(row, "server", text_of(statistic, "DnsServerName"));
    put_known(row, "value", count_of(statistic, "Value"));
  }
  return table;
}

}  // namespace winperf
