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


def panel(kind, title, description, targets, *, width, height, unit, thresholds=GREEN, mappings=(), options=None, custom=None,
          minimum=None, maximum=None, overrides=(), transformations=()):
    defaults = {"unit": unit, "thresholds": thresholds, "mappings": list(mappings), "custom": custom or {},
                "color": {"mode": "palette-classic" if kind == "timeseries" else "thresholds"}}
    defaults.update({name: value for name, value in (("min", minimum), ("max", maximum)) if value is not None})
    return {"type": kind, "title": title, "description": description, "datasource": DATASOURCE,
            "gridPos": {"w": width, "h": height}, "options": options or {}, "transformations": list(transformations),
            "fieldConfig": {"defaults": defaults, "overrides": list(overrides)},
            "targets": [{"refId": chr(ord("A") + index), "datasource": DATASOURCE, **entry}
                        for index, entry in enumerate(targets)]}


def graph(title, description, *targets, width=12, height=8, unit="short", stacked=False, **more):
    custom = {"drawStyle": "line", "lineWidth": 1, "fillOpacity": 30 if stacked else 8, "showPoints": "never",
              "stacking": {"mode": "normal" if stacked else "none", "group": "A"}}
    options = {"tooltip": {"mode": "multi", "sort": "desc"},
               "legend": {"displayMode": "table", "placement": "bottom", "showLegend": True, "calcs": ["lastNotNull", "max"]}}
    return panel("timeseries", title, description, targets, width=width, height=height, unit=unit, custom=custom, options=options,
                 **{"minimum": 0, **more})


def number(title, description, expr, legend="", *, width=4, height=4, unit="short", text=False, **more):
    """One number, or with `text` the legend instead of it."""
    options = {"colorMode": "value", "graphMode": "none", "justifyMode": "auto", "textMode": "name" if text else "auto",
               "reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False}}
    return panel("stat", title, description, [target(expr, legend or title, instant=True)], width=width, height=height, unit=unit,
                 options=options, **more)


def table(title, description, columns, labels, *, width=24, height=8, sort="", **more):
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
    return panel("table", title, description, targets, width=width, height=height, unit="short", options=options,
                 overrides=overrides, custom={"align": "auto", "filterable": True}, transformations=[merge, keep, organize], **more)


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
        row("Machine overview"),
        number("Host name", "Fully qualified name of the machine.",
               now("os_hostname_info"), "{{fqdn}}", width=5, text=True, unit="none"),
        number("Windows version", "Product name and version of Windows.",
               now("os_info"), "{{product}} ({{version}})", width=7, text=True, unit="none"),
        number("System uptime", "Time since Windows was started.",
               f"{now('os_time_seconds')} - {now('os_boot_time_seconds')}", unit="s", width=3),
        number("Logical processors", "Number of logical processors that Windows uses.",
               f'count(winperf_cpu_time_seconds_total{{{m},mode="idle"}})', unit="none", width=3),
        number("Physical memory", "Physical memory that Windows can use.",
               now("memory_physical_total_bytes"), unit="bytes", width=3),
        number("Logged-on users", "Number of logged-on users.",
               now("os_users"), unit="none", width=3),
        number("Processor usage", "Busy share of all processors; near 100 % for long, threads wait for a processor.",
               f"1 - avg({idle})", unit="percentunit", thresholds=FULL),
        number("Memory usage", "Share of physical memory that isn't available; above 95 %, Windows pages to disk.",
               f"1 - {now('memory_available_bytes')} / {now('memory_physical_total_bytes')}",
               unit="percentunit", thresholds=FULL),
        number("Commit charge", "Committed share of memory and paging files; at 100 %, programs fail.",
               f"{now('memory_committed_bytes')} / {now('memory_commit_limit_bytes')}",
               unit="percentunit", thresholds=FULL),
        number("Fullest volume", "Used share of the fullest volume of at least 1 GiB; programs fail when it is full.",
               f"1 - min({now('logical_disk_free_bytes')} / ({now('logical_disk_size_bytes')} > 1024^3))",
               unit="percentunit", thresholds=FULL),
        number("Stopped services",
               "Number of automatic services that aren't running; some stop by themselves when they are idle.",
               f'sum(winperf_service_start_mode{{{m},start_mode="auto"}} == bool 1'
               f' and on (name) winperf_service_state{{{m},state!="running"}} == 1) or vector(0)', unit="none",
               thresholds=steps("green", (1, "orange"))),
        number("Clock offset",
               "Time by which the machine's clock is ahead of Prometheus' clock; if it is off by over 5 s, check the time service.",
               f"{now('os_time_seconds')} - timestamp({now('os_time_seconds')})", unit="s",
               thresholds=steps("red", (-5, "green"), (5, "red"))),

        row("Processors"),
        graph("Processor time by mode",
              "Share of processor time by mode; high interrupt or DPC time points to a driver or device.",
              target(f"avg by (mode) ({rate('cpu_time_seconds_total')})", "{{mode}}"),
              unit="percentunit", stacked=True, maximum=1),
        graph("Usage by processor", "Busy share of each processor; one at 100 % points to a single-threaded program.",
              target(f"1 - {idle}", "{{core}}"), unit="percentunit", maximum=1),
        graph("Processor utility",
              "Processor usage as Task Manager shows it; above 100 %, processors run faster than their base clock.",
              target(f"avg({now('cpu_processor_utility_percent')})", "utility"),
              target(f"avg({now('cpu_privileged_utility_percent')})", "of it, Windows itself"), unit="percent", width=8),
        graph("Frequency and limit",
              "Processor speed relative to the base clock, and its limit; below 100 %, power or temperature limits it.",
              target(f"avg({now('cpu_processor_performance_percent')})", "of the base clock"),
              target(f"100 * avg({now('cpu_performance_limit_ratio')})", "limit"), unit="percent", width=8),
        graph("Queue and context switches",
              "Threads waiting for a processor, and context switches; more than two waiting per processor is overload.",
              target(now("system_processor_queue_length"), "threads that wait"),
              target(f"{rate('system_context_switches_total')} / 1000", "thousand switches per second"),
              width=8),

        row("Memory"),
        graph("Memory composition", "Physical memory by use; little cache and free memory means that memory is short.",
              target(f"{now('memory_physical_total_bytes')} - {now('memory_available_bytes')}", "in use"),
              target(f"{now('memory_available_bytes')} - {now('memory_free_and_zero_page_list_bytes')}", "cache, available"),
              target(now("memory_free_and_zero_page_list_bytes"), "free"), unit="bytes", stacked=True),
        graph("Commit charge and limit", "Committed memory and its limit; programs fail when they meet.",
              target(now("memory_committed_bytes"), "committed"),
              target(now("memory_commit_limit_bytes"), "limit"), unit="bytes"),
        graph("Hard page faults",
              "Pages and page operations per second from and to disk; sustained reads mean that memory is short.",
              target(rate("memory_pages_total"), "pages, {{direction}}"),
              target(rate("memory_page_operations_total"), "operations, {{direction}}"),
              unit="ops"),
        graph("Pools and caches",
              "Memory of the kernel's pools and of caches; a pool that keeps growing points to a leak in a driver.",
              target(now("memory_pool_paged_bytes"), "paged pool"),
              target(now("memory_pool_nonpaged_bytes"), "nonpaged pool"),
              target(now("memory_system_cache_resident_bytes"), "system cache"),
              target(now("memory_modified_page_list_bytes"), "modified pages"), unit="bytes"),

        row("Disks"),
        table("Volume space",
              "Size and free space of each volume; a negative value in a day means that it fills up within 24 hours.", [
            ("Size", now("volume_size_bytes"), colored("bytes")),
            ("Free", now("volume_free_bytes"), colored("bytes")),
            ("Free share", f"{now('volume_free_bytes')} / ({now('volume_size_bytes')} > 0)", colored("percentunit", EMPTY)),
            ("Read-only", now("volume_read_only"), colored("none", mappings=YES_IS_BAD)),
            ("In a day", f"predict_linear({now('volume_free_bytes')}[6h], 86400)", colored("bytes", steps("red", (0, "green"))))],
            {"volume": "Volume"}, width=14),
        table("Disk drives", "Model, size and status of each disk drive; replace a drive that isn't OK.", [
            ("Size", f"{now('disk_drive_size_bytes')} * on (disk) group_left (model) {now('disk_drive_info')}", colored("bytes")),
            ("OK", f'(winperf_disk_drive_status{{{m},status="OK"}} or on (disk) 0 * winperf_disk_drive_info{{{m}}})'
             f' * on (disk) group_left (model) winperf_disk_drive_info{{{m}}}', colored("none", mappings=YES_IS_GOOD))],
            {"disk": "Disk", "model": "Model"}, width=10),
        graph("Disk busy time", "Share of time in which each disk was busy; near 100 %, check its latency.",
              target(f"clamp_min(1 - {rate('physical_disk_idle_time_seconds_total')}, 0)", "{{disk}}"),
              unit="percentunit", width=8, maximum=1),
        graph("Average disk latency", "Average time of a read or write; above 50 ms, the disk is slow.", target(
            f"{rate('physical_disk_time_seconds_total')} / ({rate('physical_disk_transfers_total')} > 0)",
            "{{disk}} {{direction}}"), unit="s", width=8),
        graph("Disk queue length",
              "Requests waiting or in progress on each disk; sustained high values mean that the disk is overloaded.",
              target(now("physical_disk_current_queue_length"), "{{disk}}"), width=8),
        graph("Disk transfers", "Reads and writes per second of each disk; compare high values with the limit of the disk.",
              target(rate("physical_disk_transfers_total"), "{{disk}} {{direction}}"), unit="iops"),
        graph("Disk throughput",
              "Bytes read and written per second of each disk; compare high values with the limit of the disk.",
              target(rate("physical_disk_bytes_total"), "{{disk}} {{direction}}"), unit="Bps"),

        row("Network"),
        graph("Network throughput",
              "Bits sent and received per second by each network adapter; compare high values with its bandwidth.",
              target(f"8 * {rate('network_interface_bytes_total')}", "{{nic}} {{direction}}"), unit="bps"),
        graph("Bandwidth usage",
              "Used share of each network adapter's bandwidth in its busier direction; above 90 %, it is saturated.", target(
            f"max by (nic) ({rate('network_interface_bytes_total')})"
            f" / on (nic) ({now('network_interface_current_bandwidth_bytes_per_second')} > 0)", "{{nic}}"),
            unit="percentunit", thresholds=FULL),
        graph("Lost packets",
              "Faulty and discarded packets per second; any steady rate points to a cable, a driver or an overload.",
              target(rate("network_interface_packets_errors_total"), "{{nic}} errors {{direction}}"),
              target(rate("network_interface_packets_discarded_total"), "{{nic}} discarded {{direction}}"),
              unit="pps", width=8),
        graph("TCP connections",
              "TCP connections by state; many in CLOSE_WAIT or TIME_WAIT point to a program that doesn't reuse or close them.",
              target(f"sum by (state) ({now('tcp_connections_by_state')})", "{{state}}"), width=8),
        graph("TCP retransmissions", "Share of TCP segments that were sent again; above 1 %, the network loses packets.", target(
            f"sum by (af) ({rate('tcp_segments_retransmitted_total')})"
            f' / sum by (af) (rate(winperf_tcp_segments_total{{{m},direction="sent"}}[$__rate_interval]) > 0)', "{{af}}"),
            unit="percentunit", width=8),

        row("Services and tasks"),
        table("Stopped automatic services", "Automatic services that aren't running; some stop by themselves when they are idle.", [
            ("Running", f'0 * (winperf_service_state{{{m},state!="running"}} == 1)'
             f' and on (name) winperf_service_start_mode{{{m},start_mode="auto"}} == 1',
             colored("none", mappings=YES_IS_GOOD)),
            ], {"name": "Service"}, width=8, height=10),
        table("Service exit codes", "Services with an exit code other than 0, which usually means that they failed.", [
            ("Exit code", f"{now('service_exit_code')} != 0", colored("none"))], {"name": "Service"}, width=8, height=10),
        table("Failed scheduled tasks",
              "Scheduled tasks whose last result isn't 0; 267008 to 267013 aren't failures but states, such as running.", [
            ("Result", f'winperf_scheduled_task_last_result{{{m}}} != 0', colored("none")),
            ], {"task": "Task"}, width=8, height=10),
        graph("User sessions", "User sessions by state; many disconnected ones hold memory.",
              target(f"sum by (state) ({now('session_state')})", "{{state}}")),
        graph("Handles, threads and processes",
              "Handles, threads and processes of the machine; a number that keeps growing points to a leak.",
              target(f"sum({now('process_handles')})", "handles"),
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

    def top(title, description, expr, unit, **more):
        return graph(title, description, target(f"topk(10, {expr})", name), unit=unit, **more)

    def sums(metric):
        return f"sum by ({by}) ({metric}{{{m}}})"

    return dashboard("winperf-processes", "Windows processes",
                     "Processes of one machine by processor time, memory, I/O, handles and threads.",
                     variables(several=False, metric="winperf_process_threads", others=[process]), [
        row("Totals"),
        number("Process count", "Number of processes; a steady rise points to processes that don't end.",
               f"count({now('process_threads', real)})", unit="none"),
        number("Thread count", "Threads of the selected programs; a steady rise points to a leak.",
               f"sum({now('process_threads')})", unit="none"),
        number("Handle count", "Handles of the selected programs; a steady rise points to a leak.",
               f"sum({now('process_handles')})", unit="none"),
        number("Private memory", "Private memory of the selected programs; a steady rise points to a leak.",
               f"sum({now('process_private_bytes')})", unit="bytes"),
        number("Processors in use", "Processor time of the selected programs; 1 is one processor.",
               f"sum({cpu})", unit="none", height=4),
        number("Newest process",
               "Time since the newest running process was started; a short time again and again points to restarts.",
               f"time() - max({now('process_start_time_seconds', real)})", unit="s"),

        row("Top processes"),
        top("Top processes by CPU", "Processes that use the most processor time; 1 is one processor.",
            cpu, "none"),
        top("Top processes by memory", "Processes with the most private memory; one that keeps growing points to a leak.",
            sums("winperf_process_private_bytes"), "bytes"),
        top("Top processes by I/O", "Processes that read and write the most bytes, in files, network and devices together.",
            io, "Bps"),
        top("Top private working sets", "Processes with the most private memory in RAM; compare with the machine's available memory.",
            sums("winperf_process_working_set_private_bytes"), "bytes"),
        top("Top processes by handles", "Processes with the most handles; one that keeps growing points to a leak.",
            sums("winperf_process_handles"), "none"),
        top("Top processes by threads",
            "Processes with the most threads; one that keeps growing points to a leak or to blocked work.",
            sums("winperf_process_threads"), "none"),
        top("Top processes by faults",
            "Processes with the most page faults; high values matter only with hard page faults, which need the disk.",
            faults, "ops"),
        top("Top kernel pool users", "Processes that use the most kernel pool; one that keeps growing points to a leak.",
            f"sum by ({by}) ({now('process_pool_nonpaged_bytes')} + {now('process_pool_paged_bytes')})", "bytes"),

        row("All processes"),
        table("Process details", "Resources of each process, sorted by processor time; 1 is one processor.", [
            ("Processors", cpu, colored("none", decimals=2)),
            ("Private memory", sums("winperf_process_private_bytes"), colored("bytes")),
            ("Working set", sums("winperf_process_working_set_bytes"), colored("bytes")),
            ("I/O", io, colored("Bps")),
            ("Handles", sums("winperf_process_handles"), colored("none")),
            ("Threads", sums("winperf_process_threads"), colored("none")),
            ("Up for", f"time() - sum by ({by}) ({now('process_start_time_seconds', real)})", colored("s"))],
            {"process": "Program", "process_id": "Process"}, height=16, sort="Processors"),

        row("By program"),
        graph("CPU by program", "Processor time of the busiest programs, all processes together; 1 is one processor.",
              target(f"topk(10, sum by (process) ({rate('process_time_seconds_total', real)}))",
                                       "{{process}}"), unit="none", stacked=True),
        graph("Memory by program",
              "Private memory of the largest programs, all processes together; a steady rise points to a leak.",
              target(f"topk(10, sum by (process) ({now('process_private_bytes')}))", "{{process}}"),
              unit="bytes", stacked=True),
        graph("Processes by program", "Programs with the most processes; a steady rise points to processes that don't end.",
              target(f"topk(10, count by (process) ({now('process_threads', real)}))", "{{process}}"), unit="none"),
        graph("Recently started processes",
              "Processes started within the last five minutes, by program; repeated starts point to crashes.", target(
            f"count by (process) (time() - {now('process_start_time_seconds', real)} < 300)", "{{process}}"), unit="none"),
    ])


def exporter():
    m = MACHINES

    def each(metric):
        return f"winperf_exporter_{metric}{{{m}}}"

    def rate(metric, seconds="$__rate_interval"):
        return f"rate(winperf_exporter_{metric}{{{m}}}[{seconds}])"

    version = f"* on (job, instance) group_left (version, os, arch) {each('build_info')}"

    def top(title, description, metric, legend, **more):
        return graph(title, description, target(f"topk(10, {each(metric)})", "{{instance}} " + legend), **more)

    return dashboard("winperf-exporter", "winperf_exporter", "Health and cost of the exporters.",
                     variables(several=True, metric="winperf_exporter_build_info"), [
        row("Overview"),
        number("Reachable machines", "Number of machines whose last scrape succeeded.",
               f"sum(up{{{m}}})", unit="none", width=3),
        number("Unreachable machines", "Number of machines whose last scrape failed.",
               f"sum(up{{{m}}} == bool 0)", unit="none", width=3, thresholds=NONE),
        number("Failing countersets", "Countersets whose last attempt failed; run winperf_exporter doctor on the machine.",
               f"sum(1 - {each('counterset_success')})", unit="none", width=3, thresholds=NONE),
        number("Stale countersets", "Countersets whose last sample is too old, so that their series have ended.",
               f"sum({each('counterset_stale')})", unit="none", width=3, thresholds=NONE),
        number("Failing fact topics", "Topics of facts whose last attempt failed; their metrics are missing.",
               f"sum(1 - {each('facts_success')})", unit="none", width=3, thresholds=NONE),
        number("Invalid configurations", "Exporters that reject their last configuration and still use an earlier one.",
               f"sum(1 - {each('config_last_reload_successful')})", unit="none", width=3,
               thresholds=NONE),
        number("Lost workers", "Worker processes replaced in the last hour, because a provider crashed, hung or used too much.",
               f"sum(increase({each('worker_restarts_total')}[1h]))", unit="none", width=3,
               thresholds=NONE),
        number("Exported series", "Series of all countersets on all pages; a high number costs memory in Prometheus.",
               f"sum({each('counterset_series')})", unit="short", width=3),
        table("Exporter versions", "Version, uptime and age of the configuration of each exporter.", [
            ("Up for", f"(time() - process_start_time_seconds{{{m}}}) {version}", colored("s")),
            ("Configuration read", f"(time() - {each('config_last_reload_success_timestamp_seconds')}) {version}", colored("s"))],
              {"instance": "Machine", "version": "Version", "os": "System", "arch": "Processor"}, height=7),

        row("Countersets"),
        table("Counterset status", "State, age, duration and size of each counterset; long durations slow down sampling.", [
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
        top("Sample age",
            "Time since the current sample was taken; more than a few intervals means that sampling hangs or fails.",
            "counterset_sample_age_seconds", "{{counterset}}", unit="s", width=8),
        top("Sample duration",
            "Duration of the last attempt, including shared queries; if it nears the interval, samples are skipped.",
            "counterset_duration_seconds", "{{counterset}}", unit="s", width=8),
        graph("Failed and skipped samples",
              "Failed attempts per second, and samples skipped because the previous one was still running; both should be 0.",
              target(f"sum by (instance) ({rate('counterset_failures_total')})", "{{instance}} failed"),
              target(f"sum by (instance) ({rate('skipped_samples_total')})", "{{instance}} skipped"), unit="ops", width=8),
        top("Largest countersets", "Countersets with the most series; filter their instances or counters if they are too many.",
            "counterset_series", "{{counterset}}", unit="none"),
        top("Missing values", "Values of the current sample that couldn't be computed, by reason.",
            "values_missing", "{{counterset}}: {{reason}}", unit="none"),

        row("Facts"),
        table("Fact topics", "State, age, duration and size of each topic of facts; check topics with problems or timeouts.", [
            ("Good", each("facts_success"), colored("none", mappings=YES_IS_GOOD)),
            ("Timed out", each("facts_timeout"), colored("none", mappings=YES_IS_BAD)),
            ("Age", each("facts_age_seconds"), colored("s")),
            ("Takes", each("facts_duration_seconds"), colored("s")),
            ("Rows", each("facts_rows"), colored("none")),
            ("Problems", each("facts_problems"), colored("none", NONE)),
            ("Left out", each("facts_left_out"), colored("none", NONE))],
            {"instance": "Machine", "topic": "Topic"}, width=14, height=10, sort="Takes"),
        top("Topic duration", "Time to read each topic of facts; near its timeout, its metrics are at risk.",
            "facts_duration_seconds", "{{topic}}", unit="s", width=10, height=10),

        row("Workers and providers"),
        graph("Worker query time", "Share of time in which each worker was busy with queries; near 100 %, samples are late.",
              target(rate("worker_query_seconds_total"), "{{instance}} {{worker}}"),
              unit="percentunit", width=8),
        graph("Lost workers by reason",
              "Worker processes replaced in the last hour, by reason; repeated losses point to a faulty provider.", target(
            f"sum by (instance, worker, reason) (increase(winperf_exporter_worker_restarts_total{{{m}}}[1h])) > 0",
            "{{instance}} {{worker}}: {{reason}}"), unit="none", width=8),
        graph("Worker memory", "Private memory of each worker process; steady growth points to a leak in a provider.",
              target(each("worker_private_bytes"), "{{instance}} {{worker}}"), unit="bytes", width=8),
        graph("Worker handles", "Handles of each worker process; steady growth points to a leak in a provider.",
              target(each("worker_handles"), "{{instance}} {{worker}}"), unit="none", width=8),
        graph("Worker threads", "Threads of each worker process; steady growth points to a leak in a provider.",
              target(each("worker_threads"), "{{instance}} {{worker}}"), unit="none", width=8),
        top("Provider query duration",
            "Duration of each provider's last query; slow providers delay the countersets of their worker.",
            "provider_query_seconds", "{{provider}}", unit="s", width=8),
        table("Provider status",
              "State, queries and failures of each isolated provider; empty while all providers share a worker.", [
            ("Trusted", f'winperf_exporter_provider_state{{{m},state="trusted"}}', colored("none", mappings=YES_IS_GOOD)),
            ("Quarantine", f'winperf_exporter_provider_state{{{m},state="quarantine"}}', colored("none", mappings=YES_IS_BAD)),
            ("Queries", f"sum without (state) ({each('provider_queries_total')})", colored("none")),
            ("Failures", f"sum without (state) ({each('provider_failures_total')})", colored("none", NONE)),
            ("Bytes", f"sum without (state) ({each('provider_reply_bytes')})", colored("bytes"))],
            {"instance": "Machine", "provider": "Provider"}, sort="Failures"),
        graph("Discovered countersets", "Countersets found by the last discovery run, and those of them that are sampled.",
              target(each("discovery_known_countersets"), "{{instance}} known"),
              target(each("discovery_sampled_countersets"), "{{instance}} sampled"), unit="none", width=8),
        graph("Discovery duration", "Duration of the last discovery run; a high value points to a slow provider.",
              target(each("discovery_duration_seconds"), "{{instance}}"), unit="s", width=8),
        graph("Failed discovery runs",
              "Discovery runs that failed in the last hour; new countersets aren't found until one succeeds.", target(
            f'increase(winperf_exporter_discoveries_total{{{m},result="failure"}}[1h])', "{{instance}}"), unit="none", width=8),

        row("HTTP"),
        graph("HTTP requests", "Requests per second by route and status code; codes other than 200 point to a wrong client.",
              target(f"sum by (instance, route, code) ({rate('http_requests_total')})",
                                 "{{instance}} {{route}} {{code}}"), unit="reqps", width=8),
        graph("HTTP connections and queue",
              "Open connections, and requests waiting for a thread; a lasting queue means that the exporter is overloaded.",
              target(each("http_connections"), "{{instance}} connections"),
              target(each("http_queue_length"), "{{instance}} waiting"), unit="none", width=8),
        graph("Refused requests", "Connections closed and requests refused per second to protect other clients, by reason.",
              target(f"sum by (instance, reason) ({rate('http_shed_total')})",
                                                  "{{instance}} {{reason}}"), unit="reqps", width=8),
        graph("Scrape duration", "Duration of a scrape as Prometheus measures it; it must stay below the scrape timeout.",
              target(f"scrape_duration_seconds{{{m}}}", "{{instance}}"), unit="s", width=8),
        graph("Series per scrape", "Series that Prometheus received with each scrape; a high number costs memory in Prometheus.",
              target(f"scrape_samples_scraped{{{m}}}", "{{instance}}"), unit="short", width=8),
        graph("Early scrapes",
              "Scrapes in the last hour that came before a new sample; above 0, rates over two scrapes jump: scrape less often.",
              target(f"increase({each('early_scrapes_total')}[1h])", "{{instance}}"),
              unit="none", width=8),
        number("Next certificate expiry", "Time until the first certificate expires; empty without TLS.",
               f"min({each('tls_certificate_expiry_timestamp_seconds')}) - time()",
               unit="s", width=6, thresholds=steps("red", (86400 * 3, "orange"), (86400 * 14, "green"))),
        graph("Failed TLS handshakes",
              "TLS handshakes that failed per second, by reason; a steady rate points to a wrongly configured client.",
              target(f"sum by (instance, reason) ({rate('tls_handshake_failures_total')})",
                                                   "{{instance}} {{reason}}"), unit="ops", width=18, height=4),

        row("Cost"),
        graph("Exporter CPU", "Processor time of the exporter without its workers; 100 % is one processor.", target(
            f"rate(process_cpu_seconds_total{{{m}}}[$__rate_interval]) and on (job, instance) {each('build_info')}",
            "{{instance}}"), unit="percentunit", width=8),
        graph("Exporter memory",
              "Resident and committed memory of the exporter without its workers; steady growth points to a leak.",
              target(f"process_resident_memory_bytes{{{m}}}", "{{instance}} resident"),
              target(f"process_virtual_memory_bytes{{{m}}}", "{{instance}} committed"), unit="bytes", width=8),
        graph("Exporter handles", "Handles of the exporter without its workers; steady growth points to a leak.",
              target(f"process_open_fds{{{m}}}", "{{instance}}"), unit="none", width=8),
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
