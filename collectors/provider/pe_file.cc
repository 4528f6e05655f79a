#include "collectors/provider/pe_file.h"

#include "collectors/base/hex.h"

namespace winperf {
namespace {

constexpr std::uint16_t kDosSignature = 0x5A4D;     // "MZ"
constexpr std::uint32_t kPeSignature = 0x00004550;  // "PE\0\0"

}  // namespace

std::expected<ByteView, Error> pe_header(const ByteView& file) {
  const auto dos = file.read(pe::dos_header::kMagic);
  if (!dos) return std::unexpected(dos.error());
  if (*dos != kDosSignature)
    return std::unexpected(file.error(ErrorCode::kBadSignature, *dos, kDosSignature));
  const auto offset = file.read(pe::dos_header::kHeaderOffset);
  if (!offset) return std::unexpected(offset.error());
  const auto proved = file.slice(*offset, pe::header::kBytesToMachine, file.where());
  if (!proved) return std::unexpected(proved.error());
  const auto signature = proved->get(pe::header::kSignature);
  if (signature != kPeSignature)
    return std::unexpected(proved->error(ErrorCode::kBadSignature, signature, kPeSignature));
  return file.from(*offset, file.where());
}

std::expected<PeMachine, Error> pe_machine(std::span<const std::byte> bytes) {
  const auto header = pe_header(ByteView(bytes, "library"));
  if (!header) return std::unexpected(header.error());
  return PeMachine{header->get(pe::header::kMachine)};
}

std::string describe(PeMachine machine) {
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
  return "machine " + hex(static_cast<std::uint16_t>(machine));
}

bool is_32_bit(PeMachine machine) {
  return machine == PeMachine::kX86 || machine == PeMachine::kArm;
}

}  // namespace winperf
