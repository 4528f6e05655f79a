#include <windows.h>

#include <wincrypt.h>

// These headers need both, in this order.
#include <bcrypt.h>
#include <mscat.h>
#include <softpub.h>
#include <wintrust.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectors/base/hex.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "collectors/provider/library_head.h"

namespace winperf {
namespace {

// Functions of system libraries that are loaded on first use, since they are rarely needed. They
// stay loaded.

constexpr DWORD kMaxInfoBytes = 1U << 20;

struct VersionFunctions {
  decltype(&GetFileVersionInfoSizeW) size = nullptr;
  decltype(&GetFileVersionInfoW) read = nullptr;
  decltype(&VerQueryValueW) query = nullptr;
};

std::optional<VersionFunctions> version_functions() {
  VersionFunctions found;
  const HMODULE library = load_system_library(L"version.dll").release();
  if (!find_function(library, "GetFileVersionInfoSizeW", found.size) ||
      !find_function(library, "GetFileVersionInfoW", found.read) ||
      !find_function(library, "VerQueryValueW", found.query))
    return std::nullopt;
  return found;
}

// What a file's resources state.
std::optional<std::string> file_version(const std::wstring& path) {
  static const std::optional<VersionFunctions> call = version_functions();
  if (!call) return std::nullopt;
  DWORD ignored = 0;
  const DWORD size = call->size(path.c_str(), &ignored);
  if (size == 0 || size > kMaxInfoBytes) return std::nullopt;
  std::vector<std::byte> info(size);
  if (!call->read(path.c_str(), 0, size, info.data())) return std::nullopt;
  void* value = nullptr;
  UINT bytes = 0;
  if (!call->query(info.data(), L"\\", &value, &bytes) || bytes < sizeof(VS_FIXEDFILEINFO))
    return std::nullopt;
  const auto& fixed = *static_cast<const VS_FIXEDFILEINFO*>(value);
  return version_text(fixed.dwFileVersionMS, fixed.dwFileVersionLS);
}

constexpr std::size_t kMaxNameChars = 512;
constexpr std::size_t kMaxHashBytes = 64;
constexpr const wchar_t* kSha1 = L"SHA1";

struct TrustFunctions {
  decltype(&WinVerifyTrust) verify = nullptr;
  decltype(&WTHelperProvDataFromStateData) data_of = nullptr;
  decltype(&WTHelperGetProvSignerFromChain) signer_of = nullptr;
  decltype(&CertGetNameStringW) name_of = nullptr;
};

// Of catalogs: they came with Windows 8.
struct CatalogFunctions {
  decltype(&CryptCATAdminAcquireContext2) open = nullptr;
  decltype(&CryptCATAdminCalcHashFromFileHandle2) hash = nullptr;
  decltype(&CryptCATAdminEnumCatalogFromHash) find = nullptr;
  decltype(&CryptCATCatalogInfoFromContext) info = nullptr;
  decltype(&CryptCATAdminReleaseCatalogContext) release = nullptr;
  decltype(&CryptCATAdminReleaseContext) close = nullptr;
};

std::optional<TrustFunctions> trust_functions() {
  TrustFunctions found;
  const HMODULE trust = load_system_library(L"wintrust.dll").release();
  if (!find_function(trust, "WinVerifyTrust", found.verify) ||
      !find_function(trust, "WTHelperProvDataFromStateData", found.data_of) ||
      !find_function(trust, "WTHelperGetProvSignerFromChain", found.signer_of) ||
      !find_function(load_system_library(L"crypt32.dll").release(), "CertGetNameStringW",
                     found.name_of))
    return std::nullopt;
  return found;
}

std::optional<CatalogFunctions> catalog_functions() {
  CatalogFunctions found;
  const HMODULE trust = load_system_library(L"wintrust.dll").release();
  if (!find_function(trust, "CryptCATAdminAcquireContext2", found.open) ||
      !find_function(trust, "CryptCATAdminCalcHashFromFileHandle2", found.hash) ||
      !find_function(trust, "CryptCATAdminEnumCatalogFromHash", found.find) ||
      !find_function(trust, "CryptCATCatalogInfoFromContext", found.info) ||
      !find_function(trust, "CryptCATAdminReleaseCatalogContext", found.release) ||
      !find_function(trust, "CryptCATAdminReleaseContext", found.close))
    return std::nullopt;
  return found;
}

std::string signer_in(const TrustFunctions& call, HANDLE state) {
  CRYPT_PROVIDER_DATA* const data = state != nullptr ? call.data_of(state) : nullptr;
  const CRYPT_PROVIDER_SGNR* const signer =
      data != nullptr ? call.signer_of(data, 0, FALSE, 0) : nullptr;
  if (signer == nullptr || signer->csCertChain == 0 || signer->pasCertChain == nullptr) return {};
  std::array<wchar_t, kMaxNameChars> name{};
  const DWORD length = call.name_of(signer->pasCertChain[0].pCert, CERT_NAME_SIMPLE_DISPLAY_TYPE, 0,
                                    nullptr, name.data(), static_cast<DWORD>(name.size()));
  return length < 2 ? std::string() : to_utf8({name.data(), length - 1});
}

struct Verdict {
  LONG code = 0;
  std::string signer;
};

// `data`: what is to be verified. No dialog, no network.
Verdict verify(const TrustFunctions& call, WINTRUST_DATA data) {
  GUID action = WINTRUST_ACTION_GENERIC_VERIFY_V2;
  const auto nobody = static_cast<HWND>(INVALID_HANDLE_VALUE);
  data.cbStruct = sizeof(data);
  data.dwUIChoice = WTD_UI_NONE;
  data.fdwRevocationChecks = WTD_REVOKE_NONE;
  data.dwProvFlags = WTD_CACHE_ONLY_URL_RETRIEVAL | WTD_REVOCATION_CHECK_NONE;
  data.dwStateAction = WTD_STATEACTION_VERIFY;
  Verdict verdict;
  verdict.code = call.verify(nobody, &action, &data);
  verdict.signer = signer_in(call, data.hWVTStateData);
  data.dwStateAction = WTD_STATEACTION_CLOSE;
  call.verify(nobody, &action, &data);
  return verdict;
}

// Whether the code means that there is no signature, or that this kind of file can't have one.
bool has_none(LONG code) {
  return code == TRUST_E_NOSIGNATURE || code == TRUST_E_SUBJECT_FORM_UNKNOWN ||
         code == TRUST_E_PROVIDER_UNKNOWN;
}

std::optional<Signature> embedded(const TrustFunctions& call, const std::wstring& path) {
  WINTRUST_FILE_INFO file{};
  file.cbStruct = sizeof(file);
  file.pcwszFilePath = path.c_str();
  WINTRUST_DATA data{};
  data.dwUnionChoice = WTD_CHOICE_FILE;
  data.pFile = &file;
  Verdict verdict = verify(call, data);
  if (has_none(verdict.code) && verdict.signer.empty()) return std::nullopt;
  return Signature{.signing = Signing::kEmbedded,
                   .signer = std::move(verdict.signer),
                   .is_verified = verdict.code == ERROR_SUCCESS};
}

std::wstring hex_of(std::span<const BYTE> bytes) {
  std::wstring text;
  for (const BYTE byte : bytes) text += to_wide(upper_hex(byte, 2));
  return text;
}

// A catalog's signature of a file; nothing if it isn't trusted.
std::optional<Signature> verified(const TrustFunctions& call, const std::wstring& path, HANDLE file,
                                  const CATALOG_INFO& catalog, HCATADMIN admin,
                                  std::span<BYTE> hash) {
  const std::wstring tag = hex_of(hash);
  WINTRUST_CATALOG_INFO member{};
  member.cbStruct = sizeof(member);
  member.pcwszCatalogFilePath = catalog.wszCatalogFile;
  member.pcwszMemberTag = tag.c_str();
  member.pcwszMemberFilePath = path.c_str();
  member.hMemberFile = file;
  member.pbCalculatedFileHash = hash.data();
  member.cbCalculatedFileHash = static_cast<DWORD>(hash.size());
  member.hCatAdmin = admin;
  WINTRUST_DATA data{};
  data.dwUnionChoice = WTD_CHOICE_CATALOG;
  data.pCatalog = &member;
  Verdict verdict = verify(call, data);
  if (verdict.code != ERROR_SUCCESS) return std::nullopt;
  return Signature{
      .signing = Signing::kCatalog, .signer = std::move(verdict.signer), .is_verified = true};
}

// Among those that list files by hashes of this algorithm. Nothing: unknown.
std::optional<Signature> in_catalogs(const TrustFunctions& call, const CatalogFunctions& catalogs,
                                     const std::wstring& path, HANDLE file,
                                     const wchar_t* algorithm) {
  HCATADMIN opened = nullptr;
  if (!catalogs.open(&opened, nullptr, algorithm, nullptr, 0)) return std::nullopt;
  const auto close = [&](void* admin) { catalogs.close(admin, 0); };
  const std::unique_ptr<void, decltype(close)> admin(opened, close);
  std::array<BYTE, kMaxHashBytes> hash{};
  auto bytes = static_cast<DWORD>(hash.size());
  if (!catalogs.hash(admin.get(), file, &bytes, hash.data(), 0)) return std::nullopt;
  const auto release = [&](void* found) { catalogs.release(admin.get(), found, 0); };
  const std::unique_ptr<void, decltype(release)> catalog(
      catalogs.find(admin.get(), hash.data(), bytes, 0, nullptr), release);
  if (catalog == nullptr) {
    if (GetLastError() == ERROR_NOT_FOUND) return Signature{};
    return std::nullopt;
  }
  CATALOG_INFO info{};
  info.cbStruct = sizeof(info);
  if (!catalogs.info(catalog.get(), &info, 0)) return std::nullopt;
  return verified(call, path, file, info, admin.get(), std::span(hash).first(bytes));
}

Signature by_catalog(const TrustFunctions& call, const std::wstring& path) {
  static const std::optional<CatalogFunctions> catalogs = catalog_functions();
  const UniqueFileHandle file(CreateFileW(path.c_str(), GENERIC_READ,
                                          FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                          nullptr, OPEN_EXISTING, 0, nullptr));
  if (!catalogs || !file) return {.signing = Signing::kNotEmbedded};
  Signing known = Signing::kNone;
  for (const wchar_t* const algorithm : {BCRYPT_SHA256_ALGORITHM, kSha1}) {
    auto found = in_catalogs(call, *catalogs, path, file.get(), algorithm);
    if (found && found->signing == Signing::kCatalog) return *std::move(found);
    if (!found) known = Signing::kNotEmbedded;
  }
  return {.signing = known};
}

// The signer of a file; nothing if unknown. One thread at a time.
std::optional<Signature> file_signature(const std::wstring& path) {
  static const std::optional<TrustFunctions> call = trust_functions();
  if (!call) return std::nullopt;
  auto signature = embedded(*call, path);
  return signature ? signature : by_catalog(*call, path);
}

constexpr std::size_t kMaxConfigBytes = 8192;  // the documented maximum of QueryServiceConfig

bool is_disabled(SC_HANDLE service) {
  alignas(QUERY_SERVICE_CONFIGW) std::array<std::byte, kMaxConfigBytes> config{};
  DWORD needed = 0;
  return QueryServiceConfigW(service, reinterpret_cast<QUERY_SERVICE_CONFIGW*>(config.data()),
                             static_cast<DWORD>(config.size()), &needed) &&
         reinterpret_cast<const QUERY_SERVICE_CONFIGW*>(config.data())->dwStartType ==
             SERVICE_DISABLED;
}

}  // namespace

LibraryOrigin read_library_origin(const std::string& path) {
  const std::wstring wide = to_wide(path);
  return {.version = file_version(wide), .signature = file_signature(wide)};
}

std::optional<PerfHost> read_perf_host() {
  const UniqueService manager(OpenSCManagerW(nullptr, nullptr, SC_MANAGER_CONNECT));
  if (!manager) return std::nullopt;
  const UniqueService service(
      OpenServiceW(manager.get(), L"PerfHost", SERVICE_QUERY_STATUS | SERVICE_QUERY_CONFIG));
  if (!service) {
    if (GetLastError() == ERROR_SERVICE_DOES_NOT_EXIST) return PerfHost::kAbsent;
    return std::nullopt;
  }
  SERVICE_STATUS status{};
  if (!QueryServiceStatus(service.get(), &status)) return std::nullopt;
  if (status.dwCurrentState == SERVICE_RUNNING) return PerfHost::kRunning;
  return is_disabled(service.get()) ? PerfHost::kDisabled : PerfHost::kStopped;
}

}  // namespace winperf
