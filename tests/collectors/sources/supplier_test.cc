#include "collectors/sources/source.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

TEST(WithSupplier, NamesItBeforeThePlaceAndChangesNothingElse) {
  const Error error{.code = ErrorCode::kBadLength,
                    .where = "object.counter",
                    .offset = 8,
                    .actual = 12,
                    .limit = 40,
                    .os_code = 3};
  Error expected = error;
  expected.where = "provider \"x\" in object.counter";
  EXPECT_EQ(with_supplier(error, "provider \"x\""), expected);
}

TEST(WithSupplier, IsTheErrorItselfIfNobodyIsKnown) {
  const Error error{.code = ErrorCode::kBadLength, .where = "object.counter"};
  EXPECT_EQ(with_supplier(error, nullptr), error);
}

}  // namespace
}  // namespace winperf
