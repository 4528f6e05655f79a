// The date of an answer. Thread rule: pure function. Source: RFC 9110, section 5.6.7.
#pragma once

#include <chrono>
#include <string>

namespace winperf {

// "Sun, 06 Nov 1994 08:49:37 GMT"
std::string http_date(std::chrono::system_clock::time_point time);

}  // namespace winperf
