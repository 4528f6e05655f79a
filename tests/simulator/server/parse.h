// Reads the files *.counters of this folder: what the simulated server has.
//
// One statement a line; a line that begins with # is a comment. Columns are separated by |.
//
//   table volumes | size | free            instances that countersets share, and what they have
//   row C: | 130000 | 41000                a number or a word for each column; may be empty
//
//   service PerfDisk                       the V1 objects that follow are this service's
//   provider Contoso-Storage | GUID        the V2 countersets that follow are this provider's
//   object 236 LogicalDisk                 V1: its title index; without one, one is assigned
//   object SMB Server Shares | GUID        V2; without a GUID, one is made of the name
//   instances volumes                      one for each row; without it, the object has none
//   instances processes | with pool | named {pid}_{pool}    only rows that have something in a
//                                          column; names made of columns, and {name} of the row
//   instances volumes | named {disk} | grouped    rows with the same name are one instance, which
//                                          has what they have together
//   like Processor Information             counters of the same names move like those there
//   total _Total                           an instance that adds up the others
//   total _Total | mean times              ... with the mean of percentages of time
//   total _Total | mean all                ... and of all that is no running total
//   rest Idle | % Privileged Time | 8 | % Processor Time    this counter of Idle is 8 times the
//                                          elapsed time, without the other's sum in all others
//   counter 408 % Free Space | PERF_RAW_FRACTION | level free 1.01*free | base constant size
//                                          name, type as winperf.h names it, movement, and that of
//                                          the base; the numbers are title indices or counter ids
//
// Movements, with AMOUNT as a number (12, 0.5, 1/3600), a column, or a product (0.2*size*load):
//   constant AMOUNT                        always that much
//   level AMOUNT AMOUNT                    up and down between the two; never below 0
//   rate AMOUNT                            a running total that grows by so much a second
//   share AMOUNT                           a running total of time, for so much of the time: 0.2
//   uptime                                 seconds since the instance began
//   started                                when it began, for PERF_ELAPSED_TIME
//   as NAME (+) 0.5 * NAME (-) ticks       other counters of the object, added up; "ticks" is the
//                                          time since the instance began
//   of NAME                                only for a base: the base of that counter
//
// Columns with a meaning: pid is the process id, started the seconds after the machine's start when
// the instance began, restarts the seconds after which it begins anew, with another process id,
// and lasts those after which it is gone, until it begins anew.
//
//   each sql load                          the lines as far as "end", once for each "with", with
//   with SQLServer | 1                     these words in the place of {sql} and {load}
//   with MSSQL$PAYROLL | 0.2
//   end
//
// Tables come before what uses them, counters may come after it. Thread rule: any thread.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "tests/simulator/server/server_data.h"

namespace winperf::simulator {

struct ServerText {
  std::string_view file;
  std::string_view text;
};

// The error is "FILE:LINE: what is wrong".
std::expected<ServerData, std::string> parse_server(std::span<const ServerText> texts);

}  // namespace winperf::simulator
