#include "collectors/provider/library_head.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <system_error>

#include "collectors/base/hex.h"
#include "collectors/base/path_text.h"

namespace winperf {
namespace {

constexpr std::uint16_t kDosSignature = 0x5A4D;     // "MZ"
constexpr std::uint32_t kPeSignature = 0x00004550;  // "PE\0\0"

}  // namespace

std::expected<ByteView, Error> pe_header(const ByteView& file) {
  const auto dos = file.read(pe::dos_header::kMagic);
  if (!dos) return std::unexpected(dos.error());
  if (*dos != kDosSignature)
    return std::unexpected(file.error(ErrorCode::kBadSignature, *dos, kDosSignature));
  const auto offset = file.read(pe::dos_header::kHeaderOffset);
  if (!offset) return std::unexpected(offset.error());
  const auto proved = file.slice(*offset, pe::header::kBytesToMachine, file.where());
  if (!proved) return std::unexpected(proved.error());
  const auto signature = proved->get(pe::header::kSignature);
  if (signature != kPeSignature)
    return std::unexpected(proved->error(ErrorCode::kBadSignature, signature, kPeSignature));
  return file.from(*offset, file.where());
}

std::expected<PeMachine, Error> pe_machine(std::span<const std::byte> bytes) {
  const auto header = pe_header(ByteView(bytes, "library"));
  if (!header) return std::unexpected(header.error());
  return PeMachine{header->get(pe::header::kMachine)};
}

std::string describe(PeMachine machine) {
  switch (machine) {
    case PeMachine::kX86:
      return "32-bit (x86)";
    case PeMachine::kArm:
      return "32-bit (ARM)";
    case PeMachine::kX64:
      return "64-bit (x64)";
    case PeMachine::kArm64:
      return "64-bit (ARM64)";
  }
  return "machine " + hex(static_cast<std::uint16_t>(machine));
}

bool is_32_bit(PeMachine machine) {
  return machine == PeMachine::kX86 || machine == PeMachine::kArm;
}

std::string_view name_of(Signing signing) {
  static constexpr std::array<std::string_view, 4> kNames{"none", "not_embedded", "embedded",
                                                          "catalog"};
  return kNames.at(static_cast<std::size_t>(signing));
}

std::string describe(const Signature& signature) {
  if (signature.signing == Signing::kNone) return "not signed";
  if (signature.signing == Signing::kNotEmbedded) return "no embedded signature";
  std::string text = signature.signer.empty() ? "unknown signer" : signature.signer;
  if (signature.signing == Signing::kCatalog) text += " (catalog)";
  if (!signature.is_verified) text += " (not verified)";
  return text;
}

std::string version_text(std::uint32_t high, std::uint32_t low) {
  constexpr std::uint32_t kPart = 0xFFFF;
  constexpr int kPartBits = 16;
  return std::to_string(high >> kPartBits) + '.' + std::to_string(high & kPart) + '.' +
         std::to_string(low >> kPartBits) + '.' + std::to_string(low & kPart);
}

std::string_view name_of(PerfHost state) {
  static constexpr std::array<std::string_view, 4> kNames{"running", "stopped", "disabled",
                                                          "absent"};
  return kNames.at(static_cast<std::size_t>(state));
}

namespace {

// Linkers put the header with the machine into the first few hundred bytes.
constexpr std::size_t kHeadBytes = 64U << 10;

std::unexpected<Error> failure(ErrorCode code, const std::error_code& error = {}) {
  return std::unexpected(Error{
      .code = code, .where = "library", .os_code = static_cast<std::uint32_t>(error.value())});
}

}  // namespace

void OpenedLibrary::read_up_to(std::size_t size) {
  const std::size_t before = head.size();
  head.resize(std::max(before, size));
  stream.read(reinterpret_cast<char*>(head.data() + before),
              static_cast<std::streamsize>(head.size() - before));
  head.resize(before + static_cast<std::size_t>(stream.gcount()));
}

std::expected<OpenedLibrary, Error> open_library(const std::filesystem::path& path) {
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  if (type == std::filesystem::file_type::not_found) return failure(ErrorCode::kNoSuchFile);
  if (error == std::errc::permission_denied) return failure(ErrorCode::kAccessDenied, error);
  if (error) return failure(ErrorCode::kOsError, error);
  if (type != std::filesystem::file_type::regular) return failure(ErrorCode::kUnsupported);
  OpenedLibrary library{.stream = std::ifstream(path, std::ios::binary)};
  // The stream gives no reason why a regular file can't be opened; usually it is the ACL.
  if (!library.stream) return failure(ErrorCode::kAccessDenied);
  library.read_up_to(kHeadBytes);
  return library;
}

LibraryHead read_library_head(const std::filesystem::path& path) {
  LibraryHead library{.path = path_text(path)};
  const auto opened = open_library(path);
  if (!opened) {
    library.is_missing = opened.error().code == ErrorCode::kNoSuchFile;
  } else if (const auto machine = pe_machine(opened->head)) {
    library.machine = *machine;
  }
  return library;
}

bool needs_perf_host(const LibraryHead& library) {
  return library.machine && is_32_bit(*library.machine);
}

}  // namespace winperf
