// Holds a field of a table against the member of a structure that somebody else declared.
#pragma once

#include <cstddef>

#include "collectors/wire/byte_view.h"

namespace winperf::testing {

template <class Integer>
constexpr std::size_t width_of(Field<Integer>) {
  return sizeof(Integer);
}

}  // namespace winperf::testing

#define AGREES(structure, member, field)                         \
  static_assert(offsetof(structure, member) == (field).offset && \
                sizeof(structure::member) == ::winperf::testing::width_of(field))
