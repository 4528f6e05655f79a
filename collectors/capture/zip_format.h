// The numbers of the ZIP format. Source: PKWARE's APPNOTE.TXT 6.3, 4.3 and 4.4.
#pragma once

#include <cstddef>
#include <cstdint>

namespace winperf::capture::zip {

inline constexpr std::uint32_t kLocalHeader = 0x04034b50;
inline constexpr std::uint32_t kDirectoryEntry = 0x02014b50;
inline constexpr std::uint32_t kEnd = 0x06054b50;
inline constexpr std::size_t kLocalHeaderBytes = 30;
inline constexpr std::size_t kDirectoryEntryBytes = 46;
inline constexpr std::size_t kEndBytes = 22;
inline constexpr std::size_t kLongestComment = 65535;
inline constexpr std::size_t kMostFiles = 65535;
inline constexpr std::size_t kMostBytes = 0xF0000000;  // of packed files; leaves the directory room

inline constexpr std::uint32_t kVersion = 20;     // that it takes to unpack: 2.0
inline constexpr std::uint32_t kEncrypted = 1;    // flag
inline constexpr std::uint32_t kUtf8 = 0x800;     // flag: the name's encoding
inline constexpr std::uint32_t kStored = 0;       // method
inline constexpr std::uint32_t kDeflated = 8;     // method
inline constexpr std::uint32_t kFirstDay = 0x21;  // 1 January 1980

}  // namespace winperf::capture::zip
