#include "collectors/catalog/catalog.h"

#include <gtest/gtest.h>

#include <string_view>

#include "tests/support/name_table_bytes.h"

namespace winperf {
namespace {

NameTable with_name(std::u16string_view name) {
  return NameTable::parse(testing::name_table_bytes({u"2", u"System", u"4", name}));
}

TEST(TableShelf, EqualTablesAreOne) {
  TableShelf shelf;
  const auto first = shelf.share(with_name(u"Memory"));
  EXPECT_EQ(shelf.share(with_name(u"Memory")), first);
  const auto other = shelf.share(with_name(u"Memary"));
  EXPECT_NE(other, first);
  EXPECT_EQ(*other->find(4), "Memary");
  EXPECT_EQ(*first->find(4), "Memory");
  EXPECT_EQ(shelf.size(), 2U);
}

TEST(TableShelf, WhatNobodyHasGoes) {
  TableShelf shelf;
  static_cast<void>(shelf.share(with_name(u"Memory")));
  const auto other = shelf.share(with_name(u"Memary"));
  EXPECT_EQ(shelf.size(), 1U);
}

}  // namespace
}  // namespace winperf
