// The page at "/" and its files, as a browser gets them.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "exporter/http/link_list.h"
#include "exporter/http/router.h"
#include "exporter/page/page_files.h"
#include "tests/exporter/support/gunzip.h"
#include "tests/exporter/support/http_exchange.h"
#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::Pair;
using ::testing::StartsWith;
using Headers = std::vector<std::pair<std::string, std::string>>;

constexpr std::size_t kMostBytes = 120'000;  // of everything, compressed
constexpr char kKept[] = "public, max-age=31536000, immutable";
const std::filesystem::path kSources = WINPERF_SOURCE_DIR "/exporter/page";

std::string header_of(const HttpResponse& response, std::string_view name) {
  const auto found = std::ranges::find(response.headers, name, &Headers::value_type::first);
  return found == response.headers.end() ? "" : found->second;
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(stream), {}};
  std::erase(content, '\r');  // a checkout may have converted the line ends
  return content;
}

// Those that a browser reads, by their paths.
std::set<std::string> source_files() {
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kSources)) {
    const std::string suffix = entry.path().extension().string();
    if (std::set<std::string>{".html", ".js", ".css", ".svg"}.contains(suffix))
      found.insert(entry.path().lexically_relative(kSources).generic_string());
  }
  return found;
}

class PageAnswersTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (page::index() == nullptr) GTEST_SKIP() << "NO PAGE: this build is without WINPERF_PAGE";
  }

  HttpResponse ask(const std::string& line, const std::string& fields = "") {
    return parts_of(answers_.answer(request_of(line, "Host: localhost\r\n" + fields), false));
  }
  static std::string path_of(const std::string& file) {
    return "/page/" + std::string(page::version()) + '/' + file;
  }

  BuildInfo build_{"1.2<3", "abc", "gcc", "linux", "x86_64"};
  SampleSlot slot_;
  ExporterRegistry registry_{build_, kSampledAt};
  Router router_{slot_, registry_, {build_, {}, [] { return kTaken; }}};
  HttpAnswers answers_{router_, {}};
};

// A build with esbuild has one module of all modules, and one style sheet of all style sheets.
bool is_packed() { return page::find(std::string(page::version()) + "/data/api.js") == nullptr; }

TEST_F(PageAnswersTest, EveryFileOfTheSources_IsServedAsItIsOrPacked) {
  const std::set<std::string> files = source_files();
  EXPECT_TRUE(files.contains("main.js") && files.contains("page.css")) << files.size();
  for (const std::string& file : files) {
    const bool is_code = file.ends_with(".js") || file.ends_with(".css");
    const bool is_whole = is_packed() && is_code;
    if (file == "index.html" || (is_whole && file != "main.js" && file != "page.css")) continue;
    const HttpResponse plain = ask("GET " + path_of(file));
    EXPECT_EQ(plain.status, 200) << file;
    if (is_whole) {
      EXPECT_GT(plain.body.size(), content_of(kSources / file).size()) << file;
    } else {
      EXPECT_EQ(plain.body.str(), content_of(kSources / file)) << file;
    }
    const HttpResponse packed = ask("GET " + path_of(file), "Accept-Encoding: gzip, br\r\n");
    EXPECT_THAT(packed.headers, Contains(Pair("Content-Encoding", "gzip"))) << file;
    EXPECT_EQ(gunzipped(packed.body.str()), plain.body.str()) << file;
  }
}

TEST_F(PageAnswersTest, Files_HaveTheirTypeAndAreKept) {
  for (const page::File& file : page::files()) {
    const std::string name(file.path);
    const bool is_index = name == "index.html";
    const HttpResponse response = ask(is_index ? "GET /" : "GET " + path_of(name));
    const std::string type = name.ends_with(".js")    ? "text/javascript; charset=utf-8"
                             : name.ends_with(".css") ? "text/css; charset=utf-8"
                             : name.ends_with(".svg") ? "image/svg+xml"
                                                      : "text/html; charset=utf-8";
    EXPECT_EQ(response.content_type, type);
    const Headers wanted{{"Cache-Control", is_index ? "no-cache" : kKept},
                         {"ETag", "W/\"" + std::string(page::version()) + '"'},
                         {"Vary", "Accept-Encoding"},
                         {"X-Content-Type-Options", "nosniff"},
                         {"Referrer-Policy", "no-referrer"}};
    EXPECT_THAT(response.headers, IsSupersetOf(wanted)) << name;
    const std::string policy = header_of(response, "Content-Security-Policy");
    EXPECT_THAT(policy, StartsWith("default-src 'none'; script-src 'self'; style-src 'self';"));
    EXPECT_THAT(policy, HasSubstr("require-trusted-types-for 'script'; trusted-types 'none'"));
    EXPECT_EQ(std::ranges::count(response.headers, "Content-Security-Policy",
                                 &Headers::value_type::first),
              1);
  }
}

TEST_F(PageAnswersTest, TheWholePage_IsSmall) {
  std::size_t bytes = 0;
  for (const page::File& file : page::files()) {
    const std::string name(file.path);
    const std::string path = name == "index.html" ? "/" : path_of(name);
    const std::size_t sent = ask("GET " + path, "Accept-Encoding: gzip\r\n").body.size();
    EXPECT_GT(sent, 0U) << name;
    bytes += sent;
  }
  RecordProperty("bytes", std::to_string(bytes));
  EXPECT_LT(bytes, kMostBytes);
}

TEST_F(PageAnswersTest, WhatABrowserHas_IsNotSentAgain) {
  const std::string field = "If-None-Match: \"" + std::string(page::version()) + "\"\r\n";
  for (const std::string& path : {std::string("/"), path_of("main.js")}) {
    const HttpResponse known = ask("GET " + path, field);
    EXPECT_EQ(known.status, 304) << path;
    EXPECT_EQ(known.body.size(), 0U);
    EXPECT_EQ(ask("GET " + path, "If-None-Match: \"1a2b3c4d5e6f\"\r\n").status, 200) << path;
  }
}

TEST_F(PageAnswersTest, Head_HasTheLengthAndNoBody) {
  for (const std::string& path : {std::string("/"), path_of("main.js")}) {
    const HttpResponse head = ask("HEAD " + path, "Accept-Encoding: gzip\r\n");
    EXPECT_EQ(head.status, 200) << path;
    EXPECT_EQ(head.body.size(), 0U);
    const HttpResponse whole = ask("GET " + path, "Accept-Encoding: gzip\r\n");
    EXPECT_EQ(header_of(head, "Content-Length"), std::to_string(whole.body.size()));
  }
}

TEST_F(PageAnswersTest, OfAnotherVersion_SaysToReload) {
  const std::string version(page::version());
  for (const std::string& path :
       {std::string("/page/"), std::string("/page/1a2b3c4d5e6f/main.js"), "/page/" + version,
        path_of(""), path_of("nope.js"), path_of("index.html"), path_of("../main.js"),
        path_of("main.js/"), path_of("screens"), path_of("main.js%0A"),
        path_of(std::string(8000, 'x'))}) {
    const HttpResponse response = ask("GET " + path);
    EXPECT_EQ(response.status, 404) << path;
    EXPECT_THAT(response.body.str(), HasSubstr("reload the page")) << path;
  }
  EXPECT_THAT(ask("GET /metrics").body.str(),
              HasSubstr("{code=\"404\",route=\"/page/{file...}\"} 11\n"));
}

TEST_F(PageAnswersTest, OtherMethods_AreRefusedWithAllow) {
  for (const std::string& path : {std::string("/"), path_of("main.js")}) {
    const HttpResponse response = ask("POST " + path);
    EXPECT_EQ(response.status, 405) << path;
    EXPECT_THAT(response.headers, Contains(Pair("Allow", "GET, HEAD")));
  }
}

TEST_F(PageAnswersTest, Strangers_AreToldTheKeyThatWouldAllowIt) {
  for (const std::string& path : {std::string("/"), path_of("main.js")}) {
    const auto stranger = request_of("GET " + path, "Host: localhost\r\n", false);
    const HttpResponse refused = parts_of(answers_.answer(stranger, false));
    EXPECT_EQ(refused.status, 403) << path;
    EXPECT_THAT(refused.body.str(), HasSubstr("listen.serve, such as [metrics, page]"));
    HttpAnswers open(router_, {.access = {.serve = {{Area::kPage}}}});
    EXPECT_EQ(parts_of(open.answer(stranger, false)).status, 200) << path;
  }
}

TEST_F(PageAnswersTest, AConfiguredPolicy_ReplacesThatOfThePage) {
  answers_.change_rules({.access = {}, .headers = {{"Content-Security-Policy", "p"}}});
  for (const std::string& path : {std::string("/"), path_of("main.js")})
    EXPECT_EQ(header_of(ask("GET " + path), "Content-Security-Policy"), "p");
}

// Below any path of a proxy, and without anything from elsewhere.
TEST_F(PageAnswersTest, Index_NamesOnlyFilesOfThisVersion) {
  const std::string text = ask("GET /").body.str();
  EXPECT_THAT(text, StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(text, Not(HasSubstr("@")));
  const std::regex reference(R"re(\b(?:src|href|action|content|srcset)="([^"]*)")re");
  std::set<std::string> names;
  for (std::sregex_iterator match(text.begin(), text.end(), reference), end; match != end; ++match)
    if ((*match)[1].str().contains('/')) names.insert((*match)[1]);
  for (const std::string& name : names) {
    // What is for browsers without scripts needs a sample.
    EXPECT_THAT(ask("GET /" + name).status, AnyOf(200, name.starts_with("api/") ? 503 : 200))
        << name;
  }
  for (const page::File& file : page::files()) {
    const std::string name = path_of(std::string(file.path)).substr(1);
    const bool is_module = file.path.ends_with(".js") && !file.path.starts_with("uPlot.");
    if (!is_module) continue;
    EXPECT_THAT(text, HasSubstr("<link rel=\"modulepreload\" href=\"" + name + "\">\n"));
  }
  // Without charts there is nothing of what draws them.
  const bool has_charts = page::find(path_of("uPlot.min.css").substr(6)) != nullptr;
  EXPECT_EQ(names.contains(path_of("uPlot.min.css").substr(1)), has_charts);
  EXPECT_EQ(names.contains(path_of("uPlot.iife.min.js").substr(1)), has_charts);
}

TEST(LinkList, HasAllRoutesThatHaveATitle) {
  const std::string list = link_list("1.2<3", "/elsewhere");
  for (const Router::Route& route : Router::routes()) {
    if (route.title.empty()) continue;
    const std::string path(route.path == "/metrics" ? "/elsewhere" : route.path);
    const std::string entry = route.method == "GET"
                                  ? "<li><a href=\"" + path.substr(1) + "\">" + path + "</a>: "
                                  : "<li>POST " + path + ": ";
    EXPECT_THAT(list, HasSubstr(entry));
  }
  EXPECT_THAT(list, AllOf(HasSubstr("Version 1.2&lt;3</p>"), Not(HasSubstr("style"))));
}

}  // namespace
}  // namespace winperf
