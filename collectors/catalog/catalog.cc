#include "collectors/catalog/catalog.h"

#include <algorithm>
#include <array>

#include "collectors/base/ascii.h"
#include "collectors/base/decimal.h"
#include "collectors/match/nearest.h"
#include "collectors/wire/text.h"

namespace winperf {
namespace {

struct BaseName {
  std::uint32_t index;
  std::string_view text;
};

constexpr BaseName kBaseNames[] = {
#define NAME(index, text) {index, text},
#include "collectors/catalog/base_names.inc"
#undef NAME
};
static_assert(std::ranges::is_sorted(kBaseNames, {}, &BaseName::index));

// System, Memory, Process, PhysicalDisk, LogicalDisk, Processor, Network Interface.
constexpr std::array<std::uint32_t, 7> kProbes{2, 4, 230, 234, 236, 238, 510};
constexpr std::size_t kEnoughOthers = 2;

}  // namespace

std::string_view base_name(std::uint32_t index) {
  const auto found = std::ranges::lower_bound(kBaseNames, index, {}, &BaseName::index);
  return found != std::end(kBaseNames) && found->index == index ? found->text : std::string_view();
}

std::vector<ForeignName> foreign_names(const NameLookup& names) {
  std::vector<ForeignName> others;
  for (const std::uint32_t index : kProbes) {
    const std::string_view text = names(index);
    if (!text.empty() && !equal_names(text, base_name(index)))
      others.push_back({.index = index, .text = std::string(text), .english = base_name(index)});
  }
  return others.size() < kEnoughOthers ? std::vector<ForeignName>() : others;
}

namespace {

// The English names of those of Windows' indices that have a name there.
NameTable english_names_for(const NameLookup& names) {
  std::vector<std::byte> bytes;
  for (const auto& [index, text] : kBaseNames) {
    if (names(index).empty()) continue;
    append_utf16le(bytes, std::to_string(index));
    append_utf16le(bytes, text);
  }
  bytes.resize(bytes.size() + sizeof(char16_t));
  return NameTable::parse(bytes);
}

bool is_same(const NameTable& a, const NameTable& b) {
  return std::ranges::equal(a.entries(), b.entries(), [](const auto& x, const auto& y) {
    return x.index == y.index && x.text == y.text;
  });
}

// Equal for equal tables.
std::size_t number_of(const NameTable& table) {
  constexpr std::size_t kFactor = 31;
  std::size_t number = 0;
  for (const NameTable::Entry& entry : table.entries())
    number = number * kFactor + std::hash<std::string>{}(entry.text) + entry.index;
  return number;
}

}  // namespace

std::shared_ptr<const NameTable> TableShelf::share(NameTable table) {
  const std::size_t number = number_of(table);
  const std::lock_guard lock(mutex_);
  // Few have the same number.
  for (auto [place, end] = tables_.equal_range(number); place != end; ++place)
    if (auto known = place->second.lock(); known != nullptr && is_same(*known, table)) return known;
  // Removes tables that are no longer in use.
  std::erase_if(tables_, [](const auto& entry) { return entry.second.expired(); });
  auto shared = std::make_shared<const NameTable>(std::move(table));
  tables_.emplace(number, shared);
  return shared;
}

std::size_t TableShelf::size() const {
  const std::lock_guard lock(mutex_);
  return tables_.size();
}

TableShelf& table_shelf() {
  static TableShelf shelf;
  return shelf;
}

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
  if (catalog.is_foreign_)
    catalog.names_.insert(catalog.names_.begin(), table_shelf().share(english_names_for(lookup)));
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

namespace {
constexpr std::chrono::minutes kUnknownReloadInterval{1};
constexpr std::chrono::seconds kUnreadableReloadInterval{5};
}  // namespace

CatalogKeeper::CatalogKeeper(CounterSource& source, Language language, Time now)
    : source_(source), language_(language), provider_generation_(source.provider_generation()) {
  reload(now);
}

void CatalogKeeper::refresh(Time now) {
  const std::uint64_t providers = source_.provider_generation();
  if (providers != provider_generation_) {
    provider_generation_ = providers;
    source_.release();
    reload(now);
    return;
  }
  const auto interval = english_->unreadable() ? kUnreadableReloadInterval : kUnknownReloadInterval;
  if (unknown_reported_ && now - loaded_at_ >= interval) reload(now);
}

std::vector<ObjectIndex> CatalogKeeper::objects_named(std::string_view name) const {
  auto found = english_->objects_named(name);
  if (found.empty() && local_) found = local_->objects_named(name);
  return found;
}

void CatalogKeeper::reload(Time now) {
  Catalog english = Catalog::load(source_, Language::kEnglish);
  loaded_at_ = now;
  // The table may be being written; until it can be read again, the old names are used.
  unknown_reported_ = english_ && english_->has_names() && !english.has_names();
  if (unknown_reported_) return;
  english_ = std::move(english);
  if (language_ != Language::kEnglish) {
    local_ = std::make_shared<const Catalog>(Catalog::load(source_, language_));
    english_->add_local(local_);
  }
  ++generation_;
}

}  // namespace winperf
