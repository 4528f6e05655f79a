// A server that has every trouble that the shipped alerts know: the file troubles.txt says what is
// different in the others of this folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace winperf {

std::string_view server_troubles();  // the text of troubles.txt

namespace simulator {

enum class Health : std::uint8_t { kWell, kTroubled };

// The text of a file of this folder, of a server in that health. In troubles.txt a line "FILE"
// begins what is different in that file: "- OLD" and then "+ NEW", of which OLD stands there just
// once. Throws std::out_of_range for one that doesn't.
std::string in_health(Health health, std::string_view file, std::string_view text);

}  // namespace simulator
}  // namespace winperf
