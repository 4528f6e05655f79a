// Reads which machine a Windows executable or DLL was built for, from the first bytes of its file.
//
//   0     "MZ"
//   60    offset of the PE header (32 bits)
//   PE    "PE\0\0" | Machine (16 bits) | ...
//
// Validated: both signatures, and that the header's first six bytes lie within the bytes given.
// Nothing after Machine is examined: a file that is damaged further on still has a machine. Errors:
// kTruncated, kBadSignature.
// Thread rule: any thread.
// Source: winnt.h, IMAGE_DOS_HEADER and IMAGE_FILE_HEADER; Learn, "PE Format".
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>

#include "collectors/model/error.h"
#include "collectors/wire/byte_view.h"

namespace winperf {

enum class PeMachine : std::uint16_t {
  kX86 = 0x014C,
  kArm = 0x01C4,  // Thumb-2
  kX64 = 0x8664,
  kArm64 = 0xAA64,
};

// The bytes from the PE signature on; the first six of them exist.
[[nodiscard]] std::expected<ByteView, Error> pe_header(const ByteView& file);
[[nodiscard]] std::expected<PeMachine, Error> pe_machine(std::span<const std::byte> bytes);

// "32-bit (x86)", "64-bit (x64)", ...; for any other number, "machine 0x1234".
std::string describe(PeMachine machine);
bool is_32_bit(PeMachine machine);

}  // namespace winperf
