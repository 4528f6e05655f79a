// Where a provider's library says that it comes from: its version, and who has signed it.
//
// This reads the whole file, asks for certificates and may search the system's catalogs, so it is
// for people who want to know and not for each query. Nothing is asked of the network, and no
// revocation is checked. Nothing of the library is run: Windows parses the file.
// Thread rule: any thread. win/ and posix/ implement read_library_origin().
// Source: Learn, "WinVerifyTrust", "CryptCATAdminEnumCatalogFromHash", "VS_FIXEDFILEINFO".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace winperf {

enum class Signing : std::uint8_t {
  kNone,         // neither the file nor a catalog of the system has a signature
  kNotEmbedded,  // the file has none; what catalogs have isn't known, or not verified
  kEmbedded,
  kCatalog,  // a catalog has one, which was verified
};

struct Signature {
  Signing signing = Signing::kNone;
  std::string signer{};      // the subject of its certificate; empty if it isn't known
  bool is_verified = false;  // Windows trusts it, and the file is what was signed
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
