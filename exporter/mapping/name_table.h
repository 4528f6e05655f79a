// Exceptions from the general rule for names: a table of well-known objects, and one of counters
// whose name or type is misleading, that repeat another counter's number, or that are parts of one
// number. docs/metric-names.md shows both tables.
//
// Objects and counters have their English names, objects without the installation that they carry
// (InstallationRow); '*' matches any text, once in a name, and '|' separates alternatives. Source:
// reference pages of the Windows counters, and recorded data, in which the numbers were compared.
// Thread rule: any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>

namespace winperf {

// Objects whose names carry the installation of a product: "MSSQL$PAYROLL:Locks" is what
// "SQLServer:Locks" is of the default instance. By our own names both give the same families, and a
// label says which installation it is (ADR 0021).
//
// One table has such names, as templates (name_template.h), and what the label of the default
// installation says; docs/metric-names.md shows it. Thread rule: any thread.
// Source: Microsoft's pages on the performance objects of SQL Server, Analysis Services and
// Reporting Services.
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

struct ObjectRow {
  std::string_view object{};
  std::string_view instance_label = "instance_name";
  std::string_view parent_label = "parent_name";
  std::string_view words{};  // in names, instead of the object's own words, unless empty
  std::string_view af{};     // the value of the label `af` on each series, unless empty
  // An object with the same numbers. Where it is sampled, too, this one has other words.
  std::string_view newer{};
  std::string_view words_with_newer{};
};

// Which metrics of a counter there are.
enum class Shown : std::uint8_t {
  kAll,
  kCooked,  // no running total
  kRaw,     // not perfmon's number
  kNothing,
  kId,  // the raw number, as a label of the object's info metric
};

struct CounterRow {
  std::string_view object{};
  std::string_view counter{};
  Shown shown = Shown::kAll;
  // The counters of the object that together cover what isn't shown. If one of them is missing,
  // everything is shown. Empty: what isn't shown would mislead.
  std::string_view covered_by{};
  bool cumulative = false;                  // registered as a plain number, but only ever grows
  std::optional<std::string_view> words{};  // in names, instead of the counter's own
  std::string_view unit{};                  // instead of the name's unit, unless empty
  double factor = 1;                        // to `unit`
  std::string_view label{};                 // "mode": counters with the same words share a family
  std::string_view value{};                 // "user"
  std::string_view base{};                  // the words of a gauge of the base, which is a size
  double base_factor = 1;                   // to bytes
  std::string_view base_shared_with{};      // the counter that has the same base
};

// The texts between '|'.
inline auto alternatives(std::string_view text) {
  return text | std::views::split('|') |
         std::views::transform([](const auto& part) { return std::string_view(part); });
}

std::span<const ObjectRow> object_rows();
std::span<const CounterRow> counter_rows();

// The row for an object, or one that says nothing special.
const ObjectRow& object_row(std::string_view object);

// The row for a counter of an object, or one without any effect.
const CounterRow& counter_row(std::string_view object, std::string_view counter);

}  // namespace winperf
