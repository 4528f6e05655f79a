// The router's answers to browsers that show the page: its document and its files.
#include <httplib.h>

#include <string>
#include <string_view>

#include "exporter/http/link_list.h"
#include "exporter/http/router.h"
#include "exporter/page/page_files.h"
#include "exporter/text/gzip.h"

namespace winperf {
namespace {

constexpr std::string_view kFilesRoot = "/page/";
// Everything comes from this server and as a file, and no text ever becomes markup or a script.
constexpr char kPolicy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; font-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

void respond_file(const httplib::Request& request, httplib::Response& response,
                  const page::File& file, const char* caching) {
  // A weak one, because it is the same for the compressed file.
  const std::string tag = "W/\"" + std::string(page::version()) + '"';
  response.set_header("Content-Security-Policy", kPolicy);
  response.set_header("Cache-Control", caching);
  response.set_header("ETag", tag);
  response.set_header("Vary", "Accept-Encoding");
  const char* const type = page::media_type(file);
  if (has_entity_tag(request.get_header_value("If-None-Match"), tag))
    return respond(response, 304, type, {});
  if (!accepts_gzip(request.get_header_value("Accept-Encoding")))
    return respond(response, 200, type, decompressed(file.gzip));
  response.set_header("Content-Encoding", "gzip");
  respond(response, 200, type, std::string(file.gzip));
}

}  // namespace

void Router::front_page(const httplib::Request& request, httplib::Response& response,
                        const Machine&) {
  if (const page::File* const index = page::index())
    return respond_file(request, response, *index, "no-cache");
  respond(response, 200, "text/html; charset=utf-8",
          link_list(options_.build.version, metrics_path()));
}

void Router::page_file(const httplib::Request& request, httplib::Response& response,
                       const Machine&) {
  const std::string_view path = request.path;
  const page::File* const file = page::find(path.substr(kFilesRoot.size()));
  if (file == nullptr)
    return respond(response, {404,
                              "this version of the page has no such file, perhaps because the "
                              "program was replaced; reload the page\n"});
  respond_file(request, response, *file, "public, max-age=31536000, immutable");
}

}  // namespace winperf
