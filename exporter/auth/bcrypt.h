// bcrypt itself. CMake chooses bcrypt_xcrypt.cc, or bcrypt_none.cc for a build that has none.
// Thread rule: any thread.
#pragma once

#include <string>
#include <string_view>

namespace winperf {

bool has_bcrypt();

// `setting`: "$2y$10$" and a salt, and what follows is ignored. The same with the hash behind it.
// Empty if the setting is none, and always without bcrypt.
std::string bcrypt(std::string_view password, const std::string& setting);

}  // namespace winperf
