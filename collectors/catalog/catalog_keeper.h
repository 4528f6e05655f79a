// Keeps the Catalog of one source up to date.
//
// It reloads the catalog when providers were added or removed (the source then unloads its
// providers too), and when a sample held an index that the catalog can't name: the table may just
// have grown, or have been read while lodctr was writing it. Reloads for that second reason are at
// least a minute apart, so an index that stays unknown doesn't cause one with every sample. If a
// reload finds no name at all, the old names stay, and it is repeated after a minute; if there are
// no old ones, because the first load failed too, after five seconds. Names are looked up in
// English first, then in the machine's language if the configuration is written in it.
// Thread rule: one thread (the sampler's).
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "collectors/catalog/catalog.h"
#include "collectors/sources/source.h"

namespace winperf {

class CatalogKeeper {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // `language`: the language, besides English, in which names are looked up.
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
