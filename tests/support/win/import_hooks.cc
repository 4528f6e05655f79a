#include "tests/support/win/import_hooks.h"

#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>

namespace winperf {
namespace {

// The executable's own image, whose tables Windows has used already.
class OwnImage {
 public:
  OwnImage() : base_(reinterpret_cast<std::byte*>(GetModuleHandleW(nullptr))) {}

  template <class Type>
  Type* at(std::size_t offset) const {
    return reinterpret_cast<Type*>(base_ + offset);
  }
  // Its first entry; null if the image doesn't have it.
  template <class Entry>
  const Entry* table(std::size_t directory) const {
    const auto* const dos = at<const IMAGE_DOS_HEADER>(0);
    const auto* const headers =
        at<const IMAGE_NT_HEADERS64>(static_cast<std::size_t>(dos->e_lfanew));
    const IMAGE_DATA_DIRECTORY& found = headers->OptionalHeader.DataDirectory[directory];
    return found.VirtualAddress == 0 ? nullptr : at<const Entry>(found.VirtualAddress);
  }
  // The places of the addresses of all functions with this name in one DLL's list.
  std::vector<std::uintptr_t*> places(std::string_view name, std::size_t names,
                                      std::size_t addresses) const {
    std::vector<std::uintptr_t*> found;
    if (names == 0) return found;
    const auto* const thunks = at<const IMAGE_THUNK_DATA64>(names);
    for (std::size_t i = 0; thunks[i].u1.AddressOfData != 0; ++i) {
      if (IMAGE_SNAP_BY_ORDINAL64(thunks[i].u1.Ordinal)) continue;
      const auto* const one = at<const IMAGE_IMPORT_BY_NAME>(thunks[i].u1.AddressOfData);
      if (name == std::string_view(reinterpret_cast<const char*>(one->Name)))
        found.push_back(at<std::uintptr_t>(addresses) + i);
    }
    return found;
  }

 private:
  std::byte* base_;
};

std::vector<std::uintptr_t*> places_of(const char* name) {
  const OwnImage image;
  std::vector<std::uintptr_t*> all;
  const auto add = [&](std::size_t names, std::size_t addresses) {
    const auto found = image.places(name, names, addresses);
    all.insert(all.end(), found.begin(), found.end());
  };
  const auto* imported = image.table<IMAGE_IMPORT_DESCRIPTOR>(IMAGE_DIRECTORY_ENTRY_IMPORT);
  for (; imported != nullptr && imported->Name != 0; ++imported)
    add(imported->OriginalFirstThunk, imported->FirstThunk);
  const auto* delayed = image.table<IMAGE_DELAYLOAD_DESCRIPTOR>(IMAGE_DIRECTORY_ENTRY_DELAY_IMPORT);
  for (; delayed != nullptr && delayed->DllNameRVA != 0; ++delayed)
    add(delayed->ImportNameTableRVA, delayed->ImportAddressTableRVA);
  return all;
}

// False if the page stays read-only.
bool write(std::uintptr_t* place, std::uintptr_t value) {
  DWORD before = 0;
  if (!VirtualProtect(place, sizeof *place, PAGE_READWRITE, &before)) return false;
  *place = value;
  VirtualProtect(place, sizeof *place, before, &before);
  return true;
}

}  // namespace

void ImportHook::replace(const char* name, std::uintptr_t replacement) {
  for (std::uintptr_t* const place : places_of(name)) {
    const Changed changed{.place = place, .before = *place};
    if (write(place, replacement)) changed_.push_back(changed);
  }
}

ImportHook::~ImportHook() {
  for (const Changed& changed : changed_) write(changed.place, changed.before);
}

}  // namespace winperf
