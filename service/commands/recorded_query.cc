#include "service/commands/recorded_query.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "collectors/catalog/catalog_keeper.h"
#include "collectors/sampling/perflib/perflib_reader.h"
#include "collectors/sampling/registry/object_sampler.h"
#include "service/commands/listing.h"
#include "service/console/exit_code.h"
#include "service/run/plan.h"

namespace winperf {
namespace {

// `place`: of which source and sample.
void complain_about(const std::vector<Error>& problems, const std::string& place) {
  for (const Error& problem : problems) complain(place + ": " + describe(problem));
}

// The V1 objects of one machine of a recording, one sample after the other.
class V1Replay {
 public:
  V1Replay(CounterSource& source, Language language)
      : source_(source), catalog_(source, language, {}) {}

  // Instead of everything.
  void want_nothing() {
    everything_ = false;
    wanted_.clear();
  }
  // False where the machine has no object with this name.
  bool want(const std::string& name) {
    const auto found = catalog_.objects_named(name);
    wanted_.insert(wanted_.end(), found.begin(), found.end());
    return !found.empty();
  }
  const Catalog& catalog() const { return catalog_.catalog(); }

  // False at the end of the recording.
  bool take(CountersetSamples& samples, std::optional<Ticks100ns>& time,
            std::vector<Error>& problems) {
    const auto reply = source_.query("Global", {});
    if (!reply) {
      if (reply.error().code == ErrorCode::kEndOfCapture) return false;
      // The machines of a recording share its samples, and so what is wrong with one.
      if (std::ranges::find(problems, reply.error()) == problems.end())
        problems.push_back(reply.error());
      return true;
    }
    time = reply->time;
    if (!everything_ && wanted_.empty()) return true;
    const SampledObjects taken =
        sampler_.take(*reply, catalog_.catalog(), catalog_.generation(), wanted_);
    samples.insert(samples.end(), taken.samples.begin(), taken.samples.end());
    problems.insert(problems.end(), taken.problems.begin(), taken.problems.end());
    return true;
  }

 private:
  CounterSource& source_;
  CatalogKeeper catalog_;
  ObjectSampler sampler_;
  std::vector<ObjectIndex> wanted_;
  bool everything_ = true;
};

// The V2 countersets of a recording, one sample after the other.
class V2Replay {
 public:
  V2Replay(PerflibConnection* perflib, const std::vector<std::string>& countersets)
      : perflib_(perflib) {
    for (const std::string& name : countersets)
      readers_.emplace_back(name, PerflibReader(PlannedCounterset{}));
  }

  void take(CountersetSamples& samples, std::vector<Error>& problems) {
    if (perflib_ == nullptr) return;
    perflib_->begin_round({});
    for (auto& [name, reader] : readers_) {
      ReadResult reading = reader.read(*perflib_, name);
      problems.insert(problems.end(), problems_of(reading).begin(), problems_of(reading).end());
      if (reading) {
        samples.push_back(std::move(reading->sample));
      } else if (kind_of(reading.error().error.code) != ErrorKind::kAbsent) {
        problems.push_back(reading.error().error);
      }
    }
    // Nothing is lost by it, so a recording is as complete as the machine was.
    std::erase_if(problems, [](const Error& e) { return e.code == ErrorCode::kPaddingLeftOut; });
  }

 private:
  PerflibConnection* perflib_;
  std::vector<std::pair<std::string, PerflibReader>> readers_;
};

// Finds out what the names stand for: V1 objects of any machine, or V2 countersets, which are
// returned. A name is that of a V2 counterset if there is one, as it is when a machine is sampled.
std::optional<std::vector<std::string>> find_wanted(const std::vector<std::string>& names,
                                                    std::deque<V1Replay>& machines,
                                                    PerflibConnection* perflib) {
  std::vector<std::string> countersets;
  if (names.empty() && perflib != nullptr)
    for (const V2Catalog::Entry& entry : perflib->catalog().entries())
      countersets.push_back(to_string(entry.guid));
  if (!names.empty())
    for (V1Replay& machine : machines) machine.want_nothing();
  for (const std::string& name : names) {
    if (perflib != nullptr && !perflib->catalog().named(name).empty()) {
      countersets.push_back(name);
      continue;
    }
    bool found = false;
    for (V1Replay& machine : machines) found = machine.want(name) || found;
    if (found) continue;
    complain(unknown_name_message(name, machines.front().catalog()));
    return std::nullopt;
  }
  return countersets;
}

}  // namespace

int query_recording(const Setup& setup, const RecordedQuery& query, const PrintSample& print) {
  const Config& config = setup.config;
  std::deque<V1Replay> machines;
  for (CounterSource* const source : all_sources(setup))
    machines.emplace_back(*source, name_language(config));
  std::optional<PerflibConnection> perflib;
  if (setup.perflib != nullptr && query.path != CounterPath::kRegistry)
    perflib.emplace(*setup.perflib, std::u16string(), perflib_limits(config), name_language(config),
                    PerflibConnection::Time());
  const auto countersets = find_wanted(query.names, machines, perflib ? &*perflib : nullptr);
  if (!countersets) return kExitFailure;
  if (query.path == CounterPath::kPerflib)
    for (V1Replay& machine : machines) machine.want_nothing();
  V2Replay v2(perflib ? &*perflib : nullptr, *countersets);
  bool complete = true;
  bool delivered = false;
  for (std::uint64_t number = 0;; ++number) {
    CountersetSamples samples;
    std::optional<Ticks100ns> time;
    std::vector<Error> problems;
    const auto take = [&](V1Replay& machine) { return machine.take(samples, time, problems); };
    if (std::ranges::count_if(machines, take) == 0) break;
    v2.take(samples, problems);
    complain_about(problems, query.source + ", sample " + std::to_string(number));
    complete = complete && problems.empty();
    delivered = delivered || !samples.empty();
    print(samples, time);
  }
  if (!delivered) complain("no sample of the recording has the requested objects");
  return complete && delivered ? kExitOk : kExitFailure;
}

}  // namespace winperf
