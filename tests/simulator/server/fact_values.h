// What the simulated server's facts and its counters both say, such as process ids and free memory,
// facts.json takes from the counters. A field's value there is a text, a number, or one of
//   {"of": [OBJECT, INSTANCE, COUNTER]}     a raw value; with "times" and "plus", so many times it,
//                                           and so much more; with "text": true, as a text
//   {"began": [OBJECT, INSTANCE, COUNTER]}  the FILETIME of an elapsed time, as Unix seconds
//   {"after_start": SECONDS}                of the server, as Unix seconds
// INSTANCE is empty for an object without instances, and "name#1" for the second one of a name.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tests/simulator/server/rows.h"

namespace winperf::simulator {

// Gives the rows of one topic the values that they have at a moment. Throws std::out_of_range for
// what the server doesn't have.
void fill_in(nlohmann::json& rows, const ServerData& data, const ServerMoment& moment);

}  // namespace winperf::simulator
