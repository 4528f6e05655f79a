// Builds the file of a Windows DLL with an export table: what a linker writes, as far as a reader
// of names looks at it. The section's address in memory is not its place in the file.
//
//   PeBuilder().function("Open").forwarder("Close", "OTHER.Close").bytes()
//
// Source: winnt.h; Learn, "PE Format".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace winperf::testing {

// Where the fields are that tests spoil.
namespace pe_field {
inline constexpr std::size_t kHeader = 128;  // "PE\0\0"
inline constexpr std::size_t kSectionCount = kHeader + 6;
inline constexpr std::size_t kOptionalHeader = kHeader + 24;
inline constexpr std::size_t kTable = 1024;  // the section in the file; the export table is first
inline constexpr std::size_t kFunctionCount = kTable + 20;
inline constexpr std::size_t kNameCount = kTable + 24;
inline constexpr std::size_t kFunctions = kTable + 28;
inline constexpr std::size_t kNames = kTable + 32;
inline constexpr std::size_t kOrdinals = kTable + 36;
}  // namespace pe_field

class PeBuilder {
 public:
  // 32 bits: another optional header.
  PeBuilder& machine(std::uint16_t machine, bool is_32_bit);
  PeBuilder& function(std::string name);
  PeBuilder& forwarder(std::string name, std::string target);
  // A name whose function was taken out.
  PeBuilder& hole(std::string name);
  // The file has no export table at all.
  PeBuilder& without_exports();
  // Another section comes before that of the table. The file has none of its bytes.
  PeBuilder& first_section(std::uint32_t address, std::uint32_t bytes);

  // The first element of each array, as a place in the file: kTable's arrays follow the table.
  std::size_t functions() const;
  std::size_t names() const;
  std::size_t places() const;

  std::vector<std::byte> bytes() const;

 private:
  struct Export {
    std::string name;
    std::string target;  // of a forwarder
    bool exists = true;
  };

  std::uint16_t machine_ = 0x8664;
  bool is_32_bit_ = false;
  bool has_table_ = true;
  struct Section {
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
  };
  std::optional<Section> first_section_;
  std::vector<Export> exports_;
};

}  // namespace winperf::testing
