"""Deploys the templates to an emulator of CloudFormation (moto): every resource is made,
changed with each parameter, and deleted. SAM's own translator translates it before, and
resolve.py works out parameters and conditions, as the emulator follows neither Fn::Cidr nor
a parameter within a condition. models.py has what the emulator does not know."""
import collections
import json
import logging
import os
import re
import sys
import warnings

os.environ.update(AWS_ACCESS_KEY_ID="emulator", AWS_SECRET_ACCESS_KEY="emulator", AWS_DEFAULT_REGION="us-east-1")
warnings.simplefilter("ignore")
logging.disable(logging.WARNING)

from botocore.exceptions import ClientError
from moto import mock_aws
from moto.cloudformation import parsing
from samtranslator.public.translator import ManagedPolicyLoader
from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse

import models
import resolve

FIRST = {"TokenSecrets": "laurel/tokens", "TokenSecretsVersion": "v1", "AlarmEmail": "owner@example.com"}
# One change of each parameter, in this order, each on top of those before.
CHANGES = [
    {"Size": "medium"}, {"Size": "large"}, {"Size": "dev"}, {"Size": "small"}, {"ForumTimezone": "Europe/Berlin"},
    {"CorsOrigins": "https://forum.example.com,https://example.com"}, {"TokenSecrets": "laurel/other"},
    {"TokenSecretsVersion": "a1b2"}, {"JwtIssuer": "https://login.example.com/"}, {"JwtAudience": "laurel,forum"},
    {"AlarmEmail": ""}, {"AlarmEmail": "other@example.com"}, {"MonthlyBudget": "0"}, {"MonthlyBudget": "75"}, {"Architecture": "x86_64"},
]
# Then settings, each of these in place of the one before, and the last are the file's own.
DOMAIN = {"DomainName": "points.example.com", "CertificateArn": "arn:aws:acm:us-east-1:123456789012:certificate/1"}
VARIANTS = [
    {"CacheGeneration": 2, "CacheSnapshot": "arn:aws:elasticache:us-east-1:123456789012:serverlesscachesnapshot:s"},
    {"CacheSecret": "laurel/cache", "CacheClusterMode": "false", "CacheSecurityGroupId": None, "CachePort": 7000},
    {"TableName": "kept"}, {"CdnSecret": "laurel-cdn-1"}, DOMAIN, {"ReservedConcurrency": 5}, {"Tracing": "true"}, {"AccessLog": "false"}, {"Events": "true"}, {},
]
# The stacks of their own, with parameters.
ALB = {"QueryFunctionName": "laurel-query", "DomainName": "reads.example.com"}
BESIDE = {
    "waf.yaml": [{}],
    "cdn.yaml": [
        {"ApiHost": "a1.execute-api.us-east-1.amazonaws.com"},
        {"ApiHost": "a1.execute-api.us-east-1.amazonaws.com", "SecretGeneration": "2", "WebAclArn": "arn:aws:wafv2:us-east-1:123456789012:global/webacl/laurel/1"},
        {"ApiHost": "a1.execute-api.us-east-1.amazonaws.com", "SecretGeneration": "3", "CorsOrigins": "https://forum.example.com", **DOMAIN},
    ],
}
REFUSED = [{"TokenSecrets": ""}, {"TokenSecretsVersion": ""}, {"TokenSecrets": "", "TokenSecretsVersion": ""}, {"TokenSecrets": "", "JwtIssuer": "https://x.example", "TokenSecretsVersion": "1"}, {"Size": "huge"}, {"MonthlyBudget": "-1"}]


def statements():
    """Returns the permissions of all functions."""
    functions = [f["FunctionName"] for f in models.client("lambda").list_functions()["Functions"]]
    return [s for f in functions for s in policy(f)]


def policy(function):
    try:
        return json.loads(models.client("lambda").get_policy(FunctionName=function)["Policy"])["Statement"]
    except ClientError:  # it has none
        return []


# How many of a type the emulator has.
COUNTED = {
    "AWS::ApiGatewayV2::Api": lambda: models.client("apigatewayv2").get_apis()["Items"],
    "AWS::Budgets::Budget": lambda: models.client("budgets").describe_budgets(AccountId=models.ACCOUNT)["Budgets"],
    "AWS::CloudFront::Distribution": lambda: models.client("cloudfront").list_distributions()["DistributionList"].get("Items", []),
    "AWS::CloudWatch::Alarm": lambda: models.client("cloudwatch").describe_alarms(MaxRecords=100)["MetricAlarms"],
    "AWS::CloudWatch::Dashboard": lambda: models.client("cloudwatch").list_dashboards()["DashboardEntries"],
    "AWS::ElastiCache::User": lambda: [u for u in models.client("elasticache").describe_users()["Users"] if u["UserId"] != "default" and u["Status"] == "active"],
    "AWS::IAM::ManagedPolicy": lambda: models.client("iam").list_policies(Scope="Local")["Policies"],
    "AWS::IAM::Role": lambda: models.client("iam").list_roles()["Roles"],
    "AWS::Lambda::EventSourceMapping": lambda: models.client("lambda").list_event_source_mappings()["EventSourceMappings"],
    "AWS::Lambda::Permission": statements,
    "AWS::Lambda::Function": lambda: models.client("lambda").list_functions()["Functions"],
    "AWS::Logs::LogGroup": lambda: models.client("logs").describe_log_groups()["logGroups"],
    "AWS::Logs::MetricFilter": lambda: models.client("logs").describe_metric_filters()["metricFilters"],
    "AWS::SNS::Subscription": lambda: models.client("sns").list_subscriptions()["Subscriptions"],
    "AWS::SNS::Topic": lambda: models.client("sns").list_topics()["Topics"],
    "AWS::SQS::Queue": lambda: models.client("sqs").list_queues().get("QueueUrls", []),
    "AWS::Scheduler::Schedule": lambda: models.client("scheduler").list_schedules()["Schedules"],
}
UNCHANGED = set()
failures = []


def check(ok, message):
    if not ok:
        failures.append(message)
        print("FAILED:", message)


class NoManagedPolicies(ManagedPolicyLoader):
    """The template names no managed policy, so none has to be asked for."""

    def __init__(self):
        pass

    def load(self):
        return {}


def translated(source, given, settings={}):
    """Returns the template that SAM's translator makes, with code as sam package has it."""
    template = yaml_parse(source)
    for group in template["Mappings"]["Settings"].values():
        group.update({name: value for name, value in settings.items() if name in group})
    template["Globals"]["Function"]["CodeUri"] = "s3://packages/code.zip"
    values = {name: str(given.get(name, p["Default"])) for name, p in template["Parameters"].items()}
    return transform(template, values, NoManagedPolicies())


def deployed(stacks, template, given, change, when, name="laurel"):
    """Makes or changes a stack and compares it with what was to be there."""
    wanted = resolve.concrete(template, given, models.REGION, name)
    circles(wanted["Resources"])
    change(StackName=name, TemplateBody=json.dumps(wanted), Capabilities=["CAPABILITY_IAM"])
    stack = stacks.describe_stacks(StackName=name)["Stacks"][0]
    check(stack["StackStatus"] in ("CREATE_COMPLETE", "UPDATE_COMPLETE"), f"{when}: {stack['StackStatus']}")
    there = {r["LogicalResourceId"]: r for r in stacks.describe_stack_resources(StackName=name)["StackResources"]}
    check(set(there) == set(wanted["Resources"]), f"{when}: {set(there) ^ set(wanted['Resources'])} differ")
    for name, r in there.items():
        check(r.get("PhysicalResourceId"), f"{when}: {name} was not made")
    outputs = {o["OutputKey"]: o["OutputValue"] for o in stack["Outputs"]}
    check(set(outputs) == set(wanted["Outputs"]), f"{when}: outputs {sorted(outputs)}")
    check(not re.search(r"\$\{|None|Fn::", json.dumps(outputs)), f"{when}: outputs {outputs}")
    if name == "laurel":
        counted(collections.Counter(r["Type"] for r in wanted["Resources"].values()), when)
    return wanted


def named(value):
    """Yields what a part of a template refers to."""
    if isinstance(value, list):
        for v in value:
            yield from named(v)
    elif isinstance(value, dict):
        for k, v in value.items():
            if k in ("Ref", "DependsOn") and isinstance(v, str):
                yield v
            elif k == "Fn::GetAtt":
                yield v[0] if isinstance(v, list) else v.split(".")[0]
            elif k == "Fn::Sub":
                yield from re.findall(r"\$\{(\w+)[.\w]*\}", v if isinstance(v, str) else v[0])
            yield from named(v)


def circles(resources):
    """Checks that no resource needs itself, as CloudFormation refuses and the emulator does not; an alias needs the
    group that moves it."""
    needs = {name: set(named(r)) & set(resources) for name, r in resources.items()}
    while ready := {name for name, others in needs.items() if not others}:
        needs = {name: others - ready for name, others in needs.items() if name not in ready}
    check(not needs, f"{sorted(needs)} need each other")


def compared(before, after, change):
    """Says which resources differ. Some have to, unless the change is of another stack."""
    names = sorted({**before["Resources"], **after["Resources"]})
    different = [n for n in names if before["Resources"].get(n) != after["Resources"].get(n)]
    check(different or not change, f"{change} changes nothing")
    return f"{len(different)}: {', '.join(different[:8])}"


def counted(wanted, when):
    for kind, there in COUNTED.items():
        check(len(there()) == wanted[kind], f"{when}: {len(there())} of {kind}, not {wanted[kind]}")


def unresolved(parse):
    """Has the emulator's parser fail when a property of a resource is not worked out."""
    def parsed(resource, resources):
        result = parse(resource, resources)
        if not result:
            sys.exit(f"neither the emulator nor models.py knows {resource['Type']}")
        found = re.search(r'"(Fn::\w+|Ref)": .{0,80}|\$\{(?!context)[^}]*\}', json.dumps(result[1], default=str))
        check(not found, f"{resource['Type']}: {found and found[0]}")
        return result
    return parsed


def changed(update):
    """Has a resource that the emulator makes and cannot change stay, and notes its type."""
    def put(name, resource, resources, **where):
        if result := update(name, resource, resources, **where):
            return result
        UNCHANGED.add(resource["Type"])
        return resources[name]
    return put


def forgotten(update):
    """Has the emulator forget what a change of the stack deletes, or it is not made again."""
    def put(self, template, parameters=None):
        gone = set(self.resources) - set(template["Resources"])
        update(self, template, parameters)
        for name in gone:
            self._parsed_resources.pop(name, None)
    return put


def around():
    """Makes what a load balancer's stack finds in the account: a function, a network, a certificate."""
    ec2 = models.client("ec2")
    vpc = ec2.create_vpc(CidrBlock="10.80.0.0/16")["Vpc"]["VpcId"]
    subnets = [ec2.create_subnet(VpcId=vpc, CidrBlock=f"10.80.{i}.0/24", AvailabilityZone=models.REGION + zone)["Subnet"]["SubnetId"] for i, zone in enumerate("ab")]
    role = models.client("iam").create_role(RoleName="query", AssumeRolePolicyDocument="{}")["Role"]["Arn"]
    models.client("lambda").create_function(FunctionName=ALB["QueryFunctionName"], Role=role, Runtime="provided.al2023", Handler="bootstrap", Code={"S3Bucket": "packages", "S3Key": "code.zip"})
    certificate = models.client("acm").request_certificate(DomainName=ALB["DomainName"])["CertificateArn"]
    return {"VpcId": vpc, "SubnetIds": ",".join(subnets), "CertificateArn": certificate}


@mock_aws(config={"lambda": {"use_docker": False}})
def main():
    kept = models.register()
    parsing.parse_resource = unresolved(parsing.parse_resource)
    parsing.parse_and_update_resource = changed(parsing.parse_and_update_resource)
    parsing.ResourceMap.update = forgotten(parsing.ResourceMap.update)
    models.client("s3").create_bucket(Bucket="packages")
    models.client("s3").put_object(Bucket="packages", Key="code.zip", Body=b"code")
    stacks = models.client("cloudformation")
    with open("template.yaml") as file:
        source = file.read()
    for refused in REFUSED:
        try:
            resolve.concrete(translated(source, FIRST), {**FIRST, **refused}, models.REGION)
        except resolve.Refused:
            continue
        check(False, f"{refused} is not refused")
    zones = {"AvailabilityZoneIds": "use1-az4,use1-az6"}  # which the emulator cannot change
    deployed(stacks, translated(source, FIRST, zones), FIRST, stacks.create_stack, zones, "zones")
    stacks.delete_stack(StackName="zones")
    given = dict(FIRST)
    before = deployed(stacks, translated(source, given), given, stacks.create_stack, "at first")
    print(f"made {len(before['Resources'])} resources")
    types = {r["Type"] for r in before["Resources"].values()}
    used, parameters = set(), yaml_parse(source)["Parameters"]
    for change in CHANGES:
        given.update(change)
        after = deployed(stacks, translated(source, given), given, stacks.update_stack, change)
        print(f"{change} changed {compared(before, after, change)}")
        used, before = used | set(change), after
    check(used == set(parameters), f"{set(parameters) - used} are not changed")
    group = models.client("ec2").create_security_group(GroupName="other", Description="of a cache")["GroupId"]
    VARIANTS[1]["CacheSecurityGroupId"] = group
    for settings in VARIANTS:
        after = deployed(stacks, translated(source, given, settings), given, stacks.update_stack, settings)
        print(f"{settings} changed {compared(before, after, settings)}")
        types, before = types | {r["Type"] for r in after["Resources"].values()}, after
    stacks.delete_stack(StackName="laurel")
    counted(dict.fromkeys(COUNTED, 0), "after the deletion")
    kept = before["Resources"]["Table"]
    check(kept["DeletionPolicy"] == kept["UpdateReplacePolicy"] == "Retain", "the table is not retained")
    check(not UNCHANGED, f"the emulator cannot change {UNCHANGED}: models.py has to")
    print("deleted them but the table; not emulated: " + "; ".join(f"{k} ({why})" for k, why in models.UNKNOWN.items()))
    ALB.update(around())
    BESIDE["alb.yaml"] = [ALB, {**ALB, "CorsOrigin": "https://forum.example.com"}]
    for file, changes in BESIDE.items():
        with open(file) as opened:
            template = yaml_parse(opened)
        change = stacks.create_stack
        for given in changes:
            made = deployed(stacks, template, given, change, f"{file} {given}", file.removesuffix(".yaml"))
            change = stacks.update_stack
            types |= {r["Type"] for r in made["Resources"].values()}
    check(set(models.KNOWN) <= types, f"models.py has {set(models.KNOWN) - types}, which no template does")
    sys.exit(f"{len(failures)} failures" if failures else 0)


main()
