// Command lines as people have them: what a shell hands over, and the settings that they become.
#include "config/migration/command_words.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "config/config.h"
#include "config/migration/migrate.h"

namespace winperf::migration {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "key=value|value; key=value"
std::string shown_words(const std::vector<std::string>& words) {
  const auto settings = read_flags(words);
  if (!settings) return settings.error();
  std::string text;
  for (const Setting& setting : *settings) {
    text += (text.empty() ? "" : "; ") + setting.key + '=';
    for (std::size_t i = 0; i < setting.values.size(); ++i)
      text += (i == 0 ? "" : "|") + setting.values[i];
  }
  return text;
}

struct Line {
  const char* typed;  // as Windows hands it to a program
  const char* settings;
};

constexpr Line kLines[] = {
    // Words and quotes.
    {R"(windows_exporter.exe --collectors.enabled [defaults])", "collectors.enabled=[defaults]"},
    {R"(windows_exporter.exe --collectors.enabled "[defaults]")", "collectors.enabled=[defaults]"},
    {R"(windows_exporter.exe --collectors.enabled=[defaults])", "collectors.enabled=[defaults]"},
    {R"(windows_exporter.exe "--collectors.enabled=[defaults],iis")",
     "collectors.enabled=[defaults],iis"},
    {R"(windows_exporter.exe --collectors.enabled "[defaults],process,container")",
     "collectors.enabled=[defaults],process,container"},
    {R"(windows_exporter.exe --collectors.enabled="cpu, net")", "collectors.enabled=cpu, net"},
    {R"(.\windows_exporter.exe --collectors.enabled cpu)", "collectors.enabled=cpu"},
    {R"("C:\Program Files\windows_exporter\windows_exporter.exe" --log.level debug)",
     "log.level=debug"},
    {R"(C:\tools\windows_exporter-0.31.2-amd64.exe --log.level=debug)", "log.level=debug"},
    {R"(windows_exporter --log.level=debug)", "log.level=debug"},
    {R"(--log.level=debug)", "log.level=debug"},
    {R"(& "C:\Program Files\windows_exporter\windows_exporter.exe" --log.level=debug)",
     "log.level=debug"},
    {R"(windows_exporter.exe --% --log.level=debug)", "log.level=debug"},
    {R"(windows_exporter.exe)", ""},
    {R"(windows_exporter.exe -log.level=debug)", "log.level=debug"},
    // Patterns: nothing of them has a meaning for a shell's successor.
    {R"(--collector.service.include "[A-Z]")", "collector.service.include=[A-Z]"},
    {R"(--collector.service.include "[A-Z],[a-z]")", "collector.service.include=[A-Z],[a-z]"},
    {R"(--collector.service.include=^(MSSQL|SQLAgent)\$.+$)",
     R"(collector.service.include=^(MSSQL|SQLAgent)\$.+$)"},
    {R"(--collector.logical_disk.volume-exclude "HarddiskVolume.+")",
     "collector.logical_disk.volume-exclude=HarddiskVolume.+"},
    {R"(--collector.logical_disk.volume-include="C:|D:\\data")",
     R"(collector.logical_disk.volume-include=C:|D:\\data)"},
    {R"(--collector.process.include="(?i)sqlservr|w3wp.*")",
     "collector.process.include=(?i)sqlservr|w3wp.*"},
    {R"(--collector.process.exclude "{Idle}")", "collector.process.exclude={Idle}"},
    {R"(--collector.net.nic-include "Intel\[R\] .*")",
     R"(collector.net.nic-include=Intel\[R\] .*)"},
    {R"(--collector.iis.site-include "'a site'")", "collector.iis.site-include='a site'"},
    {R"(--collector.iis.site-include "a \"b\" c")", R"(collector.iis.site-include=a "b" c)"},
    {R"(--collector.scheduled_task.include "/Microsoft/.+")",
     "collector.scheduled_task.include=/Microsoft/.+"},
    {R"(--collector.process.include "a.exe - b")", "collector.process.include=a.exe - b"},
    // Words that are empty.
    {R"(--collector.service.include "" --log.level debug)",
     "collector.service.include=; log.level=debug"},
    {R"(--web.config.file= --log.level debug)", "web.config.file=; log.level=debug"},
    {R"(--web.config.file --log.level debug)", "web.config.file=; log.level=debug"},
    // Paths.
    {R"(--collector.textfile.directories C:\metrics\)",
     R"(collector.textfile.directories=C:\metrics\)"},
    {R"(--collector.textfile.directories "C:\my metrics\\")",
     R"(collector.textfile.directories=C:\my metrics\)"},
    {R"(--collector.textfile.directory="C:\text","D:\text")",
     R"(collector.textfile.directory=C:\text,D:\text)"},
    {R"(--config.file "C:\Program Files\windows_exporter\config.yaml")",
     R"(config.file=C:\Program Files\windows_exporter\config.yaml)"},
    // Addresses, switches.
    {R"(--web.listen-address=:9182 --web.listen-address=[::1]:9183)",
     "web.listen-address=:9182|[::1]:9183"},
    {R"(--web.listen-address "[::]:9182")", "web.listen-address=[::]:9182"},
    {R"(--telemetry.addr 10.1.2.3:9182 --telemetry.max-requests 5)",
     "telemetry.addr=10.1.2.3:9182; telemetry.max-requests=5"},
    {R"(--debug.enabled --no-collector.process.iis --web.disable-exporter-metrics)",
     "debug.enabled=true; collector.process.iis=false; web.disable-exporter-metrics=true"},
    {R"(--log.format logger:eventlog?name=windows_exporter)",
     "log.format=logger:eventlog?name=windows_exporter"},
    // WQL.
    {R"(--collector.service.services-where="Name='windows_exporter'")",
     "collector.service.services-where=Name='windows_exporter'"},
    {R"(--collector.service.services-where "Name LIKE 'SQLAgent$%' OR Name='MSSQLSERVER'")",
     "collector.service.services-where=Name LIKE 'SQLAgent$%' OR Name='MSSQLSERVER'"},
    // The installer.
    {R"(ENABLED_COLLECTORS=os,service LISTEN_PORT=5000)",
     "collectors.enabled=os,service; web.listen-address=:5000"},
    {R"(ENABLED_COLLECTORS=[defaults],iis TEXTFILE_DIRS=C:\metrics\)",
     R"(collectors.enabled=[defaults],iis; collector.textfile.directories=C:\metrics\)"},
    {R"(LISTEN_ADDR=:: LISTEN_PORT=9183)", "web.listen-address=[::]:9183"},
    {R"(EXTRA_FLAGS="--collector.service.services-where \"Name LIKE 'sql%'\"")",
     "collector.service.services-where=Name LIKE 'sql%'"},
    {R"(EXTRA_FLAGS="--log.level=debug --collector.process.include=\"a b\"")",
     "log.level=debug; collector.process.include=a b"},
    {R"(msiexec /i windows_exporter.msi ENABLED_COLLECTORS=cpu /qn)", "collectors.enabled=cpu"},
    {R"(msiexec /i C:\x\windows_exporter-0.31.msi --% ENABLED_COLLECTORS=[defaults] LISTEN_PORT=1)",
     "collectors.enabled=[defaults]; web.listen-address=:1"},
    {R"(msiexec.exe /quiet /norestart /L*v install.log /i "a b.msi" ADDLOCAL=FirewallException)",
     ""},
    {R"(C:\Windows\System32\msiexec.exe /package x.msi METRICS_PATH=/windows ALLUSERS=1)",
     "telemetry.path=/windows"},
    {R"(msiexec /i x.msi EXTRA_FLAGS="--collectors.enabled \"[defaults],mssql\"")",
     "collectors.enabled=[defaults],mssql"},
    // Chocolatey.
    {R"("/EnabledCollectors:cpu,net" /ListenPort:9183)",
     "collectors.enabled=cpu,net; web.listen-address=:9183"},
    {R"(choco install prometheus-windows-exporter.install -y --params "'/EnabledCollectors:cpu,net'")",
     "collectors.enabled=cpu,net"},
    {R"(choco install prometheus-windows-exporter.install --params="\"/ListenPort:9183 /MetricsPath:/w\"")",
     "telemetry.path=/w; web.listen-address=:9183"},
    {R"(choco.exe upgrade x --package-parameters "/EnabledCollectors:cpu /ExtraFlags:--debug.enabled")",
     "collectors.enabled=cpu; debug.enabled=true"},
    // Services.
    {R"(sc create windows_exporter binPath= "\"C:\a b\windows_exporter.exe\" --log.level debug")",
     "log.level=debug"},
    {R"(sc.exe config windows_exporter binPath="C:\x\windows_exporter.exe --collectors.enabled [defaults]")",
     "collectors.enabled=[defaults]"},
    {R"(nssm install windows_exporter C:\x\windows_exporter.exe --log.level debug)",
     "log.level=debug"},
    {R"(nssm.exe install wmi_exporter "C:\a b\wmi_exporter.exe" --collectors.enabled cpu,cs)",
     "collectors.enabled=cpu,cs"},
    {R"(New-Service -Name windows_exporter -BinaryPathName "\"C:\a b\windows_exporter.exe\" --debug.enabled")",
     "debug.enabled=true"},
    {R"("\"C:\a b\windows_exporter.exe\" --log.level debug")", "log.level=debug"},
};

TEST(PastedWords, ArriveAsTheyWere) {
  EXPECT_GE(std::size(kLines), 60U);
  for (const Line& line : kLines) {
    const std::vector<std::string> words = words_of(line.typed);
    EXPECT_EQ(shown_words(words_of_exporter(words)), line.settings) << line.typed;
  }
}

// Whatever they say: a configuration, in which each loss is named.
TEST(PastedWords, BecomeAConfiguration) {
  for (const Line& line : kLines) {
    const auto settings = read_flags(words_of_exporter(words_of(line.typed)));
    ASSERT_TRUE(settings) << line.typed;
    const auto result = migrate(*settings);
    ASSERT_TRUE(result) << line.typed << '\n' << result.error();
    EXPECT_TRUE(parse_config(result->text, "")) << result->text;
    EXPECT_TRUE(read_plain_yaml(result->text)) << "YAML has no other comments\n" << result->text;
  }
}

TEST(PastedWords, ThatAreNobodys_Stay) {
  EXPECT_THAT(words_of_exporter(std::vector<std::string>{"cpu", "net"}), ElementsAre("cpu", "net"));
  EXPECT_THAT(words_of_exporter(std::vector<std::string>{"msiexec", "ENABLED_COLECTORS=cpu"}),
              ElementsAre("ENABLED_COLECTORS=cpu"));
  EXPECT_THAT(words_of_exporter(std::vector<std::string>{"msiexec", "TRANSFORMS=a.mst",
                                                         "ENABLED_COLLECTORS=cpu"}),
              ElementsAre("--installer.TRANSFORMS=a.mst", "ENABLED_COLLECTORS=cpu"))
      << "another package's property is named as lost";
  EXPECT_THAT(words_of_exporter(std::vector<std::string>{}), IsEmpty());
  EXPECT_THAT(words_of_exporter(std::vector<std::string>{"", "&"}), IsEmpty());
}

}  // namespace
}  // namespace winperf::migration
