// The values of a sample as a table for people: object, instance, counter, perfmon's number.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "collectors/model/sample.h"

namespace winperf {

void append_table(std::string& out,
                  std::span<const std::shared_ptr<const CountersetSample>> samples);

}  // namespace winperf
