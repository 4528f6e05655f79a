// The catalog in use, and when to load it anew.
//
// It is reloaded when providers were added or removed (then the source also forgets the providers
// it has loaded), and when a sample held an index that the catalog cannot name: the table may just
// have grown, or have been read while lodctr was writing it. An index that stays unknown does not
// cause a reload with every sample: reloads for that reason keep a distance of a minute. Names are
// looked up in English first and then, where the configuration is written in the machine's
// language, in that one.
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

  // `language`: in which names are looked up besides English.
  CatalogKeeper(CounterSource& source, Language language, Time now);

  // Call once before each round of sampling.
  void refresh(Time now);
  // Something could not be named, or a name was not found.
  void report_unknown() { unknown_reported_ = true; }

  // The English catalog: what everything is called in samples.
  const Catalog& catalog() const { return *english_; }
  // Candidates for a name: an English object name, or one in the machine's language, or a title
  // index in decimal.
  std::vector<ObjectIndex> objects_named(std::string_view name) const;
  // Grows with each reload: what was derived from the catalog before is stale.
  std::uint64_t generation() const { return generation_; }

 private:
  void reload(Time now);

  CounterSource& source_;
  Language language_;
  std::optional<Catalog> english_;
  std::optional<Catalog> local_;
  std::uint64_t generation_ = 0;
  std::uint64_t provider_generation_ = 0;
  bool unknown_reported_ = false;
  Time loaded_at_;
};

}  // namespace winperf
