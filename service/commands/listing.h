// The objects of this machine or of a recording, with their counters and instances: what `list`
// shows. Thread rule: one thread.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "collectors/catalog/catalog.h"
#include "collectors/model/sample.h"
#include "collectors/sources/perflib_client.h"
#include "collectors/sources/source.h"

namespace winperf {

struct ListOptions {
  std::vector<std::string> names{};  // empty: all objects
  bool counters = false;
  bool instances = false;
  bool v1_only = false;
  bool costly = false;
  bool machine_language = false;
};

struct ListedObject {
  CountersetSchema schema;
  std::string provider;                // name of a V2 provider; empty where it is not known
  bool instances_known = false;        // a metadata-only reply does not tell
  std::vector<std::string> instances;  // display names, in the object's order
};

struct Listing {
  std::vector<ListedObject> objects;  // by name
  std::vector<Error> problems;
};

// What a listing is made of. Without PerfLib the registry shows V2 countersets too.
struct ListingSources {
  CounterSource& registry;
  const Catalog& catalog;
  PerflibClient* perflib = nullptr;
};

// Asks for metadata where the source supports it and instances are not wanted; for named objects,
// asks for these alone. V2 countersets are asked for by PerfLib where there is one, everything else
// by the registry. The error is a sentence, such as that no object has a name.
std::expected<Listing, std::string> make_listing(const ListingSources& sources,
                                                 const ListOptions& options);

// "this machine has no object called ...; did you mean ...?", or that nothing has a name.
std::string unknown_name_message(const std::string& name, const Catalog& catalog);

}  // namespace winperf
