#include <iostream>
#include <memory>
#include <vector>

#include "collectors/base/wording.h"
#include "exporter/http/socket.h"
#include "exporter/tls/self_signed.h"
#include "service/commands/command.h"
#include "service/commands/new_file.h"

namespace winperf {
namespace {

struct SelfSignedOptions {
  std::vector<std::string> hosts;  // empty: those of this machine
  int days = 365;
  std::string certificate = "winperf_exporter.crt";
  std::string key = "winperf_exporter.key";
  bool force = false;
};

std::vector<std::string> hosts_of(const SelfSignedOptions& options) {
  if (!options.hosts.empty()) return options.hosts;
  std::vector<std::string> hosts = usable_hosts(names_of_this_machine());
  hosts.insert(hosts.end(), {"localhost", "127.0.0.1", "::1"});
  return hosts;
}

int make_certificate(const SelfSignedOptions& options) {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const CertificateOptions certificate{.hosts = hosts_of(options), .days = options.days};
  const auto pair = make_self_signed(certificate, now);
  if (!pair) return fail(pair.error(), kExitUsage);
  if (const auto problem =
          write_certificate({options.certificate, options.key}, *pair, options.force))
    return fail(*problem);
  std::cout << options.key << ": written; only its owner and administrators can read it\n"
            << options.certificate << ": written\n";
  std::cout << "valid for " << options.days << " days, for " << joined(certificate.hosts, ", ")
            << "\nIn the web configuration:\n  tls_server_config:\n    cert_file: '"
            << options.certificate << "'\n    key_file: '" << options.key
            << "'\nConfigure clients to trust " << options.certificate
            << ", in Prometheus with tls_config: ca_file.\n";
  return kExitOk;
}

}  // namespace

void add_config_self_signed(CLI::App& program, CommandRun& run) {
  const auto options = std::make_shared<SelfSignedOptions>();
  CLI::App& command = *config_commands(program).add_subcommand(
      "self-signed", "Create a self-signed TLS certificate and its key");
  add_text(command, "--host", options->hosts, "NAME",
           "name or address of the server; can be repeated");
  command.add_option("--days", options->days, "validity period in days")
      ->check(CLI::Range(1, kMostCertificateDays))
      ->type_name("NUMBER");
  add_text(command, "--cert-file", options->certificate, "FILE", "certificate file to write");
  add_text(command, "--key-file", options->key, "FILE", "key file to write");
  command.add_flag("--force", options->force, "overwrite the files if they exist");
  command.callback([options, &run] { run.exit_code = make_certificate(*options); });
}

}  // namespace winperf
