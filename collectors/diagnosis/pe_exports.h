// The names of the functions that a DLL exports, from the bytes of its file.
//
//   PE header    "PE\0\0" | file header (20 bytes) | optional header | one header per section
//   optional     32-bit 0x10B or 64-bit 0x20B; its first data directory leads to the export table
//   export table counts, and the addresses of three arrays: functions, names, and for each name the
//                function's place among the functions
//   addresses    are those of the loaded image; the section headers say where they are in the file
//
// A forwarded function (whose address leads to text, "OTHER.Function") is exported like any other;
// whether its target exists is not looked at. A name whose function does not exist is not exported.
// Validated: every structure and array lies within the bytes given and, behind the headers, within
// one section; a name is printable ASCII and ends within its section. A name that is not costs
// itself alone.
// Errors: kTruncated, kBadSignature, kBadOffset (an address outside of all sections),
// kLimitExceeded (more names than their 16-bit places can tell apart); of a name also kBadText.
// Thread rule: any thread.
// Source: winnt.h, IMAGE_EXPORT_DIRECTORY and its neighbours; Learn, "PE Format".
#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/error.h"

namespace winperf {

struct PeExports {
  std::vector<std::string> names{};
  // Names that can't be read, and why the first of them.
  std::size_t unreadable = 0;
  std::optional<Error> error{};
};

// No names where the file exports nothing.
std::expected<PeExports, Error> pe_exports(std::span<const std::byte> bytes);

// Whether an exported name is what a compiler or linker has made of a function's plain name. The
// system looks for a provider's functions by their plain names and does not find such a one.
//
//   _Open@4, Open@4, @Open@4, _Open    C of 32 bits: __stdcall, __fastcall, __cdecl
//   ?Open@@YAKPEAG@Z                   C++ by Microsoft's compiler
//   _Z4OpenPw, __Z4OpenPw@4            C++ by GCC and Clang
//
// What is taken for one consists of letters, digits and _ ? @ $ . alone, so that it can be shown.
// Source: Learn, "Decorated names"; the Itanium C++ ABI, "Mangling".
bool is_decorated(std::string_view exported, std::string_view plain);

}  // namespace winperf
