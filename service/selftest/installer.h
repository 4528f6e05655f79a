// Windows Installer: what is in a package, and which versions of this program are installed.
//
// Validated: that texts are texts; not what they say. A package is a file of the person who starts
// the selftest as an administrator. Errors: a sentence. Thread rule: one thread. Implemented in
// win/; elsewhere each call is an error. Source: Learn, MsiEnumRelatedProducts, MsiOpenDatabase.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace winperf::selftest {

// What msiexec ends with.
inline constexpr std::int64_t kUnknownProduct = 1605;
inline constexpr std::int64_t kRestartNeeded = 3010;
constexpr bool has_installed(std::int64_t code) { return code == 0 || code == kRestartNeeded; }
// After a removal. An installation that failed has taken itself back, so there may be none.
constexpr bool is_product_gone(std::int64_t code) {
  return has_installed(code) || code == kUnknownProduct;
}

struct PackageFacts {
  std::string product_code;  // in braces
  std::string version;
};
// Of an MSI of this program; another one is an error.
[[nodiscard]] std::expected<PackageFacts, std::string> read_package(
    const std::filesystem::path& package);

// The product codes of all versions that are installed.
[[nodiscard]] std::expected<std::vector<std::string>, std::string> installed_exporters();

struct InstalledProduct {
  bool is_exporter = false;   // of any version: the upgrade code is ours
  std::string config_file{};  // as the exporter's installer remembers it; empty: nothing
};
// Nothing if no product has this code.
[[nodiscard]] std::expected<std::optional<InstalledProduct>, std::string> installed_product(
    const std::string& code);

}  // namespace winperf::selftest
