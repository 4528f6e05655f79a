#include "service/commands/recorded_query.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "collectors/catalog/catalog.h"
#include "collectors/sampling/perflib/perflib_reader.h"
#include "collectors/sampling/registry/object_sampler.h"
#include "collectors/wire/block_view.h"
#include "service/commands/listing.h"
#include "service/console/exit_code.h"
#include "service/plan/plan.h"

namespace winperf {
namespace {

// `place`: the source and the sample.
void complain_about(const std::vector<Error>& problems, const std::string& place) {
  for (const Error& problem : problems) complain(place + ": " + describe(problem));
}

// The V1 objects of one machine of a recording, one sample after the other.
class V1Replay {
 public:
  V1Replay(CounterSource& source, Language language)
      : source_(source), catalog_(source, language, {}) {}

  void want_everything() { wanted_.push_back({Alternative{}}); }
  // False if the machine has no object with one of the names.
  bool want(const PlannedCounterset& planned) {
    std::vector<Alternative> alternatives;
    for (const std::string& name : planned.names)
      if (auto objects = catalog_.objects_named(name); !objects.empty())
        alternatives.push_back({std::move(objects), ObjectSampler(planned.selection)});
    if (alternatives.empty()) return false;
    wanted_.push_back(std::move(alternatives));
    return true;
  }
  const Catalog& catalog() const { return catalog_.catalog(); }

  // False at the end of the recording.
  bool take(RecordedSample& sample, std::vector<Error>& problems) {
    const auto reply = source_.query("Global", {});
    if (!reply) {
      if (reply.error().code == ErrorCode::kEndOfCapture) return false;
      // The machines of a recording share its samples and their problems.
      add(problems, {reply.error()});
      return true;
    }
    const auto block = first_block_of(*reply);
    sample.time = reply->time ? reply->time
                  : block     ? std::optional(block->clocks().time_100ns)
                              : sample.time;
    sample.host = !reply->host.empty() ? reply->host : block ? block->computer_name() : "";
    for (std::vector<Alternative>& alternatives : wanted_)
      take_first(alternatives, *reply, sample.countersets, problems);
    return true;
  }

 private:
  struct Alternative {
    std::vector<ObjectIndex> objects{};  // empty: all
    ObjectSampler sampler{};
  };

  // The first sound one; empty if there is none.
  static std::optional<BlockView> first_block_of(const Reply& reply) {
    for (const ReplyBlocks::Walked& walked : reply.blocks.walked())
      if (walked.block) return *walked.block;
    return std::nullopt;
  }

  void take_first(std::vector<Alternative>& alternatives, const Reply& reply,
                  CountersetSamples& samples, std::vector<Error>& problems) {
    for (auto& [objects, sampler] : alternatives) {
      const SampledObjects taken =
          sampler.take(reply, catalog_.catalog(), catalog_.generation(), objects);
      samples.insert(samples.end(), taken.samples.begin(), taken.samples.end());
      add(problems, taken.problems);
      if (!taken.samples.empty()) return;
    }
  }

  // What is wrong with a reply is found for each part of the plan.
  static void add(std::vector<Error>& problems, const std::vector<Error>& more) {
    for (const Error& problem : more)
      if (std::ranges::find(problems, problem) == problems.end()) problems.push_back(problem);
  }

  CounterSource& source_;
  CatalogKeeper catalog_;
  std::vector<std::vector<Alternative>> wanted_;
};

// The V2 countersets of a recording, one sample after the other.
class V2Replay {
 public:
  // `perflib`: null if there is none.
  explicit V2Replay(PerflibConnection* perflib) : perflib_(perflib) {}

  void want_everything() {
    if (perflib_ == nullptr) return;
    for (const V2Catalog::Entry& entry : perflib_->catalog().entries())
      readers_.emplace_back(to_string(entry.guid), PerflibReader(PlannedCounterset{}));
  }
  // False if no V2 provider has one of the names.
  bool want(const PlannedCounterset& planned) {
    if (perflib_ == nullptr) return false;
    const auto known = std::ranges::find_if(planned.names, [this](const std::string& name) {
      return !perflib_->catalog().named(name).empty();
    });
    if (known == planned.names.end()) return false;
    readers_.emplace_back(*known, PerflibReader(planned));
    return true;
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
    // Left-out padding loses no data, so it does not make a recording incomplete.
    std::erase_if(problems, [](const Error& e) { return e.code == ErrorCode::kPaddingLeftOut; });
  }

 private:
  PerflibConnection* perflib_;
  std::vector<std::pair<std::string, PerflibReader>> readers_;
};

// Tells both what to read. As when a machine is sampled, V2 countersets are preferred to V1
// objects. False if one that is needed isn't known.
bool select(const RecordedQuery& query, std::deque<V1Replay>& machines, V2Replay& v2) {
  const bool has_v1 = query.path != CounterPath::kPerflib;
  if (!query.plan) {
    v2.want_everything();
    if (has_v1)
      for (V1Replay& machine : machines) machine.want_everything();
    return true;
  }
  for (const PlannedCounterset& planned : *query.plan) {
    if (v2.want(planned)) continue;
    bool is_known = false;
    for (V1Replay& machine : machines) is_known = (has_v1 && machine.want(planned)) || is_known;
    if (is_known) continue;
    complain(unknown_name_message(planned.names.front(), machines.front().catalog()));
    if (query.is_all_needed) return false;
  }
  return true;
}

}  // namespace

int query_recording(const Setup& setup, const RecordedQuery& query, const PrintSample& print) {
  const Config& config = setup.config;
  std::deque<V1Replay> machines;
  for (CounterSource* const source : all_sources(setup))
    machines.emplace_back(*source, name_language(config));
  std::optional<PerflibConnection> perflib;
  if (setup.perflib != nullptr && query.path != CounterPath::kRegistry)
    perflib.emplace(*setup.perflib, name_language(config), PerflibConnection::Time());
  V2Replay v2(perflib ? &*perflib : nullptr);
  if (!select(query, machines, v2)) return kExitFailure;
  bool complete = !setup.is_incomplete;
  bool delivered = false;
  for (std::uint64_t number = 0;; ++number) {
    RecordedSample sample;
    std::vector<Error> problems;
    const auto take = [&](V1Replay& machine) { return machine.take(sample, problems); };
    if (std::ranges::count_if(machines, take) == 0) break;
    if (machines.size() > 1) sample.host.clear();
    CountersetSamples& samples = sample.countersets;
    v2.take(samples, problems);
    if (!samples.empty()) sample.time = samples.front()->clocks.time_100ns;
    complain_about(problems, query.source + ", sample " + std::to_string(number));
    complete = complete && problems.empty();
    delivered = delivered || !samples.empty();
    print(sample);
  }
  if (!delivered) complain("no sample of the recording has the requested objects");
  return complete && delivered ? kExitOk : kExitFailure;
}

}  // namespace winperf
