// The 16 bytes that identify a V2 counterset or provider, as Windows stores them: a 32-bit and two
// 16-bit little-endian integers, then eight bytes. Source: guiddef.h. Thread rule: values.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace winperf {

struct Guid {
  static constexpr std::size_t kBytes = 16;
  std::array<std::uint8_t, kBytes> bytes{};
  auto operator<=>(const Guid&) const = default;
};

// "{b4fc721a-0378-476f-89ba-a5a79f810b36}", in lower case.
std::string to_string(const Guid& guid);

// With or without braces, in any case; empty if the text is anything else.
std::optional<Guid> parse_guid(std::string_view text);

}  // namespace winperf
