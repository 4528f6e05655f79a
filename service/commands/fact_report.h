// What `facts` prints: topics with their state, or their rows. Thread rule: any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "collectors/facts/fact_state.h"
#include "config/config.h"
#include "service/console/look.h"

namespace winperf {

// One line for each topic, and the reasons and repairs of those that can't be read. `configured`:
// the topics that the service reads; `facts` may lack others, which are off.
std::string topics_to_table(const FactSnapshot& facts, std::span<const FactConfig> configured,
                            std::size_t most_columns = kUnlimitedColumns);

// The rows of each topic, of which wide columns are cut. A topic with one row is a list of its
// fields.
std::string facts_to_tables(const FactSnapshot& facts, std::span<const FactConfig> configured,
                            std::size_t most_columns = kUnlimitedColumns);

// A value as people read it: sizes with a unit, times as dates in UTC.
std::string shown_fact(FactTopic topic, std::string_view field, const FactValue& value);

}  // namespace winperf
