// What `list` shows: the objects of this machine or of a capture, their counters and instances.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "collectors/catalog/catalog.h"
#include "collectors/model/sample.h"
#include "collectors/sources/source.h"
#include "service/command_line.h"

namespace winperf {

struct ListedObject {
  CountersetSchema schema;
  bool instances_known = false;        // a metadata-only reply does not tell
  std::vector<std::string> instances;  // display names, in the object's order
};

struct Listing {
  std::vector<ListedObject> objects;  // by name
  std::vector<Error> problems;
};

// Asks for metadata where the source supports it and instances are not wanted; for named objects,
// asks for these alone. The error is a sentence, such as that no object has a name.
std::expected<Listing, std::string> make_listing(CounterSource& source, const Catalog& catalog,
                                                 const ListOptions& options);

// "this machine has no object called ...; did you mean ...?"
std::string unknown_name_message(const std::string& name, const Catalog& catalog);

std::string to_table(const Listing& listing, const ListOptions& options);
std::string to_json(const Listing& listing);

}  // namespace winperf
