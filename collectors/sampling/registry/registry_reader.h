// Reads one planned counterset by the registry, or from a recording: finds out which object of the
// machine it is, and queries it.
//
// A name may stand for several indices. Which one is meant is decided by what a block really holds.
// It is kept until it is no longer delivered or the catalog changes.
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <stop_token>
#include <string_view>
#include <vector>

#include "collectors/catalog/catalog_keeper.h"
#include "collectors/model/sample.h"
#include "collectors/sampling/plan.h"
#include "collectors/sampling/registry/object_sampler.h"
#include "collectors/sources/source.h"

namespace winperf {

class RegistryReader {
 public:
  explicit RegistryReader(const PlannedCounterset& planned) : sampler_(planned.selection) {}

  struct Reading {
    std::shared_ptr<const CountersetSample> sample;
    std::uint64_t bytes = 0;  // of the reply
  };
  // The object called `name`. kNoSuchName where the catalog has no such name, kNoSuchObject where
  // no provider delivers it.
  std::expected<Reading, Error> read(CounterSource& source, CatalogKeeper& catalog,
                                     std::string_view name, std::vector<Error>& problems,
                                     std::stop_token stop);

 private:
  std::expected<Reading, Error> query(CounterSource& source, CatalogKeeper& catalog,
                                      const std::vector<ObjectIndex>& candidates,
                                      std::vector<Error>& problems, std::stop_token stop);

  ObjectSampler sampler_;
  std::vector<ObjectIndex> resolved_;  // one index; empty while not known
  std::string resolved_name_;
  std::uint64_t resolved_generation_ = 0;
};

}  // namespace winperf
