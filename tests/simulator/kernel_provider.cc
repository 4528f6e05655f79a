#include "tests/simulator/kernel_provider.h"

#include <memory>

#include "tests/simulator/codes.h"
#include "tests/simulator/pcw/kernel.h"

namespace winperf::simulator {
namespace {

pcw::Mask kernel_mask(const Mask& mask) {
  pcw::Mask result{.instance_id = mask.instance_id, .collect_multiple = mask.many};
  if (mask.many) result.instance_mask = mask.instance_name;
  // Ids above 63 have no bit: then all are asked for.
  if (mask.counter_id < 64) result.counter_mask = std::uint64_t{1} << mask.counter_id;
  return result;
}

}  // namespace

std::uint32_t KernelProvider::add_counter(const CountersetDefinition& counterset,
                                          const Mask& mask) {
  pcw::Kernel::instance().add_counter(counterset.name, kernel_mask(mask));
  return kSuccess;
}

void KernelProvider::remove_counter(const CountersetDefinition& counterset, const Mask& mask) {
  pcw::Kernel::instance().remove_counter(counterset.name, kernel_mask(mask));
}

std::expected<std::vector<InstanceValues>, std::uint32_t> KernelProvider::enumerate(
    const CountersetDefinition& counterset, const Mask& mask) {
  std::vector<InstanceValues> result;
  for (const pcw::Instance& instance :
       pcw::Kernel::instance().enumerate(counterset.name, kernel_mask(mask)))
    result.push_back({.name = instance.name, .id = instance.id});
  return result;
}

std::expected<std::vector<InstanceValues>, std::uint32_t> KernelProvider::collect(
    const CountersetDefinition& counterset, const Mask& mask) {
  pcw::Kernel& kernel = pcw::Kernel::instance();
  // No driver has registered it: installed, but not running.
  if (kernel.counters(counterset.name).empty()) return std::unexpected(kInstanceNotFound);
  std::vector<InstanceValues> result;
  for (const pcw::Instance& instance : kernel.collect(counterset.name, kernel_mask(mask))) {
    InstanceValues& values = result.emplace_back();
    values.name = instance.name;
    values.id = instance.id;
    for (const CounterDefinition& counter : counterset.counters) {
      const auto value = instance.values.find(counter.id);
      if (value == instance.values.end()) return std::unexpected(kInvalidRegistration);
      values.values.push_back(value->second);
    }
  }
  return result;
}

CountersetDefinition geometric_waves() {
  return {
      .guid = *parse_guid("5ad0f1a6-4c38-4f5e-9f64-7b0e3b8f5a02"),
      .name = u"Geometric Waves",
      .help = u"Waves that follow from the time of day.",
      .counters = {
          {.id = 1,
           .name = u"Triangle Wave",
           .help = u"Falls for five seconds and rises for five."},
          {.id = 2, .name = u"Square Wave", .help = u"Up for five seconds and down for five."}}};
}

std::shared_ptr<KernelProvider> kcs_provider() {
  return std::make_shared<KernelProvider>(*parse_guid("5ad0f1a6-4c38-4f5e-9f64-7b0e3b8f5a01"),
                                          u"KCS",
                                          std::vector<CountersetDefinition>{geometric_waves()});
}

}  // namespace winperf::simulator
