#!/usr/bin/env python3
"""Makes the dashboards for Grafana 11 and later: machine.json, processes.json and exporter.json.

    make_dashboards.py FOLDER

They are in the packages, and not in the repository: the same script makes the same bytes. Change the lists at the end of a
dashboard's function. tests/packaging tries each query in a real Prometheus.
"""

import json
import pathlib
import sys

SCHEMA = 41
TAG = "winperf_exporter"
WIDTH = 24
DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}
MACHINE = 'job=~"$job",instance="$instance"'
MACHINES = 'job=~"$job",instance=~"$instance"'


# --- parts of a panel ------------------------------------------------------------------------------------------------

def target(expr, legend, *, instant=False, table=False):
    return {"expr": expr, "legendFormat": legend, "instant": instant, "range": not instant,
            "format": "table" if table else "time_series"}


def steps(*levels):
    """Colours from a value on: steps("green", (0.8, "orange"))."""
    first, *others = levels
    return {"mode": "absolute", "steps": [{"color": first, "value": None},
                                          *({"color": color, "value": value} for value, color in others)]}


GREEN = steps("green")
FULL = steps("green", (0.8, "orange"), (0.95, "red"))
EMPTY = steps("red", (0.05, "orange"), (0.15, "green"))
NONE = steps("green", (1, "red"))


def names_of(*pairs):
    """Words instead of numbers: names_of((0, "no", "red"))."""
    return [{"type": "value", "options": {str(value): {"text": text, "color": color, "index": index}
                                          for index, (value, text, color) in enumerate(pairs)}}]


YES_IS_GOOD = names_of((0, "no", "red"), (1, "yes", "green"))
YES_IS_BAD = names_of((0, "no", "green"), (1, "yes", "red"))


def panel(kind, title, targets, *, width, height, unit, thresholds=GREEN, mappings=(), description="", options=None, custom=None,
          minimum=None, maximum=None, overrides=(), transformations=()):
    defaults = {"unit": unit, "thresholds": thresholds, "mappings": list(mappings), "custom": custom or {},
                "color": {"mode": "palette-classic" if kind == "timeseries" else "thresholds"}}
    defaults.update({name: value for name, value in (("min", minimum), ("max", maximum)) if value is not None})
    return {"type": kind, "title": title, "description": description, "datasource": DATASOURCE,
            "gridPos": {"w": width, "h": height}, "options": options or {}, "transformations": list(transformations),
            "fieldConfig": {"defaults": defaults, "overrides": list(overrides)},
            "targets": [{"refId": chr(ord("A") + index), "datasource": DATASOURCE, **entry}
                        for index, entry in enumerate(targets)]}


def graph(title, *targets, width=12, height=8, unit="short", stacked=False, **more):
    custom = {"drawStyle": "line", "lineWidth": 1, "fillOpacity": 30 if stacked else 8, "showPoints": "never",
              "stacking": {"mode": "normal" if stacked else "none", "group": "A"}}
    options = {"tooltip": {"mode": "multi", "sort": "desc"},
               "legend": {"displayMode": "table", "placement": "bottom", "showLegend": True, "calcs": ["lastNotNull", "max"]}}
    return panel("timeseries", title, targets, width=width, height=height, unit=unit, custom=custom, options=options,
                 **{"minimum": 0, **more})


def number(title, expr, legend="", *, width=4, height=4, unit="short", text=False, **more):
    """One number, or with `text` the legend instead of it."""
    options = {"colorMode": "value", "graphMode": "none", "justifyMode": "auto", "textMode": "name" if text else "auto",
               "reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False}}
    return panel("stat", title, [target(expr, legend or title, instant=True)], width=width, height=height, unit=unit,
                 options=options, **more)


def table(title, columns, labels, *, width=24, height=8, sort="", **more):
    """A line for each set of labels. `labels`: titles by label; `columns`: (title, expression, keys of the column's field)."""
    targets = [target(expr, name, instant=True, table=True) for name, expr, _ in columns]
    fields = ["Value"] if len(columns) == 1 else [f"Value #{chr(ord('A') + index)}" for index in range(len(columns))]
    values = {field: name for field, (name, _, _) in zip(fields, columns)}
    order = {name: index for index, name in enumerate([*labels, *values])}
    organize = {"id": "organize", "options": {"excludeByName": {}, "indexByName": order, "renameByName": {**labels, **values}}}
    keep = {"id": "filterFieldsByName", "options": {"include": {"names": list(order)}}}
    merge = {"id": "merge", "options": {}}
    overrides = [{"matcher": {"id": "byName", "options": name},
                  "properties": [{"id": key, "value": value} for key, value in keys.items()]}
                 for name, _, keys in columns if keys]
    options = {"showHeader": True, "cellHeight": "sm"}
    if sort:
        options["sortBy"] = [{"displayName": sort, "desc": True}]
    return panel("table", title, targets, width=width, height=height, unit="short", options=options, overrides=overrides,
                 custom={"align": "auto", "filterable": True}, transformations=[merge, keep, organize], **more)


def colored(unit, thresholds=GREEN, **more):
    return {"unit": unit, "thresholds": thresholds, "custom.cellOptions": {"type": "color-text"}, **more}


def readers(labels):
    """Functions that make the text for a metric, now and per second, with these labels or others."""
    def now(metric, labels=labels):
        return f"winperf_{metric}{{{labels}}}"

    def rate(metric, labels=labels):
        return f"rate(winperf_{metric}{{{labels}}}[$__rate_interval])"
    return now, rate


def row(title):
    return {"type": "row", "title": title, "collapsed": False, "panels": [], "gridPos": {"w": WIDTH, "h": 1}}


# --- a dashboard -----------------------------------------------------------------------------------------------------

def placed(panels):
    """Panels from left to right; a new line begins where the next one has no place."""
    x = y = height = 0
    for number_of, entry in enumerate(panels, 1):
        place = entry["gridPos"]
        if x + place["w"] > WIDTH:
            x, y, height = 0, y + height, 0
        yield {"id": number_of, **entry, "gridPos": {"x": x, "y": y, **place}}
        x, height = x + place["w"], max(height, place["h"])


def query_variable(name, label, query, *, several):
    return {"name": name, "label": label, "type": "query", "datasource": DATASOURCE, "definition": query, "refresh": 2, "sort": 1,
            "query": {"query": query, "refId": "Variable"}, "multi": several, "includeAll": several,
            "allValue": ".*" if several else None,
            "current": {"text": ["All"], "value": ["$__all"]} if several else {}, "options": [], "regex": "", "hide": 0}


def variables(*, several, metric, others=()):
    datasource = {"name": "datasource", "label": "Prometheus", "type": "datasource", "query": "prometheus", "refresh": 1,
                  "current": {}, "options": [], "regex": "", "multi": False, "includeAll": False, "hide": 0}
    job = query_variable("job", "Job", f"label_values({metric}, job)", several=True)
    instance = query_variable("instance", "Machine", f'label_values({metric}{{job=~"$job"}}, instance)', several=several)
    return [datasource, job, instance, *others]


def dashboard(uid, title, description, templating, panels):
    link = {"type": "dashboards", "title": "winperf_exporter", "tags": [TAG], "asDropdown": True, "includeVars": True,
            "keepTime": True, "targetBlank": False, "icon": "external link", "tooltip": "", "url": ""}
    return {"id": None, "uid": uid, "title": title, "description": description, "tags": [TAG],
            "schemaVersion": SCHEMA, "version": 1, "editable": True, "graphTooltip": 1,
            "fiscalYearStartMonth": 0, "weekStart": "", "timezone": "browser",
            "time": {"from": "now-3h", "to": "now"}, "timepicker": {}, "refresh": "1m", "links": [link],
            "annotations": {"list": []}, "templating": {"list": templating}, "panels": list(placed(panels))}


# --- the dashboards --------------------------------------------------------------------------------------------------

def machine():
    m = MACHINE
    now, rate = readers(m)
    idle = f'rate(winperf_cpu_time_seconds_total{{{m},mode="idle"}}[$__rate_interval])'
    return dashboard("winperf-machine", "Windows machine", "One machine: processors, memory, disks, network, services and tasks.",
                     variables(several=False, metric="winperf_exporter_build_info"), [
        row("The machine"),
        number("Host name", now("os_hostname_info"), "{{fqdn}}", width=5, text=True, unit="none"),
        number("Windows", now("os_info"), "{{product}} ({{version}})", width=7, text=True, unit="none"),
        number("Up for", f"{now('os_time_seconds')} - {now('os_boot_time_seconds')}", unit="s", width=3),
        number("Logical processors", f'count(winperf_cpu_time_seconds_total{{{m},mode="idle"}})', unit="none", width=3),
        number("Memory", now("memory_physical_total_bytes"), unit="bytes", width=3),
        number("Users logged on", now("os_users"), unit="none", width=3),
        number("Processors busy", f"1 - avg({idle})", unit="percentunit", thresholds=FULL),
        number("Memory in use", f"1 - {now('memory_available_bytes')} / {now('memory_physical_total_bytes')}",
               unit="percentunit", thresholds=FULL),
        number("Committed", f"{now('memory_committed_bytes')} / {now('memory_commit_limit_bytes')}",
               unit="percentunit", thresholds=FULL),
        number("Fullest volume", f"1 - min({now('logical_disk_free_bytes')} / ({now('logical_disk_size_bytes')} > 1024^3))",
               unit="percentunit", thresholds=FULL),
        number("Services not running", f'sum(winperf_service_start_mode{{{m},start_mode="auto"}} == bool 1'
               f' and on (name) winperf_service_state{{{m},state="running"}} == 0) or vector(0)', unit="none",
               thresholds=steps("green", (1, "orange")), description="Those that start automatically. Some stop by themselves."),
        number("Clock", f"{now('os_time_seconds')} - timestamp({now('os_time_seconds')})", unit="s",
               description="How far the clock is ahead of Prometheus'.",
               thresholds=steps("red", (-5, "green"), (5, "red"))),

        row("Processors"),
        graph("Processor time by mode", target(f"avg by (mode) ({rate('cpu_time_seconds_total')})", "{{mode}}"),
              unit="percentunit", stacked=True, maximum=1),
        graph("Busy, by processor", target(f"1 - {idle}", "{{core}}"), unit="percentunit", maximum=1),
        graph("Utility, as Task Manager shows it",
              target(f"avg({now('cpu_processor_utility_percent')})", "utility"),
              target(f"avg({now('cpu_privileged_utility_percent')})", "of it, Windows itself"), unit="percent", width=8),
        graph("Frequency and its limit", target(f"avg({now('cpu_processor_performance_percent')})", "of the base clock"),
              target(f"100 * avg({now('cpu_performance_limit_ratio')})", "limit"), unit="percent", width=8),
        graph("Processor queue, threads, switches", target(now("system_processor_queue_length"), "threads that wait"),
              target(f"{rate('system_context_switches_total')} / 1000", "thousand switches per second"),
              width=8),

        row("Memory"),
        graph("Memory", target(f"{now('memory_physical_total_bytes')} - {now('memory_available_bytes')}", "in use"),
              target(f"{now('memory_available_bytes')} - {now('memory_free_and_zero_page_list_bytes')}", "cache, available"),
              target(now("memory_free_and_zero_page_list_bytes"), "free"), unit="bytes", stacked=True),
        graph("Committed", target(now("memory_committed_bytes"), "committed"),
              target(now("memory_commit_limit_bytes"), "limit"), unit="bytes"),
        graph("Read from disk because it wasn't in memory",
              target(rate("memory_pages_total"), "pages, {{direction}}"),
              target(rate("memory_page_operations_total"), "operations, {{direction}}"),
              unit="ops"),
        graph("Pools and caches", target(now("memory_pool_paged_bytes"), "paged pool"),
              target(now("memory_pool_nonpaged_bytes"), "nonpaged pool"),
              target(now("memory_system_cache_resident_bytes"), "system cache"),
              target(now("memory_modified_page_list_bytes"), "modified pages"), unit="bytes"),

        row("Disks"),
        table("Volumes", [
            ("Size", now("volume_size_bytes"), colored("bytes")),
            ("Free", now("volume_free_bytes"), colored("bytes")),
            ("Free share", f"{now('volume_free_bytes')} / ({now('volume_size_bytes')} > 0)", colored("percentunit", EMPTY)),
            ("Read-only", now("volume_read_only"), colored("none", mappings=YES_IS_BAD)),
            ("In a day", f"predict_linear({now('volume_free_bytes')}[6h], 86400)", colored("bytes", steps("red", (0, "green"))))],
            {"volume": "Volume"}, width=14),
        table("Disk drives", [
            ("Size", f"{now('disk_drive_size_bytes')} * on (disk) group_left (model) {now('disk_drive_info')}", colored("bytes")),
            ("OK", f'winperf_disk_drive_status{{{m},status="OK"}} * on (disk) group_left (model) winperf_disk_drive_info{{{m}}}',
             colored("none", mappings=YES_IS_GOOD))],
            {"disk": "Disk", "model": "Model"}, width=10),
        graph("Busy", target(f"clamp_min(1 - {rate('physical_disk_idle_time_seconds_total')}, 0)", "{{disk}}"),
              unit="percentunit", width=8, maximum=1),
        graph("Time that a transfer takes", target(
            f"{rate('physical_disk_time_seconds_total')} / ({rate('physical_disk_transfers_total')} > 0)",
            "{{disk}} {{direction}}"), unit="s", width=8),
        graph("Queue", target(now("physical_disk_current_queue_length"), "{{disk}}"), width=8),
        graph("Transfers", target(rate("physical_disk_transfers_total"), "{{disk}} {{direction}}"), unit="iops"),
        graph("Bytes", target(rate("physical_disk_bytes_total"), "{{disk}} {{direction}}"), unit="Bps"),

        row("Network"),
        graph("Bits", target(f"8 * {rate('network_interface_bytes_total')}", "{{nic}} {{direction}}"), unit="bps"),
        graph("Share of the bandwidth", target(
            f"max by (nic) ({rate('network_interface_bytes_total')})"
            f" / on (nic) ({now('network_interface_current_bandwidth_bytes_per_second')} > 0)", "{{nic}}"),
            unit="percentunit", thresholds=FULL),
        graph("Lost packets",
              target(rate("network_interface_packets_errors_total"), "{{nic}} errors {{direction}}"),
              target(rate("network_interface_packets_discarded_total"), "{{nic}} discarded {{direction}}"),
              unit="pps", width=8),
        graph("TCP connections", target(f"sum by (state) ({now('tcp_connections_by_state')})", "{{state}}"), width=8),
        graph("TCP segments sent again", target(
            f"sum by (af) ({rate('tcp_segments_retransmitted_total')})"
            f' / sum by (af) (rate(winperf_tcp_segments_total{{{m},direction="sent"}}[$__rate_interval]) > 0)', "{{af}}"),
            unit="percentunit", width=8),

        row("Services and tasks"),
        table("Automatic services that don't run", [
            ("Running", f'winperf_service_state{{{m},state="running"}} == 0'
             f' and on (name) winperf_service_start_mode{{{m},start_mode="auto"}} == 1',
             colored("none", mappings=YES_IS_GOOD)),
            ], {"name": "Service"}, width=8, height=10),
        table("Exit codes of stopped services", [
            ("Exit code", f"{now('service_exit_code')} != 0", colored("none"))], {"name": "Service"}, width=8, height=10),
        table("Scheduled tasks that failed", [
            ("Result", f'winperf_scheduled_task_last_result{{{m}}} != 0', colored("none")),
            ], {"task": "Task"}, width=8, height=10),
        graph("Users' sessions", target(f"sum by (state) ({now('session_state')})", "{{state}}")),
        graph("Handles, threads, processes", target(f"sum({now('process_handles')})", "handles"),
              target(now("system_threads"), "threads"), target(now("system_processes"), "processes")),
    ])


def processes():
    m = MACHINE + ',process=~"$process"'
    now, rate = readers(m)
    real = m + ',process!="Idle"'
    by = "process, process_id"
    name = "{{process}} ({{process_id}})"
    cpu = f"sum by ({by}) ({rate('process_time_seconds_total', real)})"
    io = f"sum by ({by}) ({rate('process_io_bytes_total')})"
    faults = f"sum by ({by}) ({rate('process_page_faults_total')})"
    process = query_variable("process", "Program", f"label_values({now('process_threads', MACHINE)}, process)", several=True)

    def top(title, expr, unit, **more):
        return graph(title, target(f"topk(10, {expr})", name), unit=unit, **more)

    def sums(metric):
        return f"sum by ({by}) ({metric}{{{m}}})"

    return dashboard("winperf-processes", "Windows processes", "The processes of one machine: which use most of what.",
                     variables(several=False, metric="winperf_process_threads", others=[process]), [
        row("All of them"),
        number("Processes", f"count({now('process_threads', real)})", unit="none"),
        number("Threads", f"sum({now('process_threads')})", unit="none"),
        number("Handles", f"sum({now('process_handles')})", unit="none"),
        number("Private memory", f"sum({now('process_private_bytes')})", unit="bytes"),
        number("Processors used", f"sum({cpu})", unit="none", description="1 is one processor.", height=4),
        number("Youngest", f"time() - max({now('process_start_time_seconds', real)})", unit="s",
               description="How long ago the last process was started that still runs."),

        row("Who uses most"),
        top("Processor time", cpu, "none", description="1 is one processor."),
        top("Private memory", sums("winperf_process_private_bytes"), "bytes"),
        top("Bytes read and written", io, "Bps", description="Files, network and devices together."),
        top("Working set", sums("winperf_process_working_set_private_bytes"), "bytes"),
        top("Handles", sums("winperf_process_handles"), "none"),
        top("Threads", sums("winperf_process_threads"), "none"),
        top("Page faults", faults, "ops"),
        top("Pools of the kernel",
            f"sum by ({by}) ({now('process_pool_nonpaged_bytes')} + {now('process_pool_paged_bytes')})", "bytes"),

        row("One by one"),
        table("Processes", [
            ("Processors", cpu, colored("none", decimals=2)),
            ("Private memory", sums("winperf_process_private_bytes"), colored("bytes")),
            ("Working set", sums("winperf_process_working_set_bytes"), colored("bytes")),
            ("I/O", io, colored("Bps")),
            ("Handles", sums("winperf_process_handles"), colored("none")),
            ("Threads", sums("winperf_process_threads"), colored("none")),
            ("Up for", f"time() - sum by ({by}) ({now('process_start_time_seconds', real)})", colored("s"))],
            {"process": "Program", "process_id": "Process"}, height=16, sort="Processors"),

        row("By program"),
        graph("Processor time", target(f"topk(10, sum by (process) ({rate('process_time_seconds_total', real)}))",
                                       "{{process}}"), unit="none", stacked=True),
        graph("Private memory", target(f"topk(10, sum by (process) ({now('process_private_bytes')}))", "{{process}}"),
              unit="bytes", stacked=True),
        graph("Processes", target(f"topk(10, count by (process) ({now('process_threads', real)}))", "{{process}}"), unit="none"),
        graph("Started in the last five minutes", target(
            f"count by (process) (time() - {now('process_start_time_seconds', real)} < 300)", "{{process}}"), unit="none"),
    ])


def exporter():
    m = MACHINES

    def each(metric):
        return f"winperf_exporter_{metric}{{{m}}}"

    def rate(metric, seconds="$__rate_interval"):
        return f"rate(winperf_exporter_{metric}{{{m}}}[{seconds}])"

    version = f"* on (job, instance) group_left (version, os, arch) {each('build_info')}"

    def top(title, metric, legend, **more):
        return graph(title, target(f"topk(10, {each(metric)})", "{{instance}} " + legend), **more)

    return dashboard("winperf-exporter", "winperf_exporter", "Whether the exporters work, and what they cost.",
                     variables(several=True, metric="winperf_exporter_build_info"), [
        row("Overview"),
        number("Machines that answer", f"sum(up{{{m}}})", unit="none", width=3),
        number("Machines that don't", f"sum(up{{{m}}} == bool 0)", unit="none", width=3, thresholds=NONE),
        number("Countersets that fail", f"sum(1 - {each('counterset_success')})", unit="none", width=3, thresholds=NONE),
        number("Countersets without values", f"sum({each('counterset_stale')})", unit="none", width=3, thresholds=NONE),
        number("Facts that fail", f"sum(1 - {each('facts_success')})", unit="none", width=3, thresholds=NONE),
        number("Wrong configurations", f"sum(1 - {each('config_last_reload_successful')})", unit="none", width=3,
               thresholds=NONE),
        number("Workers lost in an hour", f"sum(increase({each('worker_restarts_total')}[1h]))", unit="none", width=3,
               thresholds=NONE),
        number("Series", f"sum({each('counterset_series')})", unit="short", width=3),
        table("Exporters", [
            ("Up for", f"(time() - process_start_time_seconds{{{m}}}) {version}", colored("s")),
            ("Configuration read", f"(time() - {each('config_last_reload_success_timestamp_seconds')}) {version}", colored("s"))],
              {"instance": "Machine", "version": "Version", "os": "System", "arch": "Processor"}, height=7),

        row("Countersets"),
        table("Countersets", [
            ("Good", each("counterset_success"), colored("none", mappings=YES_IS_GOOD)),
            ("Stale", each("counterset_stale"), colored("none", mappings=YES_IS_BAD)),
            ("Age", each("counterset_sample_age_seconds"), colored("s")),
            ("Takes", each("counterset_duration_seconds"), colored("s")),
            ("Series", each("counterset_series"), colored("none")),
            ("Bytes", each("counterset_sample_bytes"), colored("bytes")),
            ("Failures", each("counterset_failures_total"), colored("none")),
            ("Skipped", each("skipped_samples_total"), colored("none")),
            ("No room", each("counterset_no_room_series"), colored("none", NONE))],
            {"instance": "Machine", "counterset": "Counterset"}, height=12, sort="Takes"),
        top("Age of the samples", "counterset_sample_age_seconds", "{{counterset}}", unit="s", width=8),
        top("What a sample takes", "counterset_duration_seconds", "{{counterset}}", unit="s", width=8),
        graph("Failed and skipped samples",
              target(f"sum by (instance) ({rate('counterset_failures_total')})", "{{instance}} failed"),
              target(f"sum by (instance) ({rate('skipped_samples_total')})", "{{instance}} skipped"), unit="ops", width=8),
        top("Largest countersets", "counterset_series", "{{counterset}}", unit="none"),
        top("Values that are missing", "values_missing", "{{counterset}}: {{reason}}", unit="none"),

        row("Facts"),
        table("Facts", [
            ("Good", each("facts_success"), colored("none", mappings=YES_IS_GOOD)),
            ("Timed out", each("facts_timeout"), colored("none", mappings=YES_IS_BAD)),
            ("Age", each("facts_age_seconds"), colored("s")),
            ("Takes", each("facts_duration_seconds"), colored("s")),
            ("Rows", each("facts_rows"), colored("none")),
            ("Problems", each("facts_problems"), colored("none", NONE)),
            ("Left out", each("facts_left_out"), colored("none", NONE))],
            {"instance": "Machine", "topic": "Topic"}, width=14, height=10, sort="Takes"),
        top("What a topic takes", "facts_duration_seconds", "{{topic}}", unit="s", width=10, height=10),

        row("Workers and providers"),
        graph("Time in queries", target(rate("worker_query_seconds_total"), "{{instance}} {{worker}}"),
              unit="percentunit", width=8),
        graph("Workers lost in an hour", target(
            f"sum by (instance, worker, reason) (increase(winperf_exporter_worker_restarts_total{{{m}}}[1h])) > 0",
            "{{instance}} {{worker}}: {{reason}}"), unit="none", width=8),
        graph("Their memory", target(each("worker_private_bytes"), "{{instance}} {{worker}}"), unit="bytes", width=8),
        graph("Their handles", target(each("worker_handles"), "{{instance}} {{worker}}"), unit="none", width=8),
        graph("Their threads", target(each("worker_threads"), "{{instance}} {{worker}}"), unit="none", width=8),
        top("What providers take", "provider_query_seconds", "{{provider}}", unit="s", width=8),
        table("Providers", [
            ("Trusted", f'winperf_exporter_provider_state{{{m},state="trusted"}}', colored("none", mappings=YES_IS_GOOD)),
            ("Quarantine", f'winperf_exporter_provider_state{{{m},state="quarantine"}}', colored("none", mappings=YES_IS_BAD)),
            ("Queries", f"sum without (state) ({each('provider_queries_total')})", colored("none")),
            ("Failures", f"sum without (state) ({each('provider_failures_total')})", colored("none", NONE)),
            ("Bytes", f"sum without (state) ({each('provider_reply_bytes')})", colored("bytes"))],
            {"instance": "Machine", "provider": "Provider"}, sort="Failures",
            description="Empty while all providers share a worker."),
        graph("Countersets that discovery knows", target(each("discovery_known_countersets"), "{{instance}} known"),
              target(each("discovery_sampled_countersets"), "{{instance}} sampled"), unit="none", width=8),
        graph("What a look for countersets takes", target(each("discovery_duration_seconds"), "{{instance}}"), unit="s", width=8),
        graph("Looks that failed", target(
            f'increase(winperf_exporter_discoveries_total{{{m},result="failure"}}[1h])', "{{instance}}"), unit="none", width=8),

        row("HTTP"),
        graph("Requests", target(f"sum by (instance, route, code) ({rate('http_requests_total')})",
                                 "{{instance}} {{route}} {{code}}"), unit="reqps", width=8),
        graph("Connections, and requests that wait", target(each("http_connections"), "{{instance}} connections"),
              target(each("http_queue_length"), "{{instance}} waiting"), unit="none", width=8),
        graph("Refused to protect others", target(f"sum by (instance, reason) ({rate('http_shed_total')})",
                                                  "{{instance}} {{reason}}"), unit="reqps", width=8),
        graph("What a scrape takes", target(f"scrape_duration_seconds{{{m}}}", "{{instance}}"), unit="s", width=8),
        graph("Series in a scrape", target(f"scrape_samples_scraped{{{m}}}", "{{instance}}"), unit="short", width=8),
        graph("Scrapes between two samples", target(f"increase({each('early_scrapes_total')}[1h])", "{{instance}}"),
              unit="none", width=8, description="Rates over two scrapes jump if this isn't 0: scrape less often."),
        number("First certificate to expire", f"min({each('tls_certificate_expiry_timestamp_seconds')}) - time()",
               unit="s", width=6, thresholds=steps("red", (86400 * 3, "orange"), (86400 * 14, "green")),
               description="Empty without TLS."),
        graph("TLS handshakes that failed", target(f"sum by (instance, reason) ({rate('tls_handshake_failures_total')})",
                                                   "{{instance}} {{reason}}"), unit="ops", width=18, height=4),

        row("Cost"),
        graph("Processors", target(
            f"rate(process_cpu_seconds_total{{{m}}}[$__rate_interval]) and on (job, instance) {each('build_info')}",
            "{{instance}}"), unit="percentunit", description="Without the workers. 100% is one processor.", width=8),
        graph("Memory", target(f"process_resident_memory_bytes{{{m}}}", "{{instance}} resident"),
              target(f"process_virtual_memory_bytes{{{m}}}", "{{instance}} committed"), unit="bytes", width=8),
        graph("Handles", target(f"process_open_fds{{{m}}}", "{{instance}}"), unit="none", width=8),
    ])


DASHBOARDS = {"machine.json": machine, "processes.json": processes, "exporter.json": exporter}


def files():
    """Returns the dashboards' contents by file name."""
    return {name: (json.dumps(make(), indent=1, ensure_ascii=False) + "\n").encode() for name, make in DASHBOARDS.items()}


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: make_dashboards.py FOLDER")
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files().items():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    main()
