// The V2 countersets of a machine: their names, and on demand everything that their providers have
// registered about them. Catalog is the counterpart for the registry's names.
//
// Names are English if the system has them (also on old systems, which know English only as a
// language), because metrics are named after them; the machine's language serves to look names up.
// An unreadable or corrupt part is reported, and nothing else is lost: a counterset without a
// readable name is found by its GUID, a counter without one is shown by its id. The system doesn't
// report changes: refresh() compares the list of GUIDs.
//
// A name that the system failed to give (it is short of resources, its RPC is busy) is different
// from one that doesn't exist: another language's name doesn't replace it, and retry_names()
// requests it again, up to kMaxRetries times in a row. After that only refresh() requests it.
// Thread rule: one thread. Source: Learn, PerfQueryCounterSetRegistrationInfo.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/model/error.h"
#include "collectors/model/guid.h"
#include "collectors/sources/perflib_source.h"
#include "collectors/sources/source.h"
#include "collectors/wire/v2/registration.h"

namespace winperf {

// One counterset as its provider registered it. Texts are in the catalog's language for texts.
struct V2Counterset {
  v2::CountersetRegistration registration;
  std::string name;  // empty if it has none
  std::string help;
  std::string provider_name;
  Guid provider{};
  std::map<std::uint32_t, std::string> counter_names;  // by id
  // The same in the machine's language, if countersets are looked up in it.
  std::map<std::uint32_t, std::string> local_counter_names{};
  std::map<std::uint32_t, std::string> counter_helps;
  std::vector<Error> problems;  // parts that couldn't be read
};

// Whether a sample of one continues a sample of the other.
bool same_registration(const V2Counterset& a, const V2Counterset& b);

class V2Catalog {
 public:
  using Listener = std::function<void(const Guid& counterset, RegistrationInfo info,
                                      std::uint32_t argument, std::span<const std::byte> reply)>;

  // `names`: the language, in addition to English, in which countersets are looked up. `texts`: the
  // language of their names and descriptions; English for everything that becomes a metric.
  // `listener` gets each registration that is read. `source` outlives the catalog.
  V2Catalog(PerflibSource& source, Language names, Language texts = Language::kEnglish,
            Listener listener = {})
      : source_(source), names_(names), texts_(texts), listener_(std::move(listener)) {}

  static constexpr unsigned kMaxRetries = 6;

  // Reads the list of countersets again; registrations are read when they are next needed. If the
  // list is the same, known names are kept and the others requested again. generation() grows if
  // the list or a name has changed. After an error the old list holds.
  [[nodiscard]] std::expected<void, Error> refresh();

  // The error of a name that the system failed to give and that is worth another attempt.
  std::optional<Error> failed_name() const;
  // Requests these names again.
  void retry_names();
  // Errors with names since the last call.
  std::vector<Error> take_problems() { return std::exchange(problems_, {}); }

  struct Entry {
    Guid guid;
    std::string name;            // English; empty if it can't be read
    std::string local_name;      // in the machine's language, if that is looked up
    std::optional<Error> error;  // why one of them can't be read
  };
  const std::vector<Entry>& entries() const { return entries_; }  // in the system's order
  // By English name, local name (ASCII case doesn't matter in either) or GUID.
  std::vector<Guid> named(std::string_view name) const;
  std::uint64_t generation() const { return generation_; }

  // Read when it is first needed, then kept. An error isn't kept, nor is a counterset whose names
  // the system failed to give; after kMaxRetries such failures it is used without them.
  [[nodiscard]] std::expected<std::shared_ptr<const V2Counterset>, Error> counterset(
      const Guid& guid);

 private:
  [[nodiscard]] std::expected<Bytes, Error> ask(const Guid& guid, RegistrationInfo info,
                                                std::uint32_t argument);
  [[nodiscard]] std::expected<V2Counterset, Error> read_counterset(const Guid& guid);
  // Counts the failures with the names of a counterset and its counters.
  bool is_worth_another_try(const Guid& guid, const Error& error);
  // With its names read again; a name that can't be read stays as it was.
  Entry read_entry(Entry entry);
  // Of the entries whose error `wanted` accepts.
  template <class Wanted>
  void read_names_again(Wanted wanted);

  PerflibSource& source_;
  Language names_;
  Language texts_;
  Listener listener_;
  std::vector<Entry> entries_;
  std::map<Guid, std::shared_ptr<const V2Counterset>> countersets_;
  std::map<Guid, unsigned> failures_;
  std::vector<Error> problems_;
  std::uint64_t generation_ = 0;
  unsigned retries_ = 0;  // without success
};

}  // namespace winperf
