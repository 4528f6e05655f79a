#include "collectors/provider/library_head.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <system_error>

#include "collectors/base/path_text.h"

namespace winperf {

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
  // The stream doesn't say why a regular file can't be opened; the usual reason is its ACL.
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
