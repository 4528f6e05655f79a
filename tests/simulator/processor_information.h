// The "Processor Information" counterset with the GUID, ids and types of Windows.
// Source: Learn, "Using the PerfLib Functions to Consume Counter Data".
#pragma once

#include "tests/simulator/formula_provider.h"

namespace winperf::simulator {

extern const Guid kProcessorInformation;
extern const Guid kProcessorInformationProvider;

// Ids 0 to 28, 30 and 31; 27 is the base of 26 and 28.
CountersetDefinition processor_information();

// Two nodes of `processors` each: "_Total", "0,_Total", "0,0", "0,1", ..., "1,_Total", "1,0", ...
// Processor p is idle for 1/(p + 2) of the time.
FormulaProvider::Set processor_set(std::size_t processors);

}  // namespace winperf::simulator
