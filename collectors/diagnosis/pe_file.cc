#include "collectors/diagnosis/pe_file.h"

#include <cstdio>
#include <string_view>

namespace winperf {
namespace {

constexpr std::uint16_t kDosSignature = 0x5A4D;     // "MZ"
constexpr std::uint32_t kPeSignature = 0x00004550;  // "PE\0\0"
constexpr std::uint64_t kPeOffsetField = 60;

std::string_view name_of(PeMachine machine) {
  switch (machine) {
    case PeMachine::kX86:
      return "32-bit (x86)";
    case PeMachine::kArm:
      return "32-bit (ARM)";
    case PeMachine::kX64:
      return "64-bit (x64)";
    case PeMachine::kArm64:
      return "64-bit (ARM64)";
  }
  return {};
}

}  // namespace

std::expected<ByteView, Error> pe_header(const ByteView& file) {
  const auto dos = file.read<std::uint16_t>(0);
  if (!dos) return std::unexpected(dos.error());
  if (*dos != kDosSignature)
    return std::unexpected(file.error(ErrorCode::kBadSignature, *dos, kDosSignature));
  const auto offset = file.read<std::uint32_t>(kPeOffsetField);
  if (!offset) return std::unexpected(offset.error());
  const auto proved =
      file.slice(*offset, sizeof(std::uint32_t) + sizeof(std::uint16_t), file.where());
  if (!proved) return std::unexpected(proved.error());
  const auto signature = proved->get<std::uint32_t>(0);
  if (signature != kPeSignature)
    return std::unexpected(proved->error(ErrorCode::kBadSignature, signature, kPeSignature));
  return file.from(*offset, file.where());
}

std::expected<PeMachine, Error> pe_machine(std::span<const std::byte> bytes) {
  const auto header = pe_header(ByteView(bytes, "library"));
  if (!header) return std::unexpected(header.error());
  return PeMachine{header->get<std::uint16_t>(sizeof(std::uint32_t))};
}

std::string describe(PeMachine machine) {
  const std::string_view name = name_of(machine);
  if (!name.empty()) return std::string(name);
  char text[24];
  std::snprintf(text, sizeof text, "machine 0x%04x", static_cast<unsigned>(machine));
  return text;
}

bool is_32_bit(PeMachine machine) {
  return machine == PeMachine::kX86 || machine == PeMachine::kArm;
}

}  // namespace winperf
