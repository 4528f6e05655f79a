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

// The fields that are read. The offset of each counts from the start of its structure.
namespace pe {

namespace dos_header {  // IMAGE_DOS_HEADER
inline constexpr Field<std::uint16_t> kMagic{0};
inline constexpr Field<std::uint32_t> kHeaderOffset{60};  // of the PE header
}  // namespace dos_header

namespace header {  // the PE header: signature, IMAGE_FILE_HEADER, optional header, sections
inline constexpr Field<std::uint32_t> kSignature{0};
inline constexpr Field<std::uint16_t> kMachine{4};
inline constexpr Field<std::uint16_t> kSectionCount{6};
inline constexpr Field<std::uint16_t> kOptionalHeaderBytes{20};
inline constexpr std::size_t kBytesToMachine = 6;
inline constexpr std::size_t kOptionalHeader = 24;
}  // namespace header

namespace optional_header {  // IMAGE_OPTIONAL_HEADER32 and 64, which differ after this field
inline constexpr Field<std::uint16_t> kMagic{0};
}  // namespace optional_header

namespace section {  // IMAGE_SECTION_HEADER
inline constexpr Field<std::uint32_t> kAddress{12};
inline constexpr Field<std::uint32_t> kFileBytes{16};
inline constexpr Field<std::uint32_t> kFileOffset{20};
inline constexpr std::uint64_t kBytes = 40;
}  // namespace section

namespace exports {  // IMAGE_EXPORT_DIRECTORY; arrays are addresses
inline constexpr Field<std::uint32_t> kFunctionCount{20};
inline constexpr Field<std::uint32_t> kNameCount{24};
inline constexpr Field<std::uint32_t> kFunctions{28};
inline constexpr Field<std::uint32_t> kNames{32};
inline constexpr Field<std::uint32_t> kOrdinals{36};
inline constexpr std::uint64_t kBytes = 40;
}  // namespace exports

}  // namespace pe

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
