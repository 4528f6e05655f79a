#include "collectors/diagnosis/pe_file.h"

#include <string_view>

#include "collectors/base/hex.h"
#include "collectors/diagnosis/pe_format.h"

namespace winperf {
namespace {

constexpr std::uint16_t kDosSignature = 0x5A4D;     // "MZ"
constexpr std::uint32_t kPeSignature = 0x00004550;  // "PE\0\0"

struct MachineInfo {
  PeMachine machine;
  std::string_view text;
  bool is_32_bit;
};
constexpr MachineInfo kMachines[] = {
    {PeMachine::kX86, "32-bit (x86)", true},
    {PeMachine::kArm, "32-bit (ARM)", true},
    {PeMachine::kX64, "64-bit (x64)", false},
    {PeMachine::kArm64, "64-bit (ARM64)", false},
};

const MachineInfo* info_of(PeMachine machine) {
  for (const MachineInfo& info : kMachines)
    if (info.machine == machine) return &info;
  return nullptr;
}

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
  if (const MachineInfo* const info = info_of(machine)) return std::string(info->text);
  return "machine " + hex(static_cast<std::uint16_t>(machine));
}

bool is_32_bit(PeMachine machine) {
  const MachineInfo* const info = info_of(machine);
  return info != nullptr && info->is_32_bit;
}

}  // namespace winperf
