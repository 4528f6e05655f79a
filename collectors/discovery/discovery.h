// Discovery: finds the countersets of a machine, as cheaply as possible.
//
// V1 objects are those in the reply to a query of everything. Where the system supports it, the
// reply has only their definitions (MetadataGlobal, MetadataCostly), which costs a small part of
// collecting their values; a provider that can't deliver metadata delivers its whole objects, in
// the same reply. V2 countersets are enumerated by PerfLib; with it, V1 is requested by the names
// that begin with OLD_, so that Windows doesn't translate V2 data that isn't used. Many are
// registered for products that don't run: one without an active instance is known, but not active.
// Without metadata support, and if nothing may be collected, V1 objects stay unknown: the gap is
// kUnsupported. An unreadable part is reported, and makes the inventory incomplete. Thread rule:
// one thread. Source: Learn, "Using the Registry Functions to Consume Counter Data".
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
  bool metadata_alone = false;          // never collects values to find V1 objects
  Language names = Language::kEnglish;  // language of countersets, in addition to English
  // Names to search for: if the name table has one that no reply has shown, it may be expensive,
  // and the definitions of expensive objects are requested, too.
  std::vector<std::string> wanted{};
};

// `perflib` may be null. The error is that of the query for V1 objects; without it, an inventory
// may still lack countersets because of its problems.
[[nodiscard]] std::expected<Inventory, Error> take_inventory(CounterSource& registry,
                                                             PerflibSource* perflib,
                                                             const DiscoveryScope& scope,
                                                             const ClockSource& clocks,
                                                             const StopToken& stop);

// Adds the countersets of another machine of the same recording, by name.
void add_to(Inventory& inventory, const Inventory& more);

// Adds the countersets of an earlier inventory to an incomplete one, because they may still exist.
// A counterset that now has another key, because PerfLib doesn't list it, keeps its earlier key.
void keep_unseen(Inventory& now, const Inventory& before);

}  // namespace winperf
