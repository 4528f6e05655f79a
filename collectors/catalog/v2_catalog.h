// The V2 countersets of a machine: their names, and on demand everything their providers have
// registered about them.
//
// Names are English where the system has them (also under old systems, which know English only as a
// language), because metrics are named after them; the machine's language serves to look names up.
// A part that can't be read or is corrupt costs itself alone and is reported: a counterset without
// a readable name is found by its GUID, a counter without one is shown by its id. There is no
// notification of changes: refresh() compares the list of GUIDs.
// Thread rule: one thread. Source: Learn, PerfQueryCounterSetRegistrationInfo.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/error.h"
#include "collectors/model/guid.h"
#include "collectors/sources/perflib_client.h"
#include "collectors/sources/source.h"
#include "collectors/wire/v2/registration.h"

namespace winperf {

// One counterset as its provider registered it. Texts are in the catalog's language for texts.
struct V2Counterset {
  v2::CountersetRegistration registration;
  std::string name;  // empty where there is none
  std::string help;
  std::string provider_name;
  Guid provider{};
  std::map<std::uint32_t, std::string> counter_names;  // by id
  std::map<std::uint32_t, std::string> counter_helps;
  std::vector<Error> problems;  // parts that could not be read
};

// Whether a sample of one continues a sample of the other.
bool same_registration(const V2Counterset& a, const V2Counterset& b);

class V2Catalog {
 public:
  // `names`: in which language countersets are looked up besides English. `texts`: in which one
  // they are described; English for all that metrics are named after. `client` outlives the
  // catalog.
  V2Catalog(PerflibClient& client, Language names, Language texts = Language::kEnglish)
      : client_(client), names_(names), texts_(texts) {}

  // Reads the list of countersets again, and registrations when they are asked for the next time.
  // Names are kept where the list is the same; where it has changed, generation() grows. After an
  // error the old list holds.
  std::expected<void, Error> refresh();

  struct Entry {
    Guid guid;
    std::string name;        // English; empty where it can't be read
    std::string local_name;  // in the machine's language, where that is asked for
  };
  const std::vector<Entry>& entries() const { return entries_; }  // in the system's order
  // By English name, local name (both without regard to ASCII case) or GUID.
  std::vector<Guid> named(std::string_view name) const;
  std::uint64_t generation() const { return generation_; }

  // Read when first asked for, then kept.
  std::expected<std::shared_ptr<const V2Counterset>, Error> counterset(const Guid& guid);

 private:
  Entry read_entry(const Guid& guid);

  PerflibClient& client_;
  Language names_;
  Language texts_;
  std::vector<Entry> entries_;
  std::map<Guid, std::shared_ptr<const V2Counterset>> countersets_;
  std::uint64_t generation_ = 0;
};

}  // namespace winperf
