#include "collectors/facts/wmi_rows.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <variant>

#include "collectors/base/ascii.h"
#include "collectors/base/decimal.h"
#include "collectors/base/wording.h"
#include "collectors/facts/machine_texts.h"

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

std::string text_property(const FactRow& row, std::string_view name) {
  const FactValue* const value = property(row, name);
  const auto* const text = value != nullptr ? std::get_if<std::string>(value) : nullptr;
  return text != nullptr ? *text : std::string();
}

std::optional<double> number_property(const FactRow& row, std::string_view name) {
  const FactValue* const value = property(row, name);
  const auto* const number = value != nullptr ? std::get_if<double>(value) : nullptr;
  return number != nullptr ? std::optional(*number) : std::nullopt;
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

namespace {

// How many jobs have each status; by printer.
using PrinterJobs = std::map<std::string, std::map<std::string, std::size_t>>;

void add_job(PrinterJobs& jobs, const FactRow& job) {
  const std::string name = text_property(job, "Name");
  std::string status = text_property(job, "Status");
  std::ranges::replace(status, ';', ',');  // which separates them
  ++jobs[name.substr(0, name.find(','))][status];
}

std::string_view status_of(const FactRow& printer) {
  const auto number = number_property(printer, "PrinterStatus");
  const bool fits = number && *number >= 0 && *number <= UINT16_MAX;
  return fits ? printer_status_name(static_cast<std::uint32_t>(*number)) : std::string_view();
}

// A count that WMI has as a number or, as providers of some versions write it, as text.
std::optional<double> count_of(const FactRow& row, std::string_view name) {
  if (const auto number = number_property(row, name)) return number;
  const auto written = whole_decimal<std::uint64_t>(text_property(row, name));
  return written ? std::optional(static_cast<double>(*written)) : std::nullopt;
}

// A row for each that has the property, which becomes a field; `add` adds the rest.
template <class Add>
FactTable rows_with(const FactTable& from, std::string_view property_name, std::string_view field,
                    const Add& add) {
  FactTable table{.problems = from.problems};
  for (const FactRow& one : from.rows) {
    const std::string name = text_property(one, property_name);
    if (!name.empty()) add(one, table.add().text(field, name));
  }
  return table;
}

}  // namespace

FactTable service_status_rows(const FactTable& services) {
  return rows_with(services, "Name", "name", [](const FactRow& service, FactRow& row) {
    put_known(row, "status", ascii_lower(text_property(service, "Status")));
  });
}

FactTable printer_rows(const FactTable& printers, const FactTable& jobs) {
  PrinterJobs by_printer;
  for (const FactRow& job : jobs.rows) add_job(by_printer, job);
  auto table = rows_with(printers, "Name", "printer", [&](const FactRow& printer, FactRow& row) {
    put_known(row, "status", status_of(printer));
    copy_property(printer, "JobCountSinceLastReset", row, "jobs_total");
    put_known(row, "jobs", joined(by_printer[text_property(printer, "Name")], ";", [](auto& job) {
                return job.first + ' ' + std::to_string(job.second);
              }));
  });
  table.problems.insert(table.problems.end(), jobs.problems.begin(), jobs.problems.end());
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
  return rows_with(quotas, "Path", "path", [&](const FactRow& quota, FactRow& row) {
    for (const auto& [name, field] : kFields) copy_property(quota, name, row, field);
  });
}

FactTable dns_statistic_rows(const FactTable& statistics) {
  return rows_with(statistics, "Name", "name", [](const FactRow& statistic, FactRow& row) {
    put_known(row, "collection", text_property(statistic, "CollectionName"));
    put_known(row, "server", text_property(statistic, "DnsServerName"));
    put_known(row, "value", count_of(statistic, "Value"));
  });
}

}  // namespace winperf
