// Reads a table. It is about one collector of the other exporter. A line that begins with # is a
// comment. The first line says whose metrics these are. In the table that stands for the collector,
// what it reads follows (collector_line.h). The others come in blocks, each about one counterset or
// several with the same counters:
//
//   collector cpu
//
//   object SQLServer:Locks | mssql_instance="MSSQLSERVER"   the counterset's English name; after |
//                                                           labels of all its series
//   object MSSQL${mssql_instance}:Locks                     {label}: that part is a label
//   instance {process}#{}       which part of an instance's name becomes which label
//                               (name_template.h); of several lines
//   instance {process}          the first one that fits counts. An instance that fits none has no
//                               series
//   only first                  instead: only the first instance counts, or that of this name; it
//                               has no label of its own
//   skip Services               an instance that is left out; so are totals
//   process_id                  each series has a label process_id
//   value_label LABEL = COUNTER each series has a label with the value of a counter
//
// Then its rows: metric | type | counter | value | labels | note. What is empty at the end may be
// left out.
//   type     counter or gauge
//   counter  its English name; A (or) B: the first one that there is; A (+) B, A (-) B: sum and
//            difference; A (:) B: the upper and the lower 32 bits of one number; - : none
//   value    nothing: timers of 100 ns and elapsed times in seconds, other numbers as they are.
//            raw: the number as it is. seconds: ticks of the counter's clock. base: the second
//            number. rest: that less the first one. ratio: the first one divided by it. start: when
//            an elapsed time began.
//            These may be followed by * NUMBER or / NUMBER, then + NUMBER or - NUMBER.
//            state N: 1 where the number is N, else 0. instances: how many there are. A NUMBER:
//            just that
//   labels   mode="idle",origin="ldap"
//   note     what differs from the other exporter, for docs/windows-exporter-names.md
//
// Every line that is not of this form is a problem, and the others are read all the same. Thread
// rule: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "exporter/profiles/compile/table.h"

namespace winperf::tables {

Table read_table(std::string file, std::string_view text, Problems& problems);

}  // namespace winperf::tables
