// The names of a machine's objects and counters, in one language. CatalogKeeper keeps one up to
// date; V2Catalog is the counterpart for V2 providers.
//
// A catalog combines the source's candidate tables in order of preference: the first table that has
// an index names it, and later ones fill the gaps (perfcNNN.dat completes a corrupt or stubbed
// table of the registry). If the tables that should be English aren't, Windows' own objects and
// counters still get their English names, by index; both names are accepted then. An index without
// a name is an answer, not an error: the caller shows the number. Thread rule: immutable after
// load() and add_local(), so any number of threads may share it. Source: "Retrieving Counter Names
// and Help Text"; docs/registry-path.md.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/model/error.h"
#include "collectors/model/ids.h"
#include "collectors/sources/source.h"
#include "collectors/wire/name_table.h"

namespace winperf {

class Catalog {
 public:
  // Never fails as a whole: problems() has the errors of the tables.
  [[nodiscard]] static Catalog load(CounterSource& source, Language language);

  // Whether any table had a name. Without one nothing is found by name.
  bool has_names() const { return !names_.empty(); }

  // The error if no table of names could be read: then a name that isn't found may exist.
  const std::optional<Error>& unreadable() const { return unreadable_; }

  // CounterSource::machine().
  const std::string& machine() const { return machine_; }

  // Empty if the index has no name.
  std::string_view object_name(ObjectIndex index) const { return text(names_, value_of(index)); }
  std::string_view counter_name(CounterIndex index) const { return text(names_, value_of(index)); }
  // In the machine's language, if the catalog has local names; otherwise empty.
  std::string_view local_counter_name(CounterIndex index) const {
    return local_ ? local_->counter_name(index) : std::string_view();
  }
  // Whether it has no name although a table has later ones: then none was registered.
  bool is_gap(CounterIndex index) const;
  std::string_view help(HelpIndex index) const { return text(helps_, value_of(index)); }

  // Adds the names in the machine's language, which are accepted for counters, too.
  void add_local(std::shared_ptr<const Catalog> local) { local_ = std::move(local); }

  // Every index with this name, in ascending order; ASCII case doesn't matter. Third-party objects
  // may have the name of a system object; only a block can tell which of them is meant. A decimal
  // number is the index itself, whether or not it has a name.
  std::vector<ObjectIndex> objects_named(std::string_view name) const;

  // The known name most similar to `name`, for an error message; empty if none is similar.
  std::string nearest_name(std::string_view name) const;

  const std::vector<Error>& problems() const { return problems_; }

 private:
  // Tables that machines share.
  using Tables = std::vector<std::shared_ptr<const NameTable>>;

  static std::string_view text(const Tables& tables, std::uint32_t index);

  std::string machine_;
  Tables names_;  // none of them is empty
  Tables helps_;
  bool is_foreign_ = false;  // the tables should be English and aren't
  std::vector<Error> problems_;
  std::optional<Error> unreadable_;
  std::shared_ptr<const Catalog> local_;
};

// The English names of Windows' built-in objects and counters. Their indices, up to 1847, are the
// same in every Windows and every language, so they can be named even if the table that should be
// English isn't: language packs and rebuilt tables put names of another language there. Thread
// rule: any thread. Source: Learn, "Retrieving Counter Names and Help Text"; docs/registry-path.md,
// "Names".
inline constexpr std::uint32_t kLastBaseIndex = 1847;

// Empty if Windows itself has no name with this index.
std::string_view base_name(std::uint32_t index);

// A name that a table should have in English and has in another language.
struct ForeignName {
  std::uint32_t index = 0;
  std::string text;
  std::string_view english;
  bool operator==(const ForeignName&) const = default;
};

// The text of an index in the table that is judged; empty if it has none.
using NameLookup = std::function<std::string_view(std::uint32_t index)>;

// Those of the best-known objects whose names aren't English; empty if the table is English, as far
// as it has them. A single other name is no evidence: it may be damaged.
std::vector<ForeignName> foreign_names(const NameLookup& names);

// Name tables that several machines share, each in memory once. A Windows has some thousand names
// with as many explanations, and machines of the same version have the same.
//
// Two tables are the same if their contents are, so that no machine gets the names of another one.
// Thread rule: any thread.
class TableShelf {
 public:
  // The table itself, or an equal one that is in use.
  std::shared_ptr<const NameTable> share(NameTable table);
  // The number of tables.
  std::size_t size() const;

 private:
  mutable std::mutex mutex_;
  std::multimap<std::size_t, std::weak_ptr<const NameTable>> tables_;  // by a hash of the content
};

// The shelf of this process.
TableShelf& table_shelf();

// Keeps the Catalog of one source up to date.
//
// It reloads the catalog when providers were added or removed (the source then unloads its
// providers too), and when a sample held an index that the catalog can't name: the table may just
// have grown, or have been read while lodctr was writing it. Reloads for that second reason are at
// least a minute apart, so an index that stays unknown doesn't cause one with every sample. If a
// reload finds no name at all, the old names stay, and it is retried after a minute, or after five
// seconds if the first load failed. Names are looked up in English first, then in the machine's
// language if the configuration uses it. Thread rule: one thread (the sampler's).
class CatalogKeeper {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // `language`: the language, in addition to English, in which names are looked up.
  CatalogKeeper(CounterSource& source, Language language, Time now);

  // To be called before each round of sampling.
  void refresh(Time now);
  // An index had no name, or a name wasn't found.
  void report_unknown() { unknown_reported_ = true; }

  // The English catalog, which names everything in samples.
  const Catalog& catalog() const { return *english_; }
  // Candidates for an English object name, one in the machine's language, or a title index in
  // decimal.
  std::vector<ObjectIndex> objects_named(std::string_view name) const;
  // Grows with each reload: what was derived from the previous catalog is stale.
  std::uint64_t generation() const { return generation_; }
  // Changes when providers are added or removed.
  std::uint64_t provider_generation() const { return provider_generation_; }

 private:
  void reload(Time now);

  CounterSource& source_;
  Language language_;
  std::optional<Catalog> english_;
  std::shared_ptr<const Catalog> local_;
  std::uint64_t generation_ = 0;
  std::uint64_t provider_generation_ = 0;
  bool unknown_reported_ = false;
  Time loaded_at_;
};

}  // namespace winperf
