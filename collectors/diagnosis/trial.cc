#include "collectors/diagnosis/trial.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/catalog/catalog.h"
#include "collectors/sampling/perflib/perflib_reader.h"
#include "collectors/sampling/registry/object_sampler.h"
#include "collectors/sampling/selected_instances.h"
#include "collectors/sources/perflib_client.h"
#include "collectors/sources/value_names.h"
#include "collectors/wire/block_view.h"
#include "collectors/wire/name_table.h"
#include "collectors/wire/text.h"

namespace winperf {
namespace {

constexpr const char* kSystemObject = "2";  // small, and every Windows has it

// The possible times of our clock at the machine's sample.
struct Moment {
  Ticks100ns from;
  Ticks100ns to;
};

std::chrono::seconds ahead_of(const Moment& ours, Ticks100ns theirs) {
  // Untrusted 64-bit values, whose differences may not fit into 64 bits.
  using Ticks = std::chrono::duration<double, std::ratio<1, 10'000'000>>;
  const auto nearest = std::clamp(theirs.ticks, ours.from.ticks, ours.to.ticks);
  return std::chrono::duration_cast<std::chrono::seconds>(
      Ticks(static_cast<double>(theirs.ticks) - static_cast<double>(nearest)));
}

}  // namespace

TargetFacts try_target(CounterSource& source, const std::string& host, const ClockSource& clocks) {
  TargetFacts target;
  target.host = host;
  const Ticks100ns before = clocks.wall_now();
  const auto reply = source.query(kSystemObject, {});
  const Moment ours{.from = before, .to = std::max(before, clocks.wall_now())};
  if (!reply) {
    target.connection = reply.error();
    return target;
  }
  for (const ReplyBlocks::Walked& walked : reply->blocks.walked())
    if (walked.block) target.ahead = ahead_of(ours, walked.block->clocks().time_100ns);
  return target;
}

void try_target_perflib(PerflibSource& perflib, TargetFacts& target) {
  if (const auto listed = perflib.countersets(); !listed) target.perflib = listed.error();
}

NetworkIdentity identity_of(std::string_view sid) {
  if (sid == "S-1-5-19" || sid == "S-1-5-7") return NetworkIdentity::kAnonymous;
  if (sid == "S-1-5-18" || sid == "S-1-5-20") return NetworkIdentity::kMachine;
  if (sid.starts_with("S-1-5-80-")) return NetworkIdentity::kMachine;  // NT SERVICE\name
  return sid.empty() ? NetworkIdentity::kUnknown : NetworkIdentity::kItself;
}

namespace {

constexpr std::size_t kMaxExamples = 5;

void add_example(std::vector<std::string>& examples, std::string name) {
  if (examples.size() < kMaxExamples && std::ranges::find(examples, name) == examples.end())
    examples.push_back(std::move(name));
}

// Of instances whose duplicates have been numbered.
void count_instances(DeliveredObject& found, std::span<const InstanceSchema> instances,
                     const CountersetSchema& schema, const Selection& selection) {
  for (const InstanceSchema& instance : instances) {
    ++found.instances;
    if (accepts(selection, schema, instance)) ++found.matching_instances;
    add_example(found.instance_names,
                selection.by_display_name ? display_name(instance) : instance.name);
  }
}

// Counts a sample that was taken without a selection.
DeliveredObject count_delivered(const CountersetSample& sample, const Selection& selection) {
  DeliveredObject delivered{.index = sample.schema->index,
                            .name = sample.schema->name,
                            .multi_instance = sample.schema->multi_instance};
  for (const CounterSchema& counter : sample.schema->counters) {
    if (counter.info().is_base) continue;  // not needed by a counter before it
    ++delivered.counters;
    if (!selection.counters || selection.counters(counter)) ++delivered.matching_counters;
    add_example(delivered.counter_names, counter.name);
  }
  count_instances(delivered, sample.instances->instances, *sample.schema, selection);
  return delivered;
}

}  // namespace

TrialFacts find_delivered(const Reply& reply, const Catalog& catalog,
                          std::span<const ObjectIndex> wanted, const Selection& selection) {
  // Without the selection: what it leaves out is part of the diagnosis.
  SampledObjects taken = ObjectSampler().take(reply, catalog, 1, wanted);
  TrialFacts result{.problems = std::move(taken.problems)};
  const auto lowest = std::ranges::min_element(
      taken.samples, {}, [](const auto& sample) { return sample->schema->index; });
  if (lowest != taken.samples.end()) result.object = count_delivered(**lowest, selection);
  return result;
}

namespace {

using SteadyClock = std::chrono::steady_clock;

// The registry may hold a nonsensical range; no provider has this many counters.
constexpr std::uint32_t kMaxIndicesOfProvider = 1U << 16;

// Countersets that replace one another: a machine has one of the two.
struct Pair {
  std::string_view old_name;
  std::string_view new_name;
};
constexpr std::array<Pair, 5> kReplacements{{
    {"Process", "Process V2"},
    {"Processor", "Processor Information"},
    {"TCP", "TCPv4"},
    {"UDP", "UDPv4"},
    {"IP", "IPv4"},
}};

std::string_view replacement_of(std::string_view counterset) {
  for (const Pair& pair : kReplacements) {
    if (equal_names(pair.old_name, counterset)) return pair.new_name;
    if (equal_names(pair.new_name, counterset)) return pair.old_name;
  }
  return {};
}

NameFacts find_name(const std::string& name, const CatalogKeeper& catalog) {
  NameFacts facts;
  facts.name = name;
  facts.indices = catalog.objects_named(name);
  if (!facts.indices.empty()) facts.text = catalog.catalog().object_name(facts.indices.front());
  if (facts.indices.empty()) facts.nearest = catalog.catalog().nearest_name(name);
  const std::string replacement(replacement_of(name));
  if (!replacement.empty() && !catalog.objects_named(replacement).empty())
    facts.replacement = replacement;
  return facts;
}

CountersetFacts named(const PlannedCounterset& counterset, const CatalogKeeper& catalog) {
  CountersetFacts facts;
  for (const std::string& name : counterset.names) facts.names.push_back(find_name(name, catalog));
  return facts;
}

// Isolated providers are closed after their first answer; the result of that is known after a
// second one.
void note_harms(TrialFacts& trial, CounterSource& source, const std::string& value_name) {
  SourceHealth* const health = source.health();
  if (health == nullptr) return;
  bool was_isolated = false;
  const auto take = [&] {
    for (SharingNews& news : health->take_sharing_news()) {
      was_isolated |= news.change == SharingChange::kIsolated;
      if (news.change == SharingChange::kHarm)
        trial.harms.push_back({.provider = std::move(news.provider), .text = std::move(news.text)});
    }
  };
  take();
  if (!was_isolated) return;
  static_cast<void>(source.query(value_name, {}));
  take();
}

TrialFacts try_name(CounterSource& source, const CatalogKeeper& catalog, const NameFacts& name,
                    const Selection& selection) {
  const SteadyClock::time_point started = SteadyClock::now();
  const auto reply = source.query(index_list(name.indices), {});
  const auto took = SteadyClock::now() - started;
  TrialFacts trial = reply ? find_delivered(*reply, catalog.catalog(), name.indices, selection)
                           : TrialFacts{.error = reply.error()};
  trial.took = std::chrono::duration_cast<std::chrono::milliseconds>(took);
  note_harms(trial, source, index_list(name.indices));
  return trial;
}

// Searches one sample of a recording for the counterset.
void read_sample(const Reply& sample, const CatalogKeeper& catalog,
                 const PlannedCounterset& counterset, CountersetFacts& facts) {
  for (const NameFacts& name : facts.names) {
    if (name.indices.empty() || facts.trial->object) continue;
    facts.trial = find_delivered(sample, catalog.catalog(), name.indices, counterset.selection);
  }
}

bool is_settled(const CountersetFacts& facts) { return !facts.trial || facts.trial->object; }

void count_names(ProviderFacts& provider, std::span<const NameTable> tables) {
  if (!provider.first_counter || !provider.last_counter) return;
  const std::uint64_t first = *provider.first_counter;
  const std::uint64_t last =
      std::min<std::uint64_t>(*provider.last_counter, first + kMaxIndicesOfProvider);
  for (std::uint64_t index = first; index <= last; index += 2) {
    const bool found = std::ranges::any_of(tables, [&](const NameTable& table) {
      return table.find(static_cast<std::uint32_t>(index)) != nullptr;
    });
    ++(found ? provider.named : provider.nameless);
  }
}

TrialFacts try_name(PerflibConnection& perflib, const PlannedCounterset& counterset,
                    const std::string& name) {
  // Without the selection: what it leaves out is part of the diagnosis.
  PerflibReader reader({.label = counterset.label, .names = {name}});
  TrialFacts trial;
  const SteadyClock::time_point started = SteadyClock::now();
  perflib.begin_round(started);
  auto result = reader.read(perflib, name);
  reader.stop(perflib);
  trial.took = std::chrono::duration_cast<std::chrono::milliseconds>(SteadyClock::now() - started);
  trial.problems = std::move(problems_of(result));
  if (result)
    trial.object = count_delivered(*result->sample, counterset.selection);
  else
    trial.error = result.error().error;
  return trial;
}

V2CountersetFacts& facts_of(std::vector<V2CountersetFacts>& all, const Guid& guid) {
  return *std::ranges::find_if(all,
                               [&guid](const V2CountersetFacts& one) { return one.guid == guid; });
}

}  // namespace

std::vector<CountersetFacts> try_countersets(CounterSource& source, const CatalogKeeper& catalog,
                                             std::span<const PlannedCounterset> countersets) {
  std::vector<CountersetFacts> all;
  for (const PlannedCounterset& counterset : countersets) {
    CountersetFacts facts = named(counterset, catalog);
    for (const NameFacts& name : facts.names) {
      if (name.indices.empty()) continue;
      TrialFacts trial = try_name(source, catalog, name, counterset.selection);
      const bool delivered = trial.object.has_value();
      // If all alternatives fail, the error is that of the first one.
      if (delivered || !facts.trial) facts.trial = std::move(trial);
      if (delivered) break;
    }
    all.push_back(std::move(facts));
  }
  return all;
}

std::vector<CountersetFacts> try_capture(CounterSource& capture, const CatalogKeeper& catalog,
                                         std::span<const PlannedCounterset> countersets) {
  std::vector<CountersetFacts> all;
  for (const PlannedCounterset& counterset : countersets) {
    CountersetFacts& facts = all.emplace_back(named(counterset, catalog));
    const bool known = std::ranges::any_of(
        facts.names, [](const NameFacts& name) { return !name.indices.empty(); });
    if (known) facts.trial.emplace();
  }
  while (!std::ranges::all_of(all, is_settled)) {
    const auto sample = capture.query("Global", {});
    if (!sample && sample.error().code == ErrorCode::kEndOfCapture) break;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (is_settled(all[i])) continue;
      if (sample) read_sample(*sample, catalog, countersets[i], all[i]);
      if (!sample) all[i].trial->problems.push_back(sample.error());
    }
  }
  return all;
}

void note_name_tables(MachineFacts& machine, CounterSource& source) {
  std::vector<NameTable> tables;
  for (const auto& candidate : source.text_tables(TextTable::kCounter, Language::kEnglish)) {
    NameTableFacts& facts = machine.name_tables.emplace_back();
    if (!candidate) {
      facts.error = candidate.error();
      continue;
    }
    const NameTable& table = tables.emplace_back(NameTable::parse(*candidate));
    facts.names = table.entries().size();
    if (facts.names != 0) facts.highest_index = table.entries().back().index;
    facts.problems.assign(table.problems().begin(), table.problems().end());
    facts.foreign = foreign_names([&table](std::uint32_t index) {
      const std::string* const text = table.find(index);
      return text != nullptr ? std::string_view(*text) : std::string_view();
    });
    if (!machine.base_last_index) machine.base_last_index = table.base_limit();
  }
  for (ProviderFacts& provider : machine.providers) count_names(provider, tables);
}

void try_v2_countersets(PerflibSource& perflib, Language names,
                        std::span<const PlannedCounterset> countersets, MachineFacts& machine,
                        std::span<CountersetFacts> facts) {
  PerflibConnection connection(perflib, names, SteadyClock::now());
  if (connection.catalog_error()) return;
  std::vector<V2CountersetFacts>& v2 = machine.v2.emplace();
  for (const V2Catalog::Entry& entry : connection.catalog().entries())
    v2.push_back({.name = entry.name, .guid = entry.guid});

  for (std::size_t i = 0; i < countersets.size(); ++i) {
    if (countersets[i].path == CounterPath::kRegistry) continue;
    for (const std::string& name : countersets[i].names) {
      const std::vector<Guid> guids = connection.catalog().named(name);
      if (guids.empty()) continue;
      V2CountersetFacts& known = facts_of(v2, guids.front());
      if (const auto registered = connection.catalog().counterset(guids.front()))
        known.provider = (*registered)->provider_name;
      TrialFacts trial = try_name(connection, countersets[i], name);
      known.running = trial.object && (!trial.object->multi_instance || trial.object->instances);
      const bool useful = trial.object || !facts[i].trial || !facts[i].trial->object;
      // A provider that doesn't run delivers nothing on either path.
      if (!*known.running) trial.object.reset();
      if (useful) facts[i].trial = std::move(trial);
      break;
    }
  }
}

}  // namespace winperf
