#include "service/selftest/trial_provider.h"

#include <array>
#include <utility>

#include "collectors/base/path_text.h"

namespace winperf::selftest {
namespace {

constexpr std::array<const char*, trial::kHarms> kHarmWords{
    "none", "crash", "exit", "hang", "memory", "handles", "threads", "overrun", "lie"};

class TrialMachine final : public ProviderMachine {
 public:
  TrialMachine(const std::filesystem::path& folder, std::unique_ptr<ProviderMachine> machine)
      : library_(path_text(folder / kTrialLibrary)), machine_(std::move(machine)) {}

  std::vector<ProviderRegistration> registrations() override {
    std::vector<ProviderRegistration> all;
    for (std::uint32_t i = 0; i < trial::kHarms; ++i) {
      const auto harm = static_cast<trial::Harm>(i);
      all.push_back({.service = trial_service(harm),
                     .library = library_,
                     .open = "OpenTrial",
                     .collect = "CollectTrial",
                     .close = "CloseTrial",
                     .objects = {ObjectIndex{trial::index_of(harm)}}});
    }
    return all;
  }
  std::expected<std::unique_ptr<ProviderLibrary>, Error> load(
      const ProviderRegistration& provider) override {
    if (machine_ == nullptr)
      return std::unexpected(Error{.code = ErrorCode::kUnsupported, .where = "provider.load"});
    return machine_->load(provider);
  }
  LibraryHead library_head(const ProviderRegistration& provider) override {
    return {.path = provider.library};
  }
  LibraryOrigin library_origin(const LibraryHead&) override { return {}; }
  std::optional<PerfHost> perf_host() override { return std::nullopt; }
  BlockMoment now() override { return machine_ == nullptr ? BlockMoment() : machine_->now(); }
  std::u16string computer_name() override {
    return machine_ == nullptr ? u"" : machine_->computer_name();
  }

 private:
  const std::string library_;
  const std::unique_ptr<ProviderMachine> machine_;
};

}  // namespace

std::string word_of(trial::Harm harm) { return kHarmWords.at(static_cast<std::size_t>(harm)); }

std::string trial_service(trial::Harm harm) { return "trial_" + word_of(harm); }

std::unique_ptr<ProviderMachine> trial_machine(const std::filesystem::path& folder,
                                               std::unique_ptr<ProviderMachine> machine) {
  return std::make_unique<TrialMachine>(folder, std::move(machine));
}

}  // namespace winperf::selftest
