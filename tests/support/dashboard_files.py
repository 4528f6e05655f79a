"""The queries of dashboards and rule files, as Grafana and jsonnet would make them."""

import dataclasses
import json
import re
import subprocess

# What kubernetes-mixin sets in its config.libsonnet.
KUBERNETES_CONFIG = {"clusterLabel": "cluster", "windowsExporterSelector": 'job="windows-exporter"',
                     "kubeStateMetricsSelector": 'job="kube-state-metrics"'}
VARIABLE = re.compile(r"\$(\w+)|\$\{(\w+)(?:\.\w+)?(?::\w+)?\}|\[\[(\w+)(?::\w+)?\]\]")
LABEL_VALUES = re.compile(r"label_values\((.*),\s*(\w+)\s*\)\s*", re.DOTALL)
QUERY_RESULT = re.compile(r"query_result\((.*)\)\s*", re.DOTALL)


@dataclasses.dataclass(frozen=True)
class Query:
    source: str    # file and panel
    text: str
    kind: str      # panel, variable, annotation, record or alert
    logs: bool = False  # of Loki, not of Prometheus


def queries_in(node, source, kind, inherited=None):
    """The targets of panels, of rows in panels and so on."""
    if isinstance(node, list):
        for entry in node:
            yield from queries_in(entry, source, kind, inherited)
    elif isinstance(node, dict):
        datasource = node.get("datasource") or inherited
        if "title" in node and isinstance(node["title"], str):
            source = f"{source.partition(': ')[0]}: {node['title']}"
        if isinstance(node.get("expr"), str):
            yield Query(source, node["expr"].strip(), kind, isinstance(datasource, dict) and datasource.get("type") == "loki")
        for key, value in node.items():
            if key not in ("datasource", "templating", "annotations"):
                yield from queries_in(value, source, kind, datasource)


class Dashboard:
    def __init__(self, path, root):
        self.name = str(path.relative_to(root))
        self.json = json.loads(path.read_text())

    def queries(self):
        yield from queries_in(self.json, self.name, "panel")
        yield from queries_in(self.json.get("annotations", {}).get("list", []), self.name + ": annotation", "annotation")

    def variables(self, builtin, values_of):
        """The queries of the variables, and the variables' values. `values_of` tells the values that a label has in a
        selector."""
        values, queries = dict(builtin), []
        for variable in self.json.get("templating", {}).get("list", []):
            name, kind, query = variable["name"], variable["type"], variable.get("query")
            if kind == "datasource":
                values[name] = name
            elif kind == "query" and not variable.get("regex"):
                text = substitute(query["query"] if isinstance(query, dict) else query, values)
                if match := LABEL_VALUES.fullmatch(text):
                    selector, found = match[1], values_of(match[1], match[2])
                elif match := QUERY_RESULT.fullmatch(text):
                    selector, found = match[1], []
                else:
                    raise ValueError(f"{self.name}: the query of the variable {name} is {text!r}")
                queries.append(Query(f"{self.name}: variable {name}", selector, "variable"))
                values[name] = chosen(variable, found)
            else:
                raise ValueError(f"{self.name}: the variable {name} is of the kind {kind!r}, {variable.get('regex')!r}")
        return queries, values


def chosen(variable, values):
    """All where that can be chosen, else the first one. Where there is none, anything, so that other queries are tried."""
    if not values:
        return ".*"
    if variable.get("multi") or variable.get("includeAll"):
        return variable.get("allValue") or "(" + "|".join(re.escape(value).replace("\\", "\\\\") for value in values) + ")"
    return values[0]


def substitute(text, values):
    def value(match):
        name = next(filter(None, match.groups()))
        if name not in values:
            raise ValueError(f"{text!r} has an unknown variable {name}")
        return values[name]
    return VARIABLE.sub(value, text)


def dashboards(root):
    return [Dashboard(path, root) for path in sorted(root.rglob("*.json"))]


def rule_files(root, folder):
    """Rule files as Prometheus reads them, and their names. What is made of a jsonnet file is put into the folder."""
    files = {str(path): path for path in sorted(root.rglob("*.yaml")) if not path.name.endswith("_test.yaml")}
    for path in sorted(root.rglob("*.libsonnet")):
        program = f"((import {json.dumps(str(path))}) + {{_config:: {json.dumps(KUBERNETES_CONFIG)}}}).prometheusRules"
        file = folder / (path.stem + ".yaml")
        file.write_text(subprocess.run(["jsonnet", "-e", program], capture_output=True, check=True, text=True).stdout)
        files[str(file)] = path
    return {file: str(path.relative_to(root)) for file, path in files.items()}


def rules_of(prometheus, names):
    """The queries of the rules that a Prometheus has loaded, of the files that have names."""
    for group in prometheus.get("rules")["groups"]:
        for rule in group["rules"] if group["file"] in names else ():
            kind = "alert" if rule["type"] == "alerting" else "record"
            yield Query(f"{names[group['file']]}: {rule['name']}", rule["query"], kind)
