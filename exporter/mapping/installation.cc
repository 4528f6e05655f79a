#include "exporter/mapping/installation.h"

#include <algorithm>
#include <vector>

#include "exporter/profiles/name_template.h"

namespace winperf {
namespace {

constexpr std::string_view kInstallation = "installation";

constexpr std::string_view kLabel = "sql_instance";
constexpr std::string_view kDefault = "MSSQLSERVER";

// The first one that fits counts. Analysis Services has its version in the name of the default
// instance's objects only, so it is left out.
constexpr InstallationRow kRows[] = {
    {"MSSQL${installation:first}:{rest}", "SQLServer:{rest}", kLabel},
    {"SQLServer:{rest}", "SQLServer:{rest}", kLabel, kDefault},
    {"SQLAgent${installation:first}:{rest}", "SQLAgent:{rest}", kLabel},
    {"SQLAgent:{rest}", "SQLAgent:{rest}", kLabel, kDefault},
    {"MSOLAP${installation:first}:{rest}", "MSAS:{rest}", kLabel},
    {"MSAS{version:number}:{rest}", "MSAS:{rest}", kLabel, kDefault},
    {"MSAS {version:number}:{rest}", "MSAS:{rest}", kLabel, kDefault},
    {"MSRS {product:first}${installation:first}:{rest}", "MSRS {product} {rest}", kLabel},
    {"MSRS {product:first}${installation}", "MSRS {product}", kLabel},
    {"MSRS {product}", "MSRS {product}", kLabel, kDefault},
    {"ReportServer${installation:first}:{rest}", "ReportServer:{rest}", kLabel},
    {"ReportServer:{rest}", "ReportServer:{rest}", kLabel, kDefault},
};

std::string_view value_of(const std::vector<LabelPart>& parts, std::string_view name) {
  const auto found = std::ranges::find(parts, name, &LabelPart::name);
  return found == parts.end() ? std::string_view() : std::string_view(found->value);
}

// The template with the parts in their places.
std::string filled(std::string_view text, const std::vector<LabelPart>& parts) {
  std::string result;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    result += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    result += value_of(parts, text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
  return result;
}

}  // namespace

std::span<const InstallationRow> installation_rows() { return kRows; }

Installation installation_of(std::string_view object) {
  for (const InstallationRow& row : kRows) {
    const auto parts = match_name(row.name, object);
    if (!parts) continue;
    const std::string_view value = value_of(*parts, kInstallation);
    // A name that should have one and has none isn't of this form.
    if (value.empty() && row.default_value.empty()) continue;
    return {.object = filled(row.object, *parts),
            .label = row.label,
            .value = std::string(value.empty() ? row.default_value : value)};
  }
  return {.object = std::string(object)};
}

}  // namespace winperf
