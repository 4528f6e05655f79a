// A machine with one provider, whose functions a test decides about. Thread rule: one thread.
#pragma once

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectors/provider/provider_machine.h"
#include "tests/support/block_builder.h"

namespace winperf::testing {

// What Collect does. By default it delivers `objects`, or says that there is no room for them.
struct FakeReply {
  std::vector<std::byte> objects;
  std::uint32_t count = 0;
  std::uint32_t code = 0;
  std::optional<std::uint32_t> bytes{};  // instead of the true size
  std::ptrdiff_t moved_too_far = 0;
};

struct FakeCalls {
  std::vector<std::optional<std::u16string>> opened;  // with which devices; nothing: null
  std::vector<std::u16string> queries;
  std::vector<std::uint32_t> rooms;
  std::vector<std::uint32_t> counts;  // of objects, before the call
  int loaded = 0;
  int heads = 0;  // how often a library was looked at
  int closed = 0;
};

class FakeMachine final : public ProviderMachine {
 public:
  std::vector<ProviderRegistration> all{{.service = "Thing", .collect = "Collect"}};
  std::map<std::string, LibraryHead> libraries;  // by service
  std::optional<Error> load_error;
  std::uint32_t open_code = 0;
  FakeReply reply;
  BlockMoment moment{.perf_time = 1, .perf_frequency = 2, .time_100ns = 3};
  std::u16string name = u"PC";
  FakeCalls calls;

  std::vector<ProviderRegistration> registrations() override { return all; }
  std::expected<std::unique_ptr<ProviderLibrary>, Error> load(
      const ProviderRegistration&) override {
    ++calls.loaded;
    if (load_error) return std::unexpected(*load_error);
    return std::make_unique<Library>(*this);
  }
  LibraryHead library_head(const ProviderRegistration& provider) override {
    ++calls.heads;
    const auto found = libraries.find(provider.service);
    return found != libraries.end() ? found->second : LibraryHead{};
  }
  LibraryOrigin library_origin(const LibraryHead&) override { return {}; }
  std::optional<PerfHost> perf_host() override { return std::nullopt; }
  BlockMoment now() override { return moment; }
  std::u16string computer_name() override { return name; }

 private:
  class Library final : public ProviderLibrary {
   public:
    explicit Library(FakeMachine& machine) : machine_(machine) {}

    std::uint32_t open(const char16_t* devices) override {
      std::optional<std::u16string> text;
      if (devices != nullptr) {
        std::size_t units = 0;
        while (devices[units] != 0 || devices[units + 1] != 0) ++units;
        text.emplace(devices, units + 2);
      }
      machine_.calls.opened.push_back(text);
      return machine_.open_code;
    }
    std::uint32_t collect(const char16_t* query, void*& data, std::uint32_t& bytes,
                          std::uint32_t& objects) override {
      const FakeReply& told = machine_.reply;
      machine_.calls.queries.emplace_back(query);
      machine_.calls.rooms.push_back(bytes);
      machine_.calls.counts.push_back(objects);
      const std::uint32_t room = bytes;
      bytes = objects = 0;
      if (told.code != 0) return told.code;
      constexpr std::uint32_t kMoreData = 234;
      if (told.objects.size() > room) return kMoreData;
      if (!told.objects.empty()) std::memcpy(data, told.objects.data(), told.objects.size());
      data = static_cast<std::byte*>(data) + static_cast<std::ptrdiff_t>(told.objects.size()) +
             told.moved_too_far;
      bytes = told.bytes.value_or(static_cast<std::uint32_t>(told.objects.size()));
      objects = told.count;
      return 0;
    }
    std::uint32_t close() override {
      ++machine_.calls.closed;
      return 0;
    }

   private:
    FakeMachine& machine_;
  };
};

// The bytes of an object with one counter.
inline std::vector<std::byte> one_object(std::uint32_t index) {
  const BuiltBlock block =
      BlockBuilder().add(ObjectBuilder(index).counter({.index = index + 2}).single({7})).build();
  return {block.bytes.begin() + static_cast<std::ptrdiff_t>(block.objects[0].offset),
          block.bytes.end()};
}

}  // namespace winperf::testing
