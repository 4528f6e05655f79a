#include "tests/support/pe_builder.h"

#include <utility>

#include "tests/support/byte_writer.h"

namespace winperf::testing {
namespace {

constexpr std::uint32_t kSectionAddress = 0x5000;
constexpr std::size_t kTableBytes = 40;
constexpr std::size_t kDirectories = 16;

std::uint32_t address_of(std::size_t place) {
  return static_cast<std::uint32_t>(kSectionAddress + (place - pe_field::kTable));
}

std::uint32_t append_text(ByteWriter& out, const std::string& text) {
  const std::uint32_t address = address_of(out.size());
  for (const char c : text) out.put(static_cast<std::uint8_t>(c));
  out.put(std::uint8_t{0});
  return address;
}

}  // namespace

PeBuilder& PeBuilder::machine(std::uint16_t machine, bool is_32_bit) {
  machine_ = machine;
  is_32_bit_ = is_32_bit;
  return *this;
}

PeBuilder& PeBuilder::function(std::string name) {
  exports_.push_back({std::move(name), {}, true});
  return *this;
}

PeBuilder& PeBuilder::forwarder(std::string name, std::string target) {
  exports_.push_back({std::move(name), std::move(target), true});
  return *this;
}

PeBuilder& PeBuilder::hole(std::string name) {
  exports_.push_back({std::move(name), {}, false});
  return *this;
}

PeBuilder& PeBuilder::without_exports() {
  has_table_ = false;
  return *this;
}

PeBuilder& PeBuilder::first_section(std::uint32_t address, std::uint32_t bytes) {
  first_section_ = {.address = address, .bytes = bytes};
  return *this;
}

std::size_t PeBuilder::functions() const { return pe_field::kTable + kTableBytes; }
std::size_t PeBuilder::names() const { return functions() + 4 * exports_.size(); }
std::size_t PeBuilder::places() const { return names() + 4 * exports_.size(); }

std::vector<std::byte> PeBuilder::bytes() const {
  const std::size_t fields = is_32_bit_ ? 96 : 112;  // of the optional header, before directories
  ByteWriter out;
  out.put(std::uint16_t{0x5A4D}).grow(58).put(static_cast<std::uint32_t>(pe_field::kHeader));
  out.grow(pe_field::kHeader - out.size());
  out.put(std::uint32_t{0x4550}).put(machine_);
  out.put(static_cast<std::uint16_t>(first_section_ ? 2 : 1)).grow(12);
  out.put(static_cast<std::uint16_t>(fields + 8 * kDirectories)).put(std::uint16_t{0x2000});
  out.put(static_cast<std::uint16_t>(is_32_bit_ ? 0x10B : 0x20B)).grow(fields - 6);
  out.put(static_cast<std::uint32_t>(kDirectories));
  const std::size_t directory = out.size();
  out.grow(8 * kDirectories);
  if (first_section_) out.grow(12).put(first_section_->address).put(first_section_->bytes).grow(20);
  const std::size_t section = out.size();
  out.grow(40).grow(pe_field::kTable - out.size());

  const auto count = static_cast<std::uint32_t>(exports_.size());
  out.grow(20).put(count).put(count);
  for (const std::size_t array : {functions(), names(), places()}) out.put(address_of(array));
  out.grow(10 * exports_.size());
  for (std::size_t i = 0; i < exports_.size(); ++i) {
    const Export& one = exports_[i];
    // The functions are in another order than the names.
    const std::size_t place = exports_.size() - 1 - i;
    out.set(places() + 2 * i, static_cast<std::uint16_t>(place));
    out.set(names() + 4 * i, append_text(out, one.name));
    std::uint32_t function = one.exists ? 0x1000 : 0;  // somewhere in the code
    if (!one.target.empty()) function = append_text(out, one.target);
    out.set(functions() + 4 * place, function);
  }
  const auto size = static_cast<std::uint32_t>(out.size() - pe_field::kTable);
  out.set(section + 8, size).set(section + 12, kSectionAddress).set(section + 16, size);
  out.set(section + 20, static_cast<std::uint32_t>(pe_field::kTable));
  if (has_table_) out.set(directory, kSectionAddress).set(directory + 4, size);
  return std::move(out).take();
}

}  // namespace winperf::testing
