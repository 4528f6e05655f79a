// Loads and calls a provider DLL as Windows does, and checks that it writes only inside the buffer.
#pragma once

#include <gtest/gtest.h>
#include <windows.h>
#include <winperf.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sysperf {

// The result of one call of Collect.
struct Collected {
  DWORD status = 0;
  std::vector<std::byte> data;  // as many bytes as it reported
  DWORD objects = 0;
  bool moved_by_size = false;  // *lppData advanced by exactly *lpcbBytes
  bool untouched = false;      // no byte of the buffer has changed
};

// The names under which a DLL exports its functions.
struct ExportNames {
  const char* open = "OpenSysPerf";
  const char* collect = "CollectSysPerf";
  const char* close = "CloseSysPerf";
};

class Provider {
 public:
  explicit Provider(const char* path, const ExportNames& names = {})
      : module_(LoadLibraryA(path)),
        open_(load<PM_OPEN_PROC*>(names.open)),
        collect_(load<PM_COLLECT_PROC*>(names.collect)),
        close_(load<PM_CLOSE_PROC*>(names.close)) {}
  ~Provider() { unload(); }
  Provider(const Provider&) = delete;
  Provider& operator=(const Provider&) = delete;

  bool loaded() const { return module_ != nullptr && open_ && collect_ && close_; }
  // `devices`: the value Linkage\Export, each name with its NUL; nothing if there is no such value.
  DWORD open(std::optional<std::wstring> devices = std::nullopt) const {
    return open_(devices ? devices->data() : nullptr);
  }
  DWORD close() const { return close_(); }
  void unload() {
    if (module_ != nullptr) FreeLibrary(module_);
    module_ = nullptr;
  }

  // As a consumer calls it, without any check.
  DWORD call(LPWSTR query, LPVOID* data, LPDWORD bytes, LPDWORD objects) const {
    return collect_(query, data, bytes, objects);
  }
  Collected collect(const wchar_t* query, size_t room = 1u << 20) const {
    constexpr size_t kGuard = 64;
    constexpr std::byte kFill{0xA5};
    std::vector<std::byte> buffer(room + 2 * kGuard, kFill);
    std::byte* const begin = buffer.data() + kGuard;
    std::wstring text = query == nullptr ? L"" : query;
    LPVOID data = begin;
    auto bytes = static_cast<DWORD>(room);
    DWORD objects = 0xDEAD;
    Collected result;
    result.status = collect_(query == nullptr ? nullptr : text.data(), &data, &bytes, &objects);
    result.objects = objects;
    result.moved_by_size = static_cast<std::byte*>(data) - begin == static_cast<ptrdiff_t>(bytes);
    const auto is_fill = [](std::byte b) { return b == kFill; };
    result.untouched = std::all_of(buffer.begin(), buffer.end(), is_fill);
    EXPECT_LE(bytes, room);
    EXPECT_TRUE(std::all_of(buffer.data(), begin, is_fill))
        << "wrote before the beginning of the buffer";
    EXPECT_TRUE(std::all_of(begin + bytes, buffer.data() + buffer.size(), is_fill))
        << "wrote after the end of the reply that it reported";
    result.data.assign(begin, begin + std::min<size_t>(bytes, room));
    return result;
  }

 private:
  template <class Function>
  Function load(const char* name) const {
    if (module_ == nullptr) return nullptr;
    return reinterpret_cast<Function>(reinterpret_cast<void*>(GetProcAddress(module_, name)));
  }

  HMODULE module_;
  PM_OPEN_PROC* open_;
  PM_COLLECT_PROC* collect_;
  PM_CLOSE_PROC* close_;
};

}  // namespace sysperf
