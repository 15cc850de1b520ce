# Calls every operation of the document through the client that openapi-python-client made of
# it, until each of its statuses has been answered, and holds each answer against its type:
# PYTHONPATH=(the client's directory) drive.py openapi.json URL (URL of one that throttles) FILE.
# Requests and answers go into the file, for drive.ts.
# A new operation is called by itself, with the examples of its parameters and its body; one
# that needs something first has it in prepare, one whose 404 or 409 needs more in `others`.
import base64
import datetime
import hashlib
import hmac
import importlib
import inspect
import json
import sys
import time
import typing
import urllib.request

import httpx
import laurel_client

document = json.load(open(sys.argv[1]))
url, throttled, recorded = sys.argv[2:]
schemas = document["components"]["schemas"]


def referred(value):
    """Returns the component in place of a reference to one."""
    if "$ref" not in value:
        return value
    _, kind, name = value["$ref"].removeprefix("#/").split("/")
    return document["components"][kind][name]


for item in document["paths"].values():
    for operation in item.values():
        operation["parameters"] = [referred(p) for p in operation.get("parameters", [])]
        operation["responses"] = {status: referred(r) for status, r in operation["responses"].items()}
failures, exchanges = [], []


def token(query):
    return urllib.request.urlopen(f"{url}/dev/token?{query}").read().decode().strip()


service, mallory = token("scope=laurel/service"), token("user=mallory")


backend = httpx.Client(base_url=url, headers={"Authorization": f"Bearer {service}"}, verify=False)


def request(method, path, body=None):
    return backend.request(method, path, json=body)


now = datetime.datetime.now(datetime.timezone.utc).isoformat()


def award(user, article):
    """Gives a user an award with an article's id, which an operation's example is not."""
    return request("POST", f"/v1/users/{user}/awards", {"id": article, "at": now, "points": 7, "reason": "Another one"})


def pair(user, article):
    """Makes a user and the other person of the examples a void pair."""
    return request("PUT", f"/v1/users/{user}/voids/bob", {})


def merge(user, article):
    """Merges a user into another one than the operations' example."""
    return request("POST", f"/v1/users/{user}/merge", {"into": f"{user}-2"})


def prepare(user, article):
    """Makes what the operations read."""
    request("PUT", f"/v1/users/{user}", {"name": "Ann"})
    request("PUT", f"/v1/users/{user}/visibility", {"days": "public"})
    request("POST", "/v1/articles", {"id": article, "title": "T", "author": {"id": user}, "groups": ["go"]})
    request("POST", "/v1/activities", {"activities": [
        {"user": user, "action": "like", "target": article}, {"user": user, "action": "follow", "target": "bob"}]})


# What an operation needs done before, and the parameters that a status needs, by both.
first = {
    "read-erasure": lambda user, article: request("DELETE", f"/v1/users/{user}"),
    "post-article 409": lambda user, article: request("DELETE", f"/v1/articles/{article}"),
    "put-article 409": lambda user, article: request("DELETE", f"/v1/articles/{article}"),
    "read-void": lambda user, article: request("PUT", "/v1/targets/article-42/void", {}),
    "delete-void": lambda user, article: request("PUT", "/v1/targets/article-42/void", {}),
    "read-awards": award,
    "post-award 409": award,
    "delete-award 200": award,
    "read-void-pair 200": pair,
    "read-void-pair 304": pair,
    "delete-void-pair 204": pair,
    "read-record 200": pair,
    "read-merge": merge,
    "post-merge 409": merge,
    "put-following 409": lambda user, article: request("PUT", f"/v1/users/{user}/exclusion"),
}
others = {"post-article 201": {"id": "new"}, "read-days 404": {"user": "nobody"}, "post-hook 404": {"source": "flarum"}}
missing = {"board": "karma", "id": "nothing", "user": "nobody", "target": "nothing"}


def signed(content):
    """Signs a webhook as Standard Webhooks does, by the secret that the server has."""
    moment = str(int(time.time()))
    mac = hmac.new(b"the-secret-of-webhooks-of-the-check", b"w.%s." % moment.encode() + content, hashlib.sha256)
    return {"webhook-id": "w", "webhook-timestamp": moment,
            "webhook-signature": "v1," + base64.b64encode(mac.digest()).decode()}


class Changed(httpx.HTTPTransport):
    """Sends requests with something changed, or answers them itself."""

    def __init__(self, headers=None, content=None, query=None, answer=None):
        super().__init__(verify=False)
        self.change, self.content, self.query, self.answer = headers or {}, content, query, answer

    def handle_request(self, r):
        answer = self.answer or self.send(r)
        answer.read()
        self.exchange = {"method": r.method, "target": r.url.raw_path.decode(), "sent": r.read().decode(),
                         "status": answer.status_code, "type": answer.headers.get("content-type", ""),
                         "body": answer.content.decode()}
        return answer

    def send(self, r):
        headers = {k: v for k, v in r.headers.items() if k not in ("content-length", "transfer-encoding")}
        headers = {k: v for k, v in {**headers, **self.change}.items() if v is not None}
        target = r.url.copy_merge_params(self.query) if self.query else r.url
        content = r.read() if self.content is None else self.content
        if "/hooks/" in r.url.path:
            headers.update(signed(content))
        return super().handle_request(httpx.Request(r.method, target, headers=headers, content=content))


def unknown(value):
    """Lists the fields of an answer that its type has not; types without fields are maps."""
    found = []
    if isinstance(value, list):
        return [name for item in value for name in unknown(item)]
    extra = getattr(value, "additional_properties", {})
    fields = {k: v for k, v in vars(value).items() if k != "additional_properties"} if hasattr(value, "__dict__") else {}
    if fields and type(value).__name__ not in ("GatewayMessage", "Rules"):
        found += extra
    return found + [name for item in fields.values() for name in unknown(item)]


def problem(status):
    return httpx.Response(status, headers={"Content-Type": "application/problem+json"}, json={
        "type": "/problems/x", "title": "x", "status": status, "detail": "x", "code": "internal",
        "errors": [{"code": "too_long", "message": "x", "location": "body", "value": [1]}]})


def example(operation, user, article):
    """Returns a body of an operation: its example, or its schema's, with the user and the article in it."""
    def of(schema):
        if "$ref" in schema:
            schema = {**schemas[schema["$ref"].split("/")[-1]], **{k: v for k, v in schema.items() if k == "examples"}}
        if "examples" in schema:
            return schema["examples"][0]
        if schema.get("type") == "array":
            return [of(schema["items"])]
        return {name: of(s) for name, s in schema.get("properties", {}).items()}
    content = operation["requestBody"]["content"]["application/json"]
    body = json.loads(json.dumps(content.get("example") or of(content["schema"])))
    for activity in body.get("activities", []):
        activity["user"] = user
    own = user if operation["operationId"] == "put-user" else article
    for name, value in {"author": {"id": user}, "id": own, "at": now, "next": None}.items():
        if name in body:
            body[name] = value
    for name in ("publishedAt", "until"):
        body.pop(name, None)
    return body


def call(operation, values, transport, base=url, bearer=service):
    """Calls an operation by its generated function, and returns the response."""
    name = operation["operationId"].replace("-", "_")
    module = importlib.import_module(f"laurel_client.api.{operation['tags'][0]}.{name}")
    client = laurel_client.AuthenticatedClient(base, bearer, verify_ssl=False, httpx_args={"transport": transport})
    arguments = {}
    for p in operation.get("parameters", []):
        if p["in"] == "path" or p.get("required"):
            value = values.get(p["name"], p.get("example", p["schema"].get("examples", [None])[0]))
            arguments[p["name"]] = [values["id"]] if p["schema"].get("type") == "array" else value
    if "window" in arguments:
        arguments["window"] = laurel_client.models.Window(arguments["window"])
    if "requestBody" in operation:
        body = example(operation, values["user"], values["id"])
        kind = inspect.signature(module.sync_detailed).parameters["body"].annotation
        models = [m for m in typing.get_args(kind) or [kind] if hasattr(m, "from_dict")]
        arguments["body"] = models[0].from_dict(body) if models else body
    return module.sync_detailed(client=client, **arguments)


def drive(operation, status, number):
    """Brings about one status of an operation, and returns what was answered."""
    op = operation["operationId"]
    values = {"user": f"u{number}", "id": f"a{number}", "board": "activity", "source": "standard"}
    prepare(values["user"], values["id"])
    for step in (first.get(op), first.get(f"{op} {status}")):
        if step:
            step(values["user"], values["id"])
    values.update(others.get(f"{op} {status}", missing if status == "404" else {}))
    if values["id"] == "new":
        values["id"] += str(number)
    bad = b"\xff" if op == "queue-activities" else b"{"
    transport, more = {
        "304": (Changed({"If-None-Match": "*"}), {}),
        "400": (Changed(content=bad), {}),
        "401": (Changed({"Authorization": None, "authorization": None}), {}),
        "403": (Changed(), {"bearer": mallory}),
        "413": (Changed(content=b" " * (256 * 1024 + 1)), {}),
        "415": (Changed({"Content-Type": "text/plain", "content-type": "text/plain"}), {}),
        "422": (Changed(query={"unknown": "1"}), {}),
        "429": (Changed(), {"base": throttled}),
        # What laurel dev does not come to is answered in its place, for the client to read.
        "501": (Changed(answer=problem(501)), {}),
        "503": (Changed(answer=problem(503)), {}),
        "default": (Changed(answer=problem(500)), {}),
    }.get(status, (Changed(), {}))
    if op == "report-activities" and status == "403":
        transport = Changed(content=b'{"activities":[{"action":"publish","target":"x"}]}')
    if op == "read-health" and status == "503":
        transport = Changed(answer=httpx.Response(503, json={"status": "unavailable", "stores": {"view": "unavailable"}, "view": "redis"}))
    if status == "409" and op.endswith(("-void", "-void-pair")):
        transport = Changed(answer=problem(409))
    if status == "200" and op == "delete-user":
        transport = Changed(answer=httpx.Response(200, json={"state": "done", "removed": {"boards": 1}}))
    if op == "pair" and status == "200":
        transport = Changed(answer=httpx.Response(200, json={
            "hookSecret": "whsec_c2VjcmV0", "userSecret": "secret", "board": "activity", "timezone": "UTC"}))
    if op == "post-hook" and status == "401":
        values["source"] = "nodebb"
    if op == "post-hook" and status == "413":
        transport = Changed(content=b" " * (1024 * 1024 + 1))
    if status == "403" and op == "queue-activities":
        transport = Changed(answer=httpx.Response(403, json={"message": "Forbidden"}))
    for _ in range(3 if status == "429" else 1):
        response = call(operation, values, transport, **more)
        if response.status_code == 429:
            break
    exchanges.append({"operation": op, "expected": status, **transport.exchange})
    return response


def check(operation, status, number):
    where = f"{operation['operationId']} {status}"
    try:
        response = drive(operation, status, number)
    except Exception as e:  # the client could not read the answer
        failures.append(f"{where}: {type(e).__name__} {e}")
        return
    if str(int(response.status_code)) != status and status != "default":
        failures.append(f"{where}: answered {response.status_code} {response.content[:300]}")
        return
    content = operation["responses"][status].get("content", {})
    names = {c["schema"]["$ref"].split("/")[-1] for c in content.values() if "$ref" in c["schema"]}
    if names and type(response.parsed).__name__ not in names:
        failures.append(f"{where}: read as {type(response.parsed).__name__}, not {names}")
    if fields := unknown(response.parsed):
        failures.append(f"{where}: the type has no {fields}")


number = 0
for path, item in document["paths"].items():
    for method, operation in item.items():
        for status in operation["responses"]:
            number += 1
            check(operation, status, number)
for status in schemas["Receipt"]["properties"]["status"]["enum"]:
    laurel_client.models.Receipt.from_dict({"status": status, "points": 0, "board": "activity", "day": "2026-11-20"})
with open(recorded, "w") as file:
    json.dump(exchanges, file)
print(f"{number} statuses, {len(failures)} failures", *failures, sep="\n")
sys.exit(bool(failures))
