#include <zlib.h>
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "collectors/base/path_text.h"
#include "collectors/base/whole_file.h"
#include "collectors/capture/archive.h"
#include "collectors/wire/byte_view.h"

namespace winperf::capture {

// The fields and constants of the ZIP format. The offset of each field counts from the start of its
// structure.
namespace zip {

namespace file_info {  // fields that a local header and a directory entry share
inline constexpr Field<std::uint16_t> kVersionNeeded{0};
inline constexpr Field<std::uint16_t> kFlags{2};
inline constexpr Field<std::uint16_t> kMethod{4};
inline constexpr Field<std::uint16_t> kDay{8};
inline constexpr Field<std::uint32_t> kCrc{10};
inline constexpr Field<std::uint32_t> kPackedBytes{14};
inline constexpr Field<std::uint32_t> kPlainBytes{18};
inline constexpr Field<std::uint16_t> kNameBytes{22};
inline constexpr Field<std::uint16_t> kExtraBytes{24};
inline constexpr std::size_t kBytes = 26;
}  // namespace file_info

namespace local_header {  // name, extra field and data follow
inline constexpr Field<std::uint32_t> kSignature{0};
inline constexpr std::size_t kFileInfo = 4;
inline constexpr std::size_t kBytes = 30;
inline constexpr std::uint32_t kMagic = 0x04034b50;
}  // namespace local_header

namespace directory_entry {  // name, extra field and comment follow
inline constexpr Field<std::uint32_t> kSignature{0};
inline constexpr Field<std::uint16_t> kVersionMadeBy{4};
inline constexpr std::size_t kFileInfo = 6;
inline constexpr Field<std::uint16_t> kCommentBytes{32};
inline constexpr Field<std::uint32_t> kLocalHeader{42};
inline constexpr std::size_t kBytes = 46;
inline constexpr std::uint32_t kMagic = 0x02014b50;
}  // namespace directory_entry

namespace end {  // of the directory; a comment follows
inline constexpr Field<std::uint32_t> kSignature{0};
inline constexpr Field<std::uint16_t> kFilesOnThisDisk{8};
inline constexpr Field<std::uint16_t> kFiles{10};
inline constexpr Field<std::uint32_t> kDirectoryBytes{12};
inline constexpr Field<std::uint32_t> kDirectory{16};
inline constexpr std::size_t kBytes = 22;
inline constexpr std::uint32_t kMagic = 0x06054b50;
}  // namespace end

inline constexpr std::size_t kMaxCommentBytes = 65'535;
inline constexpr std::size_t kMaxFiles = 65'535;
// Of packed files; this leaves room for the directory.
inline constexpr std::size_t kMaxBytes = 0xF0000000;

inline constexpr std::uint16_t kVersion = 20;     // needed for unpacking: 2.0
inline constexpr std::uint16_t kEncrypted = 1;    // flag
inline constexpr std::uint16_t kUtf8 = 0x800;     // flag: the name's encoding
inline constexpr std::uint16_t kStored = 0;       // method
inline constexpr std::uint16_t kDeflated = 8;     // method
inline constexpr std::uint16_t kFirstDay = 0x21;  // 1 January 1980

}  // namespace zip

namespace {

// Of the file's bytes: where the local header is, and the data after it.
struct Place {
  std::uint64_t begin = 0;
  ByteView packed;

  std::uint64_t end() const { return packed.offset() + packed.size(); }
};

std::uint32_t crc_of(std::span<const std::byte> bytes) {
  const auto* const first = reinterpret_cast<const Bytef*>(bytes.data());
  return static_cast<std::uint32_t>(crc32(0, first, static_cast<uInt>(bytes.size())));
}

// A name that can't lead outside the folder into which it would be unpacked.
bool is_plain_name(std::string_view name) {
  constexpr std::string_view kForbidden = "/\\:";
  return !name.empty() && name != "." && name != ".." && std::ranges::none_of(name, [&](char c) {
    return static_cast<unsigned char>(c) < 0x20 || kForbidden.contains(c);
  });
}

// Exactly `plain` bytes, or nothing.
std::optional<Bytes> inflated(std::span<const std::byte> packed, std::size_t plain) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return std::nullopt;
  Bytes out(plain);
  std::byte nowhere{};  // zlib requires a pointer even for an empty output
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(plain == 0 ? &nowhere : out.data());
  stream.avail_out = static_cast<uInt>(plain);
  const int result = inflate(&stream, Z_FINISH);
  const bool whole = result == Z_STREAM_END && stream.total_out == plain;
  inflateEnd(&stream);
  return whole ? std::optional(std::move(out)) : std::nullopt;
}

class Archive final : public CaptureFolder {
 public:
  Archive(Bytes bytes, std::string text) : bytes_(std::move(bytes)), text_(std::move(text)) {}

  // The defect; empty if none.
  std::string list(const ArchiveLimits& limits);

  [[nodiscard]] std::expected<std::vector<std::string>, SourceError> names() const override {
    std::vector<std::string> names;
    for (const auto& [name, entry] : entries_) names.push_back(name);
    return names;
  }

  [[nodiscard]] std::expected<Bytes, Error> read(std::string_view name,
                                                 const char* where) const override;
  std::string text() const override { return text_; }

 private:
  std::optional<std::size_t> find_end() const;
  // What precedes the directory: all files.
  ByteView contents(const char* where) const {
    return {std::span(bytes_).first(directory_), where};
  }
  [[nodiscard]] std::expected<Place, Error> place_of(const ArchiveEntry& entry,
                                                     const char* where) const;
  std::string find_overlap() const;
  std::string list_entry(ByteView& rest, const ArchiveLimits& limits, std::uint64_t& all_bytes);

  const Bytes bytes_;
  const std::string text_;
  std::size_t directory_ = 0;  // where it begins
  std::map<std::string, ArchiveEntry, std::less<>> entries_;
};

// The last structure in the file, except for a comment.
std::optional<std::size_t> Archive::find_end() const {
  if (bytes_.size() < zip::end::kBytes) return std::nullopt;
  const ByteView whole(bytes_, "capture.archive");
  const std::size_t last = bytes_.size() - zip::end::kBytes;
  const std::size_t first = last - std::min(last, zip::kMaxCommentBytes);
  for (std::size_t at = last + 1; at-- > first;)
    if (whole.get<std::uint32_t>(at) == zip::end::kMagic) return at;
  return std::nullopt;
}

std::string Archive::list(const ArchiveLimits& limits) {
  if (bytes_.empty()) return "it is empty";
  const auto end = find_end();
  if (!end) return "it does not end like a ZIP archive; it may be truncated";
  const ByteView whole(bytes_, "capture.archive");
  const ByteView record = *whole.slice(*end, zip::end::kBytes, "capture.archive");
  const auto count = record.get(zip::end::kFiles);
  const auto bytes = record.get(zip::end::kDirectoryBytes);
  const auto offset = record.get(zip::end::kDirectory);
  auto directory = whole.slice(offset, bytes, "capture.archive");
  if (!directory || std::uint64_t{offset} + bytes > *end)
    return "its list of files lies outside it";
  std::uint64_t all_bytes = 0;
  for (std::uint32_t i = 0; i < count; ++i)
    if (std::string wrong = list_entry(*directory, limits, all_bytes); !wrong.empty()) return wrong;
  directory_ = offset;
  return find_overlap();
}

// Files that share bytes would unpack to many times the size of the archive. Files without a valid
// place can't be read at all.
std::string Archive::find_overlap() const {
  std::vector<std::pair<Place, const std::string*>> places;
  for (const auto& [name, entry] : entries_)
    if (const auto place = place_of(entry, "capture.archive")) places.emplace_back(*place, &name);
  std::ranges::sort(places, {}, [](const auto& known) { return known.first.begin; });
  const auto overlap = std::ranges::adjacent_find(
      places, [](const auto& a, const auto& b) { return b.first.begin < a.first.end(); });
  if (overlap == places.end()) return {};
  return "its files " + *overlap->second + " and " + *std::next(overlap)->second +
         " share the same bytes";
}

std::string Archive::list_entry(ByteView& rest, const ArchiveLimits& limits,
                                std::uint64_t& all_bytes) {
  namespace field = zip::directory_entry;
  const auto fixed = rest.first(field::kBytes, "capture.archive");
  if (!fixed || fixed->get(field::kSignature) != field::kMagic) return "its directory is damaged";
  const ByteView info = *fixed->slice(field::kFileInfo, zip::file_info::kBytes, "capture.archive");
  const ArchiveEntry entry{.method = info.get(zip::file_info::kMethod),
                           .crc = info.get(zip::file_info::kCrc),
                           .packed = info.get(zip::file_info::kPackedBytes),
                           .plain = info.get(zip::file_info::kPlainBytes),
                           .offset = fixed->get(field::kLocalHeader)};
  const std::size_t name_bytes = info.get(zip::file_info::kNameBytes);
  const std::size_t more_bytes =
      std::size_t{info.get(zip::file_info::kExtraBytes)} + fixed->get(field::kCommentBytes);
  const auto name_view = rest.slice(field::kBytes, name_bytes, "capture.archive");
  const auto next = rest.from(field::kBytes + name_bytes + more_bytes, "capture.archive");
  if (!name_view || !next) return "its directory is truncated";
  const auto text = name_view->bytes();
  const std::string name(reinterpret_cast<const char*>(text.data()), text.size());
  if (!is_plain_name(name)) return "it contains a file with an invalid name";
  if ((info.get(zip::file_info::kFlags) & zip::kEncrypted) != 0)
    return "its file " + name + " is encrypted";
  if (entry.method != zip::kStored && entry.method != zip::kDeflated)
    return "its file " + name + " uses an unknown compression method";
  if (entry.plain > limits.file_bytes) return "its file " + name + " is too large";
  all_bytes += entry.plain;
  if (all_bytes > limits.all_bytes) return "its files are too large in total";
  if (!entries_.emplace(name, entry).second) return "it contains the file " + name + " twice";
  rest = *next;
  return {};
}

std::expected<Place, Error> Archive::place_of(const ArchiveEntry& entry, const char* where) const {
  const ByteView contents = this->contents(where);
  const auto header = contents.slice(entry.offset, zip::local_header::kBytes, where);
  if (!header) return std::unexpected(header.error());
  if (header->get(zip::local_header::kSignature) != zip::local_header::kMagic)
    return std::unexpected(contents.error(ErrorCode::kBadOffset, entry.offset, bytes_.size()));
  const ByteView info = *header->slice(zip::local_header::kFileInfo, zip::file_info::kBytes, where);
  const std::uint64_t data = std::uint64_t{entry.offset} + zip::local_header::kBytes +
                             info.get(zip::file_info::kNameBytes) +
                             info.get(zip::file_info::kExtraBytes);
  const auto packed = contents.slice(data, entry.packed, where);
  if (!packed) return std::unexpected(packed.error());
  return Place{.begin = entry.offset, .packed = *packed};
}

std::expected<Bytes, Error> Archive::read(std::string_view name, const char* where) const {
  const auto found = entries_.find(name);
  if (found == entries_.end())
    return std::unexpected(Error{.code = ErrorCode::kNoSuchFile, .where = where});
  const ArchiveEntry& entry = found->second;
  const auto place = place_of(entry, where);
  if (!place) return std::unexpected(place.error());
  const auto bytes = place->packed.bytes();
  std::optional<Bytes> plain;
  if (entry.method == zip::kDeflated) plain = inflated(bytes, entry.plain);
  if (entry.method == zip::kStored && bytes.size() == entry.plain)
    plain = Bytes(bytes.begin(), bytes.end());
  if (!plain)
    return std::unexpected(contents(where).error(ErrorCode::kBadLength, entry.packed, entry.plain));
  const std::uint32_t crc = crc_of(*plain);
  if (crc != entry.crc)
    return std::unexpected(contents(where).error(ErrorCode::kBadChecksum, crc, entry.crc));
  return *std::move(plain);
}

}  // namespace

std::expected<std::shared_ptr<const CaptureFolder>, SourceError> open_archive(
    Bytes bytes, std::string text, const ArchiveLimits& limits) {
  auto archive = std::make_shared<Archive>(std::move(bytes), text);
  const std::string wrong = archive->list(limits);
  if (!wrong.empty())
    return std::unexpected(
        SourceError{ErrorCode::kBadOffset, text + " is not a capture: " + wrong});
  return archive;
}

std::expected<std::shared_ptr<const CaptureFolder>, SourceError> open_capture(
    const std::filesystem::path& path) {
  std::error_code ignored;  // opening it reports the reason
  const auto status = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(status) || std::filesystem::is_directory(status))
    return open_directory(path);
  constexpr std::uint64_t kMaxArchive = 1ULL << 30;
  auto bytes = read_whole_file(path, kMaxArchive);
  if (!bytes)
    return std::unexpected(
        SourceError{bytes.error().problem == FileProblem::kNotAFile ? ErrorCode::kNotAFile
                                                                    : ErrorCode::kOsError,
                    "cannot read the capture " + path_text(path) + ": " + bytes.error().reason});
  return open_archive(*std::move(bytes), path_text(path));
}

namespace {

// Appends a zeroed structure and the text that follows it; the caller sets its fields.
std::span<std::byte> append_structure(std::vector<std::byte>& out, std::size_t bytes,
                                      std::string_view text = {}) {
  const std::size_t start = out.size();
  out.resize(start + bytes);
  const auto text_bytes = std::as_bytes(std::span(text));
  out.insert(out.end(), text_bytes.begin(), text_bytes.end());
  return std::span(out).subspan(start, bytes);
}

// Raw deflate, as in a ZIP: without zlib's header and checksum.
std::vector<std::byte> deflated(std::span<const std::byte> bytes) {
  // The constant result for empty input, which saves zlib's allocation of 256 KiB.
  if (bytes.empty()) return {std::byte{0x03}, std::byte{0x00}};
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::vector<std::byte> out(deflateBound(&stream, static_cast<uLong>(bytes.size())));
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

void put_file_info(std::span<std::byte> info, std::string_view name, const ArchiveEntry& entry) {
  namespace field = zip::file_info;
  put(info, field::kVersionNeeded, zip::kVersion);
  put(info, field::kFlags, zip::kUtf8);
  put(info, field::kMethod, static_cast<std::uint16_t>(entry.method));
  put(info, field::kDay, zip::kFirstDay);
  put(info, field::kCrc, entry.crc);
  put(info, field::kPackedBytes, entry.packed);
  put(info, field::kPlainBytes, entry.plain);
  put(info, field::kNameBytes, static_cast<std::uint16_t>(name.size()));
}

void append_to_directory(std::vector<std::byte>& out, std::string_view name,
                         const ArchiveEntry& entry) {
  namespace field = zip::directory_entry;
  const std::span header = append_structure(out, field::kBytes, name);
  put(header, field::kSignature, field::kMagic);
  put(header, field::kVersionMadeBy, zip::kVersion);
  put_file_info(header.subspan(field::kFileInfo), name, entry);
  put(header, field::kLocalHeader, entry.offset);
}

}  // namespace

bool ArchiveWriter::has_room_for(std::size_t bytes) const {
  return entries_.size() < zip::kMaxFiles && bytes <= zip::kMaxBytes &&
         bytes_.size() <= zip::kMaxBytes - bytes;
}

void ArchiveWriter::add(std::string_view name, std::span<const std::byte> bytes) {
  const std::vector<std::byte> packed = deflated(bytes);
  const ArchiveEntry entry{.method = zip::kDeflated,
                           .crc = crc_of(bytes),
                           .packed = static_cast<std::uint32_t>(packed.size()),
                           .plain = static_cast<std::uint32_t>(bytes.size()),
                           .offset = static_cast<std::uint32_t>(bytes_.size())};
  namespace field = zip::local_header;
  const std::span header = append_structure(bytes_, field::kBytes, name);
  put(header, field::kSignature, field::kMagic);
  put_file_info(header.subspan(field::kFileInfo), name, entry);
  bytes_.insert(bytes_.end(), packed.begin(), packed.end());
  entries_.emplace_back(name, entry);
}

std::vector<std::byte> ArchiveWriter::finish() {
  const std::size_t directory = bytes_.size();
  for (const auto& [name, entry] : entries_) append_to_directory(bytes_, name, entry);
  const std::size_t directory_bytes = bytes_.size() - directory;
  namespace field = zip::end;
  const std::span end = append_structure(bytes_, field::kBytes);
  put(end, field::kSignature, field::kMagic);
  put(end, field::kFilesOnThisDisk, static_cast<std::uint16_t>(entries_.size()));
  put(end, field::kFiles, static_cast<std::uint16_t>(entries_.size()));
  put(end, field::kDirectoryBytes, static_cast<std::uint32_t>(directory_bytes));
  put(end, field::kDirectory, static_cast<std::uint32_t>(directory));
  return std::move(bytes_);
}

}  // namespace winperf::capture
