#include "collectors/diagnosis/pe_exports.h"

#include <algorithm>
#include <cstdint>
#include <expected>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/wire/byte_view.h"

namespace winperf {
namespace {

// The optional header, by its first field.
struct Format {
  std::uint16_t magic;
  Field<std::uint32_t> directory_count;  // in the optional header; the directories follow it
};
constexpr Format kFormats[] = {{.magic = 0x10B, .directory_count = {92}},
                               {.magic = 0x20B, .directory_count = {108}}};

constexpr std::uint16_t kMaxSections = 96;  // Windows doesn't load more

// Ordinals have 16 bits.
constexpr std::uint64_t kMaxNames = 1U << 16;
// Compilers cut off the names that they make at 4096 characters.
constexpr std::size_t kMaxName = 4'096;
// Total of all names, because many may point to the same text.
constexpr std::size_t kMaxText = 4U << 20;

using Range = std::expected<ByteView, Error>;

class Image {
 public:
  static std::expected<Image, Error> parse(std::span<const std::byte> bytes) {
    Image image;
    image.file_ = ByteView(bytes, "library");
    const auto header = pe_header(image.file_);
    if (!header) return std::unexpected(header.error());
    const auto section_count = header->read(pe::header::kSectionCount);
    const auto optional_size = header->read(pe::header::kOptionalHeaderBytes);
    if (!section_count) return std::unexpected(section_count.error());
    if (!optional_size) return std::unexpected(optional_size.error());
    if (*section_count > kMaxSections)
      return std::unexpected(
          header->error(ErrorCode::kLimitExceeded, *section_count, kMaxSections));
    const Range optional =
        header->slice(pe::header::kOptionalHeader, *optional_size, "library.header");
    if (!optional) return std::unexpected(optional.error());
    const Range sections = header->slice(pe::header::kOptionalHeader + *optional_size,
                                         *section_count * pe::section::kBytes, "library.sections");
    if (!sections) return std::unexpected(sections.error());
    image.optional_ = *optional;
    image.sections_ = *sections;
    return image;
  }

  // The address of the export table; 0 if there is none.
  std::expected<std::uint32_t, Error> export_address() const {
    const auto magic = optional_.read(pe::optional_header::kMagic);
    if (!magic) return std::unexpected(magic.error());
    const auto* const format = std::ranges::find(kFormats, *magic, &Format::magic);
    if (format == std::end(kFormats))
      return std::unexpected(optional_.error(ErrorCode::kBadSignature, *magic, kFormats[1].magic));
    const auto count = optional_.read(format->directory_count);
    if (!count || *count == 0) return count;
    return optional_.read<std::uint32_t>(format->directory_count + sizeof(std::uint32_t));
  }

  // The rest of the section, from an address on, as far as it is in the file.
  Range from(std::uint32_t address, const char* where) const {
    for (std::uint64_t i = 0; i < sections_.size(); i += pe::section::kBytes) {
      const ByteView section = *sections_.slice(i, pe::section::kBytes, "library.sections");
      const auto first = section.get(pe::section::kAddress);
      const auto size = section.get(pe::section::kFileBytes);
      if (address < first || address - first >= size) continue;
      const std::uint64_t skipped = address - first;
      return file_.slice(section.get(pe::section::kFileOffset) + skipped, size - skipped, where);
    }
    return std::unexpected(Error{
        .code = ErrorCode::kBadOffset, .where = where, .actual = address, .limit = file_.size()});
  }

  Range at(std::uint32_t address, std::uint64_t length, const char* where) const {
    const Range rest = from(address, where);
    return rest ? rest->first(length, where) : rest;
  }

 private:
  ByteView file_;
  ByteView optional_;
  ByteView sections_;
};

std::expected<std::string, Error> name_at(const Image& image, std::uint32_t address) {
  const Range rest = image.from(address, "library.exports.name");
  if (!rest) return std::unexpected(rest.error());
  const std::size_t room = std::min(rest->size(), kMaxName + 1);
  const std::string_view text(reinterpret_cast<const char*>(rest->bytes().data()), room);
  const std::size_t length = text.find('\0');
  const auto is_printable = [](char c) { return c > ' ' && c <= '~'; };
  if (length == std::string_view::npos || length == 0 ||
      !std::ranges::all_of(text.substr(0, length), is_printable))
    return std::unexpected(rest->error(ErrorCode::kBadText, std::min(length, room), kMaxName));
  return std::string(text.substr(0, length));
}

struct Arrays {
  ByteView functions;
  ByteView names;
  ByteView ordinals;
};

// Whether the n-th name belongs to a function.
bool has_function(const Arrays& arrays, std::uint64_t n) {
  const std::uint64_t offset =
      arrays.ordinals.get<std::uint16_t>(n * sizeof(std::uint16_t)) * sizeof(std::uint32_t);
  return arrays.functions.holds<std::uint32_t>(offset) &&
         arrays.functions.get<std::uint32_t>(offset) != 0;
}

PeExports read_names(const Image& image, const Arrays& arrays) {
  PeExports exports;
  const std::uint64_t count = arrays.names.size() / sizeof(std::uint32_t);
  std::size_t text = 0;
  const auto drop = [&exports](std::size_t names, const Error& error) {
    exports.unreadable += names;
    if (!exports.error) exports.error = error;
  };
  for (std::uint64_t n = 0; n < count; ++n) {
    if (!has_function(arrays, n)) continue;
    auto name = name_at(image, arrays.names.get<std::uint32_t>(n * sizeof(std::uint32_t)));
    if (!name) {
      drop(1, name.error());
      continue;
    }
    text += name->size();
    if (text > kMaxText) {
      drop(static_cast<std::size_t>(count - n),
           arrays.names.error(ErrorCode::kLimitExceeded, text, kMaxText));
      break;
    }
    exports.names.push_back(*std::move(name));
  }
  return exports;
}

bool is_name_character(char c) {
  return is_letter_or_digit(c) || std::string_view("_?@$.").contains(c);
}

// "@" and the size of the arguments in bytes.
bool is_argument_size(std::string_view text) {
  return text.size() > 1 && text.front() == '@' && std::ranges::all_of(text.substr(1), is_digit);
}

bool is_c(std::string_view exported, std::string_view plain) {
  const bool prefixed = exported.starts_with('_') || exported.starts_with('@');
  const std::string_view name = exported.substr(prefixed ? 1 : 0);
  if (!name.starts_with(plain)) return false;
  const std::string_view rest = name.substr(plain.size());
  return is_argument_size(rest) || (rest.empty() && exported.starts_with('_'));
}

bool is_microsoft_cpp(std::string_view exported, std::string_view plain) {
  return exported.starts_with('?') && exported.substr(1).starts_with(plain) &&
         exported.substr(1 + plain.size()).starts_with('@');
}

// The names of the function and its scopes are each preceded by their length.
bool is_itanium_cpp(std::string_view exported, std::string_view plain) {
  if (!exported.starts_with("_Z") && !exported.starts_with("__Z")) return false;
  const std::string counted = std::to_string(plain.size()).append(plain);
  const std::size_t at = exported.find(counted);
  return at != std::string_view::npos && !is_digit(exported[at - 1]);
}

}  // namespace

std::expected<PeExports, Error> pe_exports(std::span<const std::byte> bytes) {
  const auto image = Image::parse(bytes);
  if (!image) return std::unexpected(image.error());
  const auto address = image->export_address();
  if (!address) return std::unexpected(address.error());
  if (*address == 0) return PeExports{};
  const Range table = image->at(*address, pe::exports::kBytes, "library.exports");
  if (!table) return std::unexpected(table.error());
  const std::uint64_t names = table->get(pe::exports::kNameCount);
  if (names == 0) return PeExports{};
  if (names > kMaxNames)
    return std::unexpected(table->error(ErrorCode::kLimitExceeded, names, kMaxNames));

  const auto array = [&](Field<std::uint32_t> field, std::uint64_t length, const char* where) {
    return image->at(table->get(field), length, where);
  };
  const std::uint64_t functions = table->get(pe::exports::kFunctionCount);
  const Range function_array = array(pe::exports::kFunctions, functions * sizeof(std::uint32_t),
                                     "library.exports.functions");
  if (!function_array) return std::unexpected(function_array.error());
  const Range name_array =
      array(pe::exports::kNames, names * sizeof(std::uint32_t), "library.exports.names");
  if (!name_array) return std::unexpected(name_array.error());
  const Range ordinal_array =
      array(pe::exports::kOrdinals, names * sizeof(std::uint16_t), "library.exports.ordinals");
  if (!ordinal_array) return std::unexpected(ordinal_array.error());
  return read_names(
      *image, {.functions = *function_array, .names = *name_array, .ordinals = *ordinal_array});
}

bool is_decorated(std::string_view exported, std::string_view plain) {
  return !plain.empty() && std::ranges::all_of(exported, is_name_character) &&
         (is_c(exported, plain) || is_microsoft_cpp(exported, plain) ||
          is_itanium_cpp(exported, plain));
}

namespace {

constexpr std::size_t kMaxBytes = 64U << 20;

Access access_of(ErrorCode code) {
  if (code == ErrorCode::kNoSuchFile) return Access::kAbsent;
  return code == ErrorCode::kAccessDenied ? Access::kDenied : Access::kFailed;
}

std::expected<PeExports, Error> exports_of(const std::filesystem::path& path,
                                           OpenedLibrary library) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error)
    return std::unexpected(Error{.code = ErrorCode::kOsError,
                                 .where = "library",
                                 .os_code = static_cast<std::uint32_t>(error.value())});
  if (size > kMaxBytes)
    return std::unexpected(Error{
        .code = ErrorCode::kLimitExceeded, .where = "library", .actual = size, .limit = kMaxBytes});
  library.read_up_to(static_cast<std::size_t>(size));
  return pe_exports(library.head);
}

}  // namespace

LibraryFile inspect_library(const std::filesystem::path& path) {
  LibraryFile file;
  auto opened = open_library(path);
  if (!opened) {
    file.access = access_of(opened.error().code);
    file.error = opened.error();
    return file;
  }
  file.access = Access::kReadable;
  const auto machine = pe_machine(opened->head);
  if (!machine) {
    file.error = machine.error();
    return file;
  }
  file.machine = *machine;
  auto exports = exports_of(path, *std::move(opened));
  if (exports) file.exports = *std::move(exports);
  if (!exports) file.exports_error = exports.error();
  return file;
}

}  // namespace winperf
