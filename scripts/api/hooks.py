# Teaches schemathesis the formats of ids, whose lengths are in bytes.
import schemathesis
from hypothesis import strategies as st


def limited(limit):
    text = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=limit)
    return text.filter(lambda s: len(s.encode()) <= limit and s.strip() and s not in (".", ".."))


for name, limit in {"user-id": 64, "id": 128, "group": 64}.items():
    schemathesis.openapi.format(name, limited(limit))
