#include "service/commands/listing.h"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <optional>

#include "collectors/base/ascii.h"
#include "collectors/base/printable.h"
#include "collectors/base/wording.h"
#include "collectors/catalog/v2_catalog.h"
#include "collectors/match/nearest.h"
#include "collectors/sampling/perflib/v2_layout.h"
#include "collectors/sampling/registry/object_sampler.h"
#include "collectors/sources/value_names.h"
#include "collectors/wire/v2/data_view.h"
#include "config/patterns.h"
#include "service/commands/command.h"
#include "service/console/progress_line.h"
#include "service/plan/plan.h"
#include "service/run/discovery.h"

namespace winperf {
namespace {

std::vector<std::string> instance_names(const CountersetSample& sample) {
  std::vector<std::string> names;
  for (const InstanceSchema& instance : sample.instances->instances)
    names.push_back(display_name(instance));
  return names;
}

// The objects that names and paths are about.
std::vector<std::string> named_objects(const std::vector<std::string>& names) {
  std::vector<std::string> objects;
  for (const std::string& name : names) objects.push_back(plan_named(name, Config()).names.front());
  return objects;
}

// A path whose counter none of its objects has, as an error; nothing if there is none.
std::optional<std::string> missing_counter(const Listing& listing,
                                           const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const PlannedCounterset planned = plan_named(name, Config());
    if (!planned.selection.counters) continue;
    std::vector<std::string_view> known;
    bool is_there = false;
    for (const ListedObject& object : listing.objects) {
      if (!is_called(object.schema, planned.names.front())) continue;
      for (const CounterSchema& counter : object.schema.counters) {
        known.push_back(counter.name);
        is_there = is_there || planned.selection.counters(counter);
      }
    }
    if (known.empty() || is_there) continue;
    const std::string counter = parse_perfmon_path(name)->counter;
    const std::string_view meant = nearest(counter, known);
    return '"' + printable(planned.names.front()) + "\" has no counter \"" + printable(counter) +
           '"' + (meant.empty() ? "" : "; did you mean \"" + printable(meant) + "\"?");
  }
  return std::nullopt;
}

// Of objects named only by paths, keeps the counters and instances that a path selects.
void keep_selected(Listing& listing, const std::vector<std::string>& names) {
  for (ListedObject& object : listing.objects) {
    std::vector<PlannedCounterset> about;
    for (const std::string& name : names)
      if (PlannedCounterset planned = plan_named(name, Config());
          is_called(object.schema, planned.names.front()))
        about.push_back(std::move(planned));
    // The provider's name for the object may differ from the one given.
    if (about.empty()) continue;
    const auto is_selected = [&](auto Selection::* part, const auto& one) {
      return std::ranges::any_of(about, [&](const PlannedCounterset& planned) {
        const auto& accepts = planned.selection.*part;
        return !accepts || accepts(one);
      });
    };
    std::erase_if(object.schema.counters, [&](const CounterSchema& counter) {
      return !is_selected(&Selection::counters, counter);
    });
    std::erase_if(object.instances, [&](const std::string& name) {
      return !is_selected(&Selection::instances, name);
    });
  }
}

// What is being read, for a person who waits.
std::string reading_text(const std::vector<std::string>& names) {
  return "reading " + (names.empty() ? std::string("all objects") : joined(names, ", "));
}

class Lister {
 public:
  Lister(const ListingSources& sources, const ListOptions& options)
      : sources_(sources), options_(options) {}
  [[nodiscard]] std::expected<Listing, std::string> make();

 private:
  void note(const std::vector<Error>& problems) {
    listing_.problems.insert(listing_.problems.end(), problems.begin(), problems.end());
  }
  bool is_listed(ObjectIndex index) const {
    return std::ranges::any_of(
        listing_.objects, [&](const ListedObject& listed) { return listed.schema.index == index; });
  }
  bool list_v2_countersets();
  void list_v2_counterset(V2Catalog& catalog, const Guid& guid);
  std::vector<std::string> v2_instances(const Guid& guid);
  [[nodiscard]] std::expected<void, std::string> find_objects();
  bool is_wanted(ObjectIndex index) const {
    return wanted_.empty() || std::ranges::find(wanted_, index) != wanted_.end();
  }
  std::string value_name(bool with_v2) const;
  [[nodiscard]] std::expected<void, std::string> list_registry(const std::string& value_name);
  void list_object(const ReplyBlocks::Walked& block, const ObjectView& view, ParentNames& parents);

  const ListingSources& sources_;
  const ListOptions& options_;
  std::vector<std::string> names_ = named_objects(options_.names);  // that no V2 counterset has
  std::vector<ObjectIndex> wanted_;                                 // empty: all objects
  Listing listing_;
};

// Lists the V2 countersets: all, or those in names_, which then loses them. False if PerfLib does
// not list its countersets.
bool Lister::list_v2_countersets() {
  V2Catalog catalog(*sources_.perflib, Language::kMachine,
                    options_.machine_language ? Language::kMachine : Language::kEnglish);
  if (const auto refreshed = catalog.refresh(); !refreshed) {
    listing_.problems.push_back(refreshed.error());
    return false;
  }
  listing_.asked.emplace_back("PerfLib");
  if (options_.names.empty()) {
    for (const V2Catalog::Entry& entry : catalog.entries()) list_v2_counterset(catalog, entry.guid);
    return true;
  }
  std::erase_if(names_, [&](const std::string& name) {
    const std::vector<Guid> found = catalog.named(name);
    for (const Guid& guid : found) list_v2_counterset(catalog, guid);
    return !found.empty();
  });
  return true;
}

void Lister::list_v2_counterset(V2Catalog& catalog, const Guid& guid) {
  const auto counterset = catalog.counterset(guid);
  if (!counterset) {
    listing_.problems.push_back(counterset.error());
    return;
  }
  note((*counterset)->problems);
  ListedObject listed;
  listed.schema = *build_v2_layout(**counterset, {}, {}).schema;
  listed.provider = (*counterset)->provider_name;
  listed.instances_known = options_.instances || !options_.names.empty();
  if (listed.instances_known && listed.schema.multi_instance) listed.instances = v2_instances(guid);
  listing_.objects.push_back(std::move(listed));
}

std::vector<std::string> Lister::v2_instances(const Guid& guid) {
  const auto bytes = sources_.perflib->instances(guid);
  if (!bytes) {
    listing_.problems.push_back(bytes.error());
    return {};
  }
  const v2::InstanceList list = v2::parse_instances(*bytes);
  note(list.problems);
  std::vector<std::string> names;
  for (const auto& instance : list.all) names.push_back(instance.name);
  return names;
}

// Resolves the remaining names. The error is about the first name that the catalog lacks.
std::expected<void, std::string> Lister::find_objects() {
  for (const std::string& name : names_) {
    const auto found = sources_.catalog.objects_named(name);
    if (found.empty()) return std::unexpected(unknown_name_message(name, sources_.catalog));
    wanted_.insert(wanted_.end(), found.begin(), found.end());
  }
  return {};
}

std::string Lister::value_name(bool with_v2) const {
  if (!wanted_.empty()) return index_list(wanted_);
  return std::string(
      listing_value_name({.metadata = sources_.registry.supports_metadata() && !options_.instances,
                          .v1_only = options_.v1_only || with_v2,
                          .costly = options_.costly}));
}

std::expected<void, std::string> Lister::list_registry(const std::string& value_name) {
  const auto reply = sources_.registry.query(value_name, {});
  if (!reply) return std::unexpected(describe(reply.error()));
  listing_.asked.push_back(value_name);
  for (const MissingObject& missing : reply->missing) listing_.problems.push_back(missing.reason);
  note(reply->blocks.problems());
  for (const ReplyBlocks::Walked& block : reply->blocks.walked()) {
    const std::span<const ObjectView> objects = reply->blocks.objects_of(block);
    ParentNames parents(objects);
    for (const ObjectView& object : objects)
      if (is_wanted(object.index()) && !is_listed(object.index()))
        list_object(block, object, parents);
  }
  for (const LoggedObject& object : reply->logged) {
    const CountersetSample& values = *object.values;
    if (!is_wanted(values.schema->index)) continue;
    note(object.problems);
    listing_.objects.push_back({.schema = *values.schema,
                                .provider = {},
                                .instances_known = true,
                                .instances = instance_names(values)});
  }
  return {};
}

void Lister::list_object(const ReplyBlocks::Walked& block, const ObjectView& view,
                         ParentNames& parents) {
  if (view.metadata_only()) {
    const ObjectLayout layout = build_layout(view, sources_.catalog, {});
    note(layout.problems);
    if (!layout.has_counters) note({*layout.damage});
    listing_.objects.push_back({.schema = *layout.schema});
    return;
  }
  V1Tracker tracker;
  auto reading = tracker.update(view, block.block->clocks(), sources_.catalog, 1, parents, {});
  note(problems_of(reading));  // with those of the layout
  if (reading) {
    listing_.objects.push_back({.schema = *reading->sample->schema,
                                .instances_known = true,
                                .instances = instance_names(*reading->sample)});
  } else {
    listing_.problems.push_back(reading.error().error);
    listing_.objects.push_back(
        {.schema = *build_layout(view, sources_.catalog, {}).schema, .instances_known = true});
  }
}

std::expected<Listing, std::string> Lister::make() {
  const bool with_v2 =
      sources_.perflib != nullptr && !options_.v1_only && !options_.costly && list_v2_countersets();
  if (const auto found = find_objects(); !found) return std::unexpected(found.error());
  if (options_.names.empty() || !wanted_.empty()) {
    if (const auto listed = list_registry(value_name(with_v2)); !listed)
      return std::unexpected(listed.error());
  }
  std::ranges::stable_sort(listing_.objects, {},
                           [](const ListedObject& object) { return object.schema.name; });
  if (listing_.objects.empty() && !options_.names.empty())
    return std::unexpected("no provider on this machine delivers the requested objects");
  if (const auto missing = missing_counter(listing_, options_.names))
    return std::unexpected(*missing);
  if (!options_.whole_objects) keep_selected(listing_, options_.names);
  return std::move(listing_);
}

std::expected<Listing, std::string> list_machine(CounterSource& source, PerflibSource* perflib,
                                                 const ListOptions& options) {
  const Catalog catalog =
      Catalog::load(source, options.machine_language ? Language::kMachine : Language::kEnglish);
  return make_listing({.registry = source, .catalog = catalog, .perflib = perflib}, options);
}

}  // namespace

bool is_called(const CountersetSchema& schema, std::string_view name) {
  if (is_pattern(name)) {
    const auto filter = filter_of(std::string(name));
    return filter && filter->check(schema.name).accepted;
  }
  if (equal_names(schema.name, name)) return true;
  if (schema.guid) return equal_names(to_string(*schema.guid), name);
  return schema.path == CounterPath::kRegistry && std::to_string(value_of(schema.index)) == name;
}

std::string unknown_name_message(const std::string& name, const Catalog& catalog) {
  if (!catalog.has_names())
    return '"' + printable(name) +
           "\" cannot be found by name, because the name table is missing; use the object's index, "
           "such as 238, or run \"winperf_exporter doctor\"";
  std::string message = "this machine has no object \"" + printable(name) + '"';
  const std::string nearest = catalog.nearest_name(name);
  message += nearest.empty() ? std::string("; \"winperf_exporter list\" shows all")
                             : "; did you mean \"" + printable(nearest) + "\"?";
  return message;
}

std::expected<Listing, std::string> make_listing(const ListingSources& sources,
                                                 const ListOptions& options) {
  const std::vector<std::string> objects = named_objects(options.names);
  if (std::ranges::none_of(objects, is_pattern)) return Lister(sources, options).make();
  ListOptions everything = options;
  everything.names.clear();
  everything.instances = true;
  auto listing = Lister(sources, everything).make();
  if (!listing) return listing;
  std::erase_if(listing->objects, [&](const ListedObject& object) {
    return std::ranges::none_of(
        objects, [&](const std::string& name) { return is_called(object.schema, name); });
  });
  for (const std::string& name : objects)
    if (std::ranges::none_of(listing->objects, [&](const ListedObject& object) {
          return is_called(object.schema, name);
        }))
      return std::unexpected(is_pattern(name)
                                 ? unmatched_message(name)
                                 : "this machine has no object \"" + printable(name) + '"');
  if (const auto missing = missing_counter(*listing, options.names))
    return std::unexpected(*missing);
  if (!options.whole_objects) keep_selected(*listing, options.names);
  return listing;
}

std::expected<Listing, std::string> make_listing(const Setup& setup, const ListOptions& options) {
  auto all = list_machine(*setup.source, setup.perflib.get(), options);
  for (const auto& source : setup.other_machines) {
    auto listing = list_machine(*source, nullptr, options);
    if (!listing) continue;
    if (!all) all.emplace();
    std::ranges::move(listing->objects, std::back_inserter(all->objects));
    std::ranges::move(listing->problems, std::back_inserter(all->problems));
  }
  return all;
}

int show_listing(const SetupOptions& setup_options, const ListOptions& options,
                 const std::function<std::string(const Setup&, const Listing&)>& text_of) {
  const auto setup = open_or_complain(setup_options);
  if (!setup) return setup.error();
  const auto listing = [&] {
    const ProgressLine progress(reading_text(options.names));
    return make_listing(*setup, options);
  }();
  if (!listing) return fail(listing.error());
  std::cout << text_of(*setup, *listing);
  for (const Error& problem : listing->problems) fail(describe(problem));
  return kExitOk;
}

}  // namespace winperf
