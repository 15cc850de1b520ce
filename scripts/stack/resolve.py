"""Works out of a template and parameters what CloudFormation deploys: the resources whose
conditions hold, without parameters, mappings and conditions. What other resources give
(Ref, GetAtt, Sub) is left to the emulator."""
import ipaddress
import re

NOTHING = object()  # AWS::NoValue: leaves out the key that has it


class Refused(Exception):
    """The parameters are not allowed."""


def allowed(template, given, pseudo):
    """Returns the value of every parameter, or raises Refused."""
    values = {}
    for name, p in template["Parameters"].items():
        value = str(given.get(name, p.get("Default", "")))
        if (value not in [str(v) for v in p.get("AllowedValues", [value])]
                or not re.fullmatch(p.get("AllowedPattern", ".*"), value)
                or p["Type"] == "Number" and not p.get("MinValue", 0) <= float(value) <= p.get("MaxValue", 1e12)):
            raise Refused(f"{name} cannot be {value!r}")
        values[name] = int(value) if p["Type"] == "Number" else value.split(",") if p["Type"].startswith("List<") else value
    if unknown := set(given) - set(values):
        raise Refused(f"there are no parameters {unknown}")
    for name, rule in template.get("Rules", {}).items():
        resolver = Resolver(template, {**values, **pseudo})
        if resolver.holds(rule.get("RuleCondition", True)):
            for assertion in rule["Assertions"]:
                if not resolver.holds(assertion["Assert"]):
                    raise Refused(f"{name}: {assertion['AssertDescription']}")
    return values


def concrete(template, given, region, stack="laurel"):
    """Returns the template that is left when the parameters are given."""
    pseudo = {"AWS::Region": region, "AWS::StackName": stack}
    resolver = Resolver(template, {**allowed(template, given, pseudo), **pseudo})
    parts = {}
    for part in ("Resources", "Outputs"):
        parts[part] = {
            name: resolver.value({k: v for k, v in item.items() if k not in ("Condition", "Description", "Metadata")})
            for name, item in template[part].items()
            if "Condition" not in item or resolver.holds({"Condition": item["Condition"]})
        }
    return {"AWSTemplateFormatVersion": "2010-09-09", **parts}


class Resolver:
    """Knows parameters, mappings and conditions."""

    def __init__(self, template, values):
        self.template, self.values = template, values

    def holds(self, condition):
        if not isinstance(condition, dict):
            return condition
        [(function, argument)] = condition.items()
        match function:
            case "Condition":
                return self.holds(self.template["Conditions"][argument])
            case "Fn::Equals":
                first, second = (str(self.value(v)) for v in argument)
                return first == second
            case "Fn::Not":
                return not self.holds(argument[0])
            case "Fn::And":
                return all(map(self.holds, argument))
            case "Fn::Or":
                return any(map(self.holds, argument))
        raise ValueError(f"unknown function {function} in a condition")

    def value(self, v):
        if isinstance(v, list):
            return [r for r in map(self.value, v) if r is not NOTHING]
        if not isinstance(v, dict):
            return v
        if len(v) == 1:
            [(function, argument)] = v.items()
            match function:
                case "Ref":
                    return NOTHING if argument == "AWS::NoValue" else self.values.get(argument, v)
                case "Fn::FindInMap":
                    name, first, second = map(self.value, argument)
                    return self.template["Mappings"][name][first][second]
                case "Fn::If":
                    name, yes, no = argument
                    return self.value(yes if self.holds({"Condition": name}) else no)
                case "Fn::Sub":
                    return self.substituted(argument)
                case "Fn::Cidr":
                    block, count, bits = map(self.value, argument)
                    nets = ipaddress.ip_network(block).subnets(new_prefix=32 - int(bits))
                    return [str(n) for n, _ in zip(nets, range(int(count)))]
                case "Fn::GetAZs":
                    return [self.values["AWS::Region"] + zone for zone in "abc"]
                case "Fn::Select":
                    index, items = self.value(argument)
                    return items[int(index)] if isinstance(items, list) else {function: [index, items]}
                case "Fn::Split":
                    separator, text = self.value(argument)
                    return text.split(separator) if isinstance(text, str) else {function: [separator, text]}
                case "Fn::Join":
                    separator, items = self.value(argument)
                    plain = isinstance(items, list) and all(isinstance(i, (str, int)) for i in items)
                    return separator.join(map(str, items)) if plain else {function: [separator, items]}
        return {k: r for k, r in ((k, self.value(w)) for k, w in v.items()) if r is not NOTHING}

    def substituted(self, argument):
        text, own = argument if isinstance(argument, list) else (argument, {})
        own = {k: self.value(v) for k, v in own.items()}
        known = {**self.values, **{k: v for k, v in own.items() if isinstance(v, (str, int))}}
        text = re.sub(r"\$\{([^}!]+)\}", lambda m: str(known.get(m[1], m[0])), text)
        rest = {k: v for k, v in own.items() if k not in known}
        for name in re.findall(r"\$\{(\w+\.\w+\.\w+)\}", text):  # the emulator reads no further than the second dot
            rest[name.replace(".", "")] = {"Fn::GetAtt": name.split(".", 1)}
            text = text.replace(name, name.replace(".", ""))
        if not re.search(r"\$\{[^!]", text):
            return text
        return {"Fn::Sub": [text, rest] if rest else text}
