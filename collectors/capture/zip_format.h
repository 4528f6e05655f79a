// The fields and constants of the ZIP format. The offset of each field counts from the start of its
// structure. Source: PKWARE's APPNOTE.TXT 6.3, 4.3 and 4.4.
#pragma once

#include <cstddef>
#include <cstdint>

#include "collectors/wire/byte_view.h"

namespace winperf::capture::zip {

namespace file_info {  // what a local header and a directory entry both say
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

}  // namespace winperf::capture::zip
