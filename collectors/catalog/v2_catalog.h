// The V2 countersets of a machine: their names, and on demand everything their providers have
// registered about them.
//
// Names are English where the system has them (also under old systems, which know English only as a
// language), because metrics are named after them; the machine's language serves to look names up.
// A part that can't be read or is corrupt costs itself alone and is reported: a counterset without
// a readable name is found by its GUID, a counter without one is shown by its id. There is no
// notification of changes: refresh() compares the list of GUIDs.
//
// A name that the system failed to give (it is short of resources, its RPC is busy) is not a name
// that is not there: another language's is not taken in its place, and retry_names() asks again, up
// to kMaxRetries times in a row. After that it counts as one that is not there: refresh() still
// asks. Thread rule: one thread. Source: Learn, PerfQueryCounterSetRegistrationInfo.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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

  static constexpr unsigned kMaxRetries = 6;

  // Reads the list of countersets again, and registrations when they are asked for the next time.
  // Where the list is the same, the names that were read are kept and the others asked for again.
  // generation() grows where the list or a name has changed. After an error the old list holds.
  std::expected<void, Error> refresh();

  // Why a name may still be missing from the list: the system failed to give it, and it is worth
  // another try.
  std::optional<Error> failed_name() const;
  // Asks for these names again.
  void retry_names();
  // Errors met with names since the last call.
  std::vector<Error> take_problems() { return std::exchange(problems_, {}); }

  struct Entry {
    Guid guid;
    std::string name;            // English; empty where it can't be read
    std::string local_name;      // in the machine's language, where that is asked for
    std::optional<Error> error;  // why one of them can't be read
  };
  const std::vector<Entry>& entries() const { return entries_; }  // in the system's order
  // By English name, local name (both without regard to ASCII case) or GUID.
  std::vector<Guid> named(std::string_view name) const;
  std::uint64_t generation() const { return generation_; }

  // Read when first asked for, then kept. An error, also one of a system that fails to give the
  // names, is not kept; after kMaxRetries failures with names the counterset goes without them.
  std::expected<std::shared_ptr<const V2Counterset>, Error> counterset(const Guid& guid);

 private:
  // Counts the failures with the names of what is in a counterset.
  bool is_worth_another_try(const Guid& guid, const Error& error);
  // With its names read anew; one that can't be read stays as it was.
  Entry read_entry(Entry entry);
  // Those whose error `wanted` holds of.
  template <class Wanted>
  void read_names_again(Wanted wanted);

  PerflibClient& client_;
  Language names_;
  Language texts_;
  std::vector<Entry> entries_;
  std::map<Guid, std::shared_ptr<const V2Counterset>> countersets_;
  std::map<Guid, unsigned> failures_;
  std::vector<Error> problems_;
  std::uint64_t generation_ = 0;
  unsigned retries_ = 0;  // without success
};

}  // namespace winperf
