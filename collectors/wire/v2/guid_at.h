// A GUID within bytes whose range was proved.
#pragma once

#include <cstring>

#include "collectors/model/guid.h"
#include "collectors/wire/byte_view.h"

namespace winperf::v2 {

inline Guid guid_at(const ByteView& proved, std::size_t offset) {
  Guid guid;
  std::memcpy(guid.bytes.data(), proved.bytes().data() + offset, Guid::kBytes);
  return guid;
}

}  // namespace winperf::v2
