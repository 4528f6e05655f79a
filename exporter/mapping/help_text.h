// HELP of metric families: what the counter is, how the number was computed, and where it comes
// from. "Bytes received (running total in bytes). [Network Interface\Bytes Received/sec, ...]"
//
// What a counter is, is said by the system's text, whose first sentence comes first; without one by
// our table (exporter/profiles/counter_help.h), and otherwise by the counter's name. Texts of the
// system come from providers: they are put on one line of bounded length; the page escapes them.
// Thread rule: pure functions.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "collectors/model/sample.h"
#include "exporter/mapping/family.h"

namespace winperf {

// What a family shows of its counter.
struct Meaning {
  ValueSource source = ValueSource::kRaw;
  std::string_view suffix{};             // of the family's name, which has its unit
  std::string_view label{};              // of a family that counters share
  std::chrono::milliseconds interval{};  // between two samples; 0 if it isn't known
};

// "rate per second between the last two samples, 5 s apart"
std::string meaning_of(const Meaning& meaning);

HelpText text_of_counter(const CountersetSchema& schema, const CounterSchema& counter);
// Of one that shares a family with others of the same words: the lead is about all of them, and the
// counter's text is in the origin.
HelpText text_of_part(const CountersetSchema& schema, const CounterSchema& counter,
                      std::string_view words);
// Of the counter's base. `unit` is that of the family.
HelpText text_of_base(const CountersetSchema& schema, const CounterSchema& counter,
                      ValueSource source, std::string_view unit);
// Of the metric of another exporter. With labels, others may share it.
HelpText text_of_row(const CountersetSchema& schema, const CounterSchema& counter,
                     const ProfileRow& row);
// Of one that isn't about a counter.
HelpText text_of_object(const CountersetSchema& schema, bool counts_instances);

}  // namespace winperf
