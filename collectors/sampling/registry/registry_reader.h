// Reads one planned counterset from a CounterSource (the registry or a recording): finds out which
// of its objects the name stands for, and queries it. PerflibReader does the same via PerfLib.
//
// A name may stand for several indices. The contents of a block decide which of them is meant. The
// reader keeps that one until it is no longer delivered, or until the catalog changes.
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/base/stop.h"
#include "collectors/catalog/catalog.h"
#include "collectors/sampling/plan.h"
#include "collectors/sampling/reading.h"
#include "collectors/sampling/registry/object_sampler.h"
#include "collectors/sampling/registry/shared_reply.h"
#include "collectors/sources/source.h"

namespace winperf {

class RegistryReader {
 public:
  explicit RegistryReader(const PlannedCounterset& planned) : sampler_(planned.selection) {
    if (planned.object) found_.push_back(*planned.object);
  }

  // The object called `name`, from `shared` if it is there (may be null). The error is kNoSuchName
  // if the catalog has no such name, and kNoSuchObject if no provider delivers the object.
  [[nodiscard]] ReadResult read(CounterSource& source, CatalogKeeper& catalog,
                                std::string_view name, StopToken stop,
                                const SharedReply* shared = nullptr);

  // What read() can take from a shared reply; nothing while it has to find out which object is
  // meant and the plan doesn't say so, and if a provider delivers the object only to those who
  // query it alone.
  std::span<const ObjectIndex> shareable(const CatalogKeeper& catalog) const;

 private:
  std::span<const ObjectIndex> known(const CatalogKeeper& catalog) const;
  void resolve(std::vector<ObjectIndex> object, std::string_view name,
               const CatalogKeeper& catalog);
  [[nodiscard]] ReadResult query(CounterSource& source, CatalogKeeper& catalog,
                                 const std::vector<ObjectIndex>& candidates, StopToken stop);
  [[nodiscard]] ReadResult take(const Reply& reply, std::uint64_t bytes, CounterSource& source,
                                CatalogKeeper& catalog, const std::vector<ObjectIndex>& candidates);

  ObjectSampler sampler_;
  std::vector<ObjectIndex> found_;     // by discovery; empty after the first read()
  std::vector<ObjectIndex> resolved_;  // one index; empty while it isn't known
  std::string resolved_name_;
  std::uint64_t resolved_generation_ = 0;
  bool is_left_out_ = false;  // of replies to queries for several objects
};

}  // namespace winperf
