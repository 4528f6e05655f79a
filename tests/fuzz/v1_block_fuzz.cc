// V1 blocks: the views say the same as the reference parser, and no error lies outside the input.
#include <span>

#include "collectors/wire/block_view.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/block_digest.h"
#include "tests/support/sample_blocks.h"

namespace winperf::fuzz {
namespace {

void check_errors(std::span<const std::byte> bytes) {
  const auto block = BlockView::parse(bytes);
  if (!block) {
    require(block.error().offset <= bytes.size(), "a block's error lies within it");
    return;
  }
  require(block->byte_length() <= bytes.size(), "a block is not longer than the input");
  ObjectWalk objects = block->objects();
  while (const auto object = objects.next()) {
    if (!*object) {
      require(kind_of(object->error().code) == ErrorKind::kCorrupt, "a bad object is corrupt data");
      require(object->error().offset <= bytes.size(), "an object's error lies within the block");
      continue;
    }
    const auto& view = **object;
    require(view.offset() + view.byte_length() <= block->byte_length(),
            "an object is in its block");
    const CounterDefinitions counters = view.counters();
    require(counters.all.size() * 40 <= view.definition_bytes().size(),
            "definitions are not more than their bytes");
  }
}

}  // namespace

std::vector<Input> seeds() {
  std::vector<Input> inputs;
  for (const auto& sample : testing::sample_blocks()) inputs.push_back(sample.block.bytes);
  return inputs;
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace winperf;
  const fuzz::Input bytes = fuzz::copy_of(data, size);
  fuzz::check_errors(bytes);
  fuzz::require(testing::digest_by_views(bytes) == testing::digest_by_reference(bytes),
                "views and reference parser agree");
  return 0;
}
