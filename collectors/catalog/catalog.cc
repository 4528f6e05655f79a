#include "collectors/catalog/catalog.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/decimal.h"
#include "collectors/catalog/base_names.h"
#include "collectors/catalog/table_shelf.h"
#include "collectors/match/nearest.h"

namespace winperf {
namespace {

struct LoadedTables {
  std::vector<std::shared_ptr<const NameTable>> tables;
  std::vector<Error> problems;
};

LoadedTables load_tables(CounterSource& source, TextTable table, Language language) {
  LoadedTables loaded;
  for (const auto& candidate : source.text_tables(table, language)) {
    if (!candidate) {
      loaded.problems.push_back(candidate.error());
      continue;
    }
    NameTable parsed = NameTable::parse(*candidate);
    for (const NameTable::Problem& problem : parsed.problems())
      loaded.problems.push_back(problem.first);
    if (!parsed.entries().empty()) loaded.tables.push_back(table_shelf().share(std::move(parsed)));
  }
  return loaded;
}

}  // namespace

Catalog Catalog::load(CounterSource& source, Language language) {
  Catalog catalog;
  catalog.machine_ = source.machine();
  LoadedTables names = load_tables(source, TextTable::kCounter, language);
  LoadedTables helps = load_tables(source, TextTable::kHelp, language);
  if (names.tables.empty() && !names.problems.empty()) catalog.unreadable_ = names.problems.front();
  catalog.names_ = std::move(names.tables);
  const auto lookup = [&tables = catalog.names_](std::uint32_t index) {
    return text(tables, index);
  };
  catalog.is_foreign_ = language == Language::kEnglish && !foreign_names(lookup).empty();
  if (catalog.is_foreign_) catalog.names_.insert(catalog.names_.begin(), english_names_for(lookup));
  catalog.helps_ = std::move(helps.tables);
  catalog.problems_ = std::move(names.problems);
  catalog.problems_.insert(catalog.problems_.end(), helps.problems.begin(), helps.problems.end());
  return catalog;
}

std::vector<ObjectIndex> Catalog::objects_named(std::string_view name) const {
  if (const auto number = whole_decimal<std::uint32_t>(name)) return {ObjectIndex{*number}};

  std::vector<ObjectIndex> objects;
  for (const auto& table : names_)
    for (const std::uint32_t index : table->indices_of(name))
      // A later table may have another name for an index that an earlier one has named.
      if (is_foreign_ || equal_names(text(names_, index), name))
        objects.push_back(ObjectIndex{index});
  std::ranges::sort(objects);
  const auto repeated = std::ranges::unique(objects);
  objects.erase(repeated.begin(), repeated.end());
  return objects;
}

std::string Catalog::nearest_name(std::string_view name) const {
  std::size_t best_distance = std::max<std::size_t>(2, name.size() / 3);
  std::string best;
  for (const auto& table : names_) {
    for (const NameTable::Entry& entry : table->entries()) {
      const std::size_t entry_distance = edit_distance(entry.text, name, best_distance);
      if (entry_distance > best_distance || (entry_distance == best_distance && !best.empty()))
        continue;
      best_distance = entry_distance;
      best = entry.text;
    }
  }
  return best;
}

bool Catalog::is_gap(CounterIndex index) const {
  const auto goes_on = [&](const auto& table) {
    return table->entries().back().index > value_of(index);
  };
  return counter_name(index).empty() && std::ranges::any_of(names_, goes_on);
}

std::string_view Catalog::text(const Tables& tables, std::uint32_t index) {
  for (const auto& table : tables)
    if (const std::string* const found = table->find(index)) return *found;
  return {};
}

}  // namespace winperf
