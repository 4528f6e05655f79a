// Reads countersets through the registry and, at the same moments, through Windows' own PDH, and
// reports what differs: compare_with_pdh() finds it. `verify --with pdh` uses it.
//
// For each counterset: ours, PDH, ours; the same again a second later; both moments are compared. A
// difference counts only if each of several rounds shows it, because values may change between two
// readings. The record of the last round has all that PDH said (pdh_record.h). Errors: those of the
// readers and of PdhApi, as part of the result. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectors/base/clock.h"
#include "collectors/base/stop.h"
#include "collectors/catalog/catalog.h"
#include "collectors/pdh/pdh_api.h"
#include "collectors/pdh/pdh_comparison.h"
#include "collectors/pdh/pdh_record.h"
#include "collectors/sampling/registry/registry_reader.h"
#include "collectors/sources/source.h"

namespace winperf {

struct VerifiedByPdh {
  std::string name;
  // Why a side has no values. If neither has any, they agree.
  std::optional<Error> registry_error{};
  std::optional<Error> pdh_error{};
  std::string not_compared{};  // why PDH can't be asked for it; empty otherwise
  PdhComparison comparison{};
  std::optional<PdhRecord> record{};
  std::vector<Error> problems{};

  bool delivered() const { return !registry_error && !pdh_error && not_compared.empty(); }
  bool agrees() const {
    return registry_error.has_value() == pdh_error.has_value() && comparison.differences.empty();
  }
};

class PdhVerifier {
 public:
  // All must outlive the verifier. `readers` says which processes read at the moment.
  PdhVerifier(CounterSource& registry, CatalogKeeper& catalog, PdhApi& pdh, ClockSource clocks,
              std::size_t rounds, std::function<ReadingProcesses()> readers = {})
      : registry_(registry),
        catalog_(catalog),
        pdh_(pdh),
        clocks_(std::move(clocks)),
        rounds_(rounds),
        readers_(std::move(readers)) {}

  // `name`: the object's English name, or its title index.
  [[nodiscard]] VerifiedByPdh verify(const std::string& name, const StopToken& stop);

  // An object that isn't verified though it could be: it isn't one of the others, as far as the
  // catalog knows its name in the machine's language.
  void leave_out(const std::string& name);

  // The objects that PDH lists beside those that were verified, which isn't a difference: it also
  // lists some whose providers don't run. In the machine's language.
  [[nodiscard]] std::expected<std::vector<std::string>, Error> other_objects();

  // The verified objects, with values from PDH, that are missing from what objects() said.
  [[nodiscard]] std::vector<std::string> unlisted_among(
      const std::vector<std::string>& listed) const;

  // Asks PDH alone for one collection of an object that we have no values of. Nothing if PDH has
  // any; otherwise why not.
  [[nodiscard]] std::optional<Error> ask_without_ours(const std::string& name);

 private:
  VerifiedByPdh compare_once(const std::string& name, const StopToken& stop);
  // By the catalog, where it knows the name.
  PdhObject object_called(const std::string& name) const;
  [[nodiscard]] std::optional<Error> open(PdhRecord& record);

  CounterSource& registry_;
  CatalogKeeper& catalog_;
  PdhApi& pdh_;
  ClockSource clocks_;
  std::size_t rounds_;
  std::function<ReadingProcesses()> readers_;
  std::vector<std::string> objects_;    // that were verified, as PDH lists them
  std::vector<std::string> delivered_;  // of objects_: those with values
  std::vector<ObjectIndex> left_out_;
};

}  // namespace winperf
