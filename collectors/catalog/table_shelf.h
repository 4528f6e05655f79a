// Name tables that several machines have in common, each in memory once. A Windows has some
// thousand names with as many explanations, and machines of the same version have the same.
//
// Two tables are the same if their contents are, so that no machine can give another one its names.
// Thread rule: any thread.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

#include "collectors/wire/name_table.h"

namespace winperf {

class TableShelf {
 public:
  // The table itself, or an equal one that somebody still has.
  std::shared_ptr<const NameTable> share(NameTable table);
  // How many there are, as far as is known.
  std::size_t size() const;

 private:
  mutable std::mutex mutex_;
  std::multimap<std::size_t, std::weak_ptr<const NameTable>> tables_;  // by a number of the content
};

// The shelf of this process.
TableShelf& table_shelf();

}  // namespace winperf
