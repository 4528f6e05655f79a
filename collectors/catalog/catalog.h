// What this machine calls its objects and counters, in one language.
//
// A catalog is made of the source's candidate tables in order of preference: the first one that has
// an index names it, later ones fill the gaps (a corrupt or stubbed registry table is completed by
// perfcNNN.dat). An index without a name is an answer, not an error: the caller shows the number.
// Thread rule: immutable after load(); share it freely.
// Source: "Retrieving Counter Names and Help Text"; docs/registry-path.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/error.h"
#include "collectors/model/ids.h"
#include "collectors/sources/source.h"
#include "collectors/wire/name_table.h"

namespace winperf {

class Catalog {
 public:
  // Never fails as a whole: problems() tells what was wrong with which table.
  static Catalog load(CounterSource& source, Language language);

  // Whether any table had a name in it: without one nothing is found by its name.
  bool has_names() const;

  // As CounterSource::machine().
  const std::string& machine() const { return machine_; }

  // Empty where the index has no name.
  std::string_view object_name(ObjectIndex index) const { return text(names_, value_of(index)); }
  std::string_view counter_name(CounterIndex index) const { return text(names_, value_of(index)); }
  std::string_view help(HelpIndex index) const { return text(helps_, value_of(index)); }

  // Every index with this name, ascending, compared without regard to ASCII case: third-party
  // objects may carry the name of a system object. Which of them is meant, only a block can tell.
  // A decimal number is the index itself, whether or not it has a name.
  std::vector<ObjectIndex> objects_named(std::string_view name) const;

  // The known name nearest to `name`, for an error message; empty where none is near.
  std::string nearest_name(std::string_view name) const;

  const std::vector<Error>& problems() const { return problems_; }

 private:
  static std::string_view text(const std::vector<NameTable>& tables, std::uint32_t index);

  std::string machine_;
  std::vector<NameTable> names_;
  std::vector<NameTable> helps_;
  std::vector<Error> problems_;
};

}  // namespace winperf
