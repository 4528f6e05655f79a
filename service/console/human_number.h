// Numbers for people. Thread rule: pure functions.
#pragma once

#include <string>

namespace winperf {

// "6.23 GiB", "512 B"; a negative number keeps its sign.
std::string human_bytes(double bytes);

// "12 d 4 h", "3 h 5 min", "2 min 5 s", "1.5 s".
std::string human_seconds(double seconds);

// "6,691,321", "12.35", "0.0042": three digits after those in front of the point are enough, and
// thousands are separated.
std::string human_number(double number);

}  // namespace winperf
