#include "service/listing.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "collectors/sampling/object_layout.h"
#include "collectors/sampling/reply_sampler.h"
#include "collectors/sources/value_names.h"
#include "collectors/wire/block_view.h"

namespace winperf {
namespace {

std::string hex(CounterType type) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", value_of(type));
  return text;
}

std::expected<std::vector<ObjectIndex>, std::string> resolve(const std::vector<std::string>& names,
                                                             const Catalog& catalog) {
  std::vector<ObjectIndex> wanted;
  for (const std::string& name : names) {
    const auto found = catalog.objects_named(name);
    if (found.empty()) return std::unexpected(unknown_name_message(name, catalog));
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
    const ObjectLayout layout = build_layout(view, catalog, {}, listing.problems);
    listed.schema = *layout.schema;
    listed.instances_known = !view.metadata_only();
    if (listed.instances_known) {
      CountersetTracker tracker;
      std::vector<Error> ignored;  // the same as build_layout() has reported
      const auto sample = tracker.update(view, block.clocks(), catalog, 1, parents, {}, ignored);
      if (sample) listed.instances = instance_names(*sample);
    }
    listing.objects.push_back(std::move(listed));
  }
}

void append_counters(std::string& out, const ListedObject& object) {
  for (const CounterSchema& counter : object.schema.counters) {
    out += "    " + (counter.name.empty() ? std::string("?") : counter.name) + "  [" +
           std::to_string(value_of(counter.index)) + ", " + to_string(counter.type);
    if (counter.has_base) out += ", base " + to_string(counter.base_type);
    out += "]\n";
  }
}

void append_instances(std::string& out, const ListedObject& object) {
  if (!object.schema.multi_instance) return;
  if (!object.instances_known) {
    out += "    instances: not asked for\n";
    return;
  }
  out += "    instances:";
  for (const std::string& name : object.instances) out += " \"" + name + '"';
  out += object.instances.empty() ? " none now\n" : "\n";
}

}  // namespace

std::string unknown_name_message(const std::string& name, const Catalog& catalog) {
  std::string message = "this machine has no object called \"" + name + '"';
  const std::string nearest = catalog.nearest_name(name);
  if (!nearest.empty()) message += "; did you mean \"" + nearest + "\"?";
  return message;
}

std::expected<Listing, std::string> make_listing(CounterSource& source, const Catalog& catalog,
                                                 const ListOptions& options) {
  const auto wanted = resolve(options.names, catalog);
  if (!wanted) return std::unexpected(wanted.error());
  const bool metadata = source.supports_metadata() && !options.instances;
  const std::string value_name =
      wanted->empty()
          ? std::string(listing_value_name(
                {.metadata = metadata, .v1_only = options.v1_only, .costly = options.costly}))
          : index_list(*wanted);
  const auto reply = source.query(value_name, {});
  if (!reply) return std::unexpected(describe(reply.error()));

  Listing listing;
  for (const Bytes& bytes : reply->blocks) {
    const auto block = BlockView::parse(bytes);
    if (!block) {
      listing.problems.push_back(block.error());
      continue;
    }
    list_block(*block, catalog, *wanted, listing);
  }
  std::ranges::stable_sort(listing.objects, {},
                           [](const ListedObject& object) { return object.schema.name; });
  if (listing.objects.empty() && !wanted->empty())
    return std::unexpected("no provider of this machine delivers the objects asked for");
  return listing;
}

std::string to_table(const Listing& listing, const ListOptions& options) {
  std::string out;
  for (const ListedObject& object : listing.objects) {
    const CountersetSchema& schema = object.schema;
    out += (schema.name.empty() ? std::string("?") : schema.name) + "  [" +
           std::to_string(value_of(schema.index)) + "]  " + std::to_string(schema.counters.size()) +
           " counters, ";
    if (!schema.multi_instance) {
      out += "one instance";
    } else if (object.instances_known) {
      out += std::to_string(object.instances.size()) + " instances";
    } else {
      out += "any number of instances";
    }
    out += '\n';
    const bool detailed = !options.names.empty();
    if (options.counters || detailed) append_counters(out, object);
    if (options.instances || detailed) append_instances(out, object);
  }
  return out;
}

std::string to_json(const Listing& listing) {
  nlohmann::ordered_json objects = nlohmann::ordered_json::array();
  for (const ListedObject& object : listing.objects) {
    nlohmann::ordered_json counters = nlohmann::ordered_json::array();
    for (const CounterSchema& counter : object.schema.counters) {
      nlohmann::ordered_json entry{{"counter", counter.name},
                                   {"counter_index", value_of(counter.index)},
                                   {"type", hex(counter.type)},
                                   {"type_name", std::string(counter.info.name)},
                                   {"help", counter.help}};
      if (counter.has_base) entry["base_type"] = hex(counter.base_type);
      counters.push_back(std::move(entry));
    }
    nlohmann::ordered_json entry{{"object", object.schema.name},
                                 {"object_index", value_of(object.schema.index)},
                                 {"help", object.schema.help},
                                 {"multi_instance", object.schema.multi_instance},
                                 {"counters", std::move(counters)}};
    if (object.instances_known && object.schema.multi_instance)
      entry["instances"] = object.instances;
    objects.push_back(std::move(entry));
  }
  return nlohmann::ordered_json{{"objects", std::move(objects)}}.dump(2) + '\n';
}

}  // namespace winperf
