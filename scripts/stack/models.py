"""What the emulator's CloudFormation does not know, or makes and can neither change nor delete.
Resources of KNOWN are made by calls of their service, which checks their properties by its API
model and keeps them. UNKNOWN are those
whose service the emulator lacks, too: the API model checks their properties, and their
attributes are made up."""
import json

import boto3
from botocore.exceptions import ClientError
from moto.cloudformation import parsing
from moto.core.common_models import CloudFormationModel

ACCOUNT, REGION = "123456789012", "us-east-1"
KNOWN, UNKNOWN = {}, {}


def client(service):
    return boto3.client(service, region_name=REGION)


def lower(value):
    """Has the names of properties begin in lower case, as some APIs have them."""
    if isinstance(value, list):
        return [lower(v) for v in value]
    if isinstance(value, dict):
        return {k[0].lower() + k[1:]: lower(v) for k, v in value.items()}
    return value


def without(properties, *names):
    return {k: v for k, v in properties.items() if k not in names}


def known(kind, delete):
    """Registers what makes a resource, or changes the one that was made, by its properties,
    and returns its attributes, Ref among them if that is not its name."""
    def register(put):
        KNOWN[kind] = put, delete
        return put
    return register


@known("AWS::ApiGatewayV2::Api", lambda ref, p: client("apigatewayv2").delete_api(ApiId=ref))
def api(name, p, made):
    gateway = client("apigatewayv2")
    ref = made or gateway.create_api(Name=name, ProtocolType="HTTP")["ApiId"]
    answer = gateway.reimport_api(ApiId=ref, Body=json.dumps(p["Body"]), FailOnWarnings=p["FailOnWarnings"])
    return {"Ref": ref, "ApiEndpoint": answer["ApiEndpoint"]}


@known("AWS::ApiGatewayV2::ApiMapping", lambda ref, p: client("apigatewayv2").delete_api_mapping(ApiMappingId=ref, DomainName=p["DomainName"]))
def mapping(name, p, made):
    return {"Ref": made or client("apigatewayv2").create_api_mapping(**p)["ApiMappingId"]}


@known("AWS::ApiGatewayV2::DomainName", lambda ref, p: client("apigatewayv2").delete_domain_name(DomainName=ref))
def domain(name, p, made):
    client("apigatewayv2").create_domain_name(**p)
    return {"Ref": p["DomainName"], "RegionalDomainName": f"d-1.execute-api.{REGION}.amazonaws.com"}  # made up


@known("AWS::ApiGatewayV2::Stage", lambda ref, p: client("apigatewayv2").delete_stage(ApiId=p["ApiId"], StageName=ref))
def stage(name, p, made):
    if made:  # the emulator cannot change one
        client("apigatewayv2").delete_stage(ApiId=p["ApiId"], StageName=made)
    client("apigatewayv2").create_stage(**without(p, "Tags"))
    return {"Ref": p["StageName"]}


@known("AWS::Budgets::Budget", lambda ref, p: client("budgets").delete_budget(AccountId=ACCOUNT, BudgetName=ref))
def budget(name, p, made):
    limit = {k: str(v) for k, v in p["Budget"]["BudgetLimit"].items()}
    if made:
        client("budgets").delete_budget(AccountId=ACCOUNT, BudgetName=made)
    client("budgets").create_budget(AccountId=ACCOUNT, **{**p, "Budget": {**p["Budget"], "BudgetName": made or name, "BudgetLimit": limit}})


def quantified(value):
    """Has lists as CloudFront's API has them, and the names that it has otherwise than CloudFormation."""
    others = {
        "IPV6Enabled": "IsIPV6Enabled", "AcmCertificateArn": "ACMCertificateArn", "SslSupportMethod": "SSLSupportMethod",
        "OriginCustomHeaders": "CustomHeaders", "OriginSSLProtocols": "OriginSslProtocols", "WebACLId": "WebACLId",
    }
    if isinstance(value, list):
        return {"Quantity": len(value), "Items": [quantified(v) for v in value]}
    if isinstance(value, dict):
        if set(value) == {"Items"}:
            return quantified(value["Items"])
        return {others.get(k, k): quantified(v) for k, v in value.items()}
    return value


@known("AWS::CloudFront::Distribution", lambda ref, p: delete_distribution(ref))
def distribution(name, p, made):
    config = {**quantified(p["DistributionConfig"]), "CallerReference": name}
    for origin in config["Origins"]["Items"]:  # what CloudFormation adds
        origin["CustomOriginConfig"].update(HTTPPort=80, HTTPSPort=443)
    front = client("cloudfront")
    if made:
        tag = front.get_distribution(Id=made)["ETag"]
        answer = front.update_distribution(Id=made, IfMatch=tag, DistributionConfig=config)["Distribution"]
    else:
        answer = front.create_distribution(DistributionConfig=config)["Distribution"]
    return {"Ref": answer["Id"], "DomainName": answer["DomainName"]}


def delete_distribution(ref):
    client("cloudfront").delete_distribution(Id=ref, IfMatch=client("cloudfront").get_distribution(Id=ref)["ETag"])


@known("AWS::CloudWatch::Alarm", lambda ref, p: client("cloudwatch").delete_alarms(AlarmNames=[ref]))
def alarm(name, p, made):
    client("cloudwatch").put_metric_alarm(AlarmName=made or name, **p)


@known("AWS::DynamoDB::Table", lambda ref, p: None)  # it is retained, which check.py looks at
def table(name, p, made):
    db, own = client("dynamodb"), ("TimeToLiveSpecification", "PointInTimeRecoverySpecification", "SSESpecification")
    if made:
        db.update_table(TableName=made, DeletionProtectionEnabled=p["DeletionProtectionEnabled"] == "true")
    else:
        db.create_table(TableName=name, SSESpecification={"Enabled": p["SSESpecification"]["SSEEnabled"]}, **{
            **without(p, *own), "DeletionProtectionEnabled": p["DeletionProtectionEnabled"] == "true"})
        db.update_time_to_live(TableName=name, TimeToLiveSpecification=p[own[0]])
        db.update_continuous_backups(TableName=name, PointInTimeRecoverySpecification=p[own[1]])
    return {"Arn": db.describe_table(TableName=made or name)["Table"]["TableArn"]}


@known("AWS::EC2::RouteTable", lambda ref, p: client("ec2").delete_route_table(RouteTableId=ref))
def route_table(name, p, made):
    return {"Ref": client("ec2").create_route_table(**p)["RouteTable"]["RouteTableId"]}


@known("AWS::EC2::SubnetRouteTableAssociation", lambda ref, p: client("ec2").disassociate_route_table(AssociationId=ref))
def association(name, p, made):
    return {"Ref": client("ec2").associate_route_table(**p)["AssociationId"]}


@known("AWS::EC2::VPCEndpoint", lambda ref, p: client("ec2").delete_vpc_endpoints(VpcEndpointIds=[ref]))
def endpoint(name, p, made):
    policy = {"PolicyDocument": json.dumps(p["PolicyDocument"])} if "PolicyDocument" in p else {}
    return {"Ref": client("ec2").create_vpc_endpoint(**{**p, **policy})["VpcEndpoint"]["VpcEndpointId"]}


def permission(p, other):
    """Returns a rule between two security groups, as EC2's calls have it."""
    rule = {k: p[k] for k in ("IpProtocol", "FromPort", "ToPort")}
    return {"GroupId": p["GroupId"], "IpPermissions": [{**rule, "UserIdGroupPairs": [{"GroupId": p[other], "Description": p["Description"]}]}]}


@known("AWS::EC2::SecurityGroupEgress", lambda ref, p: client("ec2").revoke_security_group_egress(**permission(p, "DestinationSecurityGroupId")))
def egress(name, p, made):
    client("ec2").authorize_security_group_egress(**permission(p, "DestinationSecurityGroupId"))


@known("AWS::EC2::SecurityGroupIngress", lambda ref, p: client("ec2").revoke_security_group_ingress(**permission(p, "SourceSecurityGroupId")))
def ingress(name, p, made):
    client("ec2").authorize_security_group_ingress(**permission(p, "SourceSecurityGroupId"))


def delete_user(ref):
    client("elasticache").delete_user(UserId=ref)
    client("elasticache").describe_users(UserId=ref)  # after that it is gone


@known("AWS::ElastiCache::User", lambda ref, p: delete_user(ref))
def user(name, p, made):
    client("elasticache").create_user(**{**p, "Engine": "redis"})  # the emulator does not know valkey
    return {"Ref": p["UserId"], "Arn": f"arn:aws:elasticache:{REGION}:{ACCOUNT}:user:{p['UserId']}"}


@known("AWS::IAM::ManagedPolicy", lambda ref, p: client("iam").delete_policy(PolicyArn=ref))
def managed_policy(name, p, made):
    if made:  # a change is another version
        client("iam").create_policy_version(PolicyArn=made, PolicyDocument=json.dumps(p["PolicyDocument"]), SetAsDefault=True)
        return {"Ref": made}
    policy = {"PolicyName": name, "Description": p["Description"], "PolicyDocument": json.dumps(p["PolicyDocument"])}
    return {"Ref": client("iam").create_policy(**policy)["Policy"]["Arn"]}


@known("AWS::Lambda::Permission", lambda ref, p: client("lambda").remove_permission(FunctionName=p["FunctionName"], StatementId=ref))
def function_permission(name, p, made):
    client("lambda").add_permission(StatementId=name, **p)


@known("AWS::Lambda::EventInvokeConfig", lambda ref, p: client("lambda").delete_function_event_invoke_config(FunctionName=p["FunctionName"]))
def invoke_config(name, p, made):
    client("lambda").put_function_event_invoke_config(**without(p, "Qualifier"))


@known("AWS::Logs::LogGroup", lambda ref, p: client("logs").delete_log_group(logGroupName=ref))
def log_group(name, p, made):
    name = made or p.get("LogGroupName", name)
    if not made:
        client("logs").create_log_group(logGroupName=name)
    client("logs").put_retention_policy(logGroupName=name, retentionInDays=p["RetentionInDays"])
    return {"Ref": name, "Arn": f"arn:aws:logs:{REGION}:{ACCOUNT}:log-group:{name}:*"}


@known("AWS::Logs::MetricFilter", lambda ref, p: client("logs").delete_metric_filter(logGroupName=p["LogGroupName"], filterName=ref))
def metric_filter(name, p, made):
    client("logs").put_metric_filter(filterName=made or name, **lower(p))


@known("AWS::Scheduler::Schedule", lambda ref, p: client("scheduler").delete_schedule(Name=ref))
def schedule(name, p, made):
    put = client("scheduler").update_schedule if made else client("scheduler").create_schedule
    put(Name=made or name, **p)


@known("AWS::WAFv2::WebACL", lambda ref, p: None)
def web_acl(name, p, made):
    answer = client("wafv2").create_web_acl(Name=name, **{**p, "Rules": p["Rules"]})["Summary"]
    return {"Ref": answer["Id"], "Arn": answer["ARN"]}


@known("AWS::SecretsManager::Secret", lambda ref, p: client("secretsmanager").delete_secret(SecretId=ref, ForceDeleteWithoutRecovery=True))
def secret(name, p, made):
    secrets = client("secretsmanager")
    text = secrets.get_random_password(**p["GenerateSecretString"])["RandomPassword"]
    return {"Ref": secrets.create_secret(SecretString=text, **without(p, "GenerateSecretString"))["ARN"]}


@known("AWS::SNS::Subscription", lambda ref, p: client("sns").unsubscribe(SubscriptionArn=ref))
def subscription(name, p, made):
    return {"Ref": client("sns").subscribe(**p, ReturnSubscriptionArn=True)["SubscriptionArn"]}


@known("AWS::SNS::TopicPolicy", lambda ref, p: None)
def topic_policy(name, p, made):
    for topic in p["Topics"]:
        client("sns").set_topic_attributes(TopicArn=topic, AttributeName="Policy", AttributeValue=json.dumps(p["PolicyDocument"]))


@known("AWS::SQS::QueuePolicy", lambda ref, p: None)
def queue_policy(name, p, made):
    for queue in p["Queues"]:
        client("sqs").set_queue_attributes(QueueUrl=queue, Attributes={"Policy": json.dumps(p["PolicyDocument"])})


def unknown(kind, reason, service, operation, attributes, arguments=lambda p: p):
    """Registers a type whose service the emulator lacks. It fails once the emulator has it."""
    def put(name, p, made):
        try:
            getattr(client(service), operation)(**arguments(p))
        except NotImplementedError:
            return attributes(p)
        except ClientError as e:
            if e.response["Error"]["Code"] != "404":  # there is no such operation
                raise
            return attributes(p)
        raise AssertionError(f"the emulator knows {kind}: it belongs to KNOWN")
    UNKNOWN[kind] = reason
    KNOWN[kind] = put, lambda ref, p: None


unknown(
    "AWS::ElastiCache::ServerlessCache", "the emulator's ElastiCache has clusters and users only",
    "elasticache", "create_serverless_cache",
    lambda p: {
        "Ref": p["ServerlessCacheName"], "Endpoint.Address": p["ServerlessCacheName"] + ".example", "Endpoint.Port": "6379",
        "ARN": f"arn:aws:elasticache:{REGION}:{ACCOUNT}:serverlesscache:{p['ServerlessCacheName']}",
    },
    lambda p: without(p, "FinalSnapshotName"))  # an argument of the deletion
unknown(
    "AWS::ElastiCache::UserGroup", "as above", "elasticache", "create_user_group", lambda p: {"Ref": p["UserGroupId"]})


for kind, operation in [
    ("CachePolicy", "create_cache_policy"), ("OriginRequestPolicy", "create_origin_request_policy"),
    ("ResponseHeadersPolicy", "create_response_headers_policy"),
]:
    unknown(
        f"AWS::CloudFront::{kind}", "the emulator's CloudFront has no policies", "cloudfront", operation,
        lambda p: {}, lambda p: {k: quantified(v) for k, v in p.items()})


class Made:
    """A resource that was made by calls."""

    def __init__(self, kind, name, properties):
        self.type, self.cfn_name, self.properties = kind, name, properties
        self.put()

    def put(self, made=None):
        self.attributes = {"Ref": made or self.cfn_name, **(KNOWN[self.type][0](self.cfn_name, self.properties, made) or {})}
        self.physical_resource_id = self.attributes["Ref"]

    def delete(self, account, region):
        try:
            KNOWN[self.type][1](self.physical_resource_id, self.properties)
        except ClientError as e:  # the emulator deletes in any order, and with a resource what belongs to it
            if "NotFound" not in e.response["Error"]["Code"]:
                raise

    def is_created(self):
        return True

    def get_cfn_attribute(self, name):
        return self.attributes[name]

    @classmethod
    def has_cfn_attr(cls, name):
        return True

    @classmethod
    def create_from_cloudformation_json(cls, name, resource, account, region, **kwargs):
        return cls(resource["Type"], name, resource["Properties"])

    @classmethod
    def update_from_cloudformation_json(cls, original_resource, new_resource_name, cloudformation_json, account_id, region_name):
        original_resource.properties = cloudformation_json["Properties"]
        original_resource.put(original_resource.physical_resource_id)
        return original_resource


def register():
    """Adds them to the emulator's types, which it lists as subclasses."""
    for kind in KNOWN:
        own = parsing.get_model_map().get(kind)
        if own and all(hasattr(own, m) and not hasattr(getattr(own, m), "__isabstractmethod__")
                       for m in ("update_from_cloudformation_json", "delete_from_cloudformation_json")):
            raise AssertionError(f"the emulator's CloudFormation knows {kind}: it is not needed here")
    classes = [
        type(kind.split("::")[-1], (Made, CloudFormationModel), {
            "cloudformation_type": staticmethod(lambda kind=kind: kind), "cloudformation_name_type": staticmethod(lambda: ""),
        }) for kind in KNOWN
    ]
    parsing.get_model_list.cache_clear()
    parsing.get_model_map.cache_clear()
    return classes  # referenced, or they are collected
