// The nine PerfLib V2 consumer functions, bound at run time: they are missing on Windows before
// 10 1607 and under Wine, and no header of mingw-w64 declares them.
#include <windows.h>

#include <utility>

#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "collectors/sources/platform.h"

namespace winperf {
namespace {

static_assert(sizeof(Guid) == sizeof(GUID));
static_assert(sizeof(PerflibHandle) == sizeof(HANDLE));

struct ModuleTraits {
  using Handle = HMODULE;
  static HMODULE invalid() { return nullptr; }
  static void close(HMODULE module) { FreeLibrary(module); }
};
using UniqueModule = UniqueHandle<ModuleTraits>;

struct Functions {
  ULONG(WINAPI* enumerate_countersets)(LPCWSTR, GUID*, DWORD, DWORD*) = nullptr;
  ULONG(WINAPI* enumerate_instances)(LPCWSTR, const GUID*, void*, DWORD, DWORD*) = nullptr;
  ULONG(WINAPI* query_registration)
  (LPCWSTR, const GUID*, DWORD, DWORD, BYTE*, DWORD, DWORD*) = nullptr;
  ULONG(WINAPI* open_query)(LPCWSTR, HANDLE*) = nullptr;
  ULONG(WINAPI* close_query)(HANDLE) = nullptr;
  ULONG(WINAPI* query_info)(HANDLE, void*, DWORD, DWORD*) = nullptr;
  ULONG(WINAPI* query_data)(HANDLE, void*, DWORD, DWORD*) = nullptr;
  ULONG(WINAPI* add_counters)(HANDLE, void*, DWORD) = nullptr;
  ULONG(WINAPI* delete_counters)(HANDLE, void*, DWORD) = nullptr;
};

// An empty machine name and an empty buffer become null pointers.
const wchar_t* machine_or_null(const std::u16string& machine) {
  static_assert(sizeof(wchar_t) == sizeof(char16_t));
  return machine.empty() ? nullptr : reinterpret_cast<const wchar_t*>(machine.c_str());
}
const GUID* guid_of(const Guid& guid) { return reinterpret_cast<const GUID*>(&guid); }
HANDLE handle_of(PerflibHandle query) {
  return reinterpret_cast<HANDLE>(static_cast<std::uintptr_t>(query));
}
DWORD size_of(PerflibApi::Bytes bytes) { return static_cast<DWORD>(bytes.size()); }
void* data_of(PerflibApi::Bytes bytes) { return bytes.empty() ? nullptr : bytes.data(); }

class PerflibFunctions final : public PerflibApi {
 public:
  PerflibFunctions(UniqueModule module, const Functions& functions)
      : module_(std::move(module)), call_(functions) {}

  std::uint32_t enumerate_countersets(const std::u16string& machine, std::span<Guid> guids,
                                      std::uint32_t& actual) override {
    DWORD stored = 0;
    const ULONG status = call_.enumerate_countersets(
        machine_or_null(machine), guids.empty() ? nullptr : reinterpret_cast<GUID*>(guids.data()),
        static_cast<DWORD>(guids.size()), &stored);
    actual = stored;
    return status;
  }
  std::uint32_t enumerate_instances(const std::u16string& machine, const Guid& counterset,
                                    Bytes buffer, std::uint32_t& actual) override {
    DWORD stored = 0;
    const ULONG status = call_.enumerate_instances(machine_or_null(machine), guid_of(counterset),
                                                   data_of(buffer), size_of(buffer), &stored);
    actual = stored;
    return status;
  }
  std::uint32_t query_registration(const std::u16string& machine, const Guid& counterset,
                                   RegistrationInfo info, std::uint32_t argument, Bytes buffer,
                                   std::uint32_t& actual) override {
    DWORD stored = 0;
    const ULONG status = call_.query_registration(
        machine_or_null(machine), guid_of(counterset), static_cast<DWORD>(info), argument,
        static_cast<BYTE*>(data_of(buffer)), size_of(buffer), &stored);
    actual = stored;
    return status;
  }
  std::uint32_t open_query(const std::u16string& machine, PerflibHandle& query) override {
    HANDLE handle = nullptr;
    const ULONG status = call_.open_query(machine_or_null(machine), &handle);
    query = static_cast<PerflibHandle>(reinterpret_cast<std::uintptr_t>(handle));
    return status;
  }
  std::uint32_t close_query(PerflibHandle query) override {
    return call_.close_query(handle_of(query));
  }
  std::uint32_t query_counter_info(PerflibHandle query, Bytes buffer,
                                   std::uint32_t& actual) override {
    DWORD stored = 0;
    const ULONG status =
        call_.query_info(handle_of(query), data_of(buffer), size_of(buffer), &stored);
    actual = stored;
    return status;
  }
  std::uint32_t query_counter_data(PerflibHandle query, Bytes buffer,
                                   std::uint32_t& actual) override {
    DWORD stored = 0;
    const ULONG status =
        call_.query_data(handle_of(query), data_of(buffer), size_of(buffer), &stored);
    actual = stored;
    return status;
  }
  std::uint32_t add_counters(PerflibHandle query, Bytes identifiers) override {
    return call_.add_counters(handle_of(query), data_of(identifiers), size_of(identifiers));
  }
  std::uint32_t delete_counters(PerflibHandle query, Bytes identifiers) override {
    return call_.delete_counters(handle_of(query), data_of(identifiers), size_of(identifiers));
  }

 private:
  UniqueModule module_;
  Functions call_;
};

}  // namespace

std::expected<std::unique_ptr<PerflibApi>, SourceError> make_perflib_api() {
  const std::wstring path = perflib_library_path();
  if (path.empty())
    return std::unexpected(SourceError{.code = ErrorCode::kUnsupported,
                                       .text = "the folder of advapi32.dll is unknown: the system "
                                               "does not say where its system folder is"});
  UniqueModule module(LoadLibraryW(path.c_str()));
  const DWORD os_code = GetLastError();
  if (!module)
    return std::unexpected(SourceError{.code = ErrorCode::kUnsupported,
                                       .text = to_utf8(path) + " cannot be loaded (system error " +
                                               std::to_string(os_code) + ")"});
  Functions functions;
  const char* missing = nullptr;  // the first one
  const auto bind = [&](auto& function, const char* name) {
    if (!find_function(module.get(), name, function) && missing == nullptr) missing = name;
  };
  bind(functions.enumerate_countersets, "PerfEnumerateCounterSet");
  bind(functions.enumerate_instances, "PerfEnumerateCounterSetInstances");
  bind(functions.query_registration, "PerfQueryCounterSetRegistrationInfo");
  bind(functions.open_query, "PerfOpenQueryHandle");
  bind(functions.close_query, "PerfCloseQueryHandle");
  bind(functions.query_info, "PerfQueryCounterInfo");
  bind(functions.query_data, "PerfQueryCounterData");
  bind(functions.add_counters, "PerfAddCounters");
  bind(functions.delete_counters, "PerfDeleteCounters");
  if (missing != nullptr)
    return std::unexpected(
        SourceError{.code = ErrorCode::kUnsupported,
                    .text = to_utf8(path) + " has no " + missing +
                            ": PerfLib V2 needs Windows 10 1607 or Windows Server 2016"});
  return std::make_unique<PerflibFunctions>(std::move(module), functions);
}

}  // namespace winperf
