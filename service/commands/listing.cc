#include "service/commands/listing.h"

#include <algorithm>

#include "collectors/catalog/v2_catalog.h"
#include "collectors/sampling/perflib/v2_layout.h"
#include "collectors/sampling/registry/object_layout.h"
#include "collectors/sampling/registry/object_sampler.h"
#include "collectors/sources/value_names.h"
#include "collectors/wire/block_view.h"
#include "collectors/wire/v2/instance_header.h"

namespace winperf {
namespace {

// The named ones that the catalog knows; `unknown` gets the others.
std::vector<ObjectIndex> resolve(const std::vector<std::string>& names, const Catalog& catalog,
                                 std::vector<std::string>& unknown) {
  std::vector<ObjectIndex> wanted;
  for (const std::string& name : names) {
    const auto found = catalog.objects_named(name);
    if (found.empty()) unknown.push_back(name);
    wanted.insert(wanted.end(), found.begin(), found.end());
  }
  return wanted;
}

std::vector<std::string> instance_names(const CountersetSample& sample) {
  std::vector<std::string> names;
  for (const InstanceSchema& instance : sample.instances->instances)
    names.push_back(display_name(instance));
  return names;
}

void list_block(const BlockView& block, const Catalog& catalog, std::span<const ObjectIndex> wanted,
                Listing& listing) {
  ParentNames parents(block);
  ObjectWalk walk = block.objects();
  while (const auto object = walk.next()) {
    if (!*object) {
      listing.problems.push_back(object->error());
      continue;
    }
    const ObjectView& view = **object;
    if (!wanted.empty() && std::ranges::find(wanted, view.index()) == wanted.end()) continue;
    const bool known = std::ranges::any_of(listing.objects, [&](const ListedObject& listed) {
      return listed.schema.index == view.index();
    });
    if (known) continue;
    ListedObject listed;
    const ObjectLayout layout = build_layout(view, catalog, {});
    listing.problems.insert(listing.problems.end(), layout.problems.begin(), layout.problems.end());
    listed.schema = *layout.schema;
    listed.instances_known = !view.metadata_only();
    if (listed.instances_known) {
      V1Tracker tracker;
      const auto reading = tracker.update(view, block.clocks(), catalog, 1, parents, {});
      if (reading) listed.instances = instance_names(*reading->sample);
    }
    listing.objects.push_back(std::move(listed));
  }
}

// Appends the objects of one reply of the registry.
std::expected<void, std::string> list_registry(const ListingSources& sources,
                                               const std::string& value_name,
                                               std::span<const ObjectIndex> wanted,
                                               Listing& listing) {
  const auto reply = sources.registry.query(value_name, {});
  if (!reply) return std::unexpected(describe(reply.error()));
  for (const Bytes& bytes : reply->blocks) {
    const auto block = BlockView::parse(bytes);
    if (!block) {
      listing.problems.push_back(block.error());
      continue;
    }
    list_block(*block, sources.catalog, wanted, listing);
  }
  for (const LoggedObject& object : reply->logged) {
    const CountersetSample& values = *object.values;
    if (!wanted.empty() && std::ranges::find(wanted, values.schema->index) == wanted.end())
      continue;
    listing.problems.insert(listing.problems.end(), object.problems.begin(), object.problems.end());
    listing.objects.push_back({.schema = *values.schema,
                               .provider = {},
                               .instances_known = true,
                               .instances = instance_names(values)});
  }
  return {};
}

std::vector<std::string> instance_names(PerflibClient& perflib, const Guid& guid,
                                        std::vector<Error>& problems) {
  const auto bytes = perflib.instances(guid);
  if (!bytes) {
    problems.push_back(bytes.error());
    return {};
  }
  const v2::InstanceList list = v2::parse_instances(*bytes);
  problems.insert(problems.end(), list.problems.begin(), list.problems.end());
  std::vector<std::string> names;
  for (const auto& instance : list.all) names.push_back(instance.name);
  return names;
}

void list_counterset(PerflibClient& perflib, V2Catalog& catalog, const Guid& guid,
                     const ListOptions& options, Listing& listing) {
  const auto counterset = catalog.counterset(guid);
  if (!counterset) {
    listing.problems.push_back(counterset.error());
    return;
  }
  const std::vector<Error>& problems = (*counterset)->problems;
  listing.problems.insert(listing.problems.end(), problems.begin(), problems.end());
  ListedObject listed;
  listed.schema = *build_v2_layout(**counterset, {}, {}).schema;
  listed.provider = (*counterset)->provider_name;
  listed.instances_known = options.instances || !options.names.empty();
  if (listed.instances_known && listed.schema.multi_instance)
    listed.instances = instance_names(perflib, guid, listing.problems);
  listing.objects.push_back(std::move(listed));
}

// Appends the V2 countersets, all or those with a name; these names are taken off the list. False
// where PerfLib does not say what there is.
bool list_perflib(PerflibClient& perflib, const ListOptions& options,
                  std::vector<std::string>& names, Listing& listing) {
  V2Catalog catalog(perflib, Language::kMachine,
                    options.machine_language ? Language::kMachine : Language::kEnglish);
  const auto refreshed = catalog.refresh();
  if (!refreshed) {
    listing.problems.push_back(refreshed.error());
    return false;
  }
  if (options.names.empty()) {
    for (const V2Catalog::Entry& entry : catalog.entries())
      list_counterset(perflib, catalog, entry.guid, options, listing);
    return true;
  }
  std::erase_if(names, [&](const std::string& name) {
    const std::vector<Guid> found = catalog.named(name);
    for (const Guid& guid : found) list_counterset(perflib, catalog, guid, options, listing);
    return !found.empty();
  });
  return true;
}

}  // namespace

std::string unknown_name_message(const std::string& name, const Catalog& catalog) {
  if (!catalog.has_names())
    return '"' + name +
           "\" can't be looked up: there is no name table. Name objects by their index, "
           "such as 238; \"winperf_exporter doctor\" says what is wrong with the table";
  std::string message = "this machine has no object called \"" + name + '"';
  const std::string nearest = catalog.nearest_name(name);
  if (!nearest.empty()) message += "; did you mean \"" + nearest + "\"?";
  return message;
}

std::expected<Listing, std::string> make_listing(const ListingSources& sources,
                                                 const ListOptions& options) {
  Listing listing;
  std::vector<std::string> names = options.names;
  const bool with_v2 = sources.perflib != nullptr && !options.v1_only && !options.costly &&
                       list_perflib(*sources.perflib, options, names, listing);

  std::vector<std::string> unknown;
  const std::vector<ObjectIndex> wanted = resolve(names, sources.catalog, unknown);
  if (!unknown.empty())
    return std::unexpected(unknown_name_message(unknown.front(), sources.catalog));
  const bool ask_registry = options.names.empty() || !wanted.empty();
  if (ask_registry) {
    const bool metadata = sources.registry.supports_metadata() && !options.instances;
    const std::string value_name =
        wanted.empty() ? std::string(listing_value_name({.metadata = metadata,
                                                         .v1_only = options.v1_only || with_v2,
                                                         .costly = options.costly}))
                       : index_list(wanted);
    if (const auto listed = list_registry(sources, value_name, wanted, listing); !listed)
      return std::unexpected(listed.error());
  }
  std::ranges::stable_sort(listing.objects, {},
                           [](const ListedObject& object) { return object.schema.name; });
  if (listing.objects.empty() && !options.names.empty())
    return std::unexpected("no provider of this machine delivers the objects asked for");
  return listing;
}

}  // namespace winperf
