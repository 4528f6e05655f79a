#include "service/doctor/procedure_rules.h"

#include <algorithm>
#include <string>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/wording.h"
#include "service/doctor/repairs.h"
#include "service/doctor/rule_case.h"

namespace winperf {
namespace {

constexpr std::size_t kShownNames = 5;

using Procedure = std::pair<const char*, const std::optional<std::string>*>;

bool is_given(const std::optional<std::string>& value) { return value && !value->empty(); }

// What the DLL exports, as far as it is known.
std::vector<std::string> export_lines(const ProviderFacts& provider) {
  const PeExports& exports = *provider.file.exports;
  const std::size_t count = exports.names.size();
  std::string line = "the DLL exports " + counted(count, "function");
  for (std::size_t i = 0; i < std::min(count, kShownNames); ++i)
    line += (i == 0 ? ": " : ", ") + exports.names[i];
  if (count > kShownNames) line += ", ...";
  std::vector<std::string> lines{std::move(line)};
  if (exports.error)
    lines.push_back(std::to_string(exports.unreadable) +
                    " more of its names can't be read: " + describe(*exports.error));
  return lines;
}

Repair repair_of(const std::vector<MissingProcedure>& missing, const ProviderFacts& provider) {
  Repair repair;
  if (std::ranges::any_of(missing, [](const auto& m) { return !m.decorated.empty(); }))
    repair.push_back({"",
                      "for the DLL's vendor: declare the functions extern \"C\" and name them in a "
                      "module definition file (.def), so that they are exported under their plain "
                      "names"});
  for (const MissingProcedure& procedure : missing)
    if (!procedure.other_case.empty())
      repair.push_back({"reg add \"" + performance_key(provider) + "\" /v " +
                            std::string(procedure.value) + " /t REG_SZ /d \"" +
                            procedure.other_case + "\" /f",
                        "registers the function with the DLL's own upper and lower case"});
  for (RepairStep& step : reinstall(provider)) repair.push_back(std::move(step));
  // Before the restart.
  repair.insert(repair.end() - 1,
                {"lodctr /E:\"" + provider.service + '"',
                 "enables the provider again once its DLL exports the functions; Windows disables "
                 "a provider whose functions it can't find"});
  return repair;
}

}  // namespace

std::vector<MissingProcedure> missing_procedures(const ProviderFacts& provider) {
  std::vector<MissingProcedure> missing;
  if (!provider.file.exports) return missing;
  const PeExports& exports = *provider.file.exports;
  const std::vector<std::string>& names = exports.names;
  const Procedure procedures[] = {
      {"Open", &provider.open}, {"Collect", &provider.collect}, {"Close", &provider.close}};
  for (const auto& [value, name] : procedures) {
    if (!is_given(*name) || std::ranges::find(names, **name) != names.end()) continue;
    MissingProcedure procedure{.value = value, .name = **name};
    for (const std::string& exported : names) {
      if (procedure.decorated.empty() && is_decorated(exported, **name))
        procedure.decorated = exported;
      if (procedure.other_case.empty() && equal_names(exported, **name))
        procedure.other_case = exported;
    }
    // Otherwise it may be one of the names that can't be read.
    const bool is_elsewhere = !procedure.decorated.empty() || !procedure.other_case.empty();
    if (is_elsewhere || !exports.error) missing.push_back(std::move(procedure));
  }
  return missing;
}

std::optional<Error> unknown_exports(const LibraryFile& file) {
  return file.exports ? file.exports->error : file.exports_error;
}

std::string describe(const MissingProcedure& missing, const ProviderFacts& provider) {
  std::string line = value_line(performance_key(provider), missing.value, missing.name) + ", ";
  if (!missing.decorated.empty())
    return line + "which the DLL exports as " + '"' + missing.decorated + '"' +
           ", a name that its compiler has decorated";
  if (!missing.other_case.empty())
    return line + "which the DLL exports as " + '"' + missing.other_case + '"' +
           ": upper and lower case differ";
  return line + "which the DLL does not export";
}

MaybeFinding procedures_missing(const Case& c) {
  if (c.provider == nullptr || c.provider->access != Access::kReadable) return std::nullopt;
  const ProviderFacts& provider = *c.provider;
  std::vector<std::string> missing;
  std::vector<std::string> evidence;
  for (const auto& [name, value] :
       {Procedure{"Library", &provider.library}, Procedure{"Collect", &provider.collect}}) {
    if (is_given(*value)) continue;
    missing.emplace_back(name);
    evidence.push_back(value_line(performance_key(provider), name, *value));
  }
  if (missing.empty()) return std::nullopt;
  Finding finding =
      blocking_finding(c, "the registration of the provider of " + c.quoted() + ", service \"" +
                              provider.service + "\", lacks " + quoted_list(missing));
  finding.repair = reinstall(provider);
  finding.evidence = std::move(evidence);
  return finding;
}

MaybeFinding procedures_not_exported(const Case& c) {
  if (c.provider == nullptr) return std::nullopt;
  const ProviderFacts& provider = *c.provider;
  const std::vector<MissingProcedure> missing = missing_procedures(provider);
  if (missing.empty()) return std::nullopt;
  std::vector<std::string> names;
  for (const MissingProcedure& procedure : missing) names.push_back(procedure.name);
  const bool decorated =
      std::ranges::any_of(missing, [](const auto& m) { return !m.decorated.empty(); });
  Finding finding = blocking_finding(
      c, "the DLL of the provider of " + c.quoted() + ", service \"" + provider.service +
             "\", does not export " + quoted_list(names) +
             (decorated ? ", only decorated forms of these names, which Windows does not look for"
                        : ", which its registration names"));
  finding.repair = repair_of(missing, provider);
  finding.evidence = {library_line(provider)};
  for (const MissingProcedure& procedure : missing)
    finding.evidence.push_back(describe(procedure, provider));
  for (std::string& line : export_lines(provider)) finding.evidence.push_back(std::move(line));
  return finding;
}

}  // namespace winperf
