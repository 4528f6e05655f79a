// The page for people, in a browser of this machine.
#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "collectors/base/path_text.h"
#include "collectors/base/printable.h"
#include "collectors/base/whole_file.h"
#include "service/selftest/check.h"
#include "service/selftest/found_programs.h"
#include "service/selftest/running_server.h"
#include "service/selftest/steps.h"

namespace winperf::selftest {
namespace {

constexpr std::chrono::milliseconds kBrowserPatience{300'000};
constexpr std::uint64_t kMostOfPicture = std::uint64_t{16} << 20;
constexpr std::size_t kShownOfDom = 300;

// The page's root has it once the view is there (exporter/page/main.js).
constexpr std::string_view kReady = "data-ready=\"overview\"";

std::string text_between(std::string_view text, std::string_view from, std::string_view to) {
  const std::size_t begin = text.find(from);
  if (begin == std::string_view::npos) return {};
  const std::string_view rest = text.substr(begin + from.size());
  return std::string(rest.substr(0, std::min(rest.find(to), kShownOfDom)));
}

// What the page wrote to the browser's console, from its log.
std::string console_lines(std::string_view log) {
  std::string lines;
  while (!log.empty()) {
    const std::size_t end = std::min(log.find('\n'), log.size());
    const std::string_view line = log.substr(0, end);
    if (line.contains(":CONSOLE") && lines.size() < kShownOfDom) lines += std::string(line) + ' ';
    log.remove_prefix(std::min(end + 1, log.size()));
  }
  return lines;
}

std::vector<std::string> words_for(const std::filesystem::path& folder, const std::string& url) {
  std::vector<std::string> words{
      "--headless=new", "--disable-gpu", "--no-first-run", "--disable-extensions",
      "--hide-scrollbars", "--enable-logging=stderr",
      "--user-data-dir=" + path_text(folder / "profile"), "--window-size=1400,1000",
      // Time for the first samples, which passes as fast as it can.
      "--virtual-time-budget=10000", "--screenshot=" + path_text(folder / "page.png"),
      "--dump-dom"};
  const std::vector<std::string> more = browser_words();
  words.insert(words.end(), more.begin(), more.end());
  words.push_back(url);
  return words;
}

void judge_page(Steps& steps, const ProgramEnd& end) {
  const std::string title = text_between(end.output, "<title>", "</title>");
  steps.data()["title"] = title;
  steps.expect(end.exit_code == 0, "the browser ends with a failure", "exit code 0", describe(end));
  steps.expect(title.ends_with("winperf_exporter"), "the page's title is wrong",
               "a title that ends with winperf_exporter", printable(title));
  steps.expect(end.output.contains(kReady), "the page does not become ready", std::string(kReady),
               printable(end.output.substr(0, kShownOfDom)));
  const std::string console = console_lines(end.errors);
  steps.expect(console.empty(), "the page writes to the browser's console", "nothing",
               printable(console));
}

void keep_picture(Steps& steps, const std::filesystem::path& file) {
  constexpr std::array kPng{std::byte{0x89}, std::byte{'P'}, std::byte{'N'}, std::byte{'G'}};
  auto picture = read_whole_file(file, kMostOfPicture);
  const bool is_picture = picture && picture->size() > kPng.size() &&
                          std::ranges::equal(kPng, std::span(*picture).first(kPng.size()));
  steps.expect(is_picture, "the browser takes no picture of the page", "a PNG file",
               picture ? std::to_string(picture->size()) + " bytes" : picture.error().reason);
  // Names in a picture can't be replaced.
  if (is_picture && !steps.run().settings.scrub)
    steps.report().files.push_back(
        {.name = "page.png", .bytes = *std::move(picture), .is_text = false});
}

CheckReport check_page(CheckRun& run) {
  const auto browsers = found_browsers();
  if (browsers.empty()) return report_of(Verdict::kAbsent, "this machine has no known browser");
  Steps steps(run);
  const std::filesystem::path file = run.folder / "page.yaml";
  const std::string settings = std::string("interval: 1s\n") + kCheckSettings;
  if (!write_whole_file(file, std::as_bytes(std::span(settings))))
    return report_of(Verdict::kBroken, "a file of the check could not be written");
  const auto server = RunningServer::start(
      {.program = run.program, .folder = run.folder, .config = file}, run.stop);
  if (!server) return report_of(Verdict::kBroken, "the server does not start: " + server.error());
  if (const auto ready = server->await_ready(kBrowserPatience, run.stop); !ready)
    return report_of(Verdict::kBroken, ready.error());
  const std::string browser = path_text(browsers.front().filename());
  steps.begin(browser);
  steps.data()["browser"] = browser;
  const auto end = run_program({.program = browsers.front(),
                                .words = words_for(run.folder, server->origin() + '/'),
                                .folder = run.folder,
                                .deadline = kBrowserPatience},
                               run.stop);
  if (!end) return report_of(Verdict::kBroken, end.error());
  judge_page(steps, *end);
  keep_picture(steps, run.folder / "page.png");
  return steps.end("the page in " + browser);
}

}  // namespace

SelfCheck page_check() {
  return {.id = "page",
          .title = "Web page",
          .does = "opens the page of a server in Edge, without a window, and takes a picture of it",
          .takes = std::chrono::seconds(20),
          .run = check_page};
}

}  // namespace winperf::selftest
