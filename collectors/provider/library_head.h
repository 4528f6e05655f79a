// Facts about a provider's library without loading it: its path, the machine that it was built for,
// and its origin. Only a regular file is opened, and its first 64 KiB are read. Validated: see
// pe_machine(). Thread rule: any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/error.h"
#include "collectors/wire/byte_view.h"

namespace winperf {

// Reads the machine type that a Windows executable or DLL was built for, from the first bytes of
// its file.
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

// PerfHost, the Performance Counter DLL Host: the service through which Windows reads 32-bit
// providers for 64-bit programs. It is started manually or on demand, unless it is disabled. Thread
// rule: any thread. win/ and posix/ implement read_perf_host().
enum class PerfHost : std::uint8_t { kRunning, kStopped, kDisabled, kAbsent };

// "running", "stopped", "disabled", "absent".
[[nodiscard]] std::string_view name_of(PerfHost state);

// Its state according to the service manager; nothing if unknown.
[[nodiscard]] std::optional<PerfHost> read_perf_host();

// A library's file, with its first bytes; the stream is positioned after them.
struct OpenedLibrary {
  std::ifstream stream;
  std::vector<std::byte> head{};

  // Reads on until `head` has `size` bytes or the file ends.
  void read_up_to(std::size_t size);
};

// Errors: kNoSuchFile, kAccessDenied, kOsError (os_code), kUnsupported (it is no regular file).
[[nodiscard]] std::expected<OpenedLibrary, Error> open_library(const std::filesystem::path& path);

struct LibraryHead {
  std::string path{};  // of the file, if found
  bool is_missing = false;
  std::optional<PeMachine> machine{};  // nothing: it can't be read, or is no Windows library
};

[[nodiscard]] LibraryHead read_library_head(const std::filesystem::path& path);

// Whether no process of this program, which has 64 bits, can load it, but Windows reads its
// provider through another one (PerfHost).
[[nodiscard]] bool needs_perf_host(const LibraryHead& library);

// The origin of a library: its version and its signer. This reads the whole file, checks
// certificates and may search the system's catalogs, so it isn't for each query. The network isn't
// used, and revocation isn't checked. The library isn't run: Windows parses the file. Thread rule:
// any thread. win/ and posix/ implement read_library_origin(). Source: Learn, "WinVerifyTrust",
// "CryptCATAdminEnumCatalogFromHash", "VS_FIXEDFILEINFO".
enum class Signing : std::uint8_t {
  kNone,         // neither the file nor a catalog of the system has a signature
  kNotEmbedded,  // the file has none; signatures in catalogs are unknown, or not verified
  kEmbedded,
  kCatalog,  // a catalog has one, which was verified
};

struct Signature {
  Signing signing = Signing::kNone;
  std::string signer{};      // the subject of its certificate; empty if unknown
  bool is_verified = false;  // Windows trusts it, and the file is unchanged
};

struct LibraryOrigin {
  std::optional<std::string> version{};  // "10.0.19041.1"
  std::optional<Signature> signature{};
};

// `path`: UTF-8.
[[nodiscard]] LibraryOrigin read_library_origin(const std::string& path);

// "none", "not_embedded", "embedded", "catalog".
[[nodiscard]] std::string_view name_of(Signing signing);
// For people: "Contoso Ltd.", "Microsoft Windows (catalog)", "not signed", ...
[[nodiscard]] std::string describe(const Signature& signature);

// The four parts of a file's version, as VS_FIXEDFILEINFO has them.
[[nodiscard]] std::string version_text(std::uint32_t high, std::uint32_t low);

}  // namespace winperf
