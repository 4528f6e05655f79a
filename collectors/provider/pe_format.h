// The fields of Windows executables and DLLs that this room reads. The offset of each field counts
// from the start of its structure. Source: winnt.h; Learn, "PE Format".
#pragma once

#include <cstddef>
#include <cstdint>

#include "collectors/wire/byte_view.h"

namespace winperf::pe {

namespace dos_header {  // IMAGE_DOS_HEADER
inline constexpr Field<std::uint16_t> kMagic{0};
inline constexpr Field<std::uint32_t> kHeaderOffset{60};  // of the PE header
}  // namespace dos_header

namespace header {  // the PE header: signature, IMAGE_FILE_HEADER, optional header, sections
inline constexpr Field<std::uint32_t> kSignature{0};
inline constexpr Field<std::uint16_t> kMachine{4};
inline constexpr Field<std::uint16_t> kSectionCount{6};
inline constexpr Field<std::uint16_t> kOptionalHeaderBytes{20};
inline constexpr std::size_t kBytesToMachine = 6;
inline constexpr std::size_t kOptionalHeader = 24;
}  // namespace header

namespace optional_header {  // IMAGE_OPTIONAL_HEADER32 and 64, which differ after this field
inline constexpr Field<std::uint16_t> kMagic{0};
}  // namespace optional_header

namespace section {  // IMAGE_SECTION_HEADER
inline constexpr Field<std::uint32_t> kAddress{12};
inline constexpr Field<std::uint32_t> kFileBytes{16};
inline constexpr Field<std::uint32_t> kFileOffset{20};
inline constexpr std::uint64_t kBytes = 40;
}  // namespace section

namespace exports {  // IMAGE_EXPORT_DIRECTORY; arrays are addresses
inline constexpr Field<std::uint32_t> kFunctionCount{20};
inline constexpr Field<std::uint32_t> kNameCount{24};
inline constexpr Field<std::uint32_t> kFunctions{28};
inline constexpr Field<std::uint32_t> kNames{32};
inline constexpr Field<std::uint32_t> kOrdinals{36};
inline constexpr std::uint64_t kBytes = 40;
}  // namespace exports

}  // namespace winperf::pe
