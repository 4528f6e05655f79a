#include "tests/simulator/provider_machine.h"

#include <algorithm>

#include "collectors/wire/text.h"
#include "tests/simulator/codes.h"
#include "tests/simulator/library_file.h"

namespace winperf::simulator {
namespace {

// The range of its titles, as lodctr has registered them.
std::optional<TitleRange> titles_of(const V1Provider& provider) {
  std::vector<std::uint32_t> indices;
  for (const auto& [index, name] : provider.names()) indices.push_back(index);
  if (indices.empty()) return std::nullopt;
  const auto [first, last] = std::ranges::minmax(indices);
  return TitleRange{first, last};
}

class Library final : public ProviderLibrary {
 public:
  explicit Library(std::shared_ptr<V1Provider> provider) : provider_(std::move(provider)) {}

  std::uint32_t open(const char16_t* devices) override {
    return provider_->key.open.empty() ? kSuccess : provider_->open(devices);
  }
  std::uint32_t collect(const char16_t* query, void*& data, std::uint32_t& bytes,
                        std::uint32_t& objects) override {
    auto* place = static_cast<std::byte*>(data);
    const std::uint32_t code = provider_->collect(query, place, bytes, objects);
    data = place;
    return code;
  }
  std::uint32_t close() override {
    return provider_->key.close.empty() ? kSuccess : provider_->close();
  }

 private:
  std::shared_ptr<V1Provider> provider_;
};

std::unexpected<Error> not_loaded(std::uint32_t os_code) {
  return std::unexpected(
      Error{.code = ErrorCode::kOsError, .where = "provider.load", .os_code = os_code});
}

std::unexpected<Error> no_procedure(const char* where) {
  return std::unexpected(Error{.code = ErrorCode::kNoProcedure, .where = where});
}

}  // namespace

SimulatedProviders::Providers::const_iterator SimulatedProviders::find(
    const ProviderRegistration& provider) const {
  return std::ranges::find(machine_.v1(), to_utf16(provider.service),
                           [](const auto& each) { return each->key.service; });
}

std::vector<ProviderRegistration> SimulatedProviders::registrations() {
  std::vector<ProviderRegistration> all;
  for (const auto& provider : machine_.v1()) {
    if (!provider->is_registered()) continue;
    const PerformanceKey& key = provider->key;
    ProviderRegistration registration{.service = to_utf8(key.service),
                                      .library = to_utf8(key.service) + ".dll",
                                      .open = key.open,
                                      .collect = key.collect,
                                      .close = key.close,
                                      .titles = titles_of(*provider),
                                      .devices = key.devices,
                                      .disabled = key.disabled || machine_.v1_disabled,
                                      .supports_metadata = key.supports_metadata};
    for (const std::uint32_t index : key.object_list)
      registration.objects.push_back(ObjectIndex{index});
    all.push_back(std::move(registration));
  }
  return all;
}

std::expected<std::unique_ptr<ProviderLibrary>, Error> SimulatedProviders::load(
    const ProviderRegistration& provider) {
  if (auto library = load_library_file(provider)) return library;
  const auto found = find(provider);
  if (found == machine_.v1().end() || (*found)->key.library_is_missing)
    return not_loaded(kNoModule);
  if ((*found)->key.library_is_32_bit) return not_loaded(kBadImage);
  const auto& exports = (*found)->exports;
  const auto is_missing = [&](const std::string& name) {
    return !name.empty() && !exports.contains(name);
  };
  if (is_missing(provider.open)) return no_procedure("provider.open");
  if (provider.collect.empty() || is_missing(provider.collect))
    return no_procedure("provider.collect");
  if (is_missing(provider.close)) return no_procedure("provider.close");
  return std::make_unique<Library>(*found);
}

LibraryHead SimulatedProviders::library_head(const ProviderRegistration& provider) {
  const auto found = find(provider);
  if (found == machine_.v1().end() || (*found)->key.library_is_missing)
    return {.path = provider.library, .is_missing = true};
  return {.path = "C:\\Program Files\\" + provider.service + "\\" + provider.library,
          .machine = (*found)->key.library_is_32_bit ? PeMachine::kX86 : PeMachine::kX64};
}

LibraryOrigin SimulatedProviders::library_origin(const LibraryHead&) {
  return {.version = version_text(0x0001'0002, 0x0003'0004),
          .signature =
              Signature{.signing = Signing::kEmbedded, .signer = "Contoso", .is_verified = true}};
}

BlockMoment SimulatedProviders::now() {
  const Now now = machine_.now();
  return {.perf_time = now.perf_time,
          .perf_frequency = now.perf_frequency,
          .time_100ns = now.time_100ns};
}

}  // namespace winperf::simulator
