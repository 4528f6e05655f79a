#include "service/selftest/installer.h"

#include <windows.h>
// After windows.h.
#include <msi.h>
#include <msiquery.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "collectors/base/ascii.h"
#include "collectors/base/system_text.h"
#include "collectors/base/win/key_reader.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "service/selftest/upgrade_code.h"

namespace winperf::selftest {
namespace {

constexpr std::size_t kCodeChars = 39;  // with braces and NUL
constexpr DWORD kMostProducts = 1000;
constexpr DWORD kLongestProperty = 1024;

std::unexpected<std::string> installer_failure(UINT code) {
  return std::unexpected(
      "Windows Installer: " +
      system_text(std::error_code(static_cast<int>(code), std::system_category())));
}

// The library isn't linked, so that it isn't loaded where nothing is installed.
struct InstallerFunctions {
  UniqueLibrary library = load_system_library(L"msi.dll");
  decltype(&MsiEnumRelatedProductsW) enum_related = nullptr;
  decltype(&MsiQueryProductStateW) query_state = nullptr;
  decltype(&MsiOpenDatabaseW) open_database = nullptr;
  decltype(&MsiDatabaseOpenViewW) open_view = nullptr;
  decltype(&MsiViewExecute) execute = nullptr;
  decltype(&MsiViewFetch) fetch = nullptr;
  decltype(&MsiRecordGetStringW) get_string = nullptr;
  decltype(&MsiCloseHandle) close = nullptr;

  bool find() {
    HMODULE from = library.get();
    return find_function(from, "MsiEnumRelatedProductsW", enum_related) &&
           find_function(from, "MsiQueryProductStateW", query_state) &&
           find_function(from, "MsiOpenDatabaseW", open_database) &&
           find_function(from, "MsiDatabaseOpenViewW", open_view) &&
           find_function(from, "MsiViewExecute", execute) &&
           find_function(from, "MsiViewFetch", fetch) &&
           find_function(from, "MsiRecordGetStringW", get_string) &&
           find_function(from, "MsiCloseHandle", close);
  }
};

std::unexpected<std::string> no_functions() {
  return std::unexpected(std::string("msi.dll cannot be loaded, or lacks a function"));
}

class InstallerHandle {
 public:
  explicit InstallerHandle(const InstallerFunctions& functions) : functions_(functions) {}
  InstallerHandle(const InstallerHandle&) = delete;
  InstallerHandle& operator=(const InstallerHandle&) = delete;
  ~InstallerHandle() {
    if (handle_ != 0) functions_.close(handle_);
  }
  MSIHANDLE get() const { return handle_; }
  MSIHANDLE* put() { return &handle_; }

 private:
  const InstallerFunctions& functions_;
  MSIHANDLE handle_ = 0;
};

std::expected<std::string, std::string> package_property(const InstallerFunctions& functions,
                                                         MSIHANDLE database, const wchar_t* name) {
  InstallerHandle view(functions);
  const std::wstring query =
      L"SELECT `Value` FROM `Property` WHERE `Property` = '" + std::wstring(name) + L"'";
  UINT code = functions.open_view(database, query.c_str(), view.put());
  if (code == ERROR_SUCCESS) code = functions.execute(view.get(), 0);
  InstallerHandle record(functions);
  if (code == ERROR_SUCCESS) code = functions.fetch(view.get(), record.put());
  std::wstring text(kLongestProperty, L'\0');
  auto length = static_cast<DWORD>(text.size());
  if (code == ERROR_SUCCESS) code = functions.get_string(record.get(), 1, text.data(), &length);
  if (code != ERROR_SUCCESS) return installer_failure(code);
  text.resize(length);
  return to_utf8(text);
}

std::expected<std::vector<std::string>, std::string> related_products(
    const InstallerFunctions& functions) {
  std::vector<std::string> found;
  const std::wstring upgrade_code = to_wide(kUpgradeCode);
  for (DWORD i = 0; i < kMostProducts; ++i) {
    std::array<wchar_t, kCodeChars> product{};
    const UINT code = functions.enum_related(upgrade_code.c_str(), 0, i, product.data());
    if (code == ERROR_NO_MORE_ITEMS) return found;
    if (code != ERROR_SUCCESS) return installer_failure(code);
    product.back() = L'\0';
    found.push_back(to_utf8(product.data()));
  }
  return found;
}

}  // namespace

std::expected<PackageFacts, std::string> read_package(const std::filesystem::path& package) {
  InstallerFunctions functions;
  if (!functions.find()) return no_functions();
  InstallerHandle database(functions);
  const UINT code = functions.open_database(
      package.c_str(), reinterpret_cast<const wchar_t*>(MSIDBOPEN_READONLY), database.put());
  if (code != ERROR_SUCCESS) return installer_failure(code);
  const auto upgrade_code = package_property(functions, database.get(), L"UpgradeCode");
  if (!upgrade_code || ascii_lower(*upgrade_code) != ascii_lower(kUpgradeCode))
    return std::unexpected("it is no installer of winperf_exporter");
  const auto product_code = package_property(functions, database.get(), L"ProductCode");
  if (!product_code) return std::unexpected(product_code.error());
  const auto version = package_property(functions, database.get(), L"ProductVersion");
  return PackageFacts{.product_code = *product_code, .version = version.value_or("unknown")};
}

std::expected<std::vector<std::string>, std::string> installed_exporters() {
  InstallerFunctions functions;
  if (!functions.find()) return no_functions();
  return related_products(functions);
}

std::expected<std::optional<InstalledProduct>, std::string> installed_product(
    const std::string& code) {
  InstallerFunctions functions;
  if (!functions.find()) return no_functions();
  const INSTALLSTATE state = functions.query_state(to_wide(code).c_str());
  if (state == INSTALLSTATE_UNKNOWN) return std::nullopt;
  const auto related = related_products(functions);
  if (!related) return std::unexpected(related.error());
  const std::string wanted = ascii_lower(code);
  InstalledProduct product{
      .is_exporter = std::ranges::any_of(
          *related, [&](const std::string& one) { return ascii_lower(one) == wanted; })};
  if (product.is_exporter)
    if (const auto file =
            KeyReader(HKEY_LOCAL_MACHINE, L"SOFTWARE\\winperf_exporter").text(L"ConfigFile"))
      product.config_file = to_utf8(*file);
  return product;
}

}  // namespace winperf::selftest
