// Name tables: whatever the bytes, the entries are in order, findable, and not more than the input
// has room for.
#include <span>

#include "collectors/wire/name_table.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/name_table_bytes.h"

namespace winperf::fuzz {
namespace {

void check(std::span<const std::byte> bytes) {
  const NameTable table = NameTable::parse(bytes);
  std::size_t text_bytes = 0;
  const NameTable::Entry* before = nullptr;
  for (const NameTable::Entry& entry : table.entries()) {
    require(before == nullptr || before->index < entry.index, "indices ascend");
    require(!entry.text.empty(), "every entry has a text");
    require(table.find(entry.index) == &entry.text, "every entry is found");
    text_bytes += entry.text.size();
    before = &entry;
  }
  // An index and its NUL are 4 bytes at least; a unit of 2 bytes becomes 3 at most.
  require(table.entries().size() * 4 <= bytes.size(), "entries are not more than their bytes");
  require(text_bytes * 2 <= bytes.size() * 3, "texts are not more than their bytes");
  for (const NameTable::Problem& problem : table.problems()) {
    require(problem.count > 0, "a problem was met");
    require(problem.first.offset < bytes.size(), "a problem lies within the input");
  }
  if (table.entries().empty()) return;
  const NameTable::Entry& first = table.entries().front();
  const auto indices = table.indices_of(first.text);
  require(!indices.empty() && indices.front() == first.index, "the first entry's name leads to it");
}

}  // namespace

std::vector<Input> seeds() {
  using testing::name_table_bytes;
  return {name_table_bytes({u"1", u"1847", u"2", u"System", u"4", u"Memory", u"6",
                            u"% Processor Time", u"238", u"Processor"}),
          name_table_bytes({u"\uFEFF3", u"The help.", u"5", u"", u"7", u"\u20ac \U0001F600"}),
          name_table_bytes({u"2", u"System", u"Lost", u"4", u"6", u"Memory", u"6", u"Again"})};
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace winperf;
  const fuzz::Input bytes = fuzz::copy_of(data, size);
  fuzz::check(bytes);
  return 0;
}
