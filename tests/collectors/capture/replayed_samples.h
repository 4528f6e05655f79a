// All samples of a capture by counterset, read as `query` reads them. Thread rule: one thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectors/capture/replay_perflib.h"
#include "collectors/catalog/catalog.h"
#include "collectors/sampling/perflib/perflib_reader.h"
#include "collectors/sampling/registry/object_sampler.h"
#include "collectors/sources/replay.h"

namespace winperf::testing {

class Replayed {
 public:
  using Samples = std::vector<std::shared_ptr<const CountersetSample>>;

  explicit Replayed(const std::shared_ptr<const CaptureFolder>& folder) {
    const auto source = ReplaySource::open(folder).value();
    const auto perflib =
        capture::replay_perflib(folder, static_cast<std::uint32_t>(source->sample_count()));
    CatalogKeeper catalog(*source, Language::kEnglish, {});
    ObjectSampler sampler;
    std::optional<PerflibConnection> connection;
    if (perflib != nullptr) connection.emplace(*perflib, Language::kEnglish, SteadyTime());
    std::vector<std::pair<std::string, PerflibReader>> readers;
    if (connection)
      for (const V2Catalog::Entry& entry : connection->catalog().entries())
        readers.emplace_back(to_string(entry.guid), PerflibReader(PlannedCounterset{}));
    while (const auto reply = source->query("Global", {})) {
      blocks_.push_back(reply->blocks.size());
      SampledObjects taken = sampler.take(*reply, catalog.catalog(), catalog.generation(), {});
      add(std::move(taken.samples), std::move(taken.problems));
      if (connection) connection->begin_round({});
      for (auto& [name, reader] : readers) {
        ReadResult reading = reader.read(*connection, name);
        add({}, problems_of(reading));
        if (reading)
          add({reading->sample}, {});
        else if (kind_of(reading.error().error.code) != ErrorKind::kAbsent)
          add({}, {reading.error().error});
      }
    }
  }

  const Samples& of(const std::string& object) { return samples_[object]; }
  // By the countersets' names. Samples through the registry and PerfLib take turns.
  const std::map<std::string, Samples>& all() const { return samples_; }
  const std::vector<Error>& problems() const { return problems_; }
  // Of each sample, the number of its blocks.
  const std::vector<std::size_t>& blocks() const { return blocks_; }

 private:
  void add(Samples samples, const std::vector<Error>& problems) {
    for (auto& sample : samples) samples_[sample->schema->name].push_back(std::move(sample));
    problems_.insert(problems_.end(), problems.begin(), problems.end());
  }

  std::map<std::string, Samples> samples_;
  std::vector<Error> problems_;
  std::vector<std::size_t> blocks_;
};

}  // namespace winperf::testing
