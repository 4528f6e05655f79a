#include "collectors/base/utf8.h"

namespace winperf {
namespace {

struct Lead {
  std::size_t bytes = 0;  // of the whole character; 0: no lead byte
  unsigned char second_from = 0x80;
  unsigned char second_to = 0xBF;
};

Lead lead_of(unsigned char byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte < 0xC2) return {};
  if (byte < 0xE0) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte < 0xF0) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte < 0xF4) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {};
}

}  // namespace

Utf8Step next_character(std::string_view text) {
  const auto byte = [&](std::size_t index) { return static_cast<unsigned char>(text[index]); };
  const Lead lead = lead_of(byte(0));
  if (lead.bytes == 0) return {1, false};
  for (std::size_t i = 1; i < lead.bytes; ++i) {
    const unsigned char from = i == 1 ? lead.second_from : 0x80;
    const unsigned char to = i == 1 ? lead.second_to : 0xBF;
    if (i >= text.size() || byte(i) < from || byte(i) > to) return {i, false};
  }
  return {lead.bytes, true};
}

}  // namespace winperf
