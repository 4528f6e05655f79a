#include "collectors/sources/supplier.h"

#include <string>

#include "collectors/base/file_failure.h"

namespace winperf {

Error with_supplier(Error error, const char* supplier) {
  if (supplier == nullptr) return error;
  error.where = kept_text(std::string(supplier) + " in " + error.where, supplier);
  return error;
}

}  // namespace winperf
