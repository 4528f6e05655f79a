// Reads the names of the functions that a DLL exports, from the bytes of its file.
//
//   PE header    "PE\0\0" | file header (20 bytes) | optional header | one header per section
//   optional     32-bit 0x10B or 64-bit 0x20B; its first data directory leads to the export table
//   export table counts, and the addresses of three arrays: functions, names, and for each name the
//                function's ordinal, its index in the array of functions
//   addresses    are those of the loaded image; the section headers say where they are in the file
//
// A forwarded function (whose address leads to text, "OTHER.Function") is exported like any other;
// its target isn't examined. A name whose function doesn't exist is not exported.
// Validated: every structure and array lies within the bytes given and, after the headers, within
// one section; a name is printable ASCII and ends within its section. A bad name costs only itself.
// Errors: kTruncated, kBadSignature, kBadOffset (an address outside all sections), kLimitExceeded
// (more names than 16-bit ordinals allow); for a name also kBadText. Thread rule: any thread.
// Source: winnt.h, IMAGE_EXPORT_DIRECTORY and its neighbours; Learn, "PE Format".
#pragma once

#include <cstddef>
#include <expected>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/error.h"
#include "collectors/provider/library_head.h"
#include "collectors/provider/registration.h"

namespace winperf {

struct PeExports {
  std::vector<std::string> names{};
  // The number of unreadable names, and the error of the first.
  std::size_t unreadable = 0;
  std::optional<Error> error{};
};

// Without names if the file exports nothing.
[[nodiscard]] std::expected<PeExports, Error> pe_exports(std::span<const std::byte> bytes);

// Whether an exported name is a function's plain name as decorated by a compiler or linker. The
// system finds a provider's functions by their plain names, so it doesn't find such a function.
//
//   _Open@4, Open@4, @Open@4, _Open    C of 32 bits: __stdcall, __fastcall, __cdecl
//   ?Open@@YAKPEAG@Z                   C++ by Microsoft's compiler
//   _Z4OpenPw, __Z4OpenPw@4            C++ by GCC and Clang
//
// Only names of letters, digits and _ ? @ $ . count, so that they can be shown.
// Source: Learn, "Decorated names"; the Itanium C++ ABI, "Mangling".
[[nodiscard]] bool is_decorated(std::string_view exported, std::string_view plain);

// The file at a path. For a readable file: the machine type that it was built for, and the
// functions that it exports, or the errors.
struct LibraryFile {
  Access access = Access::kUnknown;
  std::optional<PeMachine> machine{};
  std::optional<Error> error{};
  std::optional<PeExports> exports{};
  std::optional<Error> exports_error{};
};

// Examines the file that a provider's Library value names, without loading it. Only a regular file
// is opened. Of a file larger than 64 MiB only the first 64 KiB are read, so its exported functions
// stay unknown (kLimitExceeded).
[[nodiscard]] LibraryFile inspect_library(const std::filesystem::path& path);

}  // namespace winperf
