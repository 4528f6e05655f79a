// An error as it is said of a provider. Thread rule: pure.
#pragma once

#include <string_view>

#include "collectors/model/error.h"
#include "collectors/sources/supplier.h"

namespace winperf {

// `name`: the provider's, static text. Places in its own work are said; how it was asked is known
// from its name.
[[nodiscard]] inline Error named_after(Error error, const char* name) {
  constexpr std::string_view kOfProvider = "provider.";
  if (std::string_view(error.where).starts_with(kOfProvider)) {
    error.where += kOfProvider.size();
    return with_supplier(error, name);
  }
  error.where = name;
  return error;
}

}  // namespace winperf
