#include "collectors/discovery/discovery.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/catalog/catalog.h"
#include "collectors/catalog/v2_catalog.h"
#include "collectors/sources/value_names.h"

namespace winperf {
namespace {

constexpr Error kNoMetadata{.code = ErrorCode::kUnsupported, .where = "metadata"};

class Discovery {
 public:
  Discovery(CounterSource& registry, PerflibSource* perflib, const DiscoveryScope& scope)
      : registry_(registry), perflib_(perflib), scope_(scope) {}

  std::expected<Inventory, Error> run(const StopToken& stop) {
    found_.supports_metadata = registry_.supports_metadata();
    add_v2();
    if (scope_.metadata_alone && !found_.supports_metadata) {
      if (!found_.gap) found_.gap = kNoMetadata;
      sort_by_name(found_);
      return std::move(found_);
    }
    if (const auto global = query(false, stop); !global) return std::unexpected(global.error());
    const Catalog english = Catalog::load(registry_, Language::kEnglish);
    if (scope_.costly || (found_.supports_metadata && wants_unseen(english)))
      if (const auto costly = query(true, stop); !costly) note_gap(costly.error());
    add_v1(english);
    sort_by_name(found_);
    return std::move(found_);
  }

 private:
  void note_gap(const Error& error) {
    found_.problems.push_back(error);
    if (!found_.gap) found_.gap = error;
  }

  // Without a list, V2 countersets are searched for among the objects.
  void add_v2() {
    if (perflib_ == nullptr) return;
    V2Catalog catalog(*perflib_, scope_.names);
    if (const auto listed = catalog.refresh(); !listed) {
      note_gap(listed.error());
      return;
    }
    found_.asked.emplace_back("PerfLib");
    has_v2_ = true;
    for (const V2Catalog::Entry& entry : catalog.entries()) {
      if (entry.error) note_gap(*entry.error);
      // Other errors appear when it is sampled.
      const auto instances = perflib_->instances(entry.guid);
      found_.countersets.push_back({.name = entry.name,
                                    .local_name = entry.local_name,
                                    .key = to_string(entry.guid),
                                    .is_active = !instances || !instances->empty()});
    }
  }

  [[nodiscard]] std::expected<void, Error> query(bool costly, const StopToken& stop) {
    const std::string_view name = listing_value_name(
        {.metadata = found_.supports_metadata, .v1_only = has_v2_, .costly = costly});
    auto reply = registry_.query(name, stop);
    if (!reply) return std::unexpected(reply.error());
    found_.asked.emplace_back(name);
    found_.bytes += size_of(*reply);
    for (const MissingObject& missing : reply->missing) note_gap(missing.reason);
    for (const Error& problem : reply->blocks.problems()) note_gap(problem);
    for (const auto& object : reply->blocks.objects()) objects_.try_emplace(object.index, costly);
    for (const LoggedObject& logged : reply->logged)
      objects_.try_emplace(logged.values->schema->index, costly);
    registry_.take_back(*std::move(reply));
    return {};
  }

  bool wants_unseen(const Catalog& english) const {
    return std::ranges::any_of(scope_.wanted, [&](const std::string& name) {
      const auto indices = english.objects_named(name);
      return !indices.empty() &&
             std::ranges::none_of(indices, [&](auto index) { return objects_.contains(index); }) &&
             std::ranges::none_of(found_.countersets, [&](const KnownCounterset& known) {
               return equal_names(known.name, name);
             });
    });
  }

  void add_v1(const Catalog& english) {
    std::ranges::copy(english.problems(), std::back_inserter(found_.problems));
    if (english.unreadable() && !found_.gap) found_.gap = english.unreadable();
    std::optional<Catalog> local;
    if (scope_.names == Language::kMachine) local = Catalog::load(registry_, Language::kMachine);
    for (const auto& [index, costly] : objects_)
      found_.countersets.push_back(
          {.name = std::string(english.object_name(index)),
           .local_name = local ? std::string(local->object_name(index)) : std::string(),
           .key = std::to_string(value_of(index)),
           .is_costly = costly});
  }

  CounterSource& registry_;
  PerflibSource* perflib_;
  const DiscoveryScope& scope_;
  bool has_v2_ = false;
  std::map<ObjectIndex, bool> objects_;  // true: costly
  Inventory found_;
};

}  // namespace

std::expected<Inventory, Error> take_inventory(CounterSource& registry, PerflibSource* perflib,
                                               const DiscoveryScope& scope,
                                               const ClockSource& clocks, const StopToken& stop) {
  registry.set_stop(stop);
  if (perflib != nullptr) perflib->set_stop(stop);
  const SteadyTime before = clocks.steady_now();
  auto inventory = Discovery(registry, perflib, scope).run(stop);
  if (inventory) inventory->took = clocks.steady_now() - before;
  return inventory;
}

void add_to(Inventory& inventory, const Inventory& more) {
  for (const KnownCounterset& known : more.countersets)
    if (std::ranges::none_of(inventory.countersets, [&](const KnownCounterset& here) {
          return known.name.empty() ? here.key == known.key : equal_names(here.name, known.name);
        }))
      inventory.countersets.push_back(known);
  inventory.bytes += more.bytes;
  inventory.problems.insert(inventory.problems.end(), more.problems.begin(), more.problems.end());
  if (!inventory.gap) inventory.gap = more.gap;
}

void keep_unseen(Inventory& now, const Inventory& before) {
  std::set<std::string> known_keys;
  for (const KnownCounterset& known : before.countersets) known_keys.insert(known.key);
  std::map<std::string, std::size_t> now_by_key;  // their places
  for (std::size_t i = 0; i < now.countersets.size(); ++i) now_by_key[now.countersets[i].key] = i;
  std::set<std::string> kept;  // names, in lower case
  for (const KnownCounterset& known : before.countersets) {
    const auto here = now_by_key.find(known.key);
    if (here == now_by_key.end()) {
      now.countersets.push_back(known);
      if (!known.name.empty()) kept.insert(ascii_lower(known.name));
    } else if (KnownCounterset& same = now.countersets[here->second]; same.name.empty()) {
      same.name = known.name;
      same.local_name = known.local_name;
    }
  }
  std::erase_if(now.countersets, [&](const KnownCounterset& known) {
    return !known_keys.contains(known.key) && kept.contains(ascii_lower(known.name));
  });
  sort_by_name(now);
}

}  // namespace winperf
