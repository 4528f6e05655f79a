// Bad files, and what each is told: where, what is wrong, what to write instead.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "collectors/match/filter.h"
#include "config/config.h"

namespace winperf {
namespace {

struct BadFile {
  const char* text;
  std::size_t line;
  std::size_t column;
  const char* message;
};

constexpr BadFile kBadFiles[] = {
    {"intervall: 5s", 1, 1, "unknown key \"intervall\"; did you mean \"interval\"?"},
    {"listen: {prot: 80}", 1, 10, "unknown key \"prot\" in \"listen\"; did you mean \"port\"?"},
    {"listen: {addres: x}", 1, 10,
     "unknown key \"addres\" in \"listen\"; did you mean \"address\"?"},
    {"port: 80", 1, 1, "unknown key \"port\"; did you mean \"listen.port\"?"},
    {"listen: {port: 8080x}", 1, 16,
     "\"listen.port\" must be a whole number from 0 to 65535, not the text \"8080x\"; write, for "
     "example, port: 10182"},
    {"listen: {port: \"8080\"}", 1, 16,
     "\"listen.port\" must be a whole number from 0 to 65535, not the text \"8080\"; write port: "
     "8080 without quotes"},
    {"listen: {port: 70000}", 1, 16,
     "\"listen.port\" must be a whole number from 0 to 65535, not 70000; write, for example, port: "
     "10182"},
    {"listen: {port: -1}", 1, 16,
     "\"listen.port\" must be a whole number from 0 to 65535, not -1; write, for example, port: "
     "10182"},
    {"listen: {port: 80.5}", 1, 16,
     "\"listen.port\" must be a whole number from 0 to 65535, not 80.5; write, for example, port: "
     "10182"},
    {"listen: {port: [80]}", 1, 16,
     "\"listen.port\" must be a whole number from 0 to 65535, not a list; write, for example, "
     "port: 10182"},
    {"listen: {port: }", 1, 16,
     "\"listen.port\" must be a whole number from 0 to 65535, not nothing; write, for example, "
     "port: 10182"},
    {"listen: {port:8080}", 1, 10,
     "unknown key \"port:8080\" in \"listen\"; write a space after the colon"},
    {"listen: 8080", 1, 9,
     "\"listen\" must be an object or a list of objects, not 8080; write listen: {port: 8080}"},
    {"listen: \"8080\"", 1, 9,
     "\"listen\" must be an object or a list of objects, not the text \"8080\"; write listen: "
     "{port: 8080}"},
    {"listen: \":9182\"", 1, 9,
     "\"listen\" must be an object or a list of objects, not the text \":9182\"; write listen: "
     "{port: 9182}"},
    {"listen: \"10.0.0.5:9182\"", 1, 9,
     "\"listen\" must be an object or a list of objects, not the text \"10.0.0.5:9182\"; write "
     "listen: {address: \"10.0.0.5\", port: 9182}"},
    {"listen: \"[::1]:9182\"", 1, 9,
     "\"listen\" must be an object or a list of objects, not the text \"[::1]:9182\"; write "
     "listen: {address: \"::1\", port: 9182}"},
    {"listen: \"::1\"", 1, 9,
     "\"listen\" must be an object or a list of objects, not the text \"::1\"; write listen: "
     "{address: \"::1\"}"},
    {"listen: localhost", 1, 9,
     "\"listen\" must be an object or a list of objects, not the text \"localhost\"; write listen: "
     "{address: \"localhost\"}"},
    {"listen: 70000", 1, 9,
     "\"listen\" must be an object or a list of objects, not 70000; write, for example, listen: "
     "{port: 10182}"},
    {"listen: -1", 1, 9,
     "\"listen\" must be an object or a list of objects, not -1; write, for example, listen: "
     "{port: 10182}"},
    {"listen: true", 1, 9,
     "\"listen\" must be an object or a list of objects, not true; write, for example, listen: "
     "{port: 10182}"},
    {"listen: \":70000\"", 1, 9,
     "\"listen\" must be an object or a list of objects, not the text \":70000\"; write, for "
     "example, listen: {port: 10182}"},
    {"listen: \"a/b:80\"", 1, 9,
     "\"listen\" must be an object or a list of objects, not the text \"a/b:80\"; write, for "
     "example, listen: {port: 10182}"},
    {"listen: []", 1, 9,
     "\"listen\" is empty, so the exporter would listen on no address; write at least one object, "
     "or leave the key out to get the default address"},
    {"listen: [\"0.0.0.0\"]", 1, 10,
     "an entry of \"listen\" must be an object, not the text \"0.0.0.0\"; write {address: "
     "\"0.0.0.0\"}"},
    {"listen: [\":9182\"]", 1, 10,
     "an entry of \"listen\" must be an object, not the text \":9182\"; write {port: 9182}"},
    {"listen:\n  - port: 1\n  -\n", 3, 4,
     "an entry of \"listen\" must be an object, not nothing; write, for example, {port: 10182}"},
    {"listen: [[{port: 1}]]", 1, 10,
     "an entry of \"listen\" must be an object, not a list; write, for example, {port: 10182}"},
    {"listen: [{port: 1}, {port: 2}, {port: 3}, {port: 4}, {port: 5}, {port: 6}, {port: 7}, {port: "
     "8},\n{port: 9}]",
     2, 1, "\"listen\" has 9 entries; write at most 8"},
    {"listen:\n- address: Localhost\n  port: 80\n- port: 81\n- port: 80\n  address: localhost", 5,
     3,
     "address \"localhost\" is given twice with port 80, first on line 2: keep one, with the keys "
     "of both"},
    {"listen: [{}, {serve: api}]", 1, 14,
     "address \"::\" is given twice with port 10182, first on line 1: keep one, with the keys of "
     "both"},
    {"listen:\n- {address: 127.0.0.1}\n- {serve: api}", 3, 3,
     "addresses \"::\" and \"127.0.0.1\" of line 2 overlap at port 10182: keep one, or give one of "
     "them another port"},
    {"listen: [{address: localhost, port: 1}, {address: \"::1\", port: 2}, {port: 2}]", 1, 68,
     "addresses \"::\" and \"::1\" of line 1 overlap at port 2: keep one, or give one of them "
     "another port"},
    {"listen: [{address: 0.0.0.0, port: 1}, {address: 10.0.0.5, port: 1}]", 1, 39,
     "addresses \"10.0.0.5\" and \"0.0.0.0\" of line 1 overlap at port 1: keep one, or give one of "
     "them another port"},
    {"listen:\n- {port: 1}\n- {prt: 1}\n- {port: 2}", 3, 4,
     "unknown key \"prt\" in \"listen\"; did you mean \"port\"?"},
    {"listen:\n- {port: 1}\n- {port: 70000}", 3, 10,
     "\"listen.port\" must be a whole number from 0 to 65535, not 70000; write, for example, port: "
     "10182"},
    {"listen: {serve: []}", 1, 17,
     "\"listen.serve\" must be at least one word, not an empty list; write, for example, serve: "
     "[\"metrics\"]"},
    {"listen: {serve: }", 1, 17,
     "\"listen.serve\" must be \"metrics\", \"api\" or \"page\", not nothing; write, for example, "
     "serve: [\"metrics\"]"},
    {"listen: {serve: metric}", 1, 17,
     "\"listen.serve\" must be \"metrics\", \"api\" or \"page\", not the text \"metric\"; write "
     "\"metrics\""},
    {"listen: {serve: [metrics, API]}", 1, 27,
     "\"listen.serve\" must be \"metrics\", \"api\" or \"page\", not the text \"API\"; write "
     "\"api\""},
    {"listen: {serve: [everything]}", 1, 18,
     "\"listen.serve\" must be \"metrics\", \"api\" or \"page\", not the text \"everything\"; "
     "write, for example, serve: [\"metrics\"]"},
    {"listen: {serve: [[api]]}", 1, 18,
     "\"listen.serve\" must be \"metrics\", \"api\" or \"page\", not a list; write, for example, "
     "serve: [\"metrics\"]"},
    {"listen: {serve: [api, page, api]}", 1, 29, "\"listen.serve\" has \"api\" twice: keep one"},
    {"serve: api", 1, 1, "unknown key \"serve\"; did you mean \"listen.serve\"?"},
    {"listen: {hosts: \"http://metrics.example.com\"}", 1, 17,
     "\"listen.hosts\" must be a host name or address, without http:// and port, not the text "
     "\"http://metrics.example.com\"; write, for example, hosts: [\"metrics.example.com\"]"},
    {"listen: {hosts: [a, \"b:9182\"]}", 1, 21,
     "\"listen.hosts\" must be a host name without a port, not the text \"b:9182\"; write \"b\""},
    {"listen: {hosts: [\":9182\"]}", 1, 18,
     "\"listen.hosts\" must be a host name or address, without http:// and port, not the text "
     "\":9182\"; write, for example, hosts: [\"metrics.example.com\"]"},
    {"listen: {hosts: [\"[::1]:9182\"]}", 1, 18,
     "\"listen.hosts\" must be a host name without brackets and port, not the text "
     "\"[::1]:9182\"; write \"::1\""},
    {"listen: {hosts: [\"[::1]\"]}", 1, 18,
     "\"listen.hosts\" must be a host name without brackets, not the text \"[::1]\"; write "
     "\"::1\""},
    {"listen: {hosts: [\"*.example.com\"]}", 1, 18,
     "\"listen.hosts\" must be a host name or address, without http:// and port, not the text "
     "\"*.example.com\"; write, for example, hosts: [\"metrics.example.com\"]"},
    {"countersets: [{name: A, instances: {max: 0}}]", 1, 42,
     "\"countersets[].instances.max\" must be a whole number from 1 to 1000000, not 0; write, for "
     "example, max: 1"},
    {"countersets: [{name: A, instances: {by: B}}]", 1, 41,
     "\"by\" ranks the instances that \"max\" limits, and max is missing; write, for example, max: "
     "20"},
    {"countersets: [{name: A, instances: {max: 2, by: ' '}}]", 1, 49,
     "\"countersets[].instances.by\" must be the name of a counter, not the text \" \"; write, for "
     "example, by: \"% Processor Time\""},
    {"countersets: [{name: A, instances: {max: 2, by: [B]}}]", 1, 49,
     "\"countersets[].instances.by\" must be the name of a counter, not a list; write, for "
     "example, by: \"% Processor Time\""},
    {"countersets: [{name: A, instances: {labels: 'a(b)'}}]", 1, 45,
     "\"countersets[].instances.labels\" has no named group, so it adds no label; write, for "
     "example, 'pid_(?<process_id>\\d+)_.*'"},
    {"countersets: [{name: A, instances: {labels: '(?<a'}}]", 1, 45,
     "\"countersets[].instances.labels\" must be a regular expression (syntax error in subpattern "
     "name (missing terminator?) at byte 4), not the text \"(?<a\"; write .* for any text, and \\ "
     "before a character that is literal"},
    {"countersets: [{name: A, instances: {labels: ['(?<a>.)']}}]", 1, 45,
     "\"countersets[].instances.labels\" must be a regular expression, not a list; write, for "
     "example, labels: 'pid_(?<process_id>\\d+)_.*'"},
    {"countersets: [{name: A, instances: {labels: '(?<__a>.)'}}]", 1, 45,
     "\"countersets[].instances.labels\" has a group \"__a\", which cannot be a label; write "
     "letters, digits and single underscores"},
    {"countersets: [{name: A, instances: {labels: '(?<instance>.)'}}]", 1, 45,
     "\"countersets[].instances.labels\" has a group \"instance\", but that label is reserved; "
     "write another name"},
    {"countersets: [{name: '\\A(*)\\B', instances: {max: 2, include: [a]}}]", 1, 62,
     "\"include\" cannot be combined with the path \"\\A(*)\\B\", which is a filter itself; write "
     "the name of the object instead, and all filters"},
    {"countersets: ['\\Process(a\\b']", 1, 15,
     "\"countersets[].name\" lacks the parenthesis after the instance; write, for example, "
     "\\Process(svchost)\\Working Set"},
    {"countersets: ['\\Process a)\\b']", 1, 15,
     "\"countersets[].name\" lacks the parenthesis before the instance; write, for example, "
     "\\Process(svchost)\\Working Set"},
    {"recorder: {captures: {counters: {path: a}}}", 1, 33,
     "\"recorder.captures.counters\" must be a list of objects, not an object; write, for example, "
     "[{path: '\\Processor(_Total)\\% Processor Time', above: 90}]"},
    {"recorder: {captures: {counters: ['\\A\\b']}}", 1, 34,
     "an entry of \"recorder.captures.counters\" must be an object, not the text \"\\A\\b\"; "
     "write, for example, {path: '\\Processor(_Total)\\% Processor Time', above: 90}"},
    {"recorder: {captures: {counters: [{above: 1}]}}", 1, 34,
     "this counter has no path; write, for example, path: '\\Processor(_Total)\\% Processor "
     "Time'"},
    {"recorder: {captures: {counters: [{path: '\\A\\b'}]}}", 1, 34,
     "this counter has no bound; write, for example, above: 90, or below: 10"},
    {"recorder: {captures: {counters: [{path: '\\A\\b', above: 1, below: 2}]}}", 1, 34,
     "this counter has both above and below; write an entry for each of them"},
    {"recorder: {captures: {counters: [{path: Memory, above: 1}]}}", 1, 41,
     "\"recorder.captures.counters[].path\" must be a perfmon path with a counter, not the text "
     "\"Memory\"; write, for example, path: '\\Processor(_Total)\\% Processor Time'"},
    {"recorder: {captures: {counters: [{path: '\\Memory', above: 1}]}}", 1, 41,
     "\"recorder.captures.counters[].path\" must be a perfmon path with a counter, not the text "
     "\"\\Memory\"; write, for example, path: '\\Processor(_Total)\\% Processor Time'"},
    {"recorder: {captures: {counters: [{path: '\\\\srv\\Memory\\b', above: 1}]}}", 1, 41,
     "\"recorder.captures.counters[].path\" names the machine \"srv\"; write \"\\Memory\\b\", and "
     "name the machine by --target, or in targets in a configuration"},
    {"recorder: {captures: {counters: [{path: '\\A\\b', above: much}]}}", 1, 56,
     "\"recorder.captures.counters[].above\" must be a number, not the text \"much\"; write, for "
     "example, above: 90"},
    {"recorder: {captures: {counters: [{path: '\\A\\b', below: '5'}]}}", 1, 56,
     "\"recorder.captures.counters[].below\" must be a number, not the text \"5\"; write below: 5 "
     "without quotes"},
    {"recorder: {captures: {counters: [{path: '\\A\\b', below: 1e999}]}}", 1, 56,
     "\"recorder.captures.counters[].below\" must be a number, not 1e999; write, for example, "
     "below: 90"},
    {"recorder: {captures: {folder: ''}}", 1, 31,
     "\"recorder.captures.folder\" must be the name of a folder, not the text \"\"; write, for "
     "example, folder: \"logs\""},
    {"recorder: {memory: 0, captures: {service_stops: true}}", 1, 33,
     "\"recorder.captures\" need samples, and \"recorder.memory\" is 0, so none are kept; write, "
     "for example, memory: \"16MiB\", or leave that key out"},
    {"workers: {leave_out: []}\nx: 1", 2, 1,
     "unknown key \"x\"; write one of \"listen\", \"interval\", \"stale_after\", "
     "\"discovery_interval\", \"language\", "
     "\"path\", \"log\", "
     "\"metrics\", \"limits\", \"workers\", \"reload\", \"recorder\", \"own_counters\", "
     "\"collect\", "
     "\"countersets\", \"facts\", "
     "\"remote\", \"targets\""},
    {"workers: {leave_out: \"\"}", 1, 22,
     "\"workers.leave_out\" must be the name of a service, not the text \"\"; write, for example, "
     "leave_out: [\"ContosoAgent\"]"},
    {"workers: {leave_out: [a, 'b\\c']}", 1, 26,
     "\"workers.leave_out\" must be the name of a service, not the text \"b\\c\"; write, for "
     "example, leave_out: [\"ContosoAgent\"]"},
    {"workers: {leave_out: a, enabled: false}", 1, 22,
     "\"workers.leave_out\" needs workers; write enabled: true, or leave that key out"},
    {"workers: {leave_out: a, isolation: registry}", 1, 22,
     "\"workers.leave_out\" needs workers that load one provider each; write isolation: hosts, or "
     "leave that key out"},
    {"listen: {hosts: [10]}", 1, 18,
     "\"listen.hosts\" must be a host name or address, without http:// and port, not 10; write "
     "\"10\" in quotes"},
    {"listen: {hosts: [a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,a,b,c,d,e,f,g]}", 1, 17,
     "\"listen.hosts\" has 33 names; write at most 32"},
    {"listen: {address: \":9182\"}", 1, 19,
     "\"listen.address\" must be an address without a port, not the text \":9182\"; write address: "
     "\"::\", port: 9182"},
    {"listen: {address: \"10.0.0.1:9182\"}", 1, 19,
     "\"listen.address\" must be an address without a port, not the text \"10.0.0.1:9182\"; write "
     "address: \"10.0.0.1\", port: 9182"},
    {"listen: {address: \"[::1]\"}", 1, 19,
     "\"listen.address\" must be an address without brackets, not the text \"[::1]\"; write "
     "address: \"::1\""},
    {"listen: {address: \"http://x/\"}", 1, 19,
     "\"listen.address\" must be an address or host name, not the text \"http://x/\"; write, for "
     "example, address: \"::\""},
    {"listen: {address: \"\"}", 1, 19,
     "\"listen.address\" must be an address or host name, not the text \"\"; write, for example, "
     "address: \"::\""},
    {"listen: {address: 10}", 1, 19,
     "\"listen.address\" must be an address or host name, not 10; write \"10\" in quotes"},
    {"listen: {address: ~}", 1, 19,
     "\"listen.address\" must be an address or host name, not nothing; write, for example, "
     "address: \"::\""},
    {"interval: 500ms", 1, 11,
     "\"interval\" must be at least 1s (Microsoft's guidance for collecting performance data "
     "sets this minimum), not the text \"500ms\"; write, for example, interval: \"5s\""},
    {"interval: 0", 1, 11,
     "\"interval\" must be at least 1s (Microsoft's guidance for collecting performance data "
     "sets this minimum), not 0; write, for example, interval: \"5s\""},
    {"interval: 2h", 1, 11,
     "\"interval\" must be at most 1h, not the text \"2h\"; write, for example, interval: \"5s\""},
    {"interval: 5 sec", 1, 11,
     "\"interval\" must be a duration such as \"500ms\", \"15s\" or \"1m\", not the text \"5 "
     "sec\"; write, for example, interval: \"5s\""},
    {"interval: five", 1, 11,
     "\"interval\" must be a duration such as \"500ms\", \"15s\" or \"1m\", not the text \"five\"; "
     "write, for example, interval: \"5s\""},
    {"interval: -5s", 1, 11,
     "\"interval\" must be a duration such as \"500ms\", \"15s\" or \"1m\", not the text \"-5s\"; "
     "write, for example, interval: \"5s\""},
    {"interval: true", 1, 11,
     "\"interval\" must be a duration such as \"500ms\", \"15s\" or \"1m\", not true; write, for "
     "example, interval: \"5s\""},
    {"interval: {every: 5s}", 1, 11,
     "\"interval\" must be a duration such as \"500ms\", \"15s\" or \"1m\", not an object; write, "
     "for example, interval: \"5s\""},
    {"interval: 0.2", 1, 11,
     "\"interval\" must be at least 1s (Microsoft's guidance for collecting performance data "
     "sets this minimum), not 0.2; write, for example, interval: \"5s\""},
    {"language: german", 1, 11,
     "\"language\" must be \"english\" or \"machine\", not the text \"german\"; write, for "
     "example, language: \"english\""},
    {"language: 7", 1, 11,
     "\"language\" must be \"english\" or \"machine\", not 7; write, for example, language: "
     "\"english\""},
    {"log: {level: warning}", 1, 14,
     "\"log.level\" must be \"trace\", \"debug\", \"info\", \"warn\" or \"error\", not the text "
     "\"warning\"; write level: \"warn\""},
    {"log: {level: INFO}", 1, 14,
     "\"log.level\" must be \"trace\", \"debug\", \"info\", \"warn\" or \"error\", not the text "
     "\"INFO\"; write level: \"info\""},
    {"log: {level: loud}", 1, 14,
     "\"log.level\" must be \"trace\", \"debug\", \"info\", \"warn\" or \"error\", not the text "
     "\"loud\"; write, for example, level: \"info\""},
    {"log: {format: logfmt}", 1, 15,
     "\"log.format\" must be \"text\" or \"json\", not the text \"logfmt\"; write, for example, "
     "format: \"text\""},
    {"log: {format: [text]}", 1, 15,
     "\"log.format\" must be \"text\" or \"json\", not a list; write, for example, format: "
     "\"text\""},
    {"log: {file: 12}", 1, 13, "\"log.file\" must be text, not 12; write \"12\" in quotes"},
    {"log: {file: \"C:\\logs\"}", 1, 18,
     "a backslash in \"...\" must be doubled; write \"C:\\\\logs\", or use '...'"},
    {"log: {file: \"C:\temp\"}", 1, 13,
     "\"log.file\" holds a control character; write \\\\ for each backslash in \"...\""},
    {"metrics: {total_instances: yes}", 1, 28,
     "\"metrics.total_instances\" must be true or false, not the text \"yes\"; write "
     "total_instances: true"},
    {"metrics: {total_instances: no}", 1, 28,
     "\"metrics.total_instances\" must be true or false, not the text \"no\"; write "
     "total_instances: false"},
    {"metrics: {total_instances: \"true\"}", 1, 28,
     "\"metrics.total_instances\" must be true or false, not the text \"true\"; write "
     "total_instances: true"},
    {"metrics: {total_instances: True}", 1, 28,
     "\"metrics.total_instances\" must be true or false, not the text \"True\"; write "
     "total_instances: true"},
    {"metrics: {total_instances: 1}", 1, 28,
     "\"metrics.total_instances\" must be true or false, not 1; write total_instances: true"},
    {"metrics: {total_instances: maybe}", 1, 28,
     "\"metrics.total_instances\" must be true or false, not the text \"maybe\"; write, for "
     "example, "
     "total_instances: false"},
    {"metrics: {total_instances: }", 1, 28,
     "\"metrics.total_instances\" must be true or false, not nothing; write, for example, "
     "total_instances: false"},
    {"metrics: values", 1, 10,
     "\"metrics\" must be an object, not the text \"values\"; write its keys, \"profiles\", "
     "\"detail\", \"leading_processes\", \"total_instances\", "
     "\"values\", \"created\", \"cap_percentages\", \"path\", \"exporter\", inside { }"},
    {"limits: {query_timeout: 1ms}", 1, 25,
     "\"limits.query_timeout\" must be at least 1s, not the text \"1ms\"; write, for example, "
     "query_timeout: \"10s\""},
    {"limits: {max_reply_bytes: 64MB}", 1, 27,
     "\"limits.max_reply_bytes\" must be a size such as \"512KiB\" or \"64MiB\", not the text "
     "\"64MB\"; write, for example, max_reply_bytes: \"64MiB\""},
    {"limits: {max_reply_bytes: 1KiB}", 1, 27,
     "\"limits.max_reply_bytes\" must be at least 1MiB, not the text \"1KiB\"; write, for example, "
     "max_reply_bytes: \"64MiB\""},
    {"limits: {max_reply_bytes: 8GiB}", 1, 27,
     "\"limits.max_reply_bytes\" must be at most 1GiB, not the text \"8GiB\"; write, for example, "
     "max_reply_bytes: \"64MiB\""},
    {"limits: {max_replybytes: 8MiB}", 1, 10,
     "unknown key \"max_replybytes\" in \"limits\"; did you mean \"max_reply_bytes\"?"},
    {"targets: srv-1", 1, 10,
     "\"targets\" must be a list, not the text \"srv-1\"; write, for example, [{host: srv-1, "
     "interval: 30s}]"},
    {"targets: [srv-1]", 1, 11,
     "an entry of \"targets\" must be an object, not the text \"srv-1\"; write, for example, "
     "{host: srv-1}"},
    {"targets: [{interval: 5s}]", 1, 11,
     "this target has no host; write, for example, host: srv-1"},
    {"targets: [{host: 'srv-1:445'}]", 1, 18,
     "\"targets[].host\" must be a name without a port, because Windows chooses it, not the text "
     "\"srv-1:445\"; write host: \"srv-1\""},
    {"targets: [{host: '\\\\srv-1'}]", 1, 18,
     "\"targets[].host\" must be a name without backslashes, not the text \"\\\\srv-1\"; write "
     "host: \"srv-1\""},
    {"targets: [{host: 'a/b'}]", 1, 18,
     "\"targets[].host\" has the text \"a/b\", which is no machine name: it has \"/\" in it, but "
     "only letters, digits, \"-\", \".\", \"_\" and \":\" are allowed; write, for example, host: "
     "\"srv-1\""},
    {"targets: [{host: a, module: 'b c'}]", 1, 29,
     "\"targets[].module\" must be a word of letters, digits, ., _ and -, not the text \"b c\"; "
     "write, for example, module: \"default\""},
    {"targets: [{host: a}, {host: [b, A]}]", 1, 22,
     "target \"A\" is named twice, first on line 1: keep one, or give one of them another module"},
    {"targets: [{host: a, countersets: []}]", 1, 34,
     "\"targets[].countersets\" is empty, so nothing would be sampled; write at least one name, or "
     "leave the key out to get the default countersets"},
    {"targets: [{host: a, interval: 30s, stale_after: 20s}]", 1, 49,
     "\"stale_after\" must be longer than the interval of 30s; write, for example, stale_after: "
     "\"1m15s\""},
    {"targets: [{host: a, facts: [os]}]", 1, 21,
     "unknown key \"facts\" in \"targets[]\"; did you mean \"facts\"?"},
    {"facts: os", 1, 8,
     "\"facts\" must be a list, not the text \"os\"; write, for example, [os, {name: services, "
     "interval: 30s}]"},
    {"facts: [[os]]", 1, 9,
     "an entry of \"facts\" must be a topic or an object, not a list; write, for example, os"},
    {"facts: [{interval: 5s}]", 1, 9, "this topic has no name; write, for example, name: services"},
    {"facts: [os, {name: os}]", 1, 13,
     "topic \"os\" is named twice: keep one, with the filters of both"},
    {"facts: [{name: os, include: a}]", 1, 29,
     "\"include\" cannot be given for \"os\", which has no rows to select; remove it"},
    {"facts: [{name: disks, folders: a}]", 1, 32,
     "\"folders\" apply only to \"textfile\"; remove them"},
    {"facts: [textfile]", 1, 9,
     "\"textfile\" needs folders; write, for example, {name: textfile, folders: "
     "['C:\\ProgramData\\winperf_exporter\\textfile']}"},
    {"countersets: []\nfacts: []", 1, 14,
     "\"countersets\" is empty, so nothing would be sampled; write at least one name, or leave the "
     "key out to get the default countersets"},
    {"countersets: []\ntargets: [{host: a}]", 2, 11,
     "\"countersets\" is empty, so nothing would be sampled; write at least one name, or leave the "
     "key out to get the default countersets"},
    {"countersets:", 1, 13,
     "\"countersets\" is empty, so nothing would be sampled; write at least one name, or [] to "
     "read only facts, or leave the key out to get the default countersets"},
    {"countersets: Memory", 1, 14,
     "\"countersets\" must be a list, not the text \"Memory\"; write, for example, [\"Memory\", "
     "{name: \"Process\"}]"},
    {"countersets: {Memory: {interval: 5s}}", 1, 14,
     "\"countersets\" must be a list, not an object; write, for example, [\"Memory\", {name: "
     "\"Process\"}]"},
    {"countersets: [[Memory, System]]", 1, 15,
     "an entry of \"countersets\" must be a name or an object, not a list; write alternatives as "
     "{name: [\"Processor Information\", \"Processor\"]}"},
    {"countersets: [true]", 1, 15,
     "\"countersets[].name\" must be a name or a title index, not true; write \"true\" in quotes"},
    {"countersets: [0]", 1, 15,
     "\"countersets[].name\" must be a name or a title index from 1 to 4294967295, not 0; write, "
     "for example, name: \"Memory\""},
    {"countersets: [238, 238]", 1, 20,
     "counterset \"238\" is named twice, first on line 1: keep one, with the filters of both"},
    {"countersets: [\"\"]", 1, 15,
     "\"countersets[].name\" must be a name or a title index, not the text \"\"; write, for "
     "example, name: \"Memory\""},
    {"countersets: [Memory, memory]", 1, 23,
     "counterset \"memory\" is named twice, first on line 1: keep one, with the filters of both"},
    {"countersets: [{name: [a, a]}]", 1, 15,
     "counterset \"a\" is named twice, first on line 1: keep one, with the filters of both"},
    {"countersets: [{name: []}]", 1, 22,
     "\"countersets[].name\" must be at least one name, not an empty list; write, for example, "
     "name: \"Memory\""},
    {"countersets: [{name: [a, [b]]}]", 1, 26,
     "\"countersets[].name\" must be a name or a title index, not a list; write, for example, "
     "name: \"Memory\""},
    {"countersets: [{interval: 5s}]", 1, 15,
     "this counterset has no name; write, for example, name: \"Memory\""},
    {"countersets: [{}]", 1, 15,
     "this counterset has no name; write, for example, name: \"Memory\""},
    {"countersets: [{name: Memory, intervall: 5s}]", 1, 30,
     "unknown key \"intervall\" in \"countersets[]\"; did you mean \"interval\"?"},
    {"countersets: [{name: Memory, interval: 10ms}]", 1, 40,
     "\"countersets[].interval\" must be at least 1s (Microsoft's guidance for collecting "
     "performance data sets this minimum), not the text \"10ms\"; write, for example, interval: "
     "\"15s\""},
    {"countersets: [{name: Memory, instances: \"C:\"}]", 1, 41,
     "\"countersets[].instances\" must be an object, not the text \"C:\"; write its keys, "
     "\"include\", \"exclude\", \"id\", \"max\", \"by\", \"labels\", inside { }"},
    {"countersets: [{name: Memory, instances: {include: [\"(\"]}}]", 1, 52,
     "\"countersets[].instances.include\" must be a regular expression (missing closing "
     "parenthesis at byte 1), not the text \"(\"; write .* for any text, and \\ before a character "
     "that is literal"},
    {"countersets: [{name: Memory, instances: {include: [\"*\"]}}]", 1, 52,
     "\"countersets[].instances.include\" must be a regular expression (quantifier does not follow "
     "a repeatable item at byte @), not the text \"*\"; write .* for any text, and \\ before a "
     "character that is literal"},
    {"countersets: [{name: Memory, instances: {includes: [\"a\"]}}]", 1, 42,
     "unknown key \"includes\" in \"countersets[].instances\"; did you mean \"include\"?"},
    {"countersets: [{name: Memory, instances: {include: [1]}}]", 1, 52,
     "\"countersets[].instances.include\" must be a regular expression, not 1; write \"1\" in "
     "quotes"},
    {"countersets: [{name: Memory, counters: {exclude: {a: b}}}]", 1, 50,
     "\"countersets[].counters.exclude\" must be a regular expression, not an object; write, for "
     "example, exclude: [\"C:\", \"D:\"]"},
    {"countersets: [{name: Memory, object: x}]", 1, 30,
     "unknown key \"object\" in \"countersets[]\"; write one of \"name\", \"except\", "
     "\"costly\", \"interval\", \"stale_after\", \"path\", \"instances\", \"counters\", "
     "\"instance_label\", \"metrics\""},
    {"path: v2", 1, 7,
     "\"path\" must be \"auto\", \"registry\" or \"perflib\", not the text \"v2\"; write, for "
     "example, path: \"auto\""},
    {"countersets: [{name: Memory, path: pdh}]", 1, 36,
     "\"countersets[].path\" must be \"auto\", \"registry\" or \"perflib\", not the text "
     "\"pdh\"; "
     "write, for example, path: \"auto\""},
    {"countersets: [{name: Memory, instances: {id: -1}}]", 1, 46,
     "\"countersets[].instances.id\" must be a whole number from 0 to 4294967294, not -1; write, "
     "for "
     "example, id: 0"},
    {"countersets: [,]", 1, 15,
     "\"countersets[].name\" must be a name or a title index, not nothing; write, for example, "
     "name: \"Memory\""},
    {"countersets: [a,,b]", 1, 17,
     "\"countersets[].name\" must be a name or a title index, not nothing; write, for example, "
     "name: \"Memory\""},
    {"interval: 5s\ninterval: 6s", 2, 1,
     "key \"interval\" is given twice, first on line 1: keep one"},
    {"{\"interval\": \"5s\", \"interval\": \"6s\"}", 1, 20,
     "key \"interval\" is given twice, first on line 1: keep one"},
    {"{\"interval\": \"5s\"", 1, 1, "this { is not closed; write } at its end"},
    {"{\"interval\": \"5s\"}}", 1, 19, "this } was never opened; remove it"},
    {"{\"interval\": \"5s\"} {\"a\": 1}", 1, 20, "text after the end of the document; remove it"},
    {"countersets: [\"Memory\"", 1, 14, "this [ is not closed; write ] at its end"},
    {"countersets: \"Memory", 1, 14,
     "this text is not closed; write \" at its end, on the same line"},
    {"a: b: c", 1, 5,
     "this \":\" belongs to no key; write a text that contains \": \" in quotes, or indent the "
     "line like its siblings, with spaces"},
    {"log: {file: \"\\ud800\"}", 1, 20,
     "no such character; write the character itself, or \\U and eight digits"},
    {"log:\n\tfile: x", 2, 1, "a tab indents this line; write spaces"},
    {"log:\n  file: x\n \tlevel: info", 3, 2, "a tab indents this line; write spaces"},
    {"log: {\n\tfile: x\n\tlevel: info}", 3, 7,
     "a comma or a colon is missing before this; write key: value, and , between two entries"},
    {"%interval: 5s", 1, 1,
     "a line cannot begin with %; write the text in quotes, or remove the line"},
    {"listen:\n\xC2\xA0\xC2\xA0port: 1", 2, 1,
     "a no-break space; write a space, or put the text in quotes"},
    {"interval:\n\n# how often\npath: auto", 1, 10,
     "\"interval\" must be a duration such as \"500ms\", \"15s\" or \"1m\", not nothing; write, "
     "for example, interval: \"5s\""},
    {"interval:   # how often\npath: auto", 1, 10,
     "\"interval\" must be a duration such as \"500ms\", \"15s\" or \"1m\", not nothing; write, "
     "for example, interval: \"5s\""},
    {"countersets:\n  -\n  - Memory", 2, 4,
     "\"countersets[].name\" must be a name or a title index, not nothing; write, for example, "
     "name: \"Memory\""},
    {"interval:5s", 1, 1,
     "a configuration must be an object, not the text \"interval:5s\"; write a space after the "
     "colon"},
    {"interval:5s\n\n# how\npath: auto", 1, 9,
     "a space is missing after this colon; write key: value"},
    {"countersets:\n  - name:Process\n    interval: 5s", 2, 9,
     "a space is missing after this colon; write key: value"},
    {"countersets:\n  - SQLServer:Locks\n    interval: 5s", 3, 13,
     "this \":\" belongs to no key; write a text that contains \": \" in quotes, or indent the "
     "line like its siblings, with spaces"},
    {"listen.port: 9182", 1, 1, "unknown key \"listen.port\"; write listen: {port: ...}"},
    {"countersets: [{name: Memory, counters.include: x}]", 1, 30,
     "unknown key \"counters.include\" in \"countersets[]\"; write counters: {include: ...}"},
    {"collectors: {enabled: cpu}", 1, 1,
     "unknown key \"collectors\"; this key is windows_exporter's: convert its configuration with "
     "\"winperf_exporter config migrate --from-windows-exporter FILE\""},
    {"listen: {address: \"[::1]:9182\"}", 1, 19,
     "\"listen.address\" must be an address without brackets and port, not the text "
     "\"[::1]:9182\"; write address: \"::1\", port: 9182"},
    {"listen: {address: 300.1.2.3}", 1, 19,
     "\"listen.address\" must be an address or host name, not the text \"300.1.2.3\"; write, for "
     "example, address: \"::\""},
    {"listen: {address: \"10.0.1\"}", 1, 19,
     "\"listen.address\" must be an address or host name, not the text \"10.0.1\"; write, for "
     "example, address: \"::\""},
    {"listen: {address: \"localhost:http\"}", 1, 19,
     "\"listen.address\" must be an address or host name, not the text \"localhost:http\"; write, "
     "for example, address: \"::\""},
    {"log: {file: /}", 1, 13,
     "\"log.file\" must be the name of a file, not of a folder, not the text \"/\"; write file: "
     "\"/winperf_exporter.log\""},
    {"log: {file: 'C:\\logs\\'}", 1, 13,
     "\"log.file\" must be the name of a file, not of a folder, not the text \"C:\\logs\\\"; write "
     "file: \"C:/logs/winperf_exporter.log\""},
    {"countersets: ['\\\\web1\\Processor(0)\\% User Time']", 1, 15,
     "\"countersets[].name\" names the machine \"web1\"; write \"\\Processor(0)\\% User Time\", "
     "and name "
     "the machine by --target, or in targets in a configuration"},
    {"countersets: ['\\']", 1, 15,
     "\"countersets[].name\" has no object; write, for example, \\Memory\\Available Bytes"},
    {"countersets: [{name: '\\SQL:A(*)\\Locks/sec', except: B}]", 1, 53,
     "\"except\" leaves countersets out of a pattern, and \"\\SQL:A(*)\\Locks/sec\" is not one; "
     "write a name with *, or leave the key out"},
    {"countersets: [{name: Thread, costly: true}]", 1, 38,
     "\"costly\" adds those that are expensive to collect to a pattern, and \"Thread\" is not one; "
     "write a name with *, or leave the key out"},
    {"collect: [cpu, iiss]", 1, 10, "no collector set is named \"iiss\"; did you mean \"iis\"?"},
    {"collect: xyzzy", 1, 10,
     "no collector set is named \"xyzzy\"; write one of ad, adcs, adfs, cache, cpu, cpu_info, "
     "dfsr, dhcp, diskdrive, dns, exchange, fsrmquota, gpu, hyperv, iis, license, logical_disk, "
     "memory, msmq, mssql, net, netframework, nps, os, pagefile, physical_disk, printer, process, "
     "remote_fx, scheduled_task, service, smb, smbclient, smtp, system, tcp, terminal_services, "
     "textfile, thermalzone, time, udp, vmware, cs, logon, netframework_clrexceptions, "
     "netframework_clrinterop, netframework_clrjit, netframework_clrloading, "
     "netframework_clrlocksandthreads, netframework_clrmemory, netframework_clrremoting, "
     "netframework_clrsecurity"},
    {"collect: container", 1, 10,
     "the set \"container\" has nothing to read; remove it, because containers are not read: keep "
     "windows_exporter for them, on another port"},
    {"countersets: [{name: A, metrics: {counter: a}}]", 1, 34,
     "\"countersets[].metrics\" must be a list of objects, not an object; write, for example, "
     "[{counter: \"Page Faults/sec\", name: \"page_faults_total\"}]"},
    {"countersets: [{name: A, metrics: [a]}]", 1, 35,
     "an entry of \"countersets[].metrics\" must be an object, not the text \"a\"; write its keys "
     "counter and name inside { }"},
    {"countersets: [{name: A, metrics: [{counter: a}]}]", 1, 35,
     "this metric has no name; write its key \"name\""},
    {"countersets: [{name: A, metrics: [{name: a}]}]", 1, 35,
     "this metric has no counter; write its key \"counter\""},
    {"countersets: [{name: A, metrics: [{counter: a, name: 'a-b'}]}]", 1, 54,
     "\"a-b\" cannot be the name of a metric; write letters, digits and underscores, and no digit "
     "first"},
    {"countersets: [{name: A, metrics: [{counter: a, name: process_x}]}]", 1, 54,
     "\"process_x\" is reserved, because process_... are metrics of the exporter itself; write "
     "another name"},
    {"countersets: [{name: A, metrics: [{counter: a, name: m, labels: {1a: b}}]}]", 1, 66,
     "\"1a\" cannot be a label; write letters, digits and single underscores, and no digit first"},
    {"countersets: [{name: A, metrics: [{counter: a, name: m, labels: {machine: b}}]}]", 1, 66,
     "\"machine\" is a reserved label; write another name"},
    {"countersets: [{name: A, metrics: [{counter: a, name: m, labels: [b]}]}]", 1, 65,
     "\"countersets[].metrics[].labels\" must be an object of labels and their values, not a list; "
     "write "
     "labels: {direction: \"in\"}"},
    {"countersets: [{name: A, metrics: [{counter: a, name: m, type: counter, value: cooked}]}]", 1,
     35, "a cooked value rises and falls, so it cannot be a counter; write type: gauge"},
    {"countersets: [{name: A, metrics: [{counter: a, name: m}, {counter: b, name: m}]}]", 1, 58,
     "the metric \"m\" is given twice with the same labels; write another name, or different "
     "labels"},
    {"countersets: [{name: A, metrics: [{counter: a, name: m, type: gauge}]}, {name: B, metrics: "
     "[{counter: b, name: m, type: counter}]}]",
     1, 93, "the metric \"m\" is a counter and a gauge; write the same type for both"},
    {"countersets: [{name: A, instance_label: core}]", 1, 41,
     "\"instance_label\" applies to custom metrics, and there are none; write metrics, or leave "
     "the key out"},
    {"countersets: [{name: 'A*', metrics: [{counter: a, name: m}]}]", 1, 37,
     "\"metrics\" need a counterset, and \"A*\" is a pattern; write the name of one"},
    {"countersets: [{name: A, metrics: [{counter: a, name: m, labels: {instance: b}}]}]", 1, 34,
     "the label \"instance\" of \"m\" already names the instance; write another one, or another "
     "instance_label"},
    {"countersets: [{name: ['SQL*', Memory]}]", 1, 15,
     "\"SQL*\" cannot have alternatives; write it as a separate entry, or write the names of "
     "objects"},
    {"countersets: [{name: ['\\A\\b', C]}]", 1, 15,
     "\"\\A\\b\" cannot have alternatives; write it as a separate entry, or write the names of "
     "objects"},
    {"countersets: [{name: '\\A\\b', counters: {include: [c]}}]", 1, 40,
     "\"counters\" cannot be combined with the path \"\\A\\b\", which is a filter itself; write "
     "the name of the object instead, and all filters"},
    {"countersets: ['\\A\\b', '\\a\\B']", 1, 23,
     "counterset \"\\a\\B\" is named twice, first on line 1: keep one, with the filters of both"},
    {"log: {file: &x y}", 1, 13,
     "anchors (&name) are not supported; remove it, or quote a text with &"},
    {"log: {file: *x}", 1, 13, "text cannot begin with *; write it in quotes"},
    {"log: {file: !!str x}", 1, 13,
     "tags (!name) are not supported; remove it, or quote a text with !"},
    {"---\ninterval: 5s\n---\ninterval: 6s", 3, 1, "text after the end of the document; remove it"},
    {"[1, 2]", 1, 1,
     "a configuration must be an object, not a list; write, for example, {\"interval\": \"5s\"}"},
    {"hello", 1, 1,
     "a configuration must be an object, not the text \"hello\"; write, for example, "
     "{\"interval\": \"5s\"}"},
    {"5", 1, 1,
     "a configuration must be an object, not 5; write, for example, {\"interval\": \"5s\"}"},
    {"{? [a]: b}", 1, 4, "a key must be text; write \"key\": value"},
    {"{a: 1, : 2}", 1, 8, "a key is missing here; write \"key\": value"},
    {"? {a: 1}\n: x", 1, 3, "a key must be text; write \"key\": value"},
    {"interval: 5s /* open", 1, 14, "this comment does not end; write */ at its end"},
    {"log: |\n  text", 1, 6,
     "text blocks (| and >) are not supported; write the text in double quotes"},
    {"log:\n  level: info\n   format: text", 3, 10,
     "this \":\" belongs to no key; write a text that contains \": \" in quotes, or indent the "
     "line like its siblings, with spaces"},
    {"interval: @5s", 1, 11, "text cannot begin with this character; write it in quotes"},
    {"log: {level: info format: text}", 1, 25,
     "a comma or a colon is missing before this; write key: value, and , between two entries"},
    {"log:\n  level: info\n format: text", 3, 2,
     "this line does not continue the object above; write key: value, indented like its siblings"},
    {"- interval: 5s", 1, 1,
     "a configuration must be an object, not a list; write, for example, {\"interval\": \"5s\"}"},
    {"'': 5", 1, 1,
     "unknown key \"\"; write one of \"listen\", \"interval\", \"stale_after\", "
     "\"discovery_interval\", \"language\", "
     "\"path\", \"log\", "
     "\"metrics\", \"limits\", \"workers\", \"reload\", \"recorder\", \"own_counters\", "
     "\"collect\", "
     "\"countersets\", \"facts\", "
     "\"remote\", "
     "\"targets\""},
    {"\"\": 5", 1, 1,
     "unknown key \"\"; write one of \"listen\", \"interval\", \"stale_after\", "
     "\"discovery_interval\", \"language\", "
     "\"path\", \"log\", "
     "\"metrics\", \"limits\", \"workers\", \"reload\", \"recorder\", \"own_counters\", "
     "\"collect\", "
     "\"countersets\", \"facts\", "
     "\"remote\", "
     "\"targets\""},
    {"interval 5s", 1, 1,
     "a configuration must be an object, not the text \"interval 5s\"; write, for example, "
     "{\"interval\": \"5s\"}"},
    {"{\"interval\": \"5s\"]", 1, 1, "this { is not closed; write } at its end"},
    {"log: {file: 'x}", 1, 13, "this text is not closed; write ' at its end, on the same line"},
    {"log: {file: \"a\\u12g4\"}", 1, 21,
     "not hexadecimal; write four digits after \\u, two after \\x, eight after \\U"},
    {"listen: {adress: \"::\"}", 1, 10,
     "unknown key \"adress\" in \"listen\"; did you mean \"address\"?"},
    {"countersets: [{name: -5}]", 1, 22,
     "\"countersets[].name\" must be a name or a title index from 1 to 4294967295, not -5; write, "
     "for example, name: \"Memory\""},
    {"countersets: [{name: 4294967296}]", 1, 22,
     "\"countersets[].name\" must be a name or a title index from 1 to 4294967295, not 4294967296; "
     "write, for example, name: \"Memory\""},
    {"countersets: [{name: [Memory], name: [System]}]", 1, 32,
     "key \"name\" is given twice, first on line 1: keep one"},
    {"countersets: [{name: Memory, instances: {include: [a], exclude: [\"(?P<x\"]}}]", 1, 66,
     "\"countersets[].instances.exclude\" must be a regular expression (syntax error in subpattern "
     "name (missing terminator?) at byte 5), not the text \"(?P<x\"; write .* for any text, and \\ "
     "before a character that is literal"},
    {"countersets: [{name: Memory, interval: 15}, {name: System, interval: 15x}]", 1, 70,
     "\"countersets[].interval\" must be a duration such as \"500ms\", \"15s\" or \"1m\", not the "
     "text \"15x\"; write, for example, interval: \"15s\""},
    {"log: {level: &a info}", 1, 14,
     "anchors (&name) are not supported; remove it, or quote a text with &"},
    {"metrics: [values]", 1, 10,
     "\"metrics\" must be an object, not a list; write its keys, \"profiles\", "
     "\"detail\", \"leading_processes\", \"total_instances\", \"values\", "
     "\"created\", "
     "\"cap_percentages\", \"path\", \"exporter\", inside { }"},
    {"limits: {max_reply_bytes: -1}", 1, 27,
     "\"limits.max_reply_bytes\" must be a size such as \"512KiB\" or \"64MiB\", not -1; write, "
     "for example, max_reply_bytes: \"64MiB\""},
    {"limits: {query_timeout: 1m30}", 1, 25,
     "\"limits.query_timeout\" must be a duration such as \"500ms\", \"15s\" or \"1m\", not the "
     "text \"1m30\"; write, for example, query_timeout: \"10s\""},
    {"log: {format: \"Json\"}", 1, 15,
     "\"log.format\" must be \"text\" or \"json\", not the text \"Json\"; write format: \"json\""},
    {"a: [}", 1, 4, "this [ is not closed; write ] at its end"},
    {"{\"listen\": {\"port\": 1e9}}", 1, 21,
     "\"listen.port\" must be a whole number from 0 to 65535, not 1e9; write, for example, port: "
     "10182"},
    {"{\"listen\": {\"port\": 99999999999999999999}}", 1, 21,
     "\"listen.port\" must be a whole number from 0 to 65535, not 99999999999999999999; write, for "
     "example, port: 10182"},
    {"log:\n- file: x\n level: y", 3, 2,
     "this line does not continue the list above; write \"- \" indented like its siblings"},
    {"log: [{level: info]", 1, 7, "this { is not closed; write } at its end"},
};

TEST(ConfigErrorTable, HasAtLeastSixtyRows) { EXPECT_GE(std::size(kBadFiles), 60U); }

TEST(ConfigErrorTable, SaysWhereAndWhatToWriteInstead) {
  // PCRE2 says it before or after the star, by its version.
  const std::string place_of_star = std::to_string(Pattern::compile("*").error().offset);
  for (const BadFile& bad : kBadFiles) {
    SCOPED_TRACE(bad.text);
    const auto config = parse_config(bad.text, "bad.yaml");
    ASSERT_FALSE(config.has_value());
    std::string message = bad.message;
    if (const std::size_t place = message.find("byte @"); place != std::string::npos)
      message.replace(message.find('@', place), 1, place_of_star);
    const ConfigErrors expected{{"bad.yaml", bad.line, bad.column, message}};
    ASSERT_EQ(config.error().size(), 1U) << describe(config.error().at(1));
    EXPECT_EQ(describe(config.error().front()), describe(expected.front()));
    EXPECT_EQ(config.error(), expected);
  }
}

TEST(ConfigErrorTable, EveryMessageGivesAdvice) {
  for (const BadFile& bad : kBadFiles) {
    const std::string message = bad.message;
    const bool advises = message.find("write") != std::string::npos ||
                         message.find("did you mean") != std::string::npos ||
                         message.find("keep one") != std::string::npos ||
                         message.find("convert") != std::string::npos ||
                         message.find("remove") != std::string::npos;
    EXPECT_TRUE(advises) << message;
  }
}

}  // namespace
}  // namespace winperf
