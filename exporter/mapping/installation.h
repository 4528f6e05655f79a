// Objects whose names carry the installation of a product: "MSSQL$PAYROLL:Locks" is what
// "SQLServer:Locks" is of the default instance. By our own names both give the same families, and a
// label says which installation it is (ADR 0021).
//
// One table has such names, as templates (name_template.h), and what the label of the default
// installation says; docs/metrics.md shows it. Thread rule: any thread.
// Source: Microsoft's pages on the performance objects of SQL Server, Analysis Services and
// Reporting Services.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace winperf {

struct InstallationRow {
  std::string_view name;    // the object's; {installation} is the label's value
  std::string_view object;  // what it is called without the installation, from the same parts
  std::string_view label;   // "sql_instance"
  std::string_view default_value{};  // of the label, where the name has no {installation}
};
std::span<const InstallationRow> installation_rows();

struct Installation {
  std::string object;        // the name without the installation; all of it if it carries none
  std::string_view label{};  // empty if it carries none
  std::string value{};       // as the name has it, otherwise that of the default installation
};

Installation installation_of(std::string_view object);

}  // namespace winperf
