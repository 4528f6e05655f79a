// Builds the stream of a name table (REG_MULTI_SZ, UTF-16LE) for tests.
#pragma once

#include <initializer_list>
#include <string_view>

#include "tests/support/block_builder.h"
#include "tests/support/byte_writer.h"

namespace winperf::testing {

// Each string with its NUL, and nothing after the last one.
inline ByteVector strings(std::initializer_list<std::u16string_view> texts) {
  ByteWriter out;
  for (const std::u16string_view text : texts) out.utf16(text).put(std::uint16_t{0});
  return std::move(out).take();
}

// As the registry delivers it: index, text, index, text, ... and the closing NUL.
inline ByteVector name_table_bytes(std::initializer_list<std::u16string_view> texts) {
  ByteVector bytes = strings(texts);
  bytes.resize(bytes.size() + 2);
  return bytes;
}

}  // namespace winperf::testing
