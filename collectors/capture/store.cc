#include "collectors/capture/store.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <system_error>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/path_text.h"
#include "collectors/base/system_text.h"
#include "collectors/base/whole_file.h"

namespace winperf::capture {
namespace {

std::string digits(std::uint32_t number, std::size_t least) {
  std::string text = std::to_string(number);
  return std::string(text.size() < least ? least - text.size() : 0, '0') + text;
}

}  // namespace

std::string block_file(std::uint32_t sample, std::uint32_t part) {
  return "sample-" + digits(sample, 4) + '-' + digits(part, 2) + ".perf";
}

std::string v2_data_file(std::uint32_t sample) { return "sample-" + digits(sample, 4) + ".v2"; }

std::string registration_file(const Guid& counterset, RegistrationInfo info,
                              std::uint32_t argument) {
  const std::string guid = to_string(counterset);
  return "v2-" + guid.substr(1, guid.size() - 2) + '-' +
         std::to_string(static_cast<std::uint32_t>(info)) + '-' + std::to_string(argument) + ".bin";
}

namespace fs = std::filesystem;

namespace {

// In lower case.
std::string extension_of(const fs::path& path) { return ascii_lower(path_text(path.extension())); }

// Someone who chooses such a name wants a single file, but would get a folder.
bool is_other_archive(std::string_view extension) {
  static constexpr std::string_view kOthers[] = {".7z",  ".bz2", ".cab", ".gz", ".rar",
                                                 ".tar", ".tgz", ".xz",  ".zst"};
  return std::ranges::find(kOthers, extension) != std::end(kOthers);
}

}  // namespace

std::expected<Store, std::string> Store::create(const fs::path& wanted, std::uint64_t max_bytes) {
  // "folder/" means the folder.
  const fs::path out = wanted.has_filename() ? wanted : wanted.parent_path();
  if (!out.has_filename())
    return std::unexpected(std::string("a capture needs the name of a file or a folder"));
  const std::string extension = extension_of(out);
  if (is_other_archive(extension))
    return std::unexpected(path_text(out) + " would become a folder: for a capture in one file, " +
                           "choose a name that ends in .zip");
  std::error_code error;
  if (fs::exists(out, error))
    return std::unexpected(path_text(out) + " already exists: choose another name");
  fs::path partial = out;
  partial += ".partial";
  if (fs::exists(partial, error))
    return std::unexpected(path_text(partial) +
                           " already exists: remove it if no capture is running, or choose "
                           "another name");
  Store store(out, std::move(partial), max_bytes);
  if (extension == ".zip") {
    store.archive_.emplace();
    if (auto writable = write(store.partial_, {}); !writable)
      return std::unexpected(writable.error());
  } else if (!fs::create_directory(store.partial_, error)) {
    const bool absent = error == std::errc::no_such_file_or_directory;
    return std::unexpected(path_text(store.partial_) + " can't be created: " +
                           (absent ? "its folder does not exist" : system_text(error)));
  }
  return store;
}

Store::Store(fs::path out, fs::path partial, std::uint64_t max_bytes)
    : out_(std::move(out)), partial_(std::move(partial)), max_bytes_(max_bytes) {}

Store::Store(Store&& other) noexcept
    : out_(std::move(other.out_)),
      partial_(std::exchange(other.partial_, {})),
      archive_(std::move(other.archive_)),
      max_bytes_(other.max_bytes_),
      bytes_(other.bytes_) {}

Store::~Store() {
  std::error_code ignored;
  if (!partial_.empty()) fs::remove_all(partial_, ignored);
}

std::string Store::no_room() const {
  return "the capture would be larger than " + std::to_string(max_bytes_) + " bytes";
}

std::expected<void, std::string> Store::put(std::string_view name,
                                            std::span<const std::byte> bytes) {
  if (!has_room_for(bytes.size())) return std::unexpected(no_room());
  if (archive_) {
    if (!archive_->has_room_for(bytes.size()))
      return std::unexpected(
          std::string("the capture doesn't fit into a ZIP archive: choose the name of a folder"));
    archive_->add(name, bytes);
  } else if (auto written = write(partial_ / path_of(name), bytes); !written) {
    return written;
  }
  bytes_ += bytes.size();
  return {};
}

std::expected<void, std::string> Store::write(const fs::path& file,
                                              std::span<const std::byte> bytes) {
  const auto written = write_whole_file(file, bytes);
  if (written) return {};
  return std::unexpected(path_text(file) + " can't be written: " + written.error().reason);
}

std::expected<void, std::string> Store::finish() {
  if (archive_) {
    if (auto written = write(partial_, archive_->finish()); !written) return written;
  }
  if (const auto renamed = rename_file(partial_, out_); !renamed)
    return std::unexpected(path_text(partial_) + " can't be renamed to " + path_text(out_) + ": " +
                           renamed.error().reason);
  partial_.clear();
  return {};
}

}  // namespace winperf::capture
