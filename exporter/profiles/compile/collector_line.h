// What a collector is: the lines at the beginning of its table, in any order.
//
//   default                     it runs without any setting
//   older NAME                  a collector that older versions had for the same
//   older NAME | part="X"       for this part alone
//   reads OBJECT                whose instances all are read
//   reads A (or) B              the first one that the machine has
//   reads OBJECT | OPTIONS      include="KEY",exclude="KEY": the collector's options that select
//                               from its instances; prefix="PATTERN": what precedes the names that
//                               they match; part="X": its word in the option "enabled"
//   topic NAME | OPTIONS | NOTE a topic of facts (collectors/model/fact_topic.h), in the same way.
//                               The note says what it needs that the service doesn't have
//   also NAME                   instead: a topic that is told by the metrics of another collector
//   missing TEXT | OPTIONS      what it serves and this program doesn't, and what to do instead;
//                               part="X",default="off": a part that doesn't run by default
//   reports_parts               it has metrics about each part
//
// Texts of notes and of what is missing are parts of sentences. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "exporter/profiles/compile/table.h"

namespace winperf::tables {

// Nothing if the line says something else, or else what is wrong with it, which may be empty.
std::optional<std::string> read_collector_line(std::string_view line, std::size_t number,
                                               Table& table);

}  // namespace winperf::tables
