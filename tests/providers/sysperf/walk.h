// Walks a provider's reply and checks every range against the rules of winperf.h. A violation is a
// test failure and ends the walk.
#pragma once

#include <gtest/gtest.h>
#include <windows.h>
#include <winperf.h>

#include <cstddef>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sysperf {

struct WalkedInstance {
  std::wstring name;  // empty for an object without instances
  // By offset of the counter's symbol and type: a base has its numerator's symbol.
  std::map<std::pair<DWORD, DWORD>, ULONGLONG> values;

  ULONGLONG value(DWORD symbol, DWORD type) const {
    const auto found = values.find({symbol, type});
    EXPECT_NE(found, values.end()) << "no counter " << symbol << " of type " << type;
    return found == values.end() ? 0 : found->second;
  }
};

struct WalkedObject {
  PERF_OBJECT_TYPE header{};
  std::vector<PERF_COUNTER_DEFINITION> counters;
  std::vector<WalkedInstance> instances;

  const WalkedInstance* find(const std::wstring& name) const {
    for (const WalkedInstance& instance : instances) {
      if (instance.name == name) return &instance;
    }
    return nullptr;
  }
};

// Walks the bytes of one object.
class ObjectWalk {
 public:
  ObjectWalk(const std::byte* data, size_t size, DWORD first_counter)
      : data_(data), size_(size), first_counter_(first_counter) {}

  WalkedObject walk() {
    WalkedObject object;
    object.header = read<PERF_OBJECT_TYPE>();
    EXPECT_EQ(object.header.TotalByteLength, size_);
    EXPECT_EQ(object.header.HeaderLength, sizeof(PERF_OBJECT_TYPE));
    for (DWORD i = 0; i < object.header.NumCounters && ok_; ++i) {
      object.counters.push_back(read<PERF_COUNTER_DEFINITION>());
      EXPECT_EQ(object.counters.back().ByteLength, sizeof(PERF_COUNTER_DEFINITION));
    }
    EXPECT_EQ(at_, object.header.DefinitionLength);
    if (object.header.NumInstances == PERF_NO_INSTANCES) {
      WalkedInstance only;
      walk_block(object, only);
      object.instances.push_back(std::move(only));
    }
    for (LONG i = 0; i < object.header.NumInstances && ok_; ++i) {
      object.instances.push_back(walk_instance(object));
    }
    EXPECT_EQ(at_, size_) << "bytes follow the last block";
    return object;
  }

 private:
  template <class T>
  T peek(size_t at) {
    T value{};
    ok_ = ok_ && at <= size_ && sizeof(T) <= size_ - at;
    EXPECT_TRUE(ok_) << "a structure at " << at << " does not fit into " << size_ << " bytes";
    if (ok_) std::memcpy(&value, data_ + at, sizeof value);
    return value;
  }

  template <class T>
  T read() {
    const T value = peek<T>(at_);
    at_ += sizeof(T);
    return value;
  }

  WalkedInstance walk_instance(const WalkedObject& object) {
    WalkedInstance instance;
    const size_t begin = at_;
    const auto header = read<PERF_INSTANCE_DEFINITION>();
    EXPECT_EQ(header.ByteLength % 8, 0u);
    EXPECT_EQ(header.UniqueID, PERF_NO_UNIQUE_ID);
    EXPECT_LE(header.NameOffset + header.NameLength, header.ByteLength);
    for (size_t i = 0; i + sizeof(wchar_t) < header.NameLength && ok_; i += sizeof(wchar_t)) {
      instance.name += peek<wchar_t>(begin + header.NameOffset + i);
    }
    EXPECT_EQ(instance.name.find(L'\0'), std::wstring::npos) << "NameLength is too long";
    EXPECT_EQ(peek<wchar_t>(begin + header.NameOffset + header.NameLength - sizeof(wchar_t)), 0);
    at_ = begin + header.ByteLength;
    walk_block(object, instance);
    return instance;
  }

  void walk_block(const WalkedObject& object, WalkedInstance& instance) {
    EXPECT_EQ(at_ % 8, 0u);
    const DWORD length = peek<PERF_COUNTER_BLOCK>(at_).ByteLength;
    EXPECT_EQ(length % 8, 0u);
    EXPECT_LE(length, size_ - at_);
    for (const PERF_COUNTER_DEFINITION& counter : object.counters) {
      EXPECT_GE(counter.CounterOffset, sizeof(PERF_COUNTER_BLOCK));
      EXPECT_LE(counter.CounterOffset + counter.CounterSize, length);
      EXPECT_EQ(counter.CounterOffset % counter.CounterSize, 0u) << "not aligned to its size";
      const size_t at = at_ + counter.CounterOffset;
      instance.values[{counter.CounterNameTitleIndex - first_counter_, counter.CounterType}] =
          counter.CounterSize == 8 ? peek<ULONGLONG>(at) : peek<DWORD>(at);
    }
    at_ += length;
  }

  const std::byte* data_;
  size_t size_;
  DWORD first_counter_;
  size_t at_ = 0;
  bool ok_ = true;
};

// All objects of a reply, by the offset of their symbol.
inline std::map<DWORD, WalkedObject> walk(const std::vector<std::byte>& reply,
                                          DWORD first_counter) {
  std::map<DWORD, WalkedObject> objects;
  size_t at = 0;
  while (at < reply.size()) {
    DWORD length = 0;
    if (reply.size() - at >= sizeof length) std::memcpy(&length, reply.data() + at, sizeof length);
    if (length < sizeof(PERF_OBJECT_TYPE) || length > reply.size() - at) {
      ADD_FAILURE() << "an object of " << length << " bytes at " << at << " of " << reply.size();
      break;
    }
    EXPECT_EQ(length % 8, 0u);
    WalkedObject object = ObjectWalk(reply.data() + at, length, first_counter).walk();
    const DWORD symbol = object.header.ObjectNameTitleIndex - first_counter;
    EXPECT_TRUE(objects.emplace(symbol, std::move(object)).second) << "an object appears twice";
    at += length;
  }
  return objects;
}

}  // namespace sysperf
