#include <memory>
#include <nlohmann/json.hpp>

#include "collectors/base/hex.h"
#include "collectors/base/printable.h"
#include "collectors/base/wording.h"
#include "exporter/text/pdh_text.h"
#include "service/commands/command.h"
#include "service/commands/listing.h"
#include "service/console/json_document.h"
#include "service/console/look.h"
#include "service/console/text_columns.h"

namespace winperf {
namespace {

// Distinguishes the object from others of the same name; in a log, nothing does.
std::string distinction_of(const CountersetSchema& schema) {
  const std::string machine = schema.machine.empty() ? "" : " on " + printable(schema.machine);
  if (schema.path == CounterPath::kLog) return machine;
  return machine + "  [" +
         (schema.guid ? to_string(*schema.guid) : std::to_string(value_of(schema.index))) + ']';
}

void append_counters(std::string& out, const ListedObject& object) {
  for (const CounterSchema& counter : object.schema.counters) {
    out += "    " + (counter.name.empty() ? std::string("?") : printable(counter.name)) + "  [" +
           std::to_string(value_of(counter.index)) + ", " + to_string(counter.type);
    if (counter.has_base) out += ", base " + to_string(counter.base_type);
    out += "]\n";
  }
}

void append_instances(std::string& out, const ListedObject& object) {
  if (!object.schema.multi_instance) return;
  if (!object.instances_known) {
    out += "    instances: not queried\n";
    return;
  }
  out += "    instances:";
  for (const std::string& name : object.instances) out += " \"" + printable(name) + '"';
  out += object.instances.empty() ? " none at present\n" : "\n";
}

std::string to_table(const Listing& listing, const ListOptions& options) {
  std::string out;
  for (const ListedObject& object : listing.objects) {
    const CountersetSchema& schema = object.schema;
    out += (schema.name.empty() ? std::string("?") : printable(schema.name)) +
           distinction_of(schema) + "  " + std::string(name_of(schema.path)) + ", " +
           counted(schema.counters.size(), "counter") + ", ";
    if (!schema.multi_instance) {
      out += "one instance";
    } else if (object.instances_known) {
      out += counted(object.instances.size(), "instance");
    } else {
      out += "any number of instances";
    }
    out += '\n';
    const bool detailed = !options.names.empty();
    if (options.counters || detailed) append_counters(out, object);
    if (options.instances || detailed) append_instances(out, object);
  }
  if (options.names.empty())
    out += '\n' + counted(listing.objects.size(), "object") + ", found by " +
           joined(listing.asked, " and ") + '\n';
  return out;
}

// A line for each counter, and for each instance if those are listed.
std::string to_paths(const Listing& listing, const ListOptions& options, std::string_view host) {
  std::string out;
  for (const ListedObject& object : listing.objects) {
    const bool has_instances = object.schema.multi_instance && object.instances_known &&
                               (options.instances || !options.names.empty());
    const std::vector<std::string> instances =
        has_instances ? object.instances : std::vector<std::string>{"*"};
    for (const std::string& instance : instances)
      for (const CounterSchema& counter : object.schema.counters)
        out += printable(counter_path(host, object.schema, instance, counter)) + '\n';
  }
  return out;
}

std::string to_json(const Listing& listing) {
  nlohmann::ordered_json countersets = nlohmann::ordered_json::array();
  for (const ListedObject& object : listing.objects) {
    nlohmann::ordered_json counters = nlohmann::ordered_json::array();
    for (const CounterSchema& counter : object.schema.counters) {
      nlohmann::ordered_json entry{{"name", counter.name},
                                   {"counter_index", value_of(counter.index)},
                                   {"type", hex(value_of(counter.type))},
                                   {"type_name", std::string(counter.info().name)},
                                   {"help", counter.help}};
      if (counter.has_base) entry["base_type"] = hex(value_of(counter.base_type));
      counters.push_back(std::move(entry));
    }
    nlohmann::ordered_json entry{{"name", object.schema.name},
                                 {"path", std::string(name_of(object.schema.path))},
                                 {"object_index", nullptr},
                                 {"help", object.schema.help},
                                 {"multi_instance", object.schema.multi_instance},
                                 {"counters", std::move(counters)}};
    if (object.schema.guid) {
      entry["guid"] = to_string(*object.schema.guid);
      entry["provider"] = object.provider;
    } else if (object.schema.path == CounterPath::kRegistry) {
      entry["object_index"] = value_of(object.schema.index);
    }
    if (!object.schema.machine.empty()) entry["machine"] = object.schema.machine;
    if (object.instances_known && object.schema.multi_instance)
      entry["instance_names"] = object.instances;
    countersets.push_back(std::move(entry));
  }
  return json_document({{"asked", listing.asked}, {"countersets", std::move(countersets)}});
}

}  // namespace

void add_list(CLI::App& program, CommandRun& run) {
  struct Options : ListOptions {
    SetupOptions setup;
    OutputFormat format = OutputFormat::kTable;
    bool paths = false;
    bool wide = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App& command = *program.add_subcommand(
      "list", "List countersets and their counters, of this machine or of --target");
  add_setup(command, options->setup, run);
  add_target(command, options->setup);
  add_names(command, options->names, "OBJECT",
            "objects by name or index, or counter paths; shown with their counters and instances");
  command.add_flag("--counters", options->counters, "show the counters of every object");
  command.add_flag("--instances", options->instances, "show the instances of every object");
  command.add_flag("--v1-only", options->v1_only, "omit objects of V2 providers");
  command.add_flag("--costly", options->costly,
                   "list objects that are expensive to collect; may take minutes");
  command.add_flag("--machine-language", options->machine_language,
                   "show names in this machine's language instead of English");
  command.add_flag("--paths", options->paths,
                   "print perfmon paths, one for each counter, to paste elsewhere");
  add_format(command, options->format);
  add_wide(command, options->wide);
  command.callback([options, &run] {
    const auto text_of = [&](const Setup& setup, const Listing& listing) {
      if (options->paths) return to_paths(listing, *options, setup.target);
      if (options->format == OutputFormat::kJson) return to_json(listing);
      return fitted_lines(to_table(listing, *options), output_look(options->wide).columns);
    };
    run.exit_code = on_named_machine(options->names, options->setup, [&] {
      return show_listing(options->setup, *options, text_of);
    });
  });
}

}  // namespace winperf
