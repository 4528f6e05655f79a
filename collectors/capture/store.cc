#include "collectors/capture/store.h"

#include <fstream>
#include <system_error>
#include <utility>

#include "collectors/sources/path_text.h"

namespace winperf::capture {

namespace fs = std::filesystem;

std::expected<Store, std::string> Store::create(const fs::path& folder, std::uint64_t max_bytes) {
  std::error_code error;
  if (fs::exists(folder, error))
    return std::unexpected(path_text(folder) + " is there already: name a folder that is not");
  fs::path partial = folder;
  partial += ".partial";
  fs::remove_all(partial, error);
  if (!fs::create_directory(partial, error))
    return std::unexpected(path_text(partial) + " cannot be made: " + error.message());
  return Store(folder, std::move(partial), max_bytes);
}

Store::Store(fs::path folder, fs::path partial, std::uint64_t max_bytes)
    : folder_(std::move(folder)), partial_(std::move(partial)), max_bytes_(max_bytes) {}

Store::Store(Store&& other) noexcept
    : folder_(std::move(other.folder_)),
      partial_(std::exchange(other.partial_, {})),
      max_bytes_(other.max_bytes_),
      bytes_(other.bytes_) {}

Store::~Store() {
  std::error_code ignored;
  if (!partial_.empty()) fs::remove_all(partial_, ignored);
}

std::expected<void, std::string> Store::put(std::string_view name,
                                            std::span<const std::byte> bytes) {
  if (bytes.size() > max_bytes_ - bytes_)
    return std::unexpected("the capture would be larger than " + std::to_string(max_bytes_) +
                           " bytes");
  const fs::path file = partial_ / fs::path(std::u8string(name.begin(), name.end()));
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) return std::unexpected(path_text(file) + " cannot be written");
  bytes_ += bytes.size();
  return {};
}

std::expected<void, std::string> Store::finish() {
  std::error_code error;
  fs::rename(partial_, folder_, error);
  if (error)
    return std::unexpected(path_text(partial_) + " cannot be renamed to " + path_text(folder_) +
                           ": " + error.message());
  partial_.clear();
  return {};
}

}  // namespace winperf::capture
