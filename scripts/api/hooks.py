# Teaches schemathesis the formats of ids, whose lengths are in bytes, and takes the default
# answer out of the document, so that a status that it does not name is a finding.
from urllib.parse import unquote

import schemathesis
from hypothesis import strategies as st


def limited(limit):
    text = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=limit)
    return text.filter(lambda s: len(s.encode()) <= limit and s.strip() and s not in (".", ".."))


for name, limit in {"user-id": 64, "id": 128, "group": 64}.items():
    schemathesis.openapi.format(name, limited(limit))


@schemathesis.hook
def before_load_schema(context, raw_schema):
    for item in raw_schema["paths"].values():
        for operation in item.values():
            operation["responses"].pop("default", None)


# What no schema can say, made true of requests that are valid by the document: a period by
# the window in the path, moments by the clock, who reports, and ids: that of the path, others
# in lists, and each once.
PERIODS = {"day": "2026-11-20", "week": "2026-W47", "month": "2026-11", "quarter": "2026-Q4", "year": "2026", "all": "all",
           "contest": "2026-11-01..2026-11-30", "7d": "2026-11-20", "30d": "2026-11-20"}


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    for name in {"period", "before"} & set(case.query or {}):
        case.query[name] = PERIODS[case.path_parameters["window"]]
    body = case.body
    if not isinstance(body, dict):
        return
    for moment in ("publishedAt", "since", "until"):
        body.pop(moment, None)
    for activity in body.get("activities", []):
        activity.pop("at", None)
        activity.setdefault("user", "ann")
    path = {name: unquote(text) for name, text in (case.path_parameters or {}).items()}
    own = path.get("user")
    for name, there in (("id", path.get("id", own)), ("target", path.get("target"))):
        if name in body and there is not None:
            body[name] = there
    if users := body.get("users"):
        body["users"] = list({user["id"]: user for user in users if user["id"] != own}.values())
        for user in users:
            user.pop("since", None)
