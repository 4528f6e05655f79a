#include "tests/simulator/library_file.h"

#include <dlfcn.h>

#include <bit>
#include <string>

namespace winperf::simulator {
namespace {

using FileOpen = std::uint32_t (*)(char16_t*);
using FileCollect = std::uint32_t (*)(char16_t*, void**, std::uint32_t*, std::uint32_t*);
using FileClose = std::uint32_t (*)();

// It is never unloaded, as on Windows.
class LibraryFile final : public ProviderLibrary {
 public:
  LibraryFile(FileOpen open, FileCollect collect, FileClose close)
      : open_(open), collect_(collect), close_(close) {}

  std::uint32_t open(const char16_t* devices) override {
    return open_(const_cast<char16_t*>(devices));
  }
  std::uint32_t collect(const char16_t* query, void*& data, std::uint32_t& bytes,
                        std::uint32_t& objects) override {
    return collect_(const_cast<char16_t*>(query), &data, &bytes, &objects);
  }
  std::uint32_t close() override { return close_(); }

 private:
  FileOpen open_;
  FileCollect collect_;
  FileClose close_;
};

}  // namespace

std::unique_ptr<ProviderLibrary> load_library_file(const ProviderRegistration& provider) {
  if (!provider.library.contains('/')) return nullptr;
  void* const library = dlopen(provider.library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  void* const open = dlsym(library, provider.open.c_str());
  void* const collect = dlsym(library, provider.collect.c_str());
  void* const close = dlsym(library, provider.close.c_str());
  if (open == nullptr || collect == nullptr || close == nullptr) return nullptr;
  return std::make_unique<LibraryFile>(std::bit_cast<FileOpen>(open),
                                       std::bit_cast<FileCollect>(collect),
                                       std::bit_cast<FileClose>(close));
}

}  // namespace winperf::simulator
