// Builds what a V1 provider returns: objects with their definitions, instances and counter blocks.
//
// The reply grows in separate memory, and is copied to the caller's buffer only if it fits: this is
// the simplest way not to touch that buffer before ERROR_MORE_DATA. Everything starts at a multiple
// of 8 bytes. Thread rule: not for concurrent use; each query has its own.
// Source: winperf.h; Learn, "Performance Data Format".
#pragma once

#include <windows.h>
#include <winperf.h>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tests/providers/sysperf/layout.h"

namespace sysperf {

// The first indices of the provider's names and help texts in the machine's tables. lodctr assigns
// both.
struct FirstIndices {
  DWORD counter = 0;
  DWORD help = 0;
};

class Reply {
 public:
  explicit Reply(FirstIndices first) : first_(first) {}

  // Between these two calls, add one block or instances, as the kind of object requires, or nothing
  // for metadata.
  void begin_object(const ObjectSpec& spec, bool metadata_only, LONGLONG time_100ns);
  void end_object();

  template <class Block>
  void add_block(Block block) {
    static_assert(std::is_trivially_copyable_v<Block> && sizeof(Block) % 8 == 0);
    block.block.ByteLength = sizeof(Block);
    append(&block, sizeof(Block));
  }

  template <class Block>
  void add_instance(std::wstring_view name, const Block& block) {
    add_instance_definition(name);
    add_block(block);
  }

  const std::vector<std::byte>& bytes() const { return bytes_; }
  DWORD objects() const { return objects_; }

 private:
  void append(const void* data, size_t size);
  void add_instance_definition(std::wstring_view name);

  FirstIndices first_;
  std::vector<std::byte> bytes_;
  DWORD objects_ = 0;
  size_t begin_ = 0;           // of the open object in bytes_
  PERF_OBJECT_TYPE header_{};  // of the open object; end_object() writes it
};

}  // namespace sysperf
