#include "service/selftest/installer.h"

namespace winperf::selftest {
namespace {

std::unexpected<std::string> no_installer() {
  return std::unexpected(std::string("this system has no Windows Installer"));
}

}  // namespace

std::expected<PackageFacts, std::string> read_package(const std::filesystem::path&) {
  return no_installer();
}

std::expected<std::vector<std::string>, std::string> installed_exporters() {
  return no_installer();
}

std::expected<std::optional<InstalledProduct>, std::string> installed_product(const std::string&) {
  return no_installer();
}

}  // namespace winperf::selftest
