// Finds out which countersets a machine has, as cheaply as it allows.
//
// V1 objects are those in the reply to a query of everything. Where the system supports it, the
// reply has their definitions alone (MetadataGlobal, MetadataCostly), which costs a small part of
// collecting their values; a provider that can't deliver metadata delivers its whole objects, in
// the same reply. V2 countersets are enumerated by PerfLib; with it, V1 is asked for by the names
// that begin with OLD_, so that Windows doesn't translate V2 data that nobody looks at. Many are
// registered for products that don't run: one without an active instance is known, but not active.
// Where it isn't supported and nothing may be collected, V1 objects stay unknown: the gap is
// kUnsupported.
// A part that can't be read costs only itself and is reported, and the inventory isn't whole.
// Thread rule: one thread.
// Source: Learn, "Using the Registry Functions to Consume Counter Data".
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "collectors/base/clock.h"
#include "collectors/base/stop.h"
#include "collectors/model/inventory.h"
#include "collectors/sources/perflib_source.h"
#include "collectors/sources/source.h"

namespace winperf {

struct DiscoveryScope {
  bool costly = false;                  // also objects that are expensive to collect
  bool metadata_alone = false;          // nothing is collected merely to see which V1 objects exist
  Language names = Language::kEnglish;  // in which countersets are looked for, besides English
  // Names of which it has to be known whether the machine has them: if the name table has one that
  // no reply has shown, it may be expensive, and their definitions are asked for.
  std::vector<std::string> wanted{};
};

// `perflib` may be null. The error is that of the query for V1 objects; without it, an inventory
// may still lack what its problems are about.
[[nodiscard]] std::expected<Inventory, Error> take_inventory(CounterSource& registry,
                                                             PerflibSource* perflib,
                                                             const DiscoveryScope& scope,
                                                             const ClockSource& clocks,
                                                             const StopToken& stop);

// Adds what another machine of the same recording has, by name.
void add_to(Inventory& inventory, const Inventory& more);

// Adds to an inventory that isn't whole what an earlier one has and it lacks: it may be there. What
// is there by another key meanwhile, because PerfLib doesn't list its countersets, keeps the key
// that it had.
void keep_unseen(Inventory& now, const Inventory& before);

}  // namespace winperf
