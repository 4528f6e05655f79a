#include "tests/exporter/support/name_lint.h"

#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

namespace winperf::testing {
namespace {

const std::map<std::string, std::string, std::less<>> kUnits{
    {"amperes", "amperes"}, {"bytes", "bytes"},        {"celsius", "celsius"},
    {"grams", "grams"},     {"joules", "joules"},      {"kelvin", "kelvin"},
    {"meters", "meters"},   {"metres", "metres"},      {"seconds", "seconds"},
    {"volts", "volts"},     {"minutes", "seconds"},    {"hours", "seconds"},
    {"days", "seconds"},    {"weeks", "seconds"},      {"kelvins", "kelvin"},
    {"rankine", "celsius"}, {"inches", "meters"},      {"yards", "meters"},
    {"miles", "meters"},    {"fahrenheit", "celsius"}, {"bits", "bytes"},
    {"calories", "joules"}, {"pounds", "grams"},       {"ounces", "grams"}};

const std::vector<std::string> kPrefixes{"pico", "nano",  "micro", "milli", "centi", "deci",
                                         "deca", "hecto", "kilo",  "kibi",  "mega",  "mibi",
                                         "giga", "gibi",  "tera",  "tebi",  "peta",  "pebi"};

const std::set<std::string> kAbbreviations{"s",  "ms", "us", "ns", "sec", "b", "kb",
                                           "mb", "gb", "tb", "pb", "m",   "h", "d"};

std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> parts;
  std::istringstream stream(name);
  for (std::string part; std::getline(stream, part, '_');) parts.push_back(part);
  return parts;
}

// "" or the complaint about the first part that is a unit.
std::string lint_unit(const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    if (const auto unit = kUnits.find(part); unit != kUnits.end()) {
      return unit->first == unit->second ? "" : "no base unit: " + part;
    }
    for (const std::string& prefix : kPrefixes) {
      if (part.starts_with(prefix) && kUnits.contains(part.substr(prefix.size()))) {
        return "no base unit: " + part;
      }
    }
  }
  return {};
}

bool is_legal(const std::string& name) {
  return !name.empty() && !(name[0] >= '0' && name[0] <= '9') &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos &&
         name.find("__") == std::string::npos && !name.ends_with('_');
}

}  // namespace

std::string lint_name(const std::string& name, MetricType type) {
  if (!is_legal(name)) return "not legal";
  if (name.size() > 250) return "too long";
  if ((type == MetricType::kCounter) != name.ends_with("_total")) return "_total";
  for (const char* suffix : {"_bucket", "_count", "_sum"}) {
    if (name.ends_with(suffix)) return "reserved suffix";
  }
  const auto parts = parts_of(name);
  for (const std::string& part : parts) {
    if (kAbbreviations.contains(part)) return "abbreviated unit: " + part;
    if (part == "gauge" || part == "counter" || part == "histogram" || part == "summary") {
      return "type in name: " + part;
    }
  }
  return lint_unit(parts);
}

}  // namespace winperf::testing
