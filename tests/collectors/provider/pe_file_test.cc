#include "collectors/provider/library_head.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/byte_writer.h"

namespace winperf::testing {
namespace {

constexpr std::size_t kPeOffset = 128;

std::vector<std::byte> pe_file(PeMachine machine) {
  ByteWriter out;
  out.put(std::uint16_t{0x5A4D});
  while (out.size() < 60) out.put(std::uint8_t{0});
  out.put(static_cast<std::uint32_t>(kPeOffset));
  while (out.size() < kPeOffset) out.put(std::uint8_t{0});
  out.put(std::uint32_t{0x4550}).put(static_cast<std::uint16_t>(machine));
  return std::move(out).take();
}

TEST(PeFile, SaysForWhichMachineItWasBuilt) {
  for (const PeMachine machine :
       {PeMachine::kX86, PeMachine::kX64, PeMachine::kArm, PeMachine::kArm64, PeMachine{0x1234}})
    EXPECT_EQ(pe_machine(pe_file(machine)), machine) << describe(machine);
}

// IMAGE_FILE_MACHINE_* of winnt.h.
TEST(PeFile, MachinesHaveTheNumbersOfWindows) {
  EXPECT_EQ(PeMachine::kX86, PeMachine{0x014C});
  EXPECT_EQ(PeMachine::kArm, PeMachine{0x01C4});
  EXPECT_EQ(PeMachine::kX64, PeMachine{0x8664});
  EXPECT_EQ(PeMachine::kArm64, PeMachine{0xAA64});
}

TEST(PeFile, MachinesAreDescribed) {
  EXPECT_EQ(describe(PeMachine::kX86), "32-bit (x86)");
  EXPECT_EQ(describe(PeMachine::kArm), "32-bit (ARM)");
  EXPECT_EQ(describe(PeMachine::kX64), "64-bit (x64)");
  EXPECT_EQ(describe(PeMachine::kArm64), "64-bit (ARM64)");
  EXPECT_EQ(describe(PeMachine{0x1234}), "machine 0x1234");
  EXPECT_TRUE(is_32_bit(PeMachine::kX86));
  EXPECT_TRUE(is_32_bit(PeMachine::kArm));
  EXPECT_FALSE(is_32_bit(PeMachine::kArm64));
  EXPECT_FALSE(is_32_bit(PeMachine::kX64));
  EXPECT_FALSE(is_32_bit(PeMachine{0x1234}));
}

TEST(PeFile, TruncatedAnywhereItHasNoMachine) {
  const auto whole = pe_file(PeMachine::kX64);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    // A copy of its own, so that the sanitizer sees a read past its end.
    const std::vector<std::byte> part(whole.begin(),
                                      whole.begin() + static_cast<std::ptrdiff_t>(size));
    const auto machine = pe_machine(part);
    ASSERT_FALSE(machine) << size;
    EXPECT_EQ(machine.error().code, ErrorCode::kTruncated) << size;
  }
}

TEST(PeFile, SpoiltAnywhereItIsReadWithinItsBytes) {
  const auto whole = pe_file(PeMachine::kX64);
  const auto is_signature = [](std::size_t at) {
    return at < 2 || (at >= 60 && at < 64) || (at >= kPeOffset && at < kPeOffset + 4);
  };
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int value : {0x00, 0x01, 0x7F, 0x80, 0xFF}) {
      SCOPED_TRACE(std::to_string(at) + " becomes " + std::to_string(value));
      std::vector<std::byte> spoilt = whole;
      spoilt[at] = static_cast<std::byte>(value);
      const auto machine = pe_machine(spoilt);
      const bool harmless = spoilt == whole || !is_signature(at);
      EXPECT_EQ(machine.has_value(), harmless);
      if (at < kPeOffset && harmless) {
        EXPECT_EQ(machine, PeMachine::kX64);
      }
    }
  }
}

TEST(PeFile, HeaderOffsetsThatOverflowAreErrors) {
  for (const std::uint32_t offset : {0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFAu, 0xFFFFFFFFu}) {
    auto bytes = pe_file(PeMachine::kX64);
    for (std::size_t i = 0; i < 4; ++i)
      bytes[60 + i] = static_cast<std::byte>(offset >> (8 * i) & 0xFF);
    const auto machine = pe_machine(bytes);
    ASSERT_FALSE(machine);
    EXPECT_EQ(machine.error().code, ErrorCode::kTruncated);
  }
}

}  // namespace
}  // namespace winperf::testing
