#include "collectors/model/no_value.h"

#include <array>

namespace winperf {

std::string_view name_of(NoValue reason) {
  // In the order of NoValue, which a test checks.
  static constexpr std::array<std::string_view, kNoValueCount> kNames{"",
                                                                      "first_sample",
                                                                      "counter_reset",
                                                                      "base_reset",
                                                                      "zero_interval",
                                                                      "clock_backwards",
                                                                      "zero_frequency",
                                                                      "zero_base",
                                                                      "no_base",
                                                                      "not_started",
                                                                      "type_changed",
                                                                      "unknown_type",
                                                                      "marked_unknown",
                                                                      "not_numeric",
                                                                      "bad_size",
                                                                      "out_of_block",
                                                                      "not_delivered",
                                                                      "not_aggregated"};
  return kNames.at(static_cast<std::size_t>(reason));
}

}  // namespace winperf
