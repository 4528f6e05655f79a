// The objects of this machine or of a recording, with their counters and instances: what `list`
// shows. Thread rule: one thread.
#pragma once

#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/catalog/catalog.h"
#include "collectors/model/sample.h"
#include "collectors/sources/perflib_source.h"
#include "collectors/sources/source.h"
#include "service/plan/setup.h"

namespace winperf {

struct ListOptions {
  std::vector<std::string> names{};  // or paths; empty: all objects
  bool counters = false;
  bool instances = false;
  bool v1_only = false;
  bool costly = false;
  bool machine_language = false;
  bool whole_objects = false;  // also of those that a path selects a part of
};

struct ListedObject {
  CountersetSchema schema;
  std::string provider{};                // name of the V2 provider; empty if unknown
  bool instances_known = false;          // false for a metadata-only reply
  std::vector<std::string> instances{};  // display names, in the object's order
};

struct Listing {
  std::vector<ListedObject> objects;  // by name
  std::vector<Error> problems;
  std::vector<std::string> asked{};  // "OLD_MetadataGlobal", "PerfLib": how they were found
};

// Where a listing comes from. Without PerfLib, the registry shows V2 countersets, too.
struct ListingSources {
  CounterSource& registry;
  const Catalog& catalog;
  PerflibSource* perflib = nullptr;
};

// Whether `name` is the counterset's name, index or GUID.
bool is_called(const CountersetSchema& schema, std::string_view name);

// Queries only metadata if the source supports it and instances are not wanted; for named objects,
// queries only those. V2 countersets are read via PerfLib if there is one, everything else through
// the registry. The error is a sentence, such as that no object has a name.
[[nodiscard]] std::expected<Listing, std::string> make_listing(const ListingSources& sources,
                                                               const ListOptions& options);

// Of a machine, or of all machines of a recording, whose objects may differ.
[[nodiscard]] std::expected<Listing, std::string> make_listing(const Setup& setup,
                                                               const ListOptions& options);

// Implements `list` and `metrics`: opens the source, prints the listing's text and reports its
// problems. Returns the exit code.
int show_listing(const SetupOptions& setup_options, const ListOptions& options,
                 const std::function<std::string(const Setup&, const Listing&)>& text_of);

// "this machine has no object called ...; did you mean ...?", or that there are no names at all.
std::string unknown_name_message(const std::string& name, const Catalog& catalog);

}  // namespace winperf
